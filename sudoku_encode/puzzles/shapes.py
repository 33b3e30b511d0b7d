"""The boards with straight lines: squares, cubes and jigsaws of any size, from their sides and boxes or regions."""

from collections.abc import Sequence
from math import isqrt

import numpy as np

from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.geometry import Geometry, Rule, tiling
from sudoku_encode.puzzles.rules import CUBE_RULES, EXTRA_RULES, extra_rules


def square(n: int, box: tuple[int, int] | None = None, extra: Sequence[str] = ()) -> Geometry:
    """Return the n x n board with boxes of r rows and c columns.

    Args:
        n: the side, at least 2.
        box: (r, c) with r * c = n; by default `default_box`, and where there is none, rows and columns only.
        extra: keys of EXTRA_RULES, each once.

    Raises:
        GeometryError: n < 2, a box that does not make n, an extra rule that is unknown, repeated or does not fit.
    """
    if n < 2:
        raise GeometryError(f"a board needs a side of at least 2, not {n}")
    if box and (box[0] < 1 or box[0] * box[1] != n):
        r, c = box
        raise GeometryError(f"boxes of {r}x{c} hold {r * c} cells, a {n}x{n} board needs {n}")
    usual = default_box(n)
    used = box or usual
    rules = [tiling("row", (n, n), (1, n)), tiling("column", (n, n), (n, 1))]
    name = f"{n}x{n}"
    if used:
        rules.append(tiling("box", (n, n), used))
    if box and box != usual:
        name += f":{box[0]}x{box[1]}"
    for at, rule in enumerate(extra):
        if rule not in EXTRA_RULES:
            raise GeometryError(f"unknown extra rule {rule[:40]!r}; known: {', '.join(EXTRA_RULES)}")
        if rule in extra[:at]:
            raise GeometryError(f"{name}: the rule {rule} is there already")
        rules += extra_rules(rule, n)
        name += f"+{rule}"
    return Geometry(name, (n, n), n, tuple(rules), used)


def default_box(n: int) -> tuple[int, int] | None:
    """Return the box of an n x n board that names none: the divisors of n closest to each other, the smaller first.

    There is none where n is prime.
    """
    r = next(r for r in range(isqrt(n), 0, -1) if n % r == 0)
    return (r, n // r) if r > 1 else None


def jigsaw(regions: Sequence[int], name: str) -> Geometry:
    """Return a square board whose boxes are the given regions.

    Args:
        regions: for each cell the number of its region.
        name: the board's name.

    Raises:
        GeometryError: the map is not n x n, or a region does not have n cells.
    """
    n = isqrt(len(regions))
    if n < 2 or n * n != len(regions):
        raise GeometryError(f"a region map needs n * n symbols, this one has {len(regions)}")
    numbers, counts = np.unique(np.asarray(regions), return_counts=True)
    if len(numbers) != n or (counts != n).any():
        raise GeometryError(
            f"a {n}x{n} region map needs {n} regions of {n} cells, this one has {len(numbers)} regions of "
            f"{', '.join(map(str, sorted(counts.tolist())))} cells"
        )
    region = Rule("region", np.argsort(regions, kind="stable").reshape(n, n).astype(np.int32))
    rules = (tiling("row", (n, n), (1, n)), tiling("column", (n, n), (n, 1)), region)
    return Geometry(name, (n, n), n, rules)


def cube(n: int) -> Geometry:
    """Return the n x n x n board, n = k * k: lines along three axes, k x k boxes in three families of planes.

    Raises:
        GeometryError: n is not a square of at least 4.

    Source: Jana et al. 2023, section II-D, as intended: a row rule needs two equal coordinates, a minigrid rule needs
        the third coordinate to be equal.
    """
    k = _root(n)
    return _cube(f"{n}x{n}x{n}", n, [(n, 1, 1), (1, n, 1), (1, 1, n), (k, k, 1), (k, 1, k), (1, k, k)])


def literal_cube(n: int) -> Geometry:
    """Return the cube under the six edge conditions as they are printed: it has no solution.

    Two cells are joined when *one* coordinate is equal, or when they lie in the same minigrid of two coordinates
    whatever the third is, so every plane is a clique of n * n cells.

    Raises:
        GeometryError: n is not a square of at least 4.

    Source: Jana et al. 2023, section II-D.
    Differs: `cube` is the reading that the paper's own examples need.
    """
    k = _root(n)
    return _cube(f"{n}x{n}x{n}:literal", n, [(1, n, n), (n, 1, n), (n, n, 1), (k, k, n), (k, n, k), (n, k, k)])


def latin(n: int, dimensions: int) -> Geometry:
    """Return the n x n Latin square or the n x n x n Latin cube: lines along each axis, and no boxes.

    Raises:
        GeometryError: n < 2.

    Source: Keck, Three-Dimensional Sudoku Thesis (blog post, 2022): the cubes in its pictures follow these rules alone.
    """
    if n < 2:
        raise GeometryError(f"a board needs a side of at least 2, not {n}")
    name = f"latin:{'x'.join([str(n)] * dimensions)}"
    if dimensions == 2:
        return Geometry(name, (n, n), n, (tiling("row", (n, n), (1, n)), tiling("column", (n, n), (n, 1))))
    return _cube(name, n, [(n, 1, 1), (1, n, 1), (1, 1, n)])


def _root(n: int) -> int:
    if n < 4 or isqrt(n) ** 2 != n:
        raise GeometryError(f"a cube needs a side of 4, 9, 16, 25, ..., not {n}")
    return isqrt(n)


def _cube(name: str, n: int, blocks: Sequence[tuple[int, int, int]]) -> Geometry:
    rules = tuple(tiling(rule, (n, n, n), block) for rule, block in zip(CUBE_RULES, blocks, strict=False))
    return Geometry(name, (n, n, n), n, rules)
