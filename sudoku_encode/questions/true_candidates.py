"""True candidates: the values that each cell has in some solution, and in how many solutions."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode import search
from sudoku_encode.errors import InternalError, MethodError, StoppedError, short
from sudoku_encode.methods import calls, sat_first
from sudoku_encode.methods.calls import find_method, require_method
from sudoku_encode.methods.check_results import grids_fault
from sudoku_encode.methods.limited_calls import load, warm_up_for
from sudoku_encode.methods.method import Method
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO
from sudoku_encode.methods.turns import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.constraints.lowering import is_quick
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.showing import shown_as_html, shown_as_svg
from sudoku_encode.questions.candidate_search import (
    CandidateKnowledge,
    Shares,
    by_cells,
    by_clause,
    by_counts,
    by_frontier,
    by_listing,
    by_search,
    load_search,
)
from sudoku_encode.run import kernels
from sudoku_encode.run.asking import Numbered, Question
from sudoku_encode.run.counting import Count, of_grid, stop_reason
from sudoku_encode.run.events import Event, MethodChosen, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.status import Status, status_of_stop
from sudoku_encode.search import loading
from sudoku_encode.search.probes import estimate

# The time for listing solutions first: enough for puzzles with some thousands of them.
_LISTING_SECONDS = 0.002
# The same for puzzles with constraints, for which a SAT solver takes longer to load.
_LISTING_CONSTRAINED_SECONDS = 0.1
# After this time the search for one candidate is left to a SAT solver.
_SEARCH_SECONDS = 0.05
# For shares: the time for listing before the number of solutions is estimated, and the number up to which to list.
_SHARES_LISTING_SECONDS, _LISTABLE_SOLUTIONS = 0.1, 1e6
# Up to this many are listed if there is no other way.
_MOST_LISTED_SOLUTIONS = 1e8
_PROBES = 1000


@dataclass(frozen=True, eq=False, repr=False)
class TrueCandidates:
    """The values that the cells of a puzzle have in its solutions.

    Its items are the `values` of each cell; numpy takes it as `seen`.

    Attributes:
        puzzle: the puzzle.
        seen: bool (n_cells, n_values): the values that some solution has.
        complete: whether it is proved that no solution has any other value, and that the shares are exact. If false,
            there may be more values, and the shares are lower bounds.
        stopped: what ended the work; empty if it is complete.
        witnesses: uint8 (m, n_cells): solutions, checked against the rules, which together contain all seen values;
            empty from a method that counts without listing.
        method: that found them.
        shares: (n_cells, n_values) of Python integers: how many solutions have each value; None if that was not asked
            for. Those of a cell sum to `total`.
        total: how many solutions there are, if shares were asked for.

    >>> import sudoku_encode as se
    >>> found = se.candidates("1234341221434...", board="4x4")
    >>> found.values(13), found.complete, len(found), list(found)[:3]
    ([3], True, 16, [[1], [2], [3]])
    """

    puzzle: Puzzle
    seen: Candidates
    complete: bool
    stopped: str
    witnesses: Grids
    method: str
    shares: Shares | None = None
    total: Count | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen
    _repr_html_, _repr_svg_ = shown_as_html, shown_as_svg

    def __repr__(self) -> str:
        """Return how many there are on one short line."""
        state = "complete" if self.complete else f"stopped={short(self.stopped, 30)!r}"
        return f"TrueCandidates({short(self.puzzle.geometry.name, 30)!r}, {int(self.seen.sum())}, {state})"

    @property
    def shape(self) -> tuple[int, int]:
        """How many cells and values the board has."""
        return self.seen.shape[0], self.seen.shape[1]

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.seen)

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the `values` of each cell."""
        return map(self.values, range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return `seen`, for numpy."""
        return np.array(self.seen, dtype=dtype, copy=copy)

    def values(self, cell: int) -> list[int]:
        """Return the values that a cell has in some solution, ascending."""
        return [value + 1 for value in np.flatnonzero(self.seen[cell]).tolist()]


def candidates(
    puzzle: Puzzle,
    method: str = AUTO,
    deadline: Deadline = Deadline(),  # noqa: B008  -- without limits it is a constant
    options: Options = Options(),  # noqa: B008
    counts: bool = False,
) -> TrueCandidates:
    """Find the true candidates of a puzzle, in this process; at the deadline, those found so far are returned.

    The method, a key of METHODS, must prove that there is no solution, or count exactly.

    Raises:
        MethodError: the method does not support this board or an option, or cannot prove that a value is impossible.
        InternalError: a method returned a grid that is not a solution.
    """
    row = calls.require_method(puzzle, method, options)
    if reason_against := unsupported_reason(row):
        raise MethodError(reason_against)
    knowledge = CandidateKnowledge(puzzle, counting=counts)
    used, shares, total, stopped = method, None, None, ""
    try:
        if knowledge.refuted.all():
            pass
        elif counts:
            used, shares, total = _with_shares(knowledge, row, deadline, options)
        else:
            used = _without_shares(knowledge, row, deadline, options)
    except (StoppedError, KeyboardInterrupt, MemoryError) as reason:
        stopped = stop_reason(reason)
    return _answer(knowledge, used, shares, total, stopped)


def unsupported_reason(method: Method) -> str:
    """Return why a method cannot find true candidates; empty if it can."""
    if method.finds in ("all", "count"):
        return ""
    return f"method {method.name} finds {method.finds}, but does not prove that a value is in no solution"


def _answer(
    knowledge: CandidateKnowledge, used: str, shares: Shares | None, total: int | None, stopped: str
) -> TrueCandidates:
    """Return the true candidates that are known, with shares that were counted in another way, if they were."""
    complete = not stopped
    seen, witnesses = knowledge.seen, knowledge.witnesses
    if shares is not None:
        seen = (shares > 0).astype(bool)
    grids = np.array(witnesses, np.uint8).reshape(len(witnesses), knowledge.puzzle.geometry.n_cells)
    if not knowledge.counting:
        return TrueCandidates(knowledge.puzzle, seen, complete, stopped, grids, used)
    if shares is None or total is None:
        shares, total = knowledge.shares.astype(object), knowledge.total
    return TrueCandidates(
        knowledge.puzzle, seen, complete, stopped, grids, used, shares, Count(total, complete, stopped)
    )


def _without_shares(knowledge: CandidateKnowledge, method: Method, deadline: Deadline, options: Options) -> str:
    """Find the true candidates; return the name of the method that did."""
    by_search_only = method.name == "search" and knowledge.puzzle.has_givens_alone
    if method.name == AUTO:
        return _by_auto(knowledge, deadline, options)
    if by_search_only:
        by_search(knowledge, deadline)
    elif method.encoding and method.lists:
        by_clause(knowledge, deadline, method.encoding, options)
    elif method.lists:
        by_cells(knowledge, method.name, deadline, options)
    else:
        shares, _ = _count_each(knowledge, method.name, deadline, options)
        knowledge.seen |= (shares > 0).astype(bool)
        knowledge.refute_rest()
    return method.name


def _count_each(knowledge: CandidateKnowledge, method: str, deadline: Deadline, options: Options) -> tuple[Shares, int]:
    """Return the shares and the total by a method that counts."""
    if method == "frontier":
        from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory

        try:
            return by_frontier(knowledge.puzzle, deadline)
        except OutOfTableMemory:
            pass
    return by_counts(knowledge, method, deadline, options)


def _with_shares(
    knowledge: CandidateKnowledge, method: Method, deadline: Deadline, options: Options
) -> tuple[str, Shares | None, int | None]:
    """Count the solutions with each candidate; return the method, and shares and total if solutions were not listed."""
    if method.name == AUTO:
        return _shares_by_auto(knowledge, deadline, options)
    if method.lists:
        by_listing(knowledge, calls.solutions(knowledge.puzzle, method.name, deadline, options))
        return method.name, None, None
    return method.name, *_count_each(knowledge, method.name, deadline, options)


def reason_against_search(puzzle: Puzzle) -> str:
    """Return why `search` is not tried: it is not supported, or would have to be compiled first; else empty."""
    in_units = calls.lowered_to_units(puzzle)
    board = in_units.geometry
    if reason := search.unsupported_reason(board):
        return f"since search does not support this board: {reason}"
    if in_units.constraints:
        missing = loading.not_compiled_reason(board, constrained=True)
    else:
        missing = loading.not_compiled_reason(board) or loading.batch_not_compiled_reason(board)
    if missing and (kernels.unavailable() or board.n_cells * board.n_values <= LOADABLE_CANDIDATES):
        return f"instead of search: {missing}"
    return ""


def _by_auto(knowledge: CandidateKnowledge, deadline: Deadline, options: Options) -> str:
    """Search if that is compiled, and ask a SAT solver for the candidates that search does not find soon."""
    if sat_first.ends_in_turn(partial(by_clause, knowledge), knowledge.puzzle, deadline, options):
        return "sat"
    reason = reason_against_search(knowledge.puzzle)
    if not reason:
        load_search(knowledge.puzzle)
        emit(MethodChosen("search"))
        seconds = _LISTING_CONSTRAINED_SECONDS if knowledge.puzzle.constraints else _LISTING_SECONDS
        listed = of_grid(knowledge.puzzle, search.solutions(knowledge.puzzle, _tick_until(deadline, seconds), None))
        if _ended(partial(by_listing, knowledge, listed, seconds)):
            return "search"
        if knowledge.puzzle.has_givens_alone and by_search(knowledge, deadline, _SEARCH_SECONDS):
            return "search"
        reason = "since search did not finish soon"
    emit(MethodChosen("sat", reason))
    by_clause(knowledge, deadline, options=options)
    return "sat"


def _add_witnesses(knowledge: CandidateKnowledge, shares: Shares, deadline: Deadline, options: Options) -> None:
    """Find a solution for each candidate with a share; raise InternalError if they disagree with the counts."""
    independent = CandidateKnowledge(knowledge.puzzle)
    independent.seen, independent.witnesses = knowledge.seen.copy(), knowledge.witnesses
    _by_auto(independent, deadline, options)
    if (independent.seen != (shares > 0)).any() or (shares < knowledge.shares).any():
        raise InternalError("shares do not agree with the solutions that were found")


class _SliceOver(Exception):
    """The time for one attempt is over."""


def _tick_until(deadline: Deadline, seconds: float) -> Callable[[], None]:
    """Return a function that raises StoppedError by the deadline, and _SliceOver after some seconds."""
    ends = time.monotonic() + seconds

    def tick() -> None:
        deadline()
        if time.monotonic() >= ends:
            raise _SliceOver

    return tick


def _ended(work: Callable[[], bool]) -> bool:
    """Return whether some work ended before its time was over."""
    try:
        return work()
    except _SliceOver:
        return False


def _shares_by_auto(
    knowledge: CandidateKnowledge, deadline: Deadline, options: Options
) -> tuple[str, Shares | None, int | None]:
    """List if that is quick; else use `frontier`; else list or count each candidate, whichever seems less work."""
    puzzle = knowledge.puzzle
    if puzzle.constraints:
        by_listing(knowledge, calls.solutions(puzzle, AUTO, deadline, options))
        return AUTO, None, None
    if (turn := sat_first.take_turn(puzzle, replace(deadline, solutions=None), options)) is not None:
        by_listing(knowledge, turn.batches)
        return "sat", None, None
    if search.unsupported_reason(puzzle.geometry) or kernels.unavailable():
        emit(MethodChosen("sat", "since search cannot be used here"))
        by_listing(knowledge, calls.solutions(puzzle, "sat", deadline, options))
        return "sat", None, None
    load_search(puzzle)
    listing = search.solutions(puzzle, deadline)
    if by_listing(knowledge, listing, _SHARES_LISTING_SECONDS):
        emit(MethodChosen("search"))
        return "search", None, None
    probes = estimate(puzzle, _PROBES, 0, deadline)
    about = f"since random probes estimate {probes.text} solutions"
    from sudoku_encode import frontier

    if probes.solutions > _LISTABLE_SOLUTIONS and not frontier.unsupported_reason(puzzle.geometry):
        emit(MethodChosen("frontier", about))
        try:
            shares, total = by_frontier(puzzle, deadline)
            _add_witnesses(knowledge, shares, deadline, options)
            return "frontier", shares, total
        except StoppedError as reason:
            deadline()
            about = f"since frontier gave up: {reason}"
    if probes.solutions <= _MOST_LISTED_SOLUTIONS:
        emit(MethodChosen("search", about))
        by_listing(knowledge, listing)
        return "search", None, None
    emit(MethodChosen("auto", f"for each candidate, {about}"))
    return AUTO, *by_counts(knowledge, AUTO, deadline, Options())


@dataclass(frozen=True)
class CandidatesQuestion(Question[TrueCandidates]):
    """The question for the true candidates of a puzzle.

    Raises:
        MethodError: there is no such method, or it cannot prove that a value is impossible.
    """

    types = (TrueCandidates,)

    method: str = AUTO
    options: Options = Options()  # noqa: RUF009  -- it cannot change
    counts: bool = False  # whether to count the solutions with each value of a cell

    def __post_init__(self) -> None:
        if reason := unsupported_reason(find_method(self.method)):
            raise MethodError(reason)

    def require(self, puzzle: Puzzle) -> None:
        """Check that the method can do the puzzle."""
        require_method(puzzle, self.method, self.options)

    def answer(self, item: Numbered, deadline: Deadline) -> TrueCandidates:
        """Return the true candidates."""
        return candidates(item[1], self.method, deadline, self.options, self.counts)

    def judge(self, puzzle: Puzzle, value: TrueCandidates) -> tuple[Status, str]:
        """Return whether each cell has one value, some cell several, or there is no solution."""
        if not value.complete:
            return status_of_stop(value.stopped), value.stopped
        if not value.seen.any():
            return Status.NO_SOLUTION, ""
        return (Status.UNIQUE if (value.seen.sum(axis=1) == 1).all() else Status.SEVERAL), ""

    def method_of(self, value: TrueCandidates | None) -> str:
        """Return the method that found them."""
        return self.method if value is None else value.method

    def load(self, item: Numbered) -> None:
        """Load the libraries and the compiled code of the method."""
        load(self.method if self.method != AUTO else "sat")
        if self.method == AUTO and sat_first.is_enough(item[1]):
            return
        # Constraints that take long to lower are left to the process with the time limit.
        if self.method in (AUTO, "search") and is_quick(item[1]) and not reason_against_search(item[1]):
            load_search(item[1])

    def warm_up(self, item: Numbered) -> None:
        """Compile or load the method."""
        warm_up_for(self.method, item)

    def fault(self, item: Numbered, value: TrueCandidates, events: Sequence[Event]) -> str:
        """Return why the candidates are wrong: their witnesses are checked, but not that there are no others."""
        if fault := grids_fault(*item, value.witnesses):
            return fault
        shape = (item[1].geometry.n_cells, item[1].geometry.n_values)
        seen = np.zeros(shape, bool)
        for grid in value.witnesses:
            seen[np.arange(shape[0]), grid - 1] = True
        # A method that counts has no witnesses.
        witnessed = value.seen if value.shares is not None and not len(value.witnesses) else seen
        if value.seen.dtype != bool or not np.array_equal(value.seen, witnessed) or value.seen.shape != shape:
            return f"the executor's answer for puzzle {item[0]} does not agree with its solutions"
        return ""
