"""`auto`: the method that fits the puzzle, by its board and by what the first moments of search show.

`search` finishes most puzzles within a second, and lists and counts millions of solutions a second. Where a puzzle has
few solutions that are hard to find, as cubes and large boards with few givens have, a SAT solver learns clauses where a
search repeats its mistakes. Where it has too many to list, `frontier` counts without listing. Cubes of side 9 with
nearly all cells blank are for `placements`.

`search` is compiled, which takes seconds, once on a machine. Until that has been done, a SAT solver tries each puzzle
first, so that only what it does not finish soon waits for the compiler. Where nothing can be compiled it does all.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from sudoku_encode import frontier, placements, search
from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.errors import Stopped
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.child import stream
from sudoku_encode.run.cores import cores
from sudoku_encode.run.counting import IN_PARTS, INTERRUPTED, Count, count_or_stopped, tally
from sudoku_encode.run.events import Chose, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import parallel
from sudoku_encode.search.vectors9 import is_plain

# How long search is tried first. On the plain 9x9 board nothing is faster; on others a SAT solver often needs less
# time than this for what search does not finish soon.
_FIRST_PLAIN_SECONDS, _FIRST_SECONDS = 1.0, 0.05
# The same for puzzles with constraints, of which search ends most in some milliseconds; those with as many solutions as
# these it goes on with, since a SAT solver lists far fewer in a second.
_FIRST_CONSTRAINED_SECONDS, _MANY_SOLUTIONS = 0.3, 1000
_PROBES = 1000
# Up to this many solutions, as estimated, are counted by search, which takes a quarter of a minute.
_SEARCHABLE_SOLUTIONS = 5e7
# Up to this many solutions, as estimated, a SAT solver lists sooner than search does.
_FEW_SOLUTIONS = 100
# With more solutions than these, and as many blocking clauses, a SAT solver takes quadratic time.
_BLOCKABLE_SOLUTIONS = 20_000
# How long a SAT solver may work on a puzzle before search is compiled for it, and on all puzzles of this process
# together: about as long as compiling takes.
_TURN_SECONDS, _ALL_TURNS_SECONDS = 2.0, 6.0
# Cubes of side 9 with more blanks than this have few solutions that are hard to find for all but `placements`.
_MANY_BLANKS = 660
# How long each of them works on such a cube before the other does.
_PLACEMENTS_TURN_SECONDS, _CUBE_SAT_SECONDS = 2.0, 30.0
# Boards with more candidates take a SAT solver long to load, and much memory.
LOADABLE_CANDIDATES = 2**14


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
        deadline: how far it may go.
        reduction: of `sat`, where that is chosen.
        amo: of `sat`, where that is chosen.
        sat_solver: of `sat`, where that is chosen.
        in_parts: whether the caller counts in parts what `search` takes long for: then it is stopped by IN_PARTS.
    """
    board, options = puzzle.geometry, Options(reduction, amo, sat_solver)
    if puzzle.constraints or search.unsupported_reason(board):
        return tally(solutions(puzzle, deadline, reduction, amo, sat_solver))
    if missing := search.missing(board):
        found = _count_before_compiling(puzzle, deadline, options, missing)
        if found is not None:
            return found
    first = first_seconds(puzzle.geometry)
    early = count_or_stopped(partial(search.count, puzzle, deadline.within(first)))
    if _is_final(early, deadline):
        emit(Chose("search", f"which ended within {_in_words(first)}" if early.complete else ""))
        return early
    return _count_by_estimate(puzzle, deadline, options, in_parts)


def _count_by_estimate(puzzle: Puzzle, deadline: Deadline, options: Options, in_parts: bool) -> Count:
    """Count, after a moment of search has not, by the method that suits the estimated number of solutions."""
    try:
        guess = search.estimate(puzzle, _PROBES, 0, deadline)
    except Stopped as reason:
        return Count(0, False, str(reason))
    about = (
        f"since there are about {guess.solutions:.3g} solutions (give or take {guess.solutions_error:.2g}) by random "
        "probes"
    )
    if not guess.solutions:
        about = f"since none of {_PROBES} random probes came to a solution"
    if _is_nearly_empty_cube(puzzle):
        return tally(_by_turns(puzzle, deadline, options, about))
    if guess.solutions <= _FEW_SOLUTIONS and not is_plain(puzzle.geometry):
        emit(Chose("sat", about))
        found = tally(_by_sat(puzzle, replace(deadline, solutions=_BLOCKABLE_SOLUTIONS), options))
        if _is_final(found, deadline):
            return found
        emit(Chose("sat", f"which gave up: {found.stopped}"))
    if guess.solutions > _SEARCHABLE_SOLUTIONS or guess.nodes > _SEARCHABLE_SOLUTIONS:
        if not frontier.unsupported_reason(puzzle.geometry):
            emit(Chose("frontier", about))
            found = calls.count(puzzle, "frontier", deadline)
            if _is_final(found, deadline):
                return found
            emit(Chose("frontier", f"which gave up: {found.stopped}"))
        if guess.solutions <= _BLOCKABLE_SOLUTIONS:
            emit(Chose("sat", about))
            return tally(_by_sat(puzzle, deadline, options))
    if in_parts:
        emit(Chose("search in parts", about))
        return Count(0, False, IN_PARTS)
    emit(Chose(f"search on {cores()} cores", about))
    return count_or_stopped(partial(parallel.count_parts, puzzle, deadline))


def _count_before_compiling(puzzle: Puzzle, deadline: Deadline, options: Options, missing: str) -> Count | None:
    """Count with a SAT solver since search is `missing`; None where that does not do and search can be compiled."""
    found = tally(_sat_turn(puzzle, deadline, _BLOCKABLE_SOLUTIONS))
    if _is_final(found, deadline):
        emit(_chose_sat_instead(missing) if found.complete else Chose("sat"))
        return found
    if reason := kernels.unavailable():
        emit(Chose("sat", f"since nothing can be compiled here: {reason}"))
        return tally(_by_sat(puzzle, deadline, options))
    return None


def solutions(
    puzzle: Puzzle,
    deadline: Deadline,
    reduction: str | None = None,
    amo: str | None = None,
    sat_solver: str | None = None,
    repeatable: bool = False,
) -> Iterator[Grids]:
    """Yield all solutions in batches: by `search`, or by `sat` where search finds none soon, or cannot be.

    Args:
        puzzle: any.
        deadline: how far it may go; what is yielded above its number of solutions is cut off by the caller.
        reduction: of `sat`, where that is chosen.
        amo: of `sat`, where that is chosen.
        sat_solver: of `sat`, where that is chosen.
        repeatable: whether a later call should give the same order, though by then more may be compiled.

    Raises:
        Stopped: the deadline was reached.
    """
    board, options = puzzle.geometry, Options(reduction, amo, sat_solver)
    if search.unsupported_reason(board):
        emit(Chose("sat", f"since search refuses: {search.unsupported_reason(board)}"))
        yield from _by_sat(puzzle, deadline, options)
        return
    if missing := search.missing(board, bool(puzzle.constraints)):
        # Where there is one solution, its order is always the same.
        most = 2 if repeatable else deadline.solutions or _BLOCKABLE_SOLUTIONS
        batches, complete = _collected(_sat_turn(puzzle, deadline, most))
        if repeatable and not complete:
            batches = []
        enough = complete or sum(map(len, batches)) == deadline.solutions
        if enough or deadline.seconds_left <= 0:
            emit(_chose_sat_instead(missing) if enough else Chose("sat"))
            yield from batches
            deadline()
            return
        if reason := kernels.unavailable():
            emit(Chose("sat", f"since nothing can be compiled here: {reason}"))
            yield from _by_sat(puzzle, deadline, options)
            return
    if puzzle.constraints:
        yield from _by_search_with_constraints(puzzle, deadline, options)
    else:
        yield from _by_search(puzzle, deadline, options)


def _by_search(puzzle: Puzzle, deadline: Deadline, options: Options) -> Iterator[Grids]:
    """Yield all solutions by `search`, or by `sat` where that finds none soon."""
    found = False
    first = first_seconds(puzzle.geometry)
    turn = time.monotonic() + first

    def tick() -> None:
        deadline()
        if not found and time.monotonic() >= turn:
            raise _NotSoon

    try:
        for batch in search.solutions(puzzle, tick):
            if not found:
                emit(Chose("search"))
            found = True
            yield batch
        if not found:
            emit(Chose("search"))
    except _NotSoon:
        about = f"since {_in_words(first)} of search found no solution"
        if _is_nearly_empty_cube(puzzle):
            yield from _by_turns(puzzle, deadline, options, about)
        else:
            emit(Chose("sat", about))
            yield from _by_sat(puzzle, deadline, options)


def _by_search_with_constraints(puzzle: Puzzle, deadline: Deadline, options: Options) -> Iterator[Grids]:
    """Yield all solutions by `search`, or by `sat` where search does not end soon and does not find many either."""
    _load_constrained_search()
    held: list[Grids] = []
    found, told = 0, False
    turn = time.monotonic() + _FIRST_CONSTRAINED_SECONDS

    def tick() -> None:
        deadline()
        if found < _MANY_SOLUTIONS and time.monotonic() >= turn:
            raise _NotSoon

    try:
        for batch in search.solutions(puzzle, tick):
            found += len(batch)
            held.append(batch)
            if found >= min(_MANY_SOLUTIONS, deadline.solutions or _MANY_SOLUTIONS):
                if not told:
                    emit(Chose("search"))
                told = True
                yield from held
                held = []
    except _NotSoon:
        number = f"{found} solutions" if found != 1 else "1 solution"
        emit(Chose("sat", f"since {_in_words(_FIRST_CONSTRAINED_SECONDS)} of search found {number} and did not end"))
        yield from _by_sat(puzzle, deadline, options)
    else:
        if not told:
            emit(Chose("search"))
        yield from held


def _is_nearly_empty_cube(puzzle: Puzzle) -> bool:
    """Say whether `placements` is likely to find more than search and SAT solvers do."""
    return len(puzzle.blanks) > _MANY_BLANKS and not placements.unsupported_reason(puzzle.geometry)


def _by_turns(puzzle: Puzzle, deadline: Deadline, options: Options, about: str) -> Iterator[Grids]:
    """Yield all solutions of a nearly empty cube, by `placements` or by `sat`, whichever ends in its turn.

    Random givens are quick by `placements` only; of those that were chosen so that they are few, `sat` learns more.
    """
    _load_placements(puzzle.geometry)
    emit(Chose("placements", about))
    first = deadline.within(_PLACEMENTS_TURN_SECONDS, deadline.solutions)
    batches, complete = _collected(calls.solutions(puzzle, "placements", first))
    if not complete and sum(map(len, batches)) != deadline.solutions:
        deadline()
        emit(Chose("sat", f"since {_PLACEMENTS_TURN_SECONDS:.0f} seconds of placements did not end"))
        second = deadline.within(_CUBE_SAT_SECONDS, deadline.solutions or _BLOCKABLE_SOLUTIONS)
        batches, complete = _collected(_by_sat(puzzle, second, options))
    if complete or sum(map(len, batches)) == deadline.solutions:
        yield from batches
        return
    deadline()
    emit(Chose("placements", f"since {_CUBE_SAT_SECONDS:.0f} seconds of sat did not end either"))
    yield from calls.solutions(puzzle, "placements", deadline)


@lru_cache(maxsize=2)
def _load_placements(board: Geometry) -> None:
    """Compile `placements`, or load it where it is compiled: that may take longer than its turn."""
    for _ in placements.solutions(Puzzle.of(board, np.ones(board.n_cells, np.uint8)), Deadline()):
        pass


def _by_sat(puzzle: Puzzle, deadline: Deadline, options: Options) -> Iterator[Grids]:
    """Yield what `sat` finds, in a process of its own: a solver that ends its process does not end this one.

    Raises:
        Stopped: the limit or the deadline was reached, or the process died.
    """
    return stream(partial(calls.solutions, puzzle, "sat", deadline, options))


@dataclass
class _Turns:
    """How many seconds SAT solvers may still take in this process before search is compiled."""

    seconds_left: float = _ALL_TURNS_SECONDS


_turns = _Turns()


def _sat_turn(puzzle: Puzzle, deadline: Deadline, most: int) -> Iterator[Grids]:
    """Yield what a SAT solver finds in its turn, and at most `most` solutions.

    It is always the default solver, since not every solver can be stopped.

    Raises:
        Stopped: its time is over, or none is left; or there are more solutions.
    """
    board = puzzle.geometry
    if _turns.seconds_left <= 0 or board.n_cells * board.n_values > LOADABLE_CANDIDATES:
        raise Stopped("time limit")
    begun = time.monotonic()
    turn = deadline.within(_TURN_SECONDS, min(most, _BLOCKABLE_SOLUTIONS))
    try:
        yield from _by_sat(puzzle, turn, Options())
    finally:
        _turns.seconds_left -= time.monotonic() - begun


def _collected(batches: Iterator[Grids]) -> tuple[list[Grids], bool]:
    """Return some batches, and whether they are all that there are."""
    found = []
    try:
        for batch in batches:
            found.append(batch)
    except (Stopped, MemoryError):
        return found, False
    return found, True


def _chose_sat_instead(reason: str) -> Chose:
    return Chose("sat", f"which ended within {_TURN_SECONDS:.0f} seconds, instead of search: {reason}")


class _NotSoon(Exception):
    """Search has found no solution, or too few, in the time that it is tried first."""


def first_seconds(board: Geometry) -> float:
    """Return how long search is tried first on a board, after loading it."""
    _load_search(board)
    return _FIRST_PLAIN_SECONDS if is_plain(board) else _FIRST_SECONDS


def load_search(puzzle: Puzzle, *, compiling: bool) -> None:
    """Load what search has compiled for a puzzle.

    Args:
        puzzle: any.
        compiling: whether to wait for the compiler where it is not compiled yet; otherwise nothing is done then.
    """
    found = lowered(puzzle)
    board, constrained = found.puzzle.geometry, bool(found.primitives)
    if search.unsupported_reason(board) or (not compiling and search.missing(board, constrained)):
        return
    if constrained:
        _load_constrained_search()
    else:
        _load_search(board)


@lru_cache(maxsize=16)
def _load_search(board: Geometry) -> None:
    """Compile search for a board, or load it where it is compiled; that may take longer than search is tried first."""
    search.count(Puzzle.of(board, np.ones(board.n_cells, np.uint8)), lambda: None)


@lru_cache(maxsize=1)
def _load_constrained_search() -> None:
    """Do the same for puzzles with constraints, whatever the board."""
    search.count(Puzzle.of(boards.board("4x4"), constraints=["thermometer r1c1 r1c2"]), lambda: None)


def _in_words(seconds: float) -> str:
    return "a second" if seconds == 1 else f"{seconds:g} seconds"


def _is_final(found: Count, deadline: Deadline) -> bool:
    """Say whether a count is the answer: it is complete, or there is no time to try another method."""
    return found.complete or found.stopped == INTERRUPTED or deadline.seconds_left <= 0
