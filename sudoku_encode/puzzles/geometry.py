"""Boards: their cells, and the groups of cells that must all differ.

A cell is a number. On a square it is `row * n + column`, on a cube `(x * n + y) * n + z`: cells are numbered in the
order of every text format, those of a surface face by face, those of boards that overlap in reading order of the
rectangle around them. A *unit* is a group of cells that must all differ; a *rule* contains units that share no cell, in
one matrix with a unit per row. Every classic rule is a tiling of the board by a block. A rule whose units overlap needs
several matrices: then they have one name, and are listed and kept together.

A *hidden cell* is in no unit and in no picture: only constraints name it, as `h1`, `h2`, ... Hidden cells are numbered
after those of the grid, and two solutions that differ only in them are one solution.

Boards, rules and puzzles are values: they compare by content, and their arrays are never changed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import isqrt, prod
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError, GeometryError, has_surrogates, short, whole_number
from sudoku_encode.puzzles.arrays import as_array, freeze, frozen, restore_frozen
from sudoku_encode.puzzles.pairs import Numbers, both_ways, new_pairs, pairs, pairs_of_all
from sudoku_encode.puzzles.showing import shown_as_html, shown_as_svg

Cells = NDArray[np.int32]

MAX_VALUES = 255
# Follows the colon in the name of a cube whose planes are units.
PLANES = "planes"
# A constraint may name cells outside the grid, `h1` to `h999`.
MAX_HIDDEN = 999
_HIDDEN_NAME = re.compile(r"h([1-9]\d{0,2})", re.ASCII)


@dataclass(frozen=True, eq=False, repr=False)
class Rule:
    """Units that share no cell.

    Attributes:
        name: such as `row`, `box` or `box-xy`.
        units: int32 (units, cells per unit), a copy that nobody can write into.

    Raises:
        GeometryError: the name is not text, or the units are not a matrix of cells.

    >>> from sudoku_encode import board
    >>> board("9x9").rules[2]
    Rule('box', 9 units of 9 cells)
    """

    name: str
    units: Cells

    def __post_init__(self) -> None:
        _require_name(self.name, "a rule")
        try:
            units = as_array(self.units, "units")
        except FormatError as error:
            raise GeometryError(f"rule {short(self.name)}: {error}") from error
        if units.ndim != 2 or units.dtype.kind not in "iu":
            given = f"of shape {units.shape} and dtype {units.dtype}"
            raise GeometryError(f"rule {short(self.name)}: units {given}; expected whole numbers (units, cells)")
        if units.size and not 0 <= units.min() <= units.max() < np.iinfo(np.int32).max:
            raise GeometryError(f"rule {short(self.name)}: cells {units.min()} to {units.max()}; they go from 0")
        object.__setattr__(self, "units", frozen(units if units.dtype == np.int32 else units.astype(np.int32)))

    __setstate__ = restore_frozen

    def __eq__(self, other: object) -> bool:
        """Compare name and units."""
        return isinstance(other, Rule) and self.name == other.name and np.array_equal(self.units, other.units)

    def __repr__(self) -> str:
        """Return the rule's name and the shape of its units on one short line."""
        return f"Rule({short(self.name)!r}, {len(self.units)} units of {self.units.shape[1]} cells)"

    def __hash__(self) -> int:
        """Hash without a look at the units, of which a cube has a hundred thousand numbers."""
        return hash((self.name, self.units.shape))

    @cached_property
    def share_a_cell(self) -> bool:
        """Whether two units share a cell, which those of a rule must not."""
        return bool(np.bincount(self.units.ravel()).max(initial=0) > 1)


@dataclass(frozen=True, repr=False)
class Geometry:
    """A board.

    Attributes:
        name: the text that `boards.board` reads back as this board, rules aside.
        shape: (rows, columns) of a rectangle, (x, y, z) of a cube, (faces, rows, columns) of a surface, (cells,) of
            boards that overlap.
        n_values: a cell holds a value from 1 to n_values, in arrays whatever `first` is.
        rules: see `Rule`; what they forbid together is all that the board forbids.
        box: (rows, columns) of a box, where a square has boxes.
        places: row and column of each cell from 0, where boards overlap; empty where the shape says it.
        n_hidden: how many hidden cells follow those of the grid; see `with_hidden`.
        first: the number, 0 or 1, that people read and write for the value 1; see `numbers`.
        base: the board with fewer rules that this one was made of by `with_more`, if it was: its
            properties are then derived from those of that board, which takes less time. Ignored in comparisons.

    >>> from sudoku_encode import board
    >>> board("9x9x9").n_cells, len(board("9x9").peers[0])
    (729, 20)
    """

    name: str
    shape: tuple[int, ...]
    n_values: int
    rules: tuple[Rule, ...]
    box: tuple[int, int] | None = None
    places: tuple[tuple[int, int], ...] = ()
    n_hidden: int = 0
    first: int = 1
    base: "Geometry | None" = field(default=None, init=False, compare=False)

    _repr_html_, _repr_svg_ = shown_as_html, shown_as_svg

    def __repr__(self) -> str:
        """Return the board's name and rules on one short line."""
        return f"Geometry({short(self.name)!r}, {short(', '.join(self.rule_names), 50)})"

    def __post_init__(self) -> None:
        _require_name(self.name, "a board")
        put = object.__setattr__
        put(self, "shape", _whole_numbers(self.shape, f"{short(self.name)}: shape"))
        if whole_number(self.n_values, 1) is None:
            raise GeometryError(f"{short(self.name)}: {short(repr(self.n_values))} values; expected 1 to {MAX_VALUES}")
        put(self, "n_values", int(self.n_values))
        if self.n_values > MAX_VALUES:
            raise GeometryError(f"{self.name}: at most {MAX_VALUES} values, since grids are arrays of bytes")
        if self.box is not None:
            put(self, "box", _whole_numbers(self.box, f"{short(self.name)}: box"))
        for name in ("rules", "places"):
            if not isinstance(entries := getattr(self, name), (tuple, list)):
                raise GeometryError(f"{short(self.name)}: {name} {short(repr(entries))}; expected a tuple")
        put(self, "rules", tuple(self.rules))
        put(self, "places", tuple(map(tuple, self.places)))
        if self.first not in (0, 1):
            raise GeometryError(f"{short(self.name)}: first {short(repr(self.first))}; expected 0 or 1")
        if self.places and len(self.places) != self.n_grid:
            raise GeometryError(f"{short(self.name)}: {len(self.places)} places for {self.n_grid} cells")
        for rule in self.rules:
            if not isinstance(rule, Rule):
                raise GeometryError(f"{short(self.name)}: {short(repr(rule))} is not a Rule")
            if rule.units.max(initial=0) >= self.n_cells:
                last = f"there are {self.n_cells} cells, from 0"
                raise GeometryError(f"{short(self.name)}: rule {rule.name} has a cell {rule.units.max()}; {last}")
            if rule.share_a_cell:
                raise GeometryError(f"{self.name}: two units of rule {rule.name} share a cell")

    def __hash__(self) -> int:
        """Hash the name and the rules' names: boards that differ in more are rare."""
        return hash((self.name, self.rule_names))

    def __reduce__(self) -> "tuple[Callable[..., Geometry], tuple[object, ...]]":
        """Pickle what makes the board, and nothing derived."""
        # Imported here since that module imports this one.
        from sudoku_encode.puzzles import boards

        return boards.reduced(self)

    @cached_property
    def n_grid(self) -> int:
        """The number of cells of the grid: all but the hidden ones."""
        return prod(self.shape)

    @cached_property
    def n_cells(self) -> int:
        """The number of cells."""
        return self.n_grid + self.n_hidden

    @cached_property
    def numbers(self) -> tuple[int | None, ...]:
        """The number that people read and write for each value, after that for a blank: 0, or None if 0 is a value.

        >>> from sudoku_encode import board
        >>> board("4x4").numbers, board("4x4:0-3").numbers
        ((0, 1, 2, 3, 4), (None, 0, 1, 2, 3))
        """
        return (0 if self.first else None, *range(self.first, self.first + self.n_values))

    def shown(self, value: int) -> str:
        """Return the number of a value as text; of a blank 0, or a point where 0 is a value."""
        return str(value + self.first - 1) if value or self.first else "."

    def listed(self, values: NDArray[Any]) -> list[int | None]:
        """Return the numbers of values in an array (m,); see `numbers`."""
        return [self.numbers[value] for value in values.tolist()]

    @property
    def last(self) -> int:
        """The number that people read and write for the largest value."""
        return self.first + self.n_values - 1

    @cached_property
    def from_one(self) -> "Geometry":
        """This board with values from 1."""
        # Imported here since that module imports this one.
        from sudoku_encode.puzzles import boards

        return self if self.first else boards.from_one(self)

    @property
    def n_units(self) -> int:
        """The number of units of all rules."""
        return sum(len(rule.units) for rule in self.rules)

    @cached_property
    def rule_names(self) -> tuple[str, ...]:
        """The names of the rules, each once, in their order."""
        return tuple(dict.fromkeys(rule.name for rule in self.rules))

    @cached_property
    def full_rules(self) -> tuple[Rule, ...]:
        """The rules whose units have as many cells as there are values, so that each value is in each unit."""
        return tuple(rule for rule in self.rules if rule.units.shape[1] == self.n_values)

    @cached_property
    def units_of_cells(self) -> Cells:
        """For each cell the number of its unit of each rule, see `units_of_cells`, int32 (n_cells, rules)."""
        if self.base is None:
            return freeze(units_of_cells(self.rules, self.n_cells))
        more = units_of_cells(self._more_rules, self.n_cells, self.base.n_units)
        return freeze(np.concatenate([self.base.units_of_cells, more], axis=1))

    @cached_property
    def _units_with(self) -> tuple[frozenset[int], ...]:
        """For each cell the numbers of its units."""
        return tuple(frozenset(unit for unit in units if unit >= 0) for units in self.units_of_cells.tolist())

    def differ(self, cells: Sequence[int]) -> bool:
        """Check whether some unit contains all of these cells, so that their values differ.

        >>> from sudoku_encode import board
        >>> board("9x9").differ([0, 10, 20]), board("9x9").differ([0, 10, 30])
        (True, False)
        """
        return bool(frozenset.intersection(*[self._units_with[cell] for cell in cells]))

    @property
    def is_cube(self) -> bool:
        """Whether this is a cube with as many values as its side; see `has_axes` for another."""
        return self.shape == (self.n_values,) * 3

    @cached_property
    def has_axes(self) -> bool:
        """Whether cells are known by x, y and z: those of a cube, also of one with more values than its side."""
        return self.is_cube or self.name.partition(":")[2].partition(":")[0] == PLANES

    @cached_property
    def coordinates(self) -> tuple[tuple[int, ...], ...]:
        """The coordinates of each cell from 0: rows and columns over all of the board, or x, y and z of a cube.

        Those of a surface are its face, and row and column in it.
        """
        return self.places or tuple(zip(*np.indices(self.shape).reshape(len(self.shape), -1).tolist(), strict=True))

    @cached_property
    def cells_by_coordinates(self) -> Mapping[tuple[int, ...], int]:
        """The number of each cell by its coordinates; see `coordinates`."""
        return MappingProxyType({place: cell for cell, place in enumerate(self.coordinates)})

    @property
    def has_rows_and_columns(self) -> bool:
        """Whether a cell is known by row and column: that of a rectangle, and of boards that overlap."""
        return len(self.shape) == 2 or bool(self.places)

    @cached_property
    def frame(self) -> tuple[int, int]:
        """How many rows and columns the rectangle around all cells has; see `has_rows_and_columns`."""
        if not self.places:
            return self.shape[-2], self.shape[-1]
        return max(row for row, _ in self.places) + 1, max(column for _, column in self.places) + 1

    @cached_property
    def is_classic(self) -> bool:
        """Whether this is the n x n square, n = k * k, of rows, columns and k x k boxes, under any names."""
        n, k = self.n_values, isqrt(self.n_values)
        return self.shape == (n, n) and k * k == n and self.is_tiled_by([(1, n), (n, 1), (k, k)])

    def is_tiled_by(self, blocks: Iterable[Sequence[int]]) -> bool:
        """Check whether the units are exactly the tiles of these blocks, under any names."""
        return distinct_units(self.rules) == distinct_units(tiling("", self.shape, block) for block in blocks)

    @cached_property
    def edges(self) -> Cells:
        """Every pair of peers once, smaller cell first, int32 (edges, 2), in the order of the rules."""
        if self.base is not None:
            more = new_pairs((rule.units for rule in self._more_rules), self.base.units_of_cells)
            return freeze(np.concatenate([self.base.edges, more]))
        matrices: list[Cells] = [np.empty((2, 0), np.int32)]
        homes = np.ascontiguousarray(self.units_of_cells.T)
        for number, rule in enumerate(self.rules):
            both = pairs(rule.units)
            # A pair is new unless an earlier rule has both cells in one unit; a cell is in one unit of a rule at most.
            new = np.ones(both.shape[1], bool)
            for home in homes[:number]:
                new &= (home[both[0]] != home[both[1]]) | (home[both[0]] < 0)
            matrices.append(both[:, new] if number else both)
        return frozen(np.ascontiguousarray(np.concatenate(matrices, axis=1).T))

    @property
    def _more_rules(self) -> tuple[Rule, ...]:
        """The rules that the base does not have; all if there is no base."""
        return self.rules if self.base is None else self.rules[len(self.base.rules) :]

    @cached_property
    def _peer_numbers(self) -> Numbers:
        """The numbers of all cells with each of their peers; see `pairs.both_ways`."""
        if self.base is None:
            return both_ways(self.edges.T, self.n_cells)
        more = pairs_of_all(rule.units for rule in self._more_rules)
        return both_ways(more, self.n_cells, [self.base._peer_numbers])

    @cached_property
    def peer_table(self) -> tuple[Cells, NDArray[np.int64]]:
        """The peers of all cells, one cell after the other, and where those of each cell start, and the last end."""
        firsts = np.arange(self.n_cells + 1, dtype=self._peer_numbers.dtype) * self.n_cells
        starts = np.searchsorted(self._peer_numbers, firsts)
        return freeze((self._peer_numbers % self.n_cells).astype(np.int32)), freeze(starts)

    @cached_property
    def peers(self) -> tuple[Cells, ...]:
        """For each cell the cells that must differ from it, ascending."""
        peers, starts = self.peer_table
        return tuple(np.split(peers, starts[1:-1]))

    @property
    def n_pairs(self) -> int:
        """The number of pairs in all units; a pair in two units counts twice."""
        return sum(len(rule.units) * (size := rule.units.shape[1]) * (size - 1) // 2 for rule in self.rules)

    @cached_property
    def oversized_unit(self) -> tuple[str, Cells] | None:
        """A unit with more cells than there are values, with its rule: proof that no solution exists."""
        return next(((rule.name, rule.units[0]) for rule in self.rules if rule.units.shape[1] > self.n_values), None)

    @property
    def why_impossible(self) -> str:
        """Why the empty board has no solution, if an oversized unit shows it; otherwise empty."""
        if self.oversized_unit is None:
            return ""
        rule, cells = self.oversized_unit
        ends = f"{self.cell_name(int(cells[0]))} to {self.cell_name(int(cells[-1]))}"
        return f"the {len(cells)} cells of one {rule} ({ends}) must all differ, and there are {self.n_values} values"

    def cell_name(self, cell: int) -> str:
        """Name a cell for people: `r1c3` (from 1) on a square, `f2r1c3` on a surface, `x0y3z2` (from 0) on a cube.

        A hidden cell is `h1`, `h2`, ...
        """
        if cell >= self.n_grid:
            return f"h{cell - self.n_grid + 1}"
        if self.places:
            row, column = self.places[cell]
            return f"r{row + 1}c{column + 1}"
        *faces, side, last = self.shape
        rest, column = divmod(cell, last)
        if not faces:
            return f"r{rest + 1}c{column + 1}"
        face, row = divmod(rest, side)
        if not self.has_axes:
            return f"f{face + 1}r{row + 1}c{column + 1}"
        return f"x{face}y{row}z{column}"

    @cached_property
    def cell_names(self) -> tuple[str, ...]:
        """The name of each cell; see `cell_name`."""
        return tuple(map(self.cell_name, range(self.n_cells)))

    @cached_property
    def cell_numbers(self) -> Mapping[str, int]:
        """The number of each cell by its name."""
        return MappingProxyType({name: cell for cell, name in enumerate(self.cell_names)})

    def cell_number(self, name: str) -> int:
        """Return the number of the cell of that name; that of a hidden cell on any board.

        Raises:
            GeometryError: the board has no cell of that name.

        >>> from sudoku_encode import board
        >>> board("9x9").cell_number("r2c1")
        9
        """
        if match := _HIDDEN_NAME.fullmatch(name):
            return self.n_grid + int(match[1]) - 1
        if name not in self.cell_numbers:
            first, last = self.cell_names[0], self.cell_names[self.n_grid - 1]
            raise GeometryError(f"{self.name} has no cell {short(name, 20)!r}; its cells are {first} to {last}")
        return self.cell_numbers[name]

    def unit_name(self, rule: Rule, number: int) -> str:
        """Name a unit of a rule, numbered from 0, for people: `row 3` on a square, elsewhere by its ends.

        >>> from sudoku_encode import board
        >>> square, cube = board("9x9"), board("4x4x4")
        >>> square.unit_name(square.rules[0], 2), cube.unit_name(cube.rules[0], 0)
        ('row 3', 'row-x x0y0z0-x3y0z0')
        """
        if len(self.shape) == 2:
            return rule.name if len(rule.units) == 1 else f"{rule.name} {number + 1}"
        return f"{rule.name} {self.cell_name(int(rule.units[number, 0]))}-{self.cell_name(int(rule.units[number, -1]))}"

    def with_rules(self, names: Iterable[str]) -> "Geometry":
        """Keep only the rules named.

        Raises:
            GeometryError: a name that this board does not have, or no name at all.
        """
        kept_names = list(names)
        for name in kept_names:
            if name not in self.rule_names:
                raise GeometryError(
                    f"{self.name} has no rule {str(name)[:40]!r}; its rules are {', '.join(self.rule_names)}"
                )
        if not kept_names:
            raise GeometryError(f"no rule given; {self.name} has {', '.join(self.rule_names)}")
        rules = tuple(rule for rule in self.rules if rule.name in kept_names)
        if len(rules) == len(self.rules):
            return self
        return replace(self, rules=rules, box=self.box if "box" in kept_names else None)

    def with_more(self, rules: Sequence[Rule]) -> "Geometry":
        """Return this board with more rules after its own; properties already computed for this one are reused."""
        extended = replace(self, rules=(*self.rules, *rules))
        object.__setattr__(extended, "base", self)
        return extended


@lru_cache(maxsize=64)
def with_hidden(board: Geometry, n_hidden: int) -> Geometry:
    """Return a board with hidden cells after those of its grid."""
    return board if n_hidden == board.n_hidden else replace(board, n_hidden=n_hidden)


def _require_name(name: object, what: str) -> None:
    """Check that a name is text that can be written to a file."""
    if not isinstance(name, str) or has_surrogates(name):
        raise GeometryError(f"{short(repr(name))} is not a name of {what}; expected text")


def _whole_numbers(sizes: Iterable[int], what: str) -> tuple[int, ...]:
    """Return sizes as a tuple of Python's own integers."""
    numbers = tuple(whole_number(size, 1) for size in sizes) if isinstance(sizes, Iterable) else ()
    if not numbers or None in numbers:
        raise GeometryError(f"{what} {short(repr(sizes))}; expected whole numbers, at least 1")
    return tuple(number for number in numbers if number is not None)


def units_of_cells(rules: Sequence[Rule], n_cells: int, first: int = 0) -> Cells:
    """Return for each cell the number, from `first`, of its unit of each rule, or -1 if it is in none.

    Numbers, int32 (n_cells, rules), go over all rules.
    """
    numbers = np.full((n_cells, len(rules)), -1, np.int32)
    for column, rule in enumerate(rules):
        numbers[rule.units, column] = np.arange(first, first + len(rule.units), dtype=np.int32)[:, None]
        first += len(rule.units)
    return numbers


def distinct_units(rules: Iterable[Rule]) -> set[tuple[int, ...]]:
    """Return the units of some rules, each with its cells in ascending order."""
    return {tuple(unit) for rule in rules for unit in np.sort(rule.units, axis=1).tolist()}


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


def matrices(units: Iterable[list[int]]) -> list[Cells]:
    """Return units of one size in matrices, each unit in the first one with whose units it shares no cell."""
    taken: list[set[int]] = []
    rows: list[list[list[int]]] = []
    for unit in units:
        number = next((number for number, cells in enumerate(taken) if cells.isdisjoint(unit)), len(taken))
        if number == len(taken):
            taken.append(set())
            rows.append([])
        taken[number].update(unit)
        rows[number].append(unit)
    return [np.array(matrix, np.int32) for matrix in rows]
