"""The steps by which a puzzle is solved by hand: always the simplest technique that finds something."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.errors import MethodError, plural, short
from sudoku_encode.papers import logic
from sudoku_encode.papers.marks import Deduction, Layout, Marks
from sudoku_encode.puzzles.arrays import freeze, freeze_fields, restore_frozen
from sudoku_encode.puzzles.constraint import is_violated
from sudoku_encode.puzzles.dead_ends import dead_end, impossible
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.puzzle import check as check_grids
from sudoku_encode.puzzles.step import Candidate, Step
from sudoku_encode.questions.techniques.constraints import never_holds, parts
from sudoku_encode.questions.techniques.table import TECHNIQUES, Technique, chosen
from sudoku_encode.questions.techniques.words import sentence

SOLVED, STUCK, CONTRADICTION, OPEN = "solved", "stuck", "contradiction", "open"


@dataclass(frozen=True, eq=False, repr=False)
class Hint:
    """A step: what a technique finds, and what it finds it in.

    Attributes:
        puzzle: the puzzle.
        number: which step it is, from 1.
        deduction: what was found.
        before: for each cell its candidates before the step, as bit masks; bit 0 is value 1.
        blank: the cells that held no value before the step.

    >>> import sudoku_encode as se
    >>> print(se.hint("1234341221434...", board="4x4"))
    naked single in r4c2: no other value is left there, so r4c2 is 3
    """

    puzzle: Puzzle
    number: int
    deduction: Deduction
    before: tuple[int, ...]
    blank: frozenset[int]

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    def __str__(self) -> str:
        """Return the step as a sentence."""
        return sentence(Layout.of(lowered(self.puzzle).puzzle.geometry), self.deduction)

    def __repr__(self) -> str:
        """Return the number and the technique on one short line."""
        return f"Hint({self.number}, {self.technique!r}, {len(self.removes)} candidates go)"

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

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the reason is about."""
        return self.deduction.cells

    @property
    def pattern(self) -> tuple[Candidate, ...]:
        """The candidates that the reason is about, as (cell, value)."""
        if self.deduction.pattern:
            return self.deduction.pattern
        about = self.deduction.values
        return tuple((cell, value) for cell in self.cells for value in about if self.before[cell] >> value - 1 & 1)

    def step(self) -> Step:
        """Return it as steps of methods are: plain data, with the family and the pattern beside."""
        data = {"step": self.number, "family": TECHNIQUES[self.technique].family, "pattern": self.pattern}
        kind = "place" if self.places else "remove"
        return Step(str(self), kind, self.technique, self.cells, self.places, self.removes, data)

    @cached_property
    def values(self) -> Grids:
        """What the cells hold before the step, uint8 (n_cells,); 0 for a blank."""
        held = [0 if cell in self.blank else mask.bit_length() for cell, mask in enumerate(self.before)]
        return freeze(np.array(held, np.uint8))

    @cached_property
    def candidates(self) -> Candidates:
        """The candidates before the step, bool (n_cells, n_values)."""
        return freeze(as_array(self.before, self.puzzle.geometry.n_values))


@dataclass(frozen=True, eq=False, repr=False)
class SolvePath:
    """How far techniques lead in a puzzle.

    Attributes:
        puzzle: the puzzle.
        steps: all of them, or as many as were wanted.
        ended: SOLVED, STUCK (no technique finds anything more), CONTRADICTION (the puzzle has no solution, for a
            `reason`), or OPEN (there may be more steps, which were not wanted).
        left: the candidates at the end, bool (n_cells, n_values).
        n_blanks: how many cells hold no value at the end.
        reason: why there is no solution, where that was found.

    >>> import sudoku_encode as se
    >>> se.hints("1234341221434...", board="4x4")
    SolvePath('4x4', 3 steps, solved, hardest='naked single')
    """

    puzzle: Puzzle
    steps: tuple[Hint, ...]
    ended: str
    left: Candidates
    n_blanks: int
    reason: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    def __repr__(self) -> str:
        """Return how it ended on one short line."""
        name, number = short(self.puzzle.geometry.name, 30), len(self.steps)
        return f"SolvePath({name!r}, {number} {plural('step', number)}, {self.ended}, hardest={self.hardest!r})"

    @property
    def hardest(self) -> str:
        """The name of the technique furthest down the table that was used; empty where none was."""
        used = {step.technique for step in self.steps}
        return max(used, key=list(TECHNIQUES).index, default="")

    @property
    def values(self) -> Grids:
        """What the cells hold at the end, uint8 (n_cells,); 0 for a blank."""
        placed = self.puzzle.givens.copy()
        for step in self.steps:
            for cell, value in step.places:
                placed[cell] = value
        return freeze(placed)


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

    Raises:
        MethodError: a technique assumes one solution, and does not know the constraints of the puzzle.
    """
    rows = _rows(puzzle, techniques)
    yield from _steps(puzzle, _marks(puzzle), rows, tick)


def worked(
    puzzle: Puzzle,
    techniques: Sequence[Technique] | None = None,
    tick: Callable[[], None] = no_tick,
    most: int | None = None,
    on_step: Callable[[Hint], None] | None = None,
) -> SolvePath:
    """Solve a puzzle step by step as far as techniques lead.

    Args:
        puzzle: as `steps`.
        techniques: as `steps`.
        tick: as `steps`.
        most: the number of steps that are wanted; by default all.
        on_step: is called with each step when it is found.

    Raises:
        InternalError: the techniques filled the cells with what is no solution.
        MethodError: as `steps`.
    """
    rows, bare = _rows(puzzle, techniques), lowered(puzzle).puzzle
    marks, some = _marks(puzzle), list[Hint]()
    why = impossible(bare)
    if reason := why.text.removeprefix("no solution: ") if why is not None else never_holds(puzzle):
        return _worked(puzzle, marks, some, CONTRADICTION, reason)
    ended = ""
    for step in _steps(puzzle, marks, rows, tick):
        some.append(step)
        if on_step is not None:
            on_step(step)
        if most is not None and len(some) >= most:
            ended = OPEN if marks.blanks else ""
            break
    if marks.broken(range(len(marks.masks))):
        left = as_array(marks.masks, puzzle.geometry.n_values)
        return _worked(puzzle, marks, some, CONTRADICTION, dead_end(bare.geometry, left).text)
    result = _worked(puzzle, marks, some, ended or (STUCK if marks.blanks else SOLVED))
    if result.ended == SOLVED:
        # The techniques that look at constraints may not be among those that are wanted.
        if broken := next((here for here in puzzle.placed if is_violated(here, result.values.tolist())), None):
            text = broken.constraint.text(puzzle.geometry)
            return _worked(puzzle, marks, some, CONTRADICTION, f"the only values that are left break `{text}`")
        check_grids(puzzle, result.values[None])
    return result


def _rows(puzzle: Puzzle, techniques: Sequence[Technique] | None) -> Sequence[Technique]:
    """Return the techniques to use, and refuse those that do not know what the puzzle has."""
    rows = chosen() if techniques is None else techniques
    kinds = lowered(puzzle).kinds
    unsound = [row.name for row in rows if row.assumes_unique]
    if kinds and unsound:
        # Values that could be swapped in units alone may not be in a constraint.
        raise MethodError(
            f"{unsound[0]} is for puzzles without constraints but units; the puzzle has {', '.join(kinds)}"
        )
    return rows


def _marks(puzzle: Puzzle) -> Marks:
    return replace(Marks.of(lowered(puzzle).puzzle), constraints=parts(puzzle))


def _worked(puzzle: Puzzle, marks: Marks, some: Sequence[Hint], ended: str, reason: str = "") -> SolvePath:
    left = as_array(marks.masks, puzzle.geometry.n_values)
    return SolvePath(puzzle, tuple(some), ended, left, len(marks.blanks), reason)


def _steps(puzzle: Puzzle, marks: Marks, techniques: Sequence[Technique], tick: Callable[[], None]) -> Iterator[Hint]:
    functions = [row.load() for row in techniques if marks.constraints or not row.of_constraints]
    before, blank = tuple(marks.masks), frozenset(marks.blanks)
    for number, deduction in enumerate(logic.steps(marks, tick, functions), start=1):
        yield Hint(puzzle, number, deduction, before, blank)
        before, blank = tuple(marks.masks), frozenset(marks.blanks)
