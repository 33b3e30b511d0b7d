"""The boards with straight lines: squares, rectangles, cubes and jigsaws, from their sides and boxes or regions."""

from collections.abc import Sequence
from math import isqrt

import numpy as np

from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.geometry import MAX_VALUES, PLANES, Geometry, Rule, tiling
from sudoku_encode.puzzles.rules import CUBE_RULES, EXTRA_RULES, PLANE_RULES
from sudoku_encode.puzzles.square_rules import RULES

MAX_PLANES = isqrt(MAX_VALUES)


def square(n: int, box: tuple[int, int] | None = None, extra: Sequence[str] = ()) -> Geometry:
    """Return the n x n board with boxes of r rows and c columns, by default `default_box`, and some of EXTRA_RULES.

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
    for number, rule in enumerate(extra):
        if rule not in EXTRA_RULES:
            raise GeometryError(f"unknown extra rule {rule[:40]!r}; known: {', '.join(EXTRA_RULES)}")
        if rule in extra[:number]:
            raise GeometryError(f"{name}: the rule {rule} is there already")
        rules += RULES[rule](n, used)
        name += f"+{rule}"
    return Geometry(name, (n, n), n, tuple(rules), used)


def default_box(n: int) -> tuple[int, int] | None:
    """Return the default box of an n x n board: the divisors of n closest to each other, the smaller first.

    If n is prime, there is no box.
    """
    r = next(r for r in range(isqrt(n), 0, -1) if n % r == 0)
    return (r, n // r) if r > 1 else None


def jigsaw(regions: Sequence[int], name: str, shape: tuple[int, int] | None = None) -> Geometry:
    """Return a board whose boxes are regions, from the number of the region of each cell; by default it is a square.

    There are as many values as a region has cells, and a row or a column with fewer cells has each of them at most
    once.

    Raises:
        GeometryError: the map is not of this shape, regions differ in size, or a row or column has more cells than a
            region; a square without a shape needs regions of as many cells as a row.
    """
    side = isqrt(len(regions))
    if shape is None and (side < 2 or side * side != len(regions)):
        raise GeometryError(f"a region map needs n * n symbols, this one has {len(regions)}")
    rows, columns = shape or (side, side)
    if min(rows, columns) < 2:
        raise GeometryError(f"a board needs sides of at least 2, not {rows}x{columns}")
    if rows * columns != len(regions):
        needed = f"{rows * columns} symbols"
        raise GeometryError(f"a {rows}x{columns} region map needs {needed}, this one has {len(regions)}")
    numbers, counts = np.unique(np.asarray(regions), return_counts=True)
    sizes = f"{len(numbers)} regions of {', '.join(map(str, sorted(counts.tolist())))} cells"
    if shape is None and (len(numbers) != side or (counts != side).any()):
        raise GeometryError(f"a {side}x{side} region map needs {side} regions of {side} cells, this one has {sizes}")
    n = int(counts[0])
    if (counts != n).any() or n < max(rows, columns):
        needed = f"regions of equally many cells, at least {max(rows, columns)}"
        raise GeometryError(f"a {rows}x{columns} region map needs {needed}; this one has {sizes}")
    region = Rule("region", np.argsort(regions, kind="stable").reshape(-1, n).astype(np.int32))
    return Geometry(name, (rows, columns), n, (*_lines(rows, columns), region))


def _lines(rows: int, columns: int) -> tuple[Rule, Rule]:
    shape = (rows, columns)
    return tiling("row", shape, (1, columns)), tiling("column", shape, (rows, 1))


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


def planes(n: int) -> Geometry:
    """Return the n x n x n board with n * n values, each once in each of the 3 * n planes: Roxdoku.

    Raises:
        GeometryError: n is not from 2 to 15, so that there are at most 255 values.

    Source: KSudoku's Roxdoku, of side 3.
    """
    if not 2 <= n <= MAX_PLANES:
        raise GeometryError(f"a cube of planes needs a side from 2 to {MAX_PLANES}, not {n}")
    blocks = [(1, n, n), (n, 1, n), (n, n, 1)]
    rules = tuple(tiling(rule, (n, n, n), block) for rule, block in zip(PLANE_RULES, blocks, strict=True))
    return Geometry(f"{n}x{n}x{n}:{PLANES}", (n, n, n), n * n, rules)


def latin(n: int, dimensions: int) -> Geometry:
    """Return the n x n Latin square or the n x n x n Latin cube: lines along each axis, and no boxes.

    Raises:
        GeometryError: n < 2.

    Source: Keck, Three-Dimensional Sudoku Thesis (blog post, 2022): the cubes in its pictures follow these rules alone.
    """
    if dimensions == 2:
        return latin_rectangle(n, n)
    if n < 2:
        raise GeometryError(f"a board needs a side of at least 2, not {n}")
    return _cube(f"latin:{n}x{n}x{n}", n, [(n, 1, 1), (1, n, 1), (1, 1, n)])


def latin_rectangle(rows: int, columns: int, n_values: int | None = None) -> Geometry:
    """Return a board of rows and columns alone; a line with fewer cells than there are values has each at most once.

    There are by default as many values as the longer line has cells.

    Raises:
        GeometryError: a side or the values are too few.
    """
    least = max(rows, columns)
    if min(rows, columns) < 2:
        sides = f"a side of at least 2, not {rows}" if rows == columns else f"sides of at least 2, not {rows}x{columns}"
        raise GeometryError(f"a board needs {sides}")
    n = least if n_values is None else n_values
    name = f"latin:{rows}x{columns}"
    if n < least:
        raise GeometryError(f"{name}: a line of {least} cells needs at least {least} values, not {n}")
    return Geometry(name if n == least else f"{name}:{n}", (rows, columns), n, _lines(rows, columns))


def _root(n: int) -> int:
    if n < 4 or isqrt(n) ** 2 != n:
        others = f"; {n}x{n}x{n}:{PLANES} has {n * n} values, each once in each plane" if 2 <= n <= MAX_PLANES else ""
        raise GeometryError(f"a cube needs a side of 4, 9, 16, 25, ..., not {n}{others}")
    return isqrt(n)


def _cube(name: str, n: int, blocks: Sequence[tuple[int, int, int]]) -> Geometry:
    rules = tuple(tiling(rule, (n, n, n), block) for rule, block in zip(CUBE_RULES, blocks, strict=False))
    return Geometry(name, (n, n, n), n, rules)
