"""Check whether a puzzle has one solution, several or none, and answer a setter's next questions.

Which givens and constraints can go, which extra givens are missing, which givens clash; and the verdict in sentences.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sudoku_encode.errors import StoppedError, SudokuError, plural, short
from sudoku_encode.methods import calls, limited_calls
from sudoku_encode.methods.check_results import grids_fault, listed_grids_fault
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.questions.clashes import Clashes, find_clashes
from sudoku_encode.questions.redundant import (
    Redundant,
    RedundantConstraints,
    SubPuzzle,
    redundant_constraints,
    redundant_givens,
    sub_puzzle,
    with_givens_of,
)
from sudoku_encode.questions.subsets import Subset, clashing_givens, extra_givens, extra_givens_of_listed
from sudoku_encode.run.asking import Numbered, Question
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Event, SolutionsFound, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.status import Status, status_of_stop

# The time for counting all solutions; and for each other detail, if there is no time limit.
COUNT_SECONDS, DETAIL_SECONDS = 1.0, 10.0
_METHOD = "auto"
# Up to this many solutions are listed to find extra givens.
_MAX_LISTED = 1000
_NO_CONSTRAINTS = RedundantConstraints()


@dataclass(frozen=True, eq=False, repr=False)
class Unique:
    """A puzzle has one solution.

    Attributes:
        puzzle: the puzzle.
        solution: uint8 (n_cells,).
        redundant: the cells whose given can go, each by itself.
        undecided: the cells whose given was neither proved needed nor proved redundant in time.
        sub_puzzle: a puzzle with fewer givens and the same solution, if it was asked for.
        constraints: those that can go, each by itself, and those that were not decided in time.

    >>> import sudoku_encode as se
    >>> found = se.check("1234341221434...", board="4x4")
    >>> len(found.redundant), found.minimal
    (13, False)
    """

    puzzle: Puzzle
    solution: Grids
    redundant: tuple[int, ...]
    undecided: tuple[int, ...] = ()
    sub_puzzle: SubPuzzle | None = None
    constraints: RedundantConstraints = _NO_CONSTRAINTS

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen
    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return the board and how many givens can go on one short line."""
        return f"Unique({_board(self.puzzle)}, {len(self.redundant)} redundant givens)"

    @property
    def minimal(self) -> bool | None:
        """Whether no given can go; None if that is not known."""
        return Redundant(self.redundant, self.undecided).minimal


@dataclass(frozen=True, eq=False, repr=False)
class Several:
    """A puzzle has more than one solution.

    Attributes:
        puzzle: the puzzle.
        first: a solution, uint8 (n_cells,).
        second: another solution.
        count: how many there are, as far as they could be counted quickly.
        wanted: the solution that the extra givens leave.
        extra: the cells that make the puzzle unique if the values of `wanted` are given there.
        fewest: whether it is proved that fewer cells are not enough.

    >>> import sudoku_encode as se
    >>> found = se.check("1...............", board="4x4")
    >>> str(found.count), len(found.extra), found.fewest
    ('72', 3, True)
    """

    puzzle: Puzzle
    first: Grids
    second: Grids
    count: Count
    wanted: Grids
    extra: tuple[int, ...]
    fewest: bool

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen
    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return the board, how many solutions there are and how many givens are missing on one short line."""
        return f"Several({_board(self.puzzle)}, {short(str(self.count), 30)} solutions, {len(self.extra)} extra givens)"

    @property
    def differing(self) -> tuple[int, ...]:
        """The cells in which the two solutions differ."""
        return tuple(np.flatnonzero(self.first != self.second).tolist())


@dataclass(frozen=True, eq=False, repr=False)
class NoSolution:
    """A puzzle has no solution.

    Attributes:
        puzzle: the puzzle with the clashing givens alone; it has no solution either.
        clash: the cells of givens that together leave no solution; empty if the board itself has no solution.
        irreducible: whether it is proved that there is a solution without any one of them.
        smallest: whether it is proved that fewer givens never clash.
        parts: clashes among givens, units and constraints, if they were asked for.

    >>> import sudoku_encode as se
    >>> found = se.check("11..............", board="4x4")
    >>> found.clash, found.smallest
    ((0, 1), True)
    >>> [(clash.givens, clash.units) for clash in se.check("11..............", board="4x4", clashes=2).parts.clashes]
    [(((0, 1), (1, 1)), ('row 1',)), (((0, 1), (1, 1)), ('box 1',))]
    """

    puzzle: Puzzle
    clash: tuple[int, ...]
    irreducible: bool
    smallest: bool
    parts: Clashes | None = None

    _repr_html_ = shown_as_html

    def __post_init__(self) -> None:
        freeze_fields(self)

    def __repr__(self) -> str:
        """Return the board and how many givens clash on one short line."""
        return f"NoSolution({_board(self.puzzle)}, {len(self.clash)} givens clash)"


@dataclass(frozen=True, eq=False, repr=False)
class Unknown:
    """The number of solutions of a puzzle is not known.

    Attributes:
        why: what ended the search.
        solution: a solution that was found before, uint8 (n_cells,), or None.

    >>> import sudoku_encode as se
    >>> se.check("1...............", board="4x4", limits=se.Limits(seconds=0)).why
    'time limit'
    """

    why: str
    solution: Grids | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen
    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return the reason on one short line."""
        return f"Unknown({short(self.why, 60)!r})"


def _board(puzzle: Puzzle) -> str:
    return repr(short(puzzle.geometry.name, 30))


Verdict = Unique | Several | NoSolution | Unknown


@dataclass(frozen=True)
class CheckQuestion(Question[Verdict]):
    """The question whether a puzzle has one solution, several or none, and for what a setter needs then."""

    types = (Unique, Several, NoSolution, Unknown)

    seed: int | None = None  # of the random sub-puzzle of a puzzle with one solution; None for no sub-puzzle
    # The solution that extra givens should leave, (n_cells,); by default the first one found.
    towards: Grids | None = None
    clashes: int = 0  # how many clashes among givens, units and constraints to look for

    def answer(self, item: Numbered, deadline: Deadline) -> Verdict:
        """Return the verdict."""
        return check(item[1], deadline, self)

    def judge(self, puzzle: Puzzle, value: Verdict) -> tuple[Status, str]:
        """Return the verdict in a word."""
        if isinstance(value, Unknown):
            return status_of_stop(value.why), value.why
        return _STATUS_OF_VERDICT[type(value)], ""

    def method_of(self, value: Verdict | None) -> str:
        """Return the method that searches for solutions."""
        return _METHOD

    def load(self, item: Numbered) -> None:
        """Load the method."""
        limited_calls.load_for_puzzle(_METHOD, item)

    def warm_up(self, item: Numbered) -> None:
        """Compile or load the method."""
        limited_calls.warm_up_for(_METHOD, item)

    def fault(self, item: Numbered, value: Verdict, events: Sequence[Event]) -> str:
        """Return why a verdict cannot be right: its solutions are checked, but not that there are no others."""
        needed = {Unique: ("solution",), Several: ("first", "second", "wanted")}.get(type(value), ())
        grids = [getattr(value, name) for name in needed]
        if isinstance(value, Unknown) and value.solution is not None:
            grids.append(value.solution)
        fault = grids_fault(*item, np.stack(grids)) if grids else ""
        if isinstance(value, Unique | Several) and value.puzzle != item[1]:
            fault = fault or f"the executor's answer for puzzle {item[0]} belongs to another puzzle"
        return fault or listed_grids_fault(item, value, events)

    def rescue(self, item: Numbered, reason: str, solutions: Grids | None) -> Verdict:
        """Return the verdict that follows from the first solutions alone, at most two."""
        puzzle = item[1]
        if solutions is None:
            return Unknown(reason)
        givens = tuple(np.flatnonzero(puzzle.givens).tolist())
        if not len(solutions):
            return NoSolution(puzzle, givens, False, False)
        if len(solutions) == 1:
            smaller = None if self.seed is None else SubPuzzle(puzzle, False, self.seed)
            return Unique(puzzle, solutions[0], (), givens, smaller, RedundantConstraints((), puzzle.constraints))
        target = solutions[0] if self.towards is None else self.towards
        return Several(
            puzzle, solutions[0], solutions[1], Count(2, False, reason), target, tuple(puzzle.blanks.tolist()), False
        )


_STATUS_OF_VERDICT = {Unique: Status.UNIQUE, Several: Status.SEVERAL, NoSolution: Status.NO_SOLUTION}
_NO_DETAILS = CheckQuestion()


def check(puzzle: Puzzle, deadline: Deadline, options: CheckQuestion = _NO_DETAILS) -> Verdict:
    """Check whether a puzzle has one solution, several or none, and find the details of that verdict.

    Without a deadline each detail gets some seconds.

    Raises:
        SudokuError: `options.towards` is not a solution.
    """
    if options.towards is not None and (fault := next(violations(puzzle, options.towards), "")):
        raise SudokuError(f"the wanted solution does not solve the puzzle: {fault}")
    grids: list[Grids] = []
    try:
        for batch in calls.solutions(puzzle, _METHOD, replace(deadline, solutions=2)):
            grids += list(batch)
    except StoppedError as reason:
        if len(grids) < 2:
            return Unknown(reason.reason, grids[0] if grids else None)
    # If a detail takes so long that the process is ended, these solutions are not lost.
    emit(SolutionsFound(np.array(grids, np.uint8).reshape(len(grids), puzzle.geometry.n_cells)))
    if not grids:
        clashing = clashing_givens(puzzle, _for_detail(deadline))
        alone = with_givens_of(puzzle, clashing.cells)
        parts = find_clashes(puzzle, options.clashes, _for_detail(deadline)) if options.clashes else None
        return NoSolution(alone, clashing.cells, clashing.irreducible, clashing.smallest, parts)
    if len(grids) == 1:
        return _unique(puzzle, grids[0], deadline, options)
    return _several(puzzle, grids, deadline, options)


def _for_detail(deadline: Deadline) -> Deadline:
    return deadline if deadline.ends is not None else deadline.within(DETAIL_SECONDS)


def _unique(puzzle: Puzzle, solution: Grids, deadline: Deadline, options: CheckQuestion) -> Unique:
    givens = redundant_givens(puzzle, solution, _for_detail(deadline))
    smaller = None
    if options.seed is not None:
        smaller = sub_puzzle(puzzle, solution, givens, options.seed, _for_detail(deadline))
    constraints = redundant_constraints(puzzle, _for_detail(deadline))
    return Unique(puzzle, solution, givens.cells, givens.undecided, smaller, constraints)


def _several(puzzle: Puzzle, grids: list[Grids], deadline: Deadline, options: CheckQuestion) -> Several:
    target = grids[0] if options.towards is None else options.towards
    count = calls.count(puzzle, _METHOD, deadline.within(COUNT_SECONDS))
    # Two solutions are known, even if counting was stopped before the first.
    count = count if count.complete or count.value > 2 else Count(2, False, count.stopped)
    extra = _extra(puzzle, target, count, _for_detail(deadline))
    return Several(puzzle, grids[0], grids[1], count, target, extra.cells, extra.smallest)


def _extra(puzzle: Puzzle, target: Grids, count: Count, deadline: Deadline) -> Subset:
    """Return extra givens: from a list of all solutions if there are few, else by a solver."""
    if count.complete and count.value <= _MAX_LISTED:
        try:
            solutions = np.concatenate(list(calls.solutions(puzzle, _METHOD, deadline)))
            return extra_givens_of_listed(solutions, target, deadline)
        except StoppedError:
            # No time is left, but `extra_givens` always returns an answer.
            pass
    return extra_givens(puzzle, target, deadline)


# Verdicts in sentences.


def sentences(verdict: Verdict) -> list[str]:
    """Return the details of a verdict, a sentence each."""
    if isinstance(verdict, Unique):
        return [*_given_sentences(verdict), *_constraint_sentences(verdict)]
    if isinstance(verdict, Several):
        return [_extra_givens_sentence(verdict)]
    if isinstance(verdict, NoSolution):
        return [_clash_sentence(verdict), *_parts_sentences(verdict)]
    return [_unknown_sentence(verdict)]


def sub_puzzle_sentence(smaller: SubPuzzle) -> str:
    """Return a description of a sub-puzzle."""
    n_givens = int(np.count_nonzero(smaller.puzzle.givens))
    proved = "minimal" if smaller.minimal else "not known to be minimal"
    return f"sub-puzzle with {n_givens} {plural('given', n_givens)}, {proved}, of seed {smaller.seed}"


def _names(puzzle: Puzzle, cells: Sequence[int]) -> str:
    return ", ".join(puzzle.geometry.cell_name(cell) for cell in cells)


def _unknown_sentence(verdict: Unknown) -> str:
    return f"not known: {verdict.why}" + (", after one solution was found" if verdict.solution is not None else "")


def _constraint_sentences(verdict: Unique) -> list[str]:
    every, redundant = verdict.puzzle.constraints, verdict.constraints
    can_go, undecided = (
        "; ".join(constraint.text(verdict.puzzle.geometry) for constraint in constraints)
        for constraints in (redundant.constraints, redundant.undecided)
    )
    lines = []
    if can_go:
        lines.append(
            f"{len(redundant.constraints)} of {len(every)} constraints can be removed, one at a time: {can_go}"
        )
    if undecided:
        lines.append(f"not known whether these can be removed: {undecided}")
    elif every and not can_go:
        lines.append(f"none of its {len(every)} {plural('constraint', len(every))} can be removed")
    return lines


def _given_sentences(verdict: Unique) -> list[str]:
    n_givens = int(np.count_nonzero(verdict.puzzle.givens))
    lines = []
    if verdict.redundant:
        names = _names(verdict.puzzle, verdict.redundant)
        lines.append(f"{len(verdict.redundant)} of {n_givens} givens can be removed (*), one at a time: {names}")
    if verdict.undecided:
        lines.append(f"not known whether these can be removed: {_names(verdict.puzzle, verdict.undecided)}")
    elif not verdict.redundant and n_givens:
        text = f"none of its {n_givens} givens can be removed" if n_givens > 1 else "its only given is needed"
        lines.append(f"minimal: {text}")
    return lines


def _extra_givens_sentence(verdict: Several) -> str:
    extra, board = verdict.extra, verdict.puzzle.geometry
    givens = ", ".join(f"{board.cell_name(cell)} = {board.shown(int(verdict.wanted[cell]))}" for cell in extra)
    target = "the first solution" if np.array_equal(verdict.wanted, verdict.first) else "the wanted solution"
    proof = "the fewest possible" if verdict.fewest else "perhaps not the fewest"
    verb = "makes" if len(extra) == 1 else "make"
    return f"{len(extra)} extra {plural('given', len(extra))}, {proof}, {verb} {target} the only one: {givens}"


def _clash_sentence(verdict: NoSolution) -> str:
    n, names = len(verdict.clash), _names(verdict.puzzle, verdict.clash)
    if not n:
        also = " and the constraints" if verdict.puzzle.constraints else ""
        return f"no givens clash: the board, with the pencilmarks of blanks{also}, has no solution by itself"
    if not verdict.irreducible:
        return f"some of these {n} {plural('given', n)} clash (*): {names}"
    size = (
        "no smaller set clashes"
        if verdict.smallest
        else "none of them can be left out, but another, smaller set may clash"
    )
    return f"{n} {plural('given', n)} {'clash' if n > 1 else 'clashes'} (*): {names}; {size}"


def _parts_sentences(verdict: NoSolution) -> Iterator[str]:
    """Yield the clashes among givens, units and constraints, a line each below a heading."""
    if verdict.parts is None:
        return
    listed, n = verdict.parts.clashes, len(verdict.parts.clashes)
    if not n:
        yield "no clash of givens, units and constraints was found in time"
        return
    number = "all" if verdict.parts.complete else "not all"
    first = "no clash has fewer parts than the first" if verdict.parts.smallest else "there may be a smaller clash"
    yield f"{n} {'clash' if n == 1 else 'clashes'} of givens, units and constraints ({number}); {first}:"
    board = verdict.puzzle.geometry
    for clash in listed:
        givens = (f"{board.cell_name(cell)} = {board.shown(value)}" for cell, value in clash.givens)
        parts = [*givens, *clash.units, *clash.constraints]
        yield f"- {len(clash)} {plural('part', len(clash))}: {', '.join(parts)}"
