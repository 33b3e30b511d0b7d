"""Boards: which cells there are, and which groups of cells must all differ.

A cell is a number. On a square it is `row * n + column`, on a cube `(x * n + y) * n + z`, so cells are numbered in the
order in which every text format writes them. A *unit* is a group of cells that must all differ; a *rule* is a family of
units that share no cell, held as one matrix with a unit a row. Every classic rule is a tiling of the board by a block.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isqrt, prod

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import GeometryError

Cells = NDArray[np.int32]

MAX_VALUES = 255
SQUARE_RULES = ("row", "column", "box")
CUBE_RULES = ("row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz")


@dataclass(frozen=True, eq=False)
class Rule:
    """A family of units that share no cell.

    Attributes:
        name: such as `row`, `box` or `box-xy`.
        units: int32 (units, cells per unit).
    """

    name: str
    units: Cells


@dataclass(frozen=True, eq=False)
class Geometry:
    """A board.

    Attributes:
        name: the text that `boards.board` reads back as this board, rules aside.
        shape: (rows, columns) of a square, (x, y, z) of a cube.
        n_values: a cell holds a value from 1 to n_values.
        rules: see `Rule`; what they forbid together is all that the board forbids.
        box: (rows, columns) of a box, where a square has boxes.
    """

    name: str
    shape: tuple[int, ...]
    n_values: int
    rules: tuple[Rule, ...]
    box: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.n_values > MAX_VALUES:
            raise GeometryError(f"{self.name}: at most {MAX_VALUES} values, since grids are arrays of bytes")
        for rule in self.rules:
            if np.bincount(rule.units.ravel(), minlength=self.n_cells).max(initial=0) > 1:
                raise GeometryError(f"{self.name}: two units of rule {rule.name} share a cell")

    @cached_property
    def n_cells(self) -> int:
        """How many cells there are."""
        return prod(self.shape)

    @property
    def n_units(self) -> int:
        """How many units there are, over all rules."""
        return sum(len(rule.units) for rule in self.rules)

    @cached_property
    def rule_names(self) -> tuple[str, ...]:
        """The names of the rules, in their order."""
        return tuple(rule.name for rule in self.rules)

    @cached_property
    def full_rules(self) -> tuple[Rule, ...]:
        """The rules whose units have as many cells as there are values, so that each value is in each unit."""
        return tuple(rule for rule in self.rules if rule.units.shape[1] == self.n_values)

    @cached_property
    def edges(self) -> Cells:
        """Every pair of peers once, smaller cell first, int32 (edges, 2), in the order of the rules."""
        kept: list[Cells] = [np.empty((2, 0), np.int32)]
        homes: list[Cells] = []
        for rule in self.rules:
            first, second = np.triu_indices(rule.units.shape[1], 1)
            ordered = np.sort(rule.units, axis=1).T
            pairs = np.stack([ordered[first].ravel(), ordered[second].ravel()])
            # A pair is new unless an earlier rule has both cells in one unit; a cell is in one unit of a rule at most.
            new = np.ones(pairs.shape[1], bool)
            for home in homes:
                new &= (home[pairs[0]] != home[pairs[1]]) | (home[pairs[0]] < 0)
            kept.append(pairs[:, new] if homes else pairs)
            homes.append(self._home(rule))
        return np.ascontiguousarray(np.concatenate(kept, axis=1).T)

    def _home(self, rule: Rule) -> Cells:
        """For each cell the number of its unit in the rule, or -1."""
        home = np.full(self.n_cells, -1, np.int32)
        home[rule.units] = np.arange(len(rule.units), dtype=np.int32)[:, None]
        return home

    @cached_property
    def peers(self) -> tuple[Cells, ...]:
        """For each cell the cells that must differ from it, ascending."""
        both = np.concatenate([self.edges, self.edges[:, ::-1]])
        both = both[np.lexsort((both[:, 1], both[:, 0]))]
        ends = np.cumsum(np.bincount(both[:, 0], minlength=self.n_cells))
        return tuple(np.split(both[:, 1], ends[:-1]))

    @property
    def n_pairs(self) -> int:
        """How many pairs the units hold when a pair in two units counts twice."""
        return sum(len(rule.units) * (size := rule.units.shape[1]) * (size - 1) // 2 for rule in self.rules)

    @cached_property
    def clique(self) -> tuple[str, Cells] | None:
        """A unit with more cells than there are values, with its rule: proof that no solution exists."""
        return next(((rule.name, rule.units[0]) for rule in self.rules if rule.units.shape[1] > self.n_values), None)

    @property
    def impossible(self) -> str:
        """Why the empty board has no solution, where a clique shows it; otherwise empty."""
        if self.clique is None:
            return ""
        rule, cells = self.clique
        ends = f"{self.label(int(cells[0]))} to {self.label(int(cells[-1]))}"
        return f"the {len(cells)} cells of one {rule} ({ends}) must all differ, and there are {self.n_values} values"

    def label(self, cell: int) -> str:
        """Name a cell for people: `r1c3` (from 1) on a square, `x0y3z2` (from 0, as the papers do) on a cube."""
        at = np.unravel_index(cell, self.shape)
        if len(at) == 2:
            return f"r{at[0] + 1}c{at[1] + 1}"
        return f"x{at[0]}y{at[1]}z{at[2]}"

    def with_rules(self, names: Iterable[str]) -> "Geometry":
        """Keep only the rules named.

        Raises:
            GeometryError: a name that this board does not have, or no name at all.
        """
        wanted = list(names)
        for name in wanted:
            if name not in self.rule_names:
                raise GeometryError(
                    f"{self.name} has no rule {name[:40]!r}; its rules are {', '.join(self.rule_names)}"
                )
        if not wanted:
            raise GeometryError(f"no rule given; {self.name} has {', '.join(self.rule_names)}")
        return replace(self, rules=tuple(rule for rule in self.rules if rule.name in wanted))


def tiling(name: str, shape: Sequence[int], block: Sequence[int]) -> Rule:
    """Cut the board into axis-aligned blocks; each block is one unit.

    Raises:
        GeometryError: the blocks do not fit the shape.
    """
    if any(side % step for side, step in zip(shape, block, strict=True)):
        raise GeometryError(f"rule {name}: blocks of {block} do not tile {shape}")
    cells = np.arange(prod(shape), dtype=np.int32)
    split = cells.reshape([part for side, step in zip(shape, block, strict=True) for part in (side // step, step)])
    outer, inner = range(0, split.ndim, 2), range(1, split.ndim, 2)
    return Rule(name, np.ascontiguousarray(split.transpose(*outer, *inner).reshape(-1, prod(block))))


def square(n: int, box: tuple[int, int] | None = None, extra: Sequence[str] = ()) -> Geometry:
    """Return the n x n board with boxes of r rows and c columns.

    Args:
        n: the side, at least 2.
        box: (r, c) with r * c = n; by default the divisors of n closest to each other, r <= c. A board whose side is
            prime has no boxes by default: rows and columns only.
        extra: keys of EXTRA_RULES, each once.

    Raises:
        GeometryError: n < 2, a box that does not make n, an extra rule that is unknown, repeated or does not fit.
    """
    if n < 2:
        raise GeometryError(f"a board needs a side of at least 2, not {n}")
    r, c = box or _nearest_box(n)
    if r < 1 or r * c != n:
        raise GeometryError(f"boxes of {r}x{c} hold {r * c} cells, a {n}x{n} board needs {n}")
    rules = [tiling("row", (n, n), (1, n)), tiling("column", (n, n), (n, 1))]
    name = f"{n}x{n}"
    if box or r > 1:
        rules.append(tiling("box", (n, n), (r, c)))
    if box and (box != _nearest_box(n) or r == 1):
        name += f":{r}x{c}"
    for at, rule in enumerate(extra):
        if rule not in EXTRA_RULES:
            raise GeometryError(f"unknown extra rule {rule[:40]!r}; known: {', '.join(EXTRA_RULES)}")
        if rule in extra[:at]:
            raise GeometryError(f"{name}: the rule {rule} is there already")
        rules += EXTRA_RULES[rule](n)
        name += f"+{rule}"
    return Geometry(name, (n, n), n, tuple(rules), (r, c) if len(rules) > 2 and rules[2].name == "box" else None)


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


def _root(n: int) -> int:
    if n < 4 or isqrt(n) ** 2 != n:
        raise GeometryError(f"a cube needs a side of 4, 9, 16, 25, ..., not {n}")
    return isqrt(n)


def _cube(name: str, n: int, blocks: Sequence[tuple[int, int, int]]) -> Geometry:
    rules = tuple(tiling(rule, (n, n, n), block) for rule, block in zip(CUBE_RULES, blocks, strict=True))
    return Geometry(name, (n, n, n), n, rules)


def _nearest_box(n: int) -> tuple[int, int]:
    r = next(r for r in range(isqrt(n), 0, -1) if n % r == 0)
    return r, n // r


def _diagonals(n: int) -> list[Rule]:
    step = np.arange(n, dtype=np.int32)
    # Two rules, since the units of one rule share no cell and the diagonals of an odd board cross in one.
    return [Rule("diagonal", (step * (n + 1))[None]), Rule("antidiagonal", ((step + 1) * (n - 1))[None])]


def _windoku(n: int) -> list[Rule]:
    k = isqrt(n)
    if k * k != n:
        raise GeometryError(f"windoku needs a side of 4, 9, 16, 25, ..., not {n}")
    cells = np.arange(n * n, dtype=np.int32).reshape(n, n)
    corners = [at * (k + 1) + 1 for at in range(k - 1)]
    windows = [cells[row : row + k, column : column + k].ravel() for row in corners for column in corners]
    return [Rule("window", np.array(windows))]


# Rules that a square may have besides its own, by the name that a board's name gives them.
EXTRA_RULES = {"diagonals": _diagonals, "windoku": _windoku}
