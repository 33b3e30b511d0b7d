"""True candidates: the values that each cell has in some solution, and in how many of them."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from sudoku_encode import frontier, search
from sudoku_encode.errors import InternalError, MethodError, StoppedError, short
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.methods import calls
from sudoku_encode.methods.method import Method
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.sat_turns import LOADABLE_CANDIDATES
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.questions import ways
from sudoku_encode.questions.gathered import Gathered
from sudoku_encode.questions.shares import Shares, by_counts, by_frontier
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import Count, stop_reason
from sudoku_encode.run.events import MethodChosen, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading
from sudoku_encode.search.probes import estimate

# How long solutions are listed first: puzzles with some thousands of them are done then.
_LISTING_SECONDS = 0.002
# The same where there are constraints, with which a SAT solver takes longer to load.
_LISTING_CONSTRAINED_SECONDS = 0.1
# After how long the search for one candidate is given up, and left to a SAT solver.
_SEARCH_SECONDS = 0.05
# Where shares are wanted, solutions are listed for this time before their number is estimated, and up to this number.
_SHARES_LISTING_SECONDS, _LISTABLE_SOLUTIONS = 0.1, 1e6
# Up to this many are listed where there is no other way.
_MOST_LISTED_SOLUTIONS = 1e8
_PROBES = 1000


@dataclass(frozen=True, eq=False, repr=False)
class TrueCandidates:
    """The values that the cells of a puzzle have in its solutions.

    Attributes:
        puzzle: the puzzle.
        seen: bool (n_cells, n_values): what some solution has.
        complete: whether it is proved that no solution has anything else, and that the shares are exact. Where it is
            false, there may be more, and shares are at least what they say.
        stopped: what ended the work, where it is not complete.
        witnesses: uint8 (m, n_cells): solutions, checked against the rules, which together have all that is seen; none
            from a method that counts and does not list.
        method: what found them.
        shares: (n_cells, n_values) of whole numbers of Python: how many solutions have each value; None where that was
            not asked. Those of a cell sum to `total`.
        total: how many solutions there are, where shares were asked.

    >>> import sudoku_encode as se
    >>> found = se.candidates("1234341221434...", board="4x4")
    >>> found.values(13), found.complete
    ([3], True)
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

    def __repr__(self) -> str:
        """Return how many there are on one short line."""
        known = "complete" if self.complete else f"stopped={short(self.stopped, 30)!r}"
        return f"TrueCandidates({short(self.puzzle.geometry.name, 30)!r}, {int(self.seen.sum())}, {known})"

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
    """Find the true candidates of a puzzle, in this process.

    Args:
        puzzle: the puzzle.
        method: a key of METHODS that proves that there is no solution, or counts exactly.
        deadline: when to stop; then what was found so far is returned.
        options: what else is chosen.
        counts: whether to count the solutions that have each.

    Raises:
        MethodError: the method cannot do this board, does not use an option, or is not sure of its answers.
        InternalError: a method returned a grid that is no solution.
    """
    chosen = calls.fitting(puzzle, method, options)
    if why := refused(chosen):
        raise MethodError(why)
    found = Gathered(puzzle, counting=counts)
    by, shares, total, stopped = method, None, None, ""
    try:
        if found.refuted.all():
            pass
        elif counts:
            by, shares, total = _with_shares(found, chosen, deadline, options)
        else:
            by = _without_shares(found, chosen, deadline, options)
    except (StoppedError, KeyboardInterrupt, MemoryError) as reason:
        stopped = stop_reason(reason)
    return _answer(found, by, shares, total, stopped)


def refused(method: Method) -> str:
    """Say why a method cannot answer, or return an empty string."""
    if method.finds in ("all", "count"):
        return ""
    return f"method {method.name} finds {method.finds}, and does not prove that a value is in no solution"


def _answer(found: Gathered, by: str, shares: Shares | None, total: int | None, stopped: str) -> TrueCandidates:
    """Return what was gathered, with shares that were counted otherwise, if they were."""
    complete = not stopped
    seen, witnesses = found.seen, found.witnesses
    if shares is not None:
        seen = (shares > 0).astype(bool)
    grids = np.array(witnesses, np.uint8).reshape(len(witnesses), found.puzzle.geometry.n_cells)
    if not found.counting:
        return TrueCandidates(found.puzzle, seen, complete, stopped, grids, by)
    if shares is None or total is None:
        shares, total = found.shares.astype(object), found.total
    return TrueCandidates(found.puzzle, seen, complete, stopped, grids, by, shares, Count(total, complete, stopped))


def _without_shares(found: Gathered, method: Method, deadline: Deadline, options: Options) -> str:
    """Find out which candidates are true; return the method that did."""
    by_search_only = method.name == "search" and found.puzzle.has_givens_alone
    if method.name == AUTO:
        return _by_auto(found, deadline, options)
    if by_search_only:
        ways.by_search(found, deadline)
    elif method.encoding and method.lists:
        ways.by_clause(found, deadline, method.encoding, options)
    elif method.lists:
        ways.by_cells(found, method.name, deadline, options)
    else:
        shares, _ = _counted(found, method.name, deadline, options)
        found.seen |= (shares > 0).astype(bool)
        found.refute_rest()
    return method.name


def _counted(found: Gathered, method: str, deadline: Deadline, options: Options) -> tuple[Shares, int]:
    """Return the shares and the total by a method that counts."""
    if method == "frontier":
        try:
            return by_frontier(found.puzzle, deadline)
        except OutOfTableMemory:
            pass
    return by_counts(found, method, deadline, options)


def _with_shares(
    found: Gathered, method: Method, deadline: Deadline, options: Options
) -> tuple[str, Shares | None, int | None]:
    """Count how many solutions have each; return the method, with shares and total where they were not listed."""
    if method.name == AUTO:
        return _shares_by_auto(found, deadline, options)
    if method.lists:
        ways.by_listing(found, calls.solutions(found.puzzle, method.name, deadline, options))
        return method.name, None, None
    return method.name, *_counted(found, method.name, deadline, options)


def reason_against_search(puzzle: Puzzle) -> str:
    """Say why `search` is not tried, or return an empty string: it is there, and need not be compiled first."""
    asked = calls.in_units(puzzle)
    board = asked.geometry
    if reason := search.unsupported_reason(board):
        return f"since search refuses: {reason}"
    if asked.constraints:
        missing = loading.missing(board, constrained=True)
    else:
        missing = loading.missing(board) or loading.missing_for_batch(board)
    if missing and (kernels.unavailable() or board.n_cells * board.n_values <= LOADABLE_CANDIDATES):
        return f"instead of search: {missing}"
    return ""


def _by_auto(found: Gathered, deadline: Deadline, options: Options) -> str:
    """Search where that is compiled, and ask a SAT solver for what it does not find soon."""
    why = reason_against_search(found.puzzle)
    if not why:
        ways.load_search(found.puzzle)
        emit(MethodChosen("search"))
        seconds = _LISTING_CONSTRAINED_SECONDS if found.puzzle.constraints else _LISTING_SECONDS
        listed = search.solutions(found.puzzle, _tick_until(deadline, seconds), None)
        if _ended(partial(ways.by_listing, found, listed, seconds)):
            return "search"
        if found.puzzle.has_givens_alone and ways.by_search(found, deadline, _SEARCH_SECONDS):
            return "search"
        why = "since search did not end soon"
    emit(MethodChosen("sat", why))
    ways.by_clause(found, deadline, options=options)
    return "sat"


def _add_witnesses(found: Gathered, shares: Shares, deadline: Deadline, options: Options) -> None:
    """Find a solution for each candidate with a share, in another way than its share was counted.

    Raises:
        InternalError: there is one without a share, or none with one, or fewer than were listed before.
    """
    rest = Gathered(found.puzzle)
    rest.seen, rest.witnesses = found.seen.copy(), found.witnesses
    _by_auto(rest, deadline, options)
    if (rest.seen != (shares > 0)).any() or (shares < found.shares).any():
        raise InternalError("shares do not agree with the solutions that were found")


class _Enough(Exception):
    """The time that was meant for something is over."""


def _tick_until(deadline: Deadline, seconds: float) -> Callable[[], None]:
    """Return what raises StoppedError by the deadline, and _Enough after some seconds."""
    ends = time.monotonic() + seconds

    def tick() -> None:
        deadline()
        if time.monotonic() >= ends:
            raise _Enough

    return tick


def _ended(work: Callable[[], bool]) -> bool:
    """Say whether some work ended before its time was over."""
    try:
        return work()
    except _Enough:
        return False


def _shares_by_auto(found: Gathered, deadline: Deadline, options: Options) -> tuple[str, Shares | None, int | None]:
    """List where that is quick; else by `frontier`; else list, or count each candidate, whichever seems less."""
    puzzle = found.puzzle
    if puzzle.constraints:
        ways.by_listing(found, calls.solutions(puzzle, AUTO, deadline, options))
        return AUTO, None, None
    if search.unsupported_reason(puzzle.geometry) or kernels.unavailable():
        emit(MethodChosen("sat", "since search cannot be used here"))
        ways.by_listing(found, calls.solutions(puzzle, "sat", deadline, options))
        return "sat", None, None
    ways.load_search(puzzle)
    listing = search.solutions(puzzle, deadline)
    if ways.by_listing(found, listing, _SHARES_LISTING_SECONDS):
        emit(MethodChosen("search"))
        return "search", None, None
    guess = estimate(puzzle, _PROBES, 0, deadline)
    about = f"since there are about {guess.solutions:.3g} solutions by random probes"
    if guess.solutions > _LISTABLE_SOLUTIONS and not frontier.unsupported_reason(puzzle.geometry):
        emit(MethodChosen("frontier", about))
        try:
            shares, total = by_frontier(puzzle, deadline)
            _add_witnesses(found, shares, deadline, options)
            return "frontier", shares, total
        except StoppedError as reason:
            deadline()
            about = f"since frontier gave up: {reason}"
    if guess.solutions <= _MOST_LISTED_SOLUTIONS:
        emit(MethodChosen("search", about))
        ways.by_listing(found, listing)
        return "search", None, None
    emit(MethodChosen("auto", f"for each candidate, {about}"))
    return AUTO, *by_counts(found, AUTO, deadline, Options())
