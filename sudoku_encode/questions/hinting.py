"""The steps by which a puzzle is solved by hand: always the simplest technique that finds something."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sudoku_encode.papers import logic
from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Candidate
from sudoku_encode.questions.techniques.table import TECHNIQUES, Technique, chosen

SOLVED, STUCK, CONTRADICTION = "solved", "stuck", "contradiction"


@dataclass(frozen=True, eq=False)
class Hint:
    """A step: what a technique finds, and what it finds it in.

    Attributes:
        puzzle: the puzzle.
        number: which step it is, from 1.
        deduction: what was found.
        before: for each cell its candidates before the step, as bit masks; bit 0 is value 1.
        blank: the cells that held no value before the step.
    """

    puzzle: Puzzle
    number: int
    deduction: Deduction = field(repr=False)
    before: tuple[int, ...] = field(repr=False)
    blank: frozenset[int] = field(repr=False)

    @property
    def technique(self) -> str:
        """The name of the technique, a key of TECHNIQUES."""
        return self.deduction.technique

    @property
    def removes(self) -> tuple[Candidate, ...]:
        """The candidates that go, as (cell, value)."""
        return self.deduction.removed

    @property
    def places(self) -> tuple[Candidate, ...]:
        """The value that is put into a cell, as (cell, value), if one is."""
        return () if self.deduction.placed is None else (self.deduction.placed,)

    @cached_property
    def values(self) -> Grids:
        """What the cells hold before the step, uint8 (n_cells,); 0 for a blank."""
        held = [0 if cell in self.blank else mask.bit_length() for cell, mask in enumerate(self.before)]
        return np.array(held, np.uint8)

    @cached_property
    def candidates(self) -> Candidates:
        """The candidates before the step, bool (n_cells, n_values)."""
        return as_array(self.before, self.puzzle.geometry.n_values)


@dataclass(frozen=True, eq=False)
class Worked:
    """How far techniques lead in a puzzle.

    Attributes:
        puzzle: the puzzle.
        steps: all of them.
        ended: SOLVED, STUCK (no technique finds anything more) or CONTRADICTION (there is no solution).
        left: the candidates at the end, bool (n_cells, n_values).
        blanks: how many cells hold no value at the end.
    """

    puzzle: Puzzle
    steps: tuple[Hint, ...]
    ended: str
    left: Candidates = field(repr=False)
    blanks: int

    @property
    def hardest(self) -> str:
        """The name of the technique furthest down the table that was used; empty where none was."""
        used = {step.technique for step in self.steps}
        return max(used, key=list(TECHNIQUES).index, default="")


def as_array(masks: Sequence[int], n_values: int) -> Candidates:
    """Return bit masks, in which bit 0 is value 1, as bool (n_cells, n_values)."""
    return np.array([[mask >> value & 1 for value in range(n_values)] for mask in masks], bool)


def no_tick() -> None:
    """Set no limit."""


def steps(
    puzzle: Puzzle,
    techniques: Sequence[Technique] | None = None,
    tick: Callable[[], None] = no_tick,
) -> Iterator[Hint]:
    """Yield the steps of a puzzle, each by the first technique that finds something, until none does.

    Args:
        puzzle: the puzzle.
        techniques: rows of the table, in the order in which they are tried; by default all that are sound whether the
            puzzle has one solution or more: `table.chosen()`.
        tick: is called often, and raises what should end the work.
    """
    yield from _steps(puzzle, Marks.of(puzzle), techniques, tick)


def worked(
    puzzle: Puzzle,
    techniques: Sequence[Technique] | None = None,
    tick: Callable[[], None] = no_tick,
) -> Worked:
    """Solve a puzzle step by step as far as techniques lead; see `steps`."""
    marks = Marks.of(puzzle)
    some = tuple(_steps(puzzle, marks, techniques, tick))
    return Worked(puzzle, some, ended(marks), as_array(marks.masks, puzzle.geometry.n_values), len(marks.blanks))


def ended(marks: Marks) -> str:
    """Say how it stands: SOLVED, STUCK or CONTRADICTION."""
    if marks.broken(range(len(marks.masks))):
        return CONTRADICTION
    return STUCK if marks.blanks else SOLVED


def _steps(
    puzzle: Puzzle, marks: Marks, techniques: Sequence[Technique] | None, tick: Callable[[], None]
) -> Iterator[Hint]:
    functions = [row.load() for row in (chosen() if techniques is None else techniques)]
    before, blank = tuple(marks.masks), frozenset(marks.blanks)
    for number, deduction in enumerate(logic.steps(marks, tick, functions), start=1):
        yield Hint(puzzle, number, deduction, before, blank)
        before, blank = tuple(marks.masks), frozenset(marks.blanks)
