"""Solve a puzzle by hand, step by step: each step uses the simplest technique that finds something."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sudoku_encode.errors import MethodError, plural, short
from sudoku_encode.papers import logic
from sudoku_encode.papers.marks import Deduction, Layout, Marks
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.arrays import freeze, freeze_fields, restore_frozen
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.dead_ends import clash_step, dead_end
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, first_violated
from sudoku_encode.puzzles.puzzle import check as check_grids
from sudoku_encode.puzzles.showing import shown_as_html, shown_as_svg
from sudoku_encode.puzzles.step import Candidate, Step
from sudoku_encode.questions.techniques.conditions import conditions, contradiction_reason
from sudoku_encode.questions.techniques.table import TECHNIQUES, Technique, choose_techniques
from sudoku_encode.questions.techniques.words import sentence
from sudoku_encode.run import kernels
from sudoku_encode.run.asking import Numbered, Question
from sudoku_encode.run.events import emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.status import Status

SOLVED, STUCK, CONTRADICTION, OPEN = "solved", "stuck", "contradiction", "open"
_STATUS_OF_END = {SOLVED: Status.SOLVED, STUCK: Status.STUCK, CONTRADICTION: Status.NO_SOLUTION, OPEN: Status.STEP}


@dataclass(frozen=True, eq=False, repr=False)
class Hint:
    """A step: what a technique deduces, and the candidates before it.

    Attributes:
        puzzle: the puzzle.
        number: of the step, from 1.
        deduction: the reason and the result.
        before: for each cell its candidates before the step, as bit masks; bit 0 is value 1.
        blank: the cells without a value before the step.

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
    _repr_html_, _repr_svg_ = shown_as_html, shown_as_svg

    def __str__(self) -> str:
        """Return the step as a sentence."""
        return sentence(Layout.of(lower_puzzle(self.puzzle).puzzle.geometry), self.deduction)

    def __repr__(self) -> str:
        """Return the number and the technique on one short line."""
        return f"Hint({self.number}, {self.technique!r}, removes {len(self.removes)} candidates)"

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
        """The value that is put into a cell, as (cell, value); empty if no value is."""
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
        """Return the hint in the form of the steps of methods: plain data, with the family and the pattern in it."""
        data = {"step": self.number, "family": TECHNIQUES[self.technique].family, "pattern": self.pattern}
        kind = "place" if self.places else "remove"
        return Step(str(self), kind, self.technique, self.cells, self.places, self.removes, data)

    @cached_property
    def values(self) -> Grids:
        """The values of the cells of the grid before the step, uint8 (n_cells,); 0 for a blank."""
        before = self.before[: self.puzzle.geometry.n_cells]
        values = [0 if cell in self.blank else mask.bit_length() for cell, mask in enumerate(before)]
        return freeze(np.array(values, np.uint8))

    @cached_property
    def candidates(self) -> Candidates:
        """The candidates of the cells of the grid before the step, bool (n_cells, n_values)."""
        board = self.puzzle.geometry
        return freeze(as_array(self.before[: board.n_cells], board.n_values))


@dataclass(frozen=True, eq=False, repr=False)
class SolvePath:
    """How far techniques lead in a puzzle.

    Attributes:
        puzzle: the puzzle.
        steps: all of them, or the first ones up to the limit.
        ended: SOLVED, STUCK (no technique finds anything more), CONTRADICTION (the puzzle has no solution, for a
            `reason`), or OPEN (the limit of steps was reached).
        left: the candidates at the end, bool (n_cells, n_values).
        n_blanks: how many cells hold no value at the end.
        reason: of a contradiction; else empty.

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
    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return how it ended on one short line."""
        name, number = short(self.puzzle.geometry.name, 30), len(self.steps)
        return f"SolvePath({name!r}, {number} {plural('step', number)}, {self.ended}, hardest={self.hardest!r})"

    @property
    def hardest(self) -> str:
        """The name of the hardest technique that was used; empty if none was."""
        used = {step.technique for step in self.steps}
        return max(used, key=list(TECHNIQUES).index, default="")

    @property
    def values(self) -> Grids:
        """The values of the cells at the end, uint8 (n_cells,); 0 for a blank."""
        placed = self.puzzle.givens.copy()
        for step in self.steps:
            for cell, value in step.places:
                if cell < len(placed):
                    placed[cell] = value
        return freeze(placed)


def as_array(masks: Sequence[int], n_values: int) -> Candidates:
    """Return bit masks, in which bit 0 is value 1, as bool (n_cells, n_values)."""
    return np.array([[mask >> value & 1 for value in range(n_values)] for mask in masks], bool)


def no_tick() -> None:
    """Do nothing: there is no limit."""


def steps(
    puzzle: Puzzle,
    techniques: Sequence[Technique] | None = None,
    tick: Callable[[], None] = no_tick,
) -> Iterator[Hint]:
    """Yield the steps of a puzzle, each by the first technique that finds something, until none does.

    The techniques are tried in their order; by default they are all that do not assume that the puzzle has one
    solution.

    Raises:
        MethodError: a technique assumes one solution, which is unsound with the constraints of the puzzle.
    """
    rows = _rows(puzzle, techniques)
    yield from _steps(puzzle, _marks(puzzle), rows, tick)


def solve_by_hand(
    puzzle: Puzzle,
    techniques: Sequence[Technique] | None = None,
    tick: Callable[[], None] = no_tick,
    most: int | None = None,
    on_step: Callable[[Hint], None] | None = None,
) -> SolvePath:
    """Solve a puzzle step by step as far as techniques lead, by `most` steps at most; see `steps`.

    Raises:
        InternalError: the techniques filled the cells, but not with a solution.
        MethodError: as `steps`.
    """
    rows, bare = _rows(puzzle, techniques), lower_puzzle(puzzle).puzzle
    marks, hints = _marks(puzzle), list[Hint]()
    dead_end_step = clash_step(bare)
    if (
        reason := dead_end_step.text.removeprefix("no solution: ")
        if dead_end_step is not None
        else contradiction_reason(puzzle)
    ):
        return _path_of(puzzle, marks, hints, CONTRADICTION, reason)
    ended = ""
    for step in _steps(puzzle, marks, rows, tick):
        hints.append(step)
        if on_step is not None:
            on_step(step)
        if most is not None and len(hints) >= most:
            ended = OPEN if _blanks_of_grid(puzzle, marks) else ""
            break
    if marks.broken(range(len(marks.masks))):
        remaining = as_array(marks.masks, puzzle.geometry.n_values)
        return _path_of(puzzle, marks, hints, CONTRADICTION, dead_end(bare.geometry, remaining).text)
    result = _path_of(puzzle, marks, hints, ended)
    if not ended and not result.n_blanks:
        result = replace(result, ended=SOLVED)
        # The techniques for constraints may not be among those that are used.
        if violated := first_violated(puzzle, result.values.tolist()):
            text = violated.constraint.text(puzzle.geometry)
            return _path_of(puzzle, marks, hints, CONTRADICTION, f"the only remaining values break `{text}`")
        check_grids(puzzle, result.values[None])
    return result


def _rows(puzzle: Puzzle, techniques: Sequence[Technique] | None) -> Sequence[Technique]:
    """Return the techniques to use, or raise if one is unsound with the constraints of the puzzle."""
    rows = choose_techniques() if techniques is None else techniques
    kinds = lower_puzzle(puzzle).kinds
    unsound = [row.name for row in rows if row.assumes_unique]
    if kinds and unsound:
        # Values that could be swapped within units cannot always be swapped within a constraint.
        raise MethodError(f"{unsound[0]} supports only units; the puzzle has constraints: {', '.join(kinds)}")
    return rows


def _marks(puzzle: Puzzle) -> Marks:
    return replace(Marks.of(lower_puzzle(puzzle).puzzle), constraints=conditions(puzzle))


def _blanks_of_grid(puzzle: Puzzle, marks: Marks) -> int:
    """Return how many cells of the grid hold no value."""
    return sum(cell < puzzle.geometry.n_cells for cell in marks.blanks)


def _path_of(puzzle: Puzzle, marks: Marks, hints: Sequence[Hint], ended: str, reason: str = "") -> SolvePath:
    """Return a path; if nothing else ended it, techniques did not lead further."""
    board = puzzle.geometry
    candidates = as_array(marks.masks[: board.n_cells], board.n_values)
    return SolvePath(puzzle, tuple(hints), ended or STUCK, candidates, _blanks_of_grid(puzzle, marks), reason)


def _steps(puzzle: Puzzle, marks: Marks, techniques: Sequence[Technique], tick: Callable[[], None]) -> Iterator[Hint]:
    functions = [row.load() for row in techniques if marks.constraints or not row.of_constraints]
    before, blank = tuple(marks.masks), frozenset(marks.blanks)
    for number, deduction in enumerate(logic.steps(marks, tick, functions), start=1):
        yield Hint(puzzle, number, deduction, before, blank)
        before, blank = tuple(marks.masks), frozenset(marks.blanks)


@dataclass(frozen=True)
class HintQuestion(Question[SolvePath]):
    """The question for the steps to solve a puzzle by hand; each is emitted as a `Step` when it is found."""

    types = (SolvePath,)

    techniques: tuple[Technique, ...]
    most: int | None = None  # steps; None for all to the end

    def answer(self, item: Numbered, deadline: Deadline) -> SolvePath:
        """Return the steps."""
        return solve_by_hand(item[1], self.techniques, deadline, self.most, lambda hint: emit(hint.step()))

    def judge(self, puzzle: Puzzle, value: SolvePath) -> tuple[Status, str]:
        """Return how the steps end."""
        if self.most is not None and value.steps:
            return Status.STEP, ""
        return _STATUS_OF_END[value.ended], ""

    def load(self, item: Numbered) -> None:
        """Load numba, if it is installed."""
        kernels.unavailable()

    def warm_up(self, item: Numbered) -> None:
        """Compile or load the code of the techniques."""
        warm_up(self.techniques)


def warm_up(techniques: Iterable[Technique]) -> None:
    """Load or compile the code of techniques: that takes seconds once, and must not count as a puzzle's time."""
    solve_by_hand(Puzzle.of(boards.board("4x4")), list(techniques))
