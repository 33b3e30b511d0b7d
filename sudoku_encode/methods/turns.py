"""Methods that take turns on one puzzle, for `auto`: each works until its turn is over or it has the answer.

A SAT solver learns from its failures, where a search repeats them, but lists far fewer solutions in a second. Which of
them ends sooner is not known before, so each gets a share of the time.
"""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from sudoku_encode import search
from sudoku_encode.errors import TIME_LIMIT, StoppedError, TooLargeError
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.child import Background, stream
from sudoku_encode.run.events import MethodChosen, Progress, emit
from sudoku_encode.run.limits import Deadline, WatchingDeadline
from sudoku_encode.search import loading
from sudoku_encode.solvers.table import DEFAULT_SOLVER

# SAT solvers: they do all of a puzzle, or get a turn before another method is tried.

# With more solutions than these, and as many blocking clauses, a SAT solver takes quadratic time.
BLOCKABLE_SOLUTIONS = 20_000
# How long a SAT solver may work on a puzzle before search is compiled for it, and on all puzzles of this process
# together: about as long as compiling takes.
_TURN_SECONDS, _ALL_TURNS_SECONDS = 2.0, 6.0
# Boards with more candidates take a SAT solver long to load, and much memory.
LOADABLE_CANDIDATES = 2**14
_NO_OPTIONS = Options()


def by_sat(puzzle: Puzzle, deadline: Deadline, options: Options) -> Iterator[Grids]:
    """Yield the solutions by `sat`, in a process of its own: a solver that ends its process does not end this one.

    Raises:
        StoppedError: the limit or the deadline was reached, or the process died.
    """
    return stream(partial(calls.solutions, puzzle, "sat", deadline, options))


def chose_sat(why: str, options: Options) -> MethodChosen:
    """Return the event that `sat` was chosen: by which solver, on which encoding, and why."""
    return MethodChosen("sat", why, f"{options.sat_solver or DEFAULT_SOLVER}, encoding {METHODS['sat'].encoding}")


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
        yield from by_sat(puzzle, turn, _NO_OPTIONS)
    except TooLargeError as error:
        raise StoppedError(str(error)) from error
    finally:
        sat_time.seconds_left -= time.monotonic() - begun


def chose_sat_instead(reason: str) -> MethodChosen:
    """Return the event that `sat` finished in its turn; `reason` is why `search` was not tried."""
    return MethodChosen("sat", f"which finished within {_TURN_SECONDS:.0f} seconds, instead of search: {reason}")


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


def number_in(batches: list[Grids]) -> int:
    """Return the number of solutions in some batches."""
    return sum(map(len, batches))


# Puzzles with constraints: search and a SAT solver take turns until one of them ends; search goes on alone once it has
# many solutions.

# The first turn of search, in runs of a cheap propagator: about a second. Work is counted rather than time, so that a
# busy machine does not end a turn early. Each turn is twice as long as the one before; search goes on where it was.
_FIRST_WORK, MANY_SOLUTIONS = 2**24, 1000
# A SAT solver, which begins anew, gets as long as search took, and at least this long.
_LEAST_SAT_SECONDS = 1.0

_Steps = Iterator[tuple[Grids, int]]


def first_constrained(puzzle: Puzzle, deadline: Deadline) -> Iterator[Grids]:
    """Yield the solutions that search finds in its first turn, after which it is stopped."""
    loading.load(puzzle.geometry, constrained=True)
    for batch, done in search.steps(puzzle, deadline):
        yield batch
        if done >= _FIRST_WORK:
            raise StoppedError(TIME_LIMIT)


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
                seconds, work, n_early = max(seconds, time.monotonic() - begun), 2 * work, number_in(batches)
                if ended or n_early >= enough:
                    emit(MethodChosen("search"))
                    break
            emit(chose_sat(after_search(n_early), options))
            turn, n_early = deadline.within(seconds, deadline.solutions), None
            by_solver, complete = collect_until_stopped(by_sat(puzzle, turn, options))
            if complete or number_in(by_solver) == deadline.solutions:
                yield from by_solver
                return
            deadline()
    except TooLargeError as reason:
        emit(MethodChosen("search", f"since {reason}"))
    except (StoppedError, KeyboardInterrupt):
        yield from max(batches, by_solver, key=number_in)
        raise
    yield from batches
    yield from (batch for batch, _ in steps if len(batch))


def _collect_steps(steps: _Steps, work: int, enough: int, batches: list[Grids]) -> bool:
    """Add the solutions of a search, until there are enough or so much work is done; return whether it ended."""
    n_listed = number_in(batches)
    for batch, done in steps:
        n_listed += len(batch)
        if len(batch):
            batches.append(batch)
            emit(Progress.of_solutions(n_listed))
        if n_listed >= enough or done >= work:
            return False
    return True


def after_search(n_solutions: int) -> str:
    """Return the reason for another method that a first turn of search gives."""
    number = f"{n_solutions} solutions" if n_solutions != 1 else "1 solution"
    return f"since a trial search found {number} without finishing"


# Nearly empty cubes of side 9: `placements` begins, and soon a SAT solver works beside it.

# Cubes with more blanks than this have few solutions that are hard to find for all but `placements`.
_MANY_BLANKS = 660
# How long `placements`, which is quick with random givens, works alone. A SAT solver learns more from givens that were
# chosen to be few; each is quicker than the other by minutes on some cubes.
_PLACEMENTS_TURN_SECONDS = 2.0


def is_nearly_empty_cube(puzzle: Puzzle) -> bool:
    """Return whether `placements` is likely to find more solutions than search and SAT solvers."""
    if len(puzzle.blanks) <= _MANY_BLANKS:
        return False
    # Imported here, like other methods: most puzzles do without them.
    from sudoku_encode import placements

    return not placements.unsupported_reason(puzzle.geometry)


def list_nearly_empty_cube(puzzle: Puzzle, deadline: Deadline, options: Options, about: str) -> Iterator[Grids]:
    """Yield all solutions of a nearly empty cube, by `placements` or by `sat`, whichever ends first."""
    _load_placements(puzzle.geometry)
    emit(MethodChosen("placements", about))
    first = deadline.within(_PLACEMENTS_TURN_SECONDS, deadline.solutions)
    batches, complete = collect_until_stopped(calls.solutions(puzzle, "placements", first))
    if complete or number_in(batches) == deadline.solutions:
        yield from batches
        return
    deadline()
    within = replace(deadline, solutions=deadline.solutions or BLOCKABLE_SOLUTIONS)
    with closing(Background(partial(calls.solutions, puzzle, "sat", within, options))) as solver:
        yield from _beside_solver(puzzle, deadline, options, solver)


class _SolverEnded(Exception):
    """A SAT solver has all solutions, or as many as the limit."""


def _beside_solver(puzzle: Puzzle, deadline: Deadline, options: Options, solver: Background[Grids]) -> Iterator[Grids]:
    """Yield all solutions of a cube by `placements`, or by a solver that works beside it, if that ends before."""

    def look() -> None:
        solver.look()
        if solver.is_complete or number_in(solver.items) == deadline.solutions:
            raise _SolverEnded

    batches: list[Grids] = []
    steps = calls.solutions(puzzle, "placements", WatchingDeadline.of(deadline, look))
    why = f"since placements alone did not finish within {_PLACEMENTS_TURN_SECONDS:.0f} seconds"
    emit(chose_sat(f"beside placements, {why}", options))
    try:
        for batch in steps:
            batches.append(batch)
            emit(Progress.of_solutions(number_in(batches)))
            if number_in(batches) >= min(MANY_SOLUTIONS, deadline.solutions or MANY_SOLUTIONS):
                break
    except _SolverEnded:
        emit(chose_sat("which was quicker than placements", options))
        yield from solver.items
        return
    except (StoppedError, KeyboardInterrupt):
        yield from max(batches, solver.items, key=number_in)
        raise
    solver.close()
    emit(MethodChosen("placements", "which was quicker than sat"))
    yield from batches
    yield from steps


@lru_cache(maxsize=2)
def _load_placements(board: Geometry) -> None:
    """Compile `placements`, or load it if it is compiled: that may take longer than its turn."""
    from sudoku_encode import placements

    for _ in placements.solutions(Puzzle.of(board, np.ones(board.n_cells, np.uint8)), Deadline()):
        pass
