"""The method `auto`: choose a method for a puzzle by its board and by the first moments of search.

`search` finishes most puzzles within a second, and lists and counts millions of solutions a second. If a puzzle has few
solutions that are hard to find, like cubes and large boards with few givens, a SAT solver learns clauses where a search
repeats its mistakes. If it has too many to list, `frontier` counts without listing. `placements` takes cubes of side 9
with nearly all cells blank.

`search` is compiled, which takes seconds, once on a machine. Until then a SAT solver tries each puzzle first, so that
only puzzles that it does not finish soon wait for the compiler. If nothing can be compiled, it does all of them.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from sudoku_encode import search
from sudoku_encode.errors import INTERRUPTED, TIME_LIMIT, StoppedError, TooLargeError, plural
from sudoku_encode.methods import calls, sat_first
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import CONTINUE_IN_PARTS, Count, count_or_stopped, tally
from sudoku_encode.run.events import MethodChosen, Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.machine import cores
from sudoku_encode.search import loading
from sudoku_encode.search.probes import estimate
from sudoku_encode.search.vectors9 import is_plain

# SAT solvers: they do all of a puzzle, or get a turn before another method is tried.

# With more solutions than these, and as many blocking clauses, a SAT solver takes quadratic time.
BLOCKABLE_SOLUTIONS = 20_000
# How long a SAT solver may work on a puzzle before search is compiled for it, and on all puzzles of this process
# together: about as long as compiling takes.
_TURN_SECONDS, _ALL_TURNS_SECONDS = 2.0, 6.0
# Boards with more candidates take a SAT solver long to load, and much memory.
LOADABLE_CANDIDATES = 2**14


def by_sat(puzzle: Puzzle, deadline: Deadline, options: Options) -> Iterator[Grids]:
    """Yield the solutions by `sat`, in a process of its own: a solver that ends its process does not end this one.

    Raises:
        StoppedError: the limit or the deadline was reached, or the process died.
    """
    return stream(partial(calls.solutions, puzzle, "sat", deadline, options))


@dataclass
class SatTime:
    """How many seconds SAT solvers may still take in this process before search is compiled."""

    seconds_left: float = _ALL_TURNS_SECONDS


sat_time = SatTime()


def sat_turn(puzzle: Puzzle, deadline: Deadline, most: int) -> Iterator[Grids]:
    """Yield the solutions that a SAT solver finds in its turn, at most `most`.

    It is always the default solver, since not every solver can be stopped.

    Raises:
        StoppedError: no time is left; or there are more solutions; or the model is too large.
    """
    board = puzzle.geometry
    if sat_time.seconds_left <= 0 or board.n_cells * board.n_values > LOADABLE_CANDIDATES:
        raise StoppedError(TIME_LIMIT)
    begun = time.monotonic()
    turn = deadline.within(_TURN_SECONDS, min(most, BLOCKABLE_SOLUTIONS))
    try:
        yield from by_sat(puzzle, turn, Options())
    except TooLargeError as error:
        raise StoppedError(str(error)) from error
    finally:
        sat_time.seconds_left -= time.monotonic() - begun


def collect_until_stopped(batches: Iterator[Grids]) -> tuple[list[Grids], bool]:
    """Return the batches until the method ends or is stopped, and whether they are complete; emit `Progress`."""
    collected, total = [], 0
    try:
        for batch in batches:
            collected.append(batch)
            total += len(batch)
            emit(Progress.of_solutions(total))
    except (StoppedError, MemoryError):
        return collected, False
    return collected, True


def chose_sat_instead(reason: str) -> MethodChosen:
    """Return the event that `sat` finished in its turn; `reason` is why `search` was not tried."""
    return MethodChosen("sat", f"which finished within {_TURN_SECONDS:.0f} seconds, instead of search: {reason}")


class NotSoon(Exception):
    """Search found no solution, or too few, in its first moments."""


def seconds_text(seconds: float) -> str:
    """Return a time as text."""
    return "a second" if seconds == 1 else f"{seconds:g} seconds"


def is_final(count: Count, deadline: Deadline) -> bool:
    """Return whether a count is the answer: it is complete, or no time is left to try another method."""
    return count.complete or count.stopped == INTERRUPTED or deadline.seconds_left <= 0


# Puzzles with constraints: search and a SAT solver take turns until one of them ends; search goes on alone once it has
# many solutions. A SAT solver learns from constraints on many cells, where a search repeats its mistakes; but it lists
# far fewer solutions in a second.

# The first turn of search, in runs of a cheap propagator: about a second. Work is counted rather than time, so that a
# busy machine does not end a turn early. Each turn is twice as long as the one before; search goes on where it was.
_FIRST_WORK, MANY_SOLUTIONS = 2**24, 1000
# A SAT solver, which begins anew, gets as long as search took, and at least this long.
_LEAST_SAT_SECONDS = 1.0

_Steps = Iterator[tuple[Grids, int]]


def list_constrained(
    puzzle: Puzzle, deadline: Deadline, options: Options, n_early: int | None = None
) -> Iterator[Grids]:
    """Yield all solutions of a puzzle with constraints.

    Args:
        puzzle: with constraints.
        deadline: the limits; all that was found until they are reached is yielded.
        options: for `sat`.
        n_early: how many solutions search found in a first turn elsewhere; None if it had none.

    Raises:
        StoppedError: the deadline was reached.
    """
    loading.load(puzzle.geometry, constrained=True)
    steps, batches, by_solver = search.steps(puzzle, deadline), list[Grids](), list[Grids]()
    work, seconds, enough = _FIRST_WORK, _LEAST_SAT_SECONDS, min(MANY_SOLUTIONS, deadline.solutions or MANY_SOLUTIONS)
    try:
        while True:
            if n_early is None:
                begun = time.monotonic()
                ended = _collect_steps(steps, work, enough, batches)
                seconds, work, n_early = max(seconds, time.monotonic() - begun), 2 * work, _number_in(batches)
                if ended or n_early >= enough:
                    emit(MethodChosen("search"))
                    break
            emit(MethodChosen("sat", _about(n_early)))
            turn, n_early = deadline.within(seconds, deadline.solutions), None
            by_solver, complete = collect_until_stopped(by_sat(puzzle, turn, options))
            if complete or _number_in(by_solver) == deadline.solutions:
                yield from by_solver
                return
            deadline()
    except TooLargeError as reason:
        emit(MethodChosen("search", f"since {reason}"))
    except (StoppedError, KeyboardInterrupt):
        yield from max(batches, by_solver, key=_number_in)
        raise
    yield from batches
    yield from (batch for batch, _ in steps if len(batch))


def _number_in(batches: list[Grids]) -> int:
    return sum(map(len, batches))


def _collect_steps(steps: _Steps, work: int, enough: int, batches: list[Grids]) -> bool:
    """Add the solutions of a search, until there are enough or so much work is done; return whether it ended."""
    n_listed = _number_in(batches)
    for batch, done in steps:
        n_listed += len(batch)
        if len(batch):
            batches.append(batch)
            emit(Progress.of_solutions(n_listed))
        if n_listed >= enough or done >= work:
            return False
    return True


def _first_steps(puzzle: Puzzle, deadline: Deadline) -> Iterator[Grids]:
    """Yield the solutions that search finds in its first turn, after which it is stopped."""
    for batch, done in search.steps(puzzle, deadline):
        yield batch
        if done >= _FIRST_WORK:
            raise StoppedError(TIME_LIMIT)


def _count_constrained(puzzle: Puzzle, deadline: Deadline, options: Options, in_parts: bool, n_early: int) -> Count:
    """Count the solutions of a puzzle with constraints, of which search did not find all in its turn."""
    if n_early < MANY_SOLUTIONS:
        return tally(list_constrained(puzzle, deadline, options, n_early))
    if in_parts:
        emit(MethodChosen("search in parts", _about(n_early)))
        return Count(0, False, CONTINUE_IN_PARTS)
    emit(MethodChosen(f"search on {cores()} {plural('core', cores())}", _about(n_early)))
    return _count_on_all_cores(puzzle, deadline)


def _count_on_all_cores(puzzle: Puzzle, deadline: Deadline) -> Count:
    from sudoku_encode.search import parallel

    return count_or_stopped(partial(parallel.count_parts, puzzle, deadline))


def _about(n_solutions: int) -> str:
    number = f"{n_solutions} solutions" if n_solutions != 1 else "1 solution"
    return f"since a trial search found {number} without finishing"


# How long search is tried first. On the plain 9x9 board nothing is faster; on others a SAT solver often needs less
# time than this for what search does not finish soon.
_FIRST_PLAIN_SECONDS, _FIRST_SECONDS = 1.0, 0.05
_PROBES = 1000
# Up to this many solutions, as estimated, are counted by search, which takes a quarter of a minute.
_SEARCHABLE_SOLUTIONS = 5e7
# Up to this many solutions, as estimated, a SAT solver lists sooner than search does.
_FEW_SOLUTIONS = 100
# Cubes of side 9 with more blanks than this have few solutions that are hard to find for all but `placements`.
_MANY_BLANKS = 660
# How long each of them works on such a cube before the other does.
_PLACEMENTS_TURN_SECONDS, _CUBE_SAT_SECONDS = 2.0, 30.0


def unsupported_reason(board: Geometry) -> str:
    """Return an empty string: every board is supported."""
    return ""


def count(
    puzzle: Puzzle,
    deadline: Deadline,
    reduction: str | None = None,
    amo: str | None = None,
    sat_solver: str | None = None,
    in_parts: bool = False,
) -> Count:
    """Count the solutions of a puzzle by the method that fits it; events say which, and why.

    Args:
        puzzle: any.
        deadline: the limits.
        reduction: for `sat`, if that is chosen.
        amo: for `sat`, if that is chosen.
        sat_solver: for `sat`, if that is chosen.
        in_parts: whether the caller counts puzzles that take `search` long in parts: then the count is stopped by
            CONTINUE_IN_PARTS.
    """
    board, options = puzzle.geometry, Options(reduction, amo, sat_solver)
    if search.unsupported_reason(board):
        return tally(solutions(puzzle, deadline, reduction, amo, sat_solver))
    if (turn := sat_first.take_turn(puzzle, deadline, options)) is not None:
        return turn.counted
    if missing := loading.not_compiled_reason(board, bool(puzzle.constraints)):
        early = _count_empty_board(puzzle, deadline)
        if early is None:
            early = _count_before_compiling(puzzle, deadline, options, missing)
        if early is not None:
            return early
    early = first_turn(puzzle, deadline)
    return early if is_final(early, deadline) else later_turns(puzzle, deadline, options, in_parts, early.value)


def first_turn(puzzle: Puzzle, deadline: Deadline) -> Count:
    """Count the solutions by `search`, as far as it comes in its turn."""
    if puzzle.constraints:
        loading.load(puzzle.geometry, constrained=True)
        early = tally(_first_steps(puzzle, deadline))
        why = ""
    else:
        first = first_seconds(puzzle.geometry)
        early = count_or_stopped(partial(search.count, puzzle, deadline.within(first)))
        why = f"which finished within {seconds_text(first)}" if early.complete else ""
    if is_final(early, deadline):
        emit(MethodChosen("search", why))
    return early


def later_turns(puzzle: Puzzle, deadline: Deadline, options: Options, in_parts: bool, n_early: int) -> Count:
    """Count the solutions, of which `first_turn` found some, by a method that fits the puzzle."""
    if puzzle.constraints:
        return _count_constrained(puzzle, deadline, options, in_parts, n_early)
    return _count_by_estimate(puzzle, deadline, options, in_parts)


def _count_by_estimate(puzzle: Puzzle, deadline: Deadline, options: Options, in_parts: bool) -> Count:
    """Count a puzzle that search did not finish soon, by a method that suits the estimated number of solutions."""
    try:
        guess = estimate(puzzle, _PROBES, 0, deadline)
    except StoppedError as reason:
        return Count(0, False, reason.reason)
    about = f"since random probes estimate {guess.solutions:.3g} solutions (give or take {guess.solutions_error:.2g})"
    if not guess.solutions:
        about = f"since none of {_PROBES} random probes reached a solution"
    if _is_nearly_empty_cube(puzzle):
        return tally(_by_turns(puzzle, deadline, options, about))
    if guess.solutions <= _FEW_SOLUTIONS and not is_plain(puzzle.geometry):
        emit(MethodChosen("sat", about))
        count = tally(by_sat(puzzle, replace(deadline, solutions=BLOCKABLE_SOLUTIONS), options))
        if is_final(count, deadline):
            return count
        emit(MethodChosen("sat", f"which gave up: {count.stopped}"))
    if guess.solutions > _SEARCHABLE_SOLUTIONS or guess.nodes > _SEARCHABLE_SOLUTIONS:
        from sudoku_encode import frontier

        if not frontier.unsupported_reason(puzzle.geometry):
            emit(MethodChosen("frontier", about))
            count = calls.count(puzzle, "frontier", deadline)
            if is_final(count, deadline):
                return count
            emit(MethodChosen("frontier", f"which gave up: {count.stopped}"))
        if guess.solutions <= BLOCKABLE_SOLUTIONS:
            emit(MethodChosen("sat", about))
            return tally(by_sat(puzzle, deadline, options))
    if in_parts:
        emit(MethodChosen("search in parts", about))
        return Count(0, False, CONTINUE_IN_PARTS)
    emit(MethodChosen(f"search on {cores()} {plural('core', cores())}", about))
    return _count_on_all_cores(puzzle, deadline)


def _count_empty_board(puzzle: Puzzle, deadline: Deadline) -> Count | None:
    """Count the solutions of an empty board by `frontier`, before search is compiled; None if it does not finish."""
    # No SAT solver has listed them all in its turn: mostly there are more than search could list.
    if len(puzzle.blanks) < puzzle.geometry.n_cells or not puzzle.has_givens_alone or kernels.unavailable():
        return None
    from sudoku_encode import frontier

    if frontier.unsupported_reason(puzzle.geometry):
        return None
    count = calls.count(puzzle, "frontier", deadline)
    if not is_final(count, deadline):
        return None
    emit(MethodChosen("frontier", "since no cell is filled"))
    return count


def _count_before_compiling(puzzle: Puzzle, deadline: Deadline, options: Options, missing: str) -> Count | None:
    """Count with a SAT solver while search is not compiled; None if SAT did not finish and search can be compiled."""
    count = tally(sat_turn(puzzle, deadline, BLOCKABLE_SOLUTIONS))
    if is_final(count, deadline):
        emit(chose_sat_instead(missing) if count.complete else MethodChosen("sat"))
        return count
    if reason := kernels.unavailable():
        emit(MethodChosen("sat", f"since nothing can be compiled here: {reason}"))
        return tally(by_sat(puzzle, deadline, options))
    return None


def solutions(
    puzzle: Puzzle,
    deadline: Deadline,
    reduction: str | None = None,
    amo: str | None = None,
    sat_solver: str | None = None,
    repeatable: bool = False,
) -> Iterator[Grids]:
    """Yield all solutions in batches: by `search`, or by `sat` if search finds no solution soon, or cannot run.

    Args:
        puzzle: any.
        deadline: the limits; the caller cuts off solutions above its limit on solutions.
        reduction: for `sat`, if that is chosen.
        amo: for `sat`, if that is chosen.
        sat_solver: for `sat`, if that is chosen.
        repeatable: whether a later call should give the same order, though by then more may be compiled.

    Raises:
        StoppedError: the deadline was reached.
    """
    board, options = puzzle.geometry, Options(reduction, amo, sat_solver)
    if search.unsupported_reason(board):
        emit(MethodChosen("sat", f"since search does not support this board: {search.unsupported_reason(board)}"))
        yield from by_sat(puzzle, deadline, options)
        return
    if (turn := sat_first.take_turn(puzzle, deadline, options, only_one=repeatable)) is not None:
        yield from turn.batches
        return
    if missing := loading.not_compiled_reason(board, bool(puzzle.constraints)):
        # Where there is one solution, its order is always the same.
        most = 2 if repeatable else deadline.solutions or BLOCKABLE_SOLUTIONS
        batches, complete = collect_until_stopped(sat_turn(puzzle, deadline, most))
        if repeatable and not complete:
            batches = []
        enough = complete or sum(map(len, batches)) == deadline.solutions
        if enough or deadline.seconds_left <= 0:
            emit(chose_sat_instead(missing) if enough else MethodChosen("sat"))
            yield from batches
            deadline()
            return
        if reason := kernels.unavailable():
            emit(MethodChosen("sat", f"since nothing can be compiled here: {reason}"))
            yield from by_sat(puzzle, deadline, options)
            return
    if puzzle.constraints:
        yield from list_constrained(puzzle, deadline, options)
    else:
        yield from _by_search(puzzle, deadline, options)


def _by_search(puzzle: Puzzle, deadline: Deadline, options: Options) -> Iterator[Grids]:
    """Yield all solutions by `search`, or by `sat` if search finds no solution soon."""
    is_chosen = False
    first = first_seconds(puzzle.geometry)
    turn = time.monotonic() + first

    def tick() -> None:
        deadline()
        if not is_chosen and time.monotonic() >= turn:
            raise NotSoon

    try:
        for batch in search.solutions(puzzle, tick):
            if not is_chosen:
                emit(MethodChosen("search"))
            is_chosen = True
            yield batch
        if not is_chosen:
            emit(MethodChosen("search"))
    except NotSoon:
        about = f"since a trial search of {seconds_text(first)} found no solution"
        if _is_nearly_empty_cube(puzzle):
            yield from _by_turns(puzzle, deadline, options, about)
        else:
            emit(MethodChosen("sat", about))
            yield from by_sat(puzzle, deadline, options)


def _is_nearly_empty_cube(puzzle: Puzzle) -> bool:
    """Return whether `placements` is likely to find more solutions than search and SAT solvers."""
    if len(puzzle.blanks) <= _MANY_BLANKS:
        return False
    # Imported here, like other methods: most puzzles do without them.
    from sudoku_encode import placements

    return not placements.unsupported_reason(puzzle.geometry)


def _by_turns(puzzle: Puzzle, deadline: Deadline, options: Options, about: str) -> Iterator[Grids]:
    """Yield all solutions of a nearly empty cube, by `placements` or by `sat`, whichever ends in its turn."""
    # Only `placements` is quick with random givens; `sat` learns more from givens that were chosen to be few.
    _load_placements(puzzle.geometry)
    emit(MethodChosen("placements", about))
    first = deadline.within(_PLACEMENTS_TURN_SECONDS, deadline.solutions)
    batches, complete = collect_until_stopped(calls.solutions(puzzle, "placements", first))
    if not complete and sum(map(len, batches)) != deadline.solutions:
        deadline()
        emit(MethodChosen("sat", f"since placements did not finish within {_PLACEMENTS_TURN_SECONDS:.0f} seconds"))
        second = deadline.within(_CUBE_SAT_SECONDS, deadline.solutions or BLOCKABLE_SOLUTIONS)
        batches, complete = collect_until_stopped(by_sat(puzzle, second, options))
    if complete or sum(map(len, batches)) == deadline.solutions:
        yield from batches
        return
    deadline()
    emit(MethodChosen("placements", f"since sat did not finish within {_CUBE_SAT_SECONDS:.0f} seconds either"))
    yield from calls.solutions(puzzle, "placements", deadline)


@lru_cache(maxsize=2)
def _load_placements(board: Geometry) -> None:
    """Compile `placements`, or load it if it is compiled: that may take longer than its turn."""
    from sudoku_encode import placements

    for _ in placements.solutions(Puzzle.of(board, np.ones(board.n_cells, np.uint8)), Deadline()):
        pass


def first_seconds(board: Geometry) -> float:
    """Load search for a board, and return how many seconds it is tried first."""
    loading.load(board)
    return _FIRST_PLAIN_SECONDS if is_plain(board) else _FIRST_SECONDS
