"""Pencil marks: the candidates of every cell when solving by hand, and deductions from them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import compress, permutations
from typing import Any

import numpy as np

from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle


@dataclass(frozen=True, eq=False)
class Unit:
    """A unit of the board."""

    name: str  # for people
    number: int  # its place in its rule, from 0
    rule: Rule
    full: bool  # whether it has as many cells as there are values
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Deduction:
    """One use of a technique.

    Attributes:
        technique: its name.
        cells: the cells of the pattern.
        values: the values of the pattern.
        where: the units of the pattern, if any.
        removed: the candidates that it removes, as (cell, value).
        placed: the (cell, value) that it places, if any.
        why: the reason in words, if the technique gives it.
        pattern: the candidates that the reason is about, where these are not all of the cells'.
    """

    technique: str
    cells: tuple[int, ...]
    values: tuple[int, ...]
    where: str
    removed: tuple[tuple[int, int], ...]
    placed: tuple[int, int] | None = None
    why: str = ""
    pattern: tuple[tuple[int, int], ...] = ()

    def text(self, board: Geometry) -> str:
        """Return the deduction in one line."""
        cells, values = " ".join(map(board.cell_name, self.cells)), " ".join(map(str, self.values))
        where = f" in {self.where}" if self.where else ""
        groups: dict[str, list[str]] = {}
        for value in sorted({value for _, value in self.removed}):
            cells_text = " ".join(board.cell_name(cell) for cell, other in self.removed if other == value)
            groups.setdefault(cells_text, []).append(str(value))
        removed = ", ".join(f"{' '.join(values_text)} from {cells_text}" for cells_text, values_text in groups.items())
        return f"{self.technique} {cells}: {values}{where}" + (f" removes {removed}" if removed else "")


@dataclass(frozen=True, eq=False)
class Layout:
    """The units and peers of a board, as the techniques look them up."""

    board: Geometry

    @staticmethod
    @lru_cache(maxsize=8)
    def of(board: Geometry) -> "Layout":
        """Return the layout of a board, the same for all puzzles on it."""
        return Layout(board)

    @cached_property
    def peers(self) -> list[list[int]]:
        """For each cell its peers."""
        return [peers.tolist() for peers in self.board.peers]

    @cached_property
    def units(self) -> list[Unit]:
        """All units, rule by rule."""
        return [
            Unit(self.board.unit_name(rule, number), number, rule, rule in self.board.full_rules, tuple(cells))
            for rule in self.board.rules
            for number, cells in enumerate(rule.units.tolist())
        ]

    @cached_property
    def full_units(self) -> list[Unit]:
        """The units that hold every value."""
        return [unit for unit in self.units if unit.full]

    @cached_property
    def units_of_cell(self) -> list[list[Unit]]:
        """For each cell its units."""
        return [[self.units[unit] for unit in units if unit >= 0] for units in self.board.units_of_cells.tolist()]

    @cached_property
    def crossings(self) -> list[tuple[Rule, Rule]]:
        """Pairs of base and cover rule of a fish: the base is full, their units share at most one cell."""
        shared = Counter(pair for units in self.units_of_cell for pair in permutations(units, 2))
        meet = {(one.rule, other.rule) for one, other in shared if one.full}
        overlap = {(one.rule, other.rule) for (one, other), cells in shared.items() if cells > 1}
        return [pair for pair in permutations(self.board.rules, 2) if pair in meet - overlap]


@dataclass(frozen=True, eq=False)
class Marks:
    """The current candidates of a puzzle."""

    layout: Layout  # of its board
    masks: list[int]  # the candidates of each cell as a bit mask; bit 0 is value 1
    blanks: set[int]  # the cells without a value
    constraints: tuple[Any, ...] = ()  # other constraints, for techniques that use them
    # By technique and candidate the pass of the technique in which it last led to nothing.
    tried: dict[str, dict[int, int]] = field(default_factory=dict)

    @staticmethod
    def of(puzzle: Puzzle) -> "Marks":
        """Return the candidates that the givens leave in each cell."""
        board = puzzle.geometry
        bits = [1 << value for value in range(board.n_values)]
        masks = [sum(compress(bits, row)) for row in puzzle.candidates.tolist()]
        marks = Marks(Layout.of(board), masks, set(puzzle.blanks.tolist()))
        for cell in np.flatnonzero(puzzle.givens).tolist():
            for peer in marks.layout.peers[cell]:
                masks[peer] &= ~masks[cell]
        return marks

    def apply(self, step: Deduction) -> None:
        """Remove the candidates, and place the value, of a deduction."""
        for cell, value in step.removed:
            self.masks[cell] &= ~(1 << value - 1)
        if step.placed:
            self.blanks.discard(step.placed[0])

    def broken(self, cells: Iterable[int]) -> bool:
        """Check whether one of these cells has no candidate, or one of their units no place for a value."""
        seen: set[Unit] = set()
        for cell in cells:
            if not self.masks[cell]:
                return True
            seen.update(self.layout.units_of_cell[cell])
        for unit in seen:
            missing = (1 << self.layout.board.n_values) - 1 if unit.full else 0
            for cell in unit.cells:
                missing &= ~self.masks[cell]
            if missing:
                return True
        return False

    def blank(self, cells: Iterable[int]) -> list[int]:
        """Return those cells that have no value yet."""
        return [cell for cell in cells if cell in self.blanks]

    def having(self, cells: Iterable[int], mask: int) -> tuple[tuple[int, int], ...]:
        """Return the candidates of these cells that are in the mask, as (cell, value)."""
        masks = self.masks
        return tuple((cell, value) for cell in cells if masks[cell] & mask for value in values_of(masks[cell] & mask))

    def places(self, unit: Unit) -> list[tuple[int, tuple[int, ...]]]:
        """Return each value that the blanks of a unit may hold, with those blanks."""
        places: dict[int, list[int]] = {}
        for cell in self.blank(unit.cells):
            for value in values_of(self.masks[cell]):
                places.setdefault(value, []).append(cell)
        return [(value, tuple(places[value])) for value in sorted(places)]


def values_of(mask: int) -> tuple[int, ...]:
    """Return the values of a bit mask, in which value 1 is bit 0."""
    values = []
    while mask:
        low = mask & -mask
        values.append(low.bit_length())
        mask ^= low
    return tuple(values)
