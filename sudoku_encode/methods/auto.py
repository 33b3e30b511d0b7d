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
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from sudoku_encode import frontier, placements, search
from sudoku_encode.errors import StoppedError, plural
from sudoku_encode.methods import auto_constraints, calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.sat_turns import (
    BLOCKABLE_SOLUTIONS,
    NotSoon,
    by_sat,
    chose_sat_instead,
    collected,
    in_words,
    is_final,
    sat_turn,
)
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.cores import cores
from sudoku_encode.run.counting import IN_PARTS, Count, count_or_stopped, tally
from sudoku_encode.run.events import MethodChosen, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading, parallel
from sudoku_encode.search.probes import estimate
from sudoku_encode.search.vectors9 import is_plain

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
        deadline: how far it may go.
        reduction: of `sat`, where that is chosen.
        amo: of `sat`, where that is chosen.
        sat_solver: of `sat`, where that is chosen.
        in_parts: whether the caller counts in parts what `search` takes long for: then it is stopped by IN_PARTS.
    """
    board, options = puzzle.geometry, Options(reduction, amo, sat_solver)
    if search.unsupported_reason(board):
        return tally(solutions(puzzle, deadline, reduction, amo, sat_solver))
    if missing := loading.missing(board, bool(puzzle.constraints)):
        found = _count_before_compiling(puzzle, deadline, options, missing)
        if found is not None:
            return found
    if puzzle.constraints:
        return auto_constraints.count(puzzle, deadline, options, in_parts)
    first = first_seconds(puzzle.geometry)
    early = count_or_stopped(partial(search.count, puzzle, deadline.within(first)))
    if is_final(early, deadline):
        emit(MethodChosen("search", f"which ended within {in_words(first)}" if early.complete else ""))
        return early
    return _count_by_estimate(puzzle, deadline, options, in_parts)


def _count_by_estimate(puzzle: Puzzle, deadline: Deadline, options: Options, in_parts: bool) -> Count:
    """Count, after a moment of search has not, by the method that suits the estimated number of solutions."""
    try:
        guess = estimate(puzzle, _PROBES, 0, deadline)
    except StoppedError as reason:
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
        emit(MethodChosen("sat", about))
        found = tally(by_sat(puzzle, replace(deadline, solutions=BLOCKABLE_SOLUTIONS), options))
        if is_final(found, deadline):
            return found
        emit(MethodChosen("sat", f"which gave up: {found.stopped}"))
    if guess.solutions > _SEARCHABLE_SOLUTIONS or guess.nodes > _SEARCHABLE_SOLUTIONS:
        if not frontier.unsupported_reason(puzzle.geometry):
            emit(MethodChosen("frontier", about))
            found = calls.count(puzzle, "frontier", deadline)
            if is_final(found, deadline):
                return found
            emit(MethodChosen("frontier", f"which gave up: {found.stopped}"))
        if guess.solutions <= BLOCKABLE_SOLUTIONS:
            emit(MethodChosen("sat", about))
            return tally(by_sat(puzzle, deadline, options))
    if in_parts:
        emit(MethodChosen("search in parts", about))
        return Count(0, False, IN_PARTS)
    emit(MethodChosen(f"search on {cores()} {plural('core', cores())}", about))
    return count_or_stopped(partial(parallel.count_parts, puzzle, deadline))


def _count_before_compiling(puzzle: Puzzle, deadline: Deadline, options: Options, missing: str) -> Count | None:
    """Count with a SAT solver since search is `missing`; None where that does not do and search can be compiled."""
    found = tally(sat_turn(puzzle, deadline, BLOCKABLE_SOLUTIONS))
    if is_final(found, deadline):
        emit(chose_sat_instead(missing) if found.complete else MethodChosen("sat"))
        return found
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
    """Yield all solutions in batches: by `search`, or by `sat` where search finds none soon, or cannot be.

    Args:
        puzzle: any.
        deadline: how far it may go; what is yielded above its number of solutions is cut off by the caller.
        reduction: of `sat`, where that is chosen.
        amo: of `sat`, where that is chosen.
        sat_solver: of `sat`, where that is chosen.
        repeatable: whether a later call should give the same order, though by then more may be compiled.

    Raises:
        StoppedError: the deadline was reached.
    """
    board, options = puzzle.geometry, Options(reduction, amo, sat_solver)
    if search.unsupported_reason(board):
        emit(MethodChosen("sat", f"since search refuses: {search.unsupported_reason(board)}"))
        yield from by_sat(puzzle, deadline, options)
        return
    if missing := loading.missing(board, bool(puzzle.constraints)):
        # Where there is one solution, its order is always the same.
        most = 2 if repeatable else deadline.solutions or BLOCKABLE_SOLUTIONS
        batches, complete = collected(sat_turn(puzzle, deadline, most))
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
        yield from auto_constraints.solutions(puzzle, deadline, options)
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
            raise NotSoon

    try:
        for batch in search.solutions(puzzle, tick):
            if not found:
                emit(MethodChosen("search"))
            found = True
            yield batch
        if not found:
            emit(MethodChosen("search"))
    except NotSoon:
        about = f"since {in_words(first)} of search found no solution"
        if _is_nearly_empty_cube(puzzle):
            yield from _by_turns(puzzle, deadline, options, about)
        else:
            emit(MethodChosen("sat", about))
            yield from by_sat(puzzle, deadline, options)


def _is_nearly_empty_cube(puzzle: Puzzle) -> bool:
    """Say whether `placements` is likely to find more than search and SAT solvers do."""
    return len(puzzle.blanks) > _MANY_BLANKS and not placements.unsupported_reason(puzzle.geometry)


def _by_turns(puzzle: Puzzle, deadline: Deadline, options: Options, about: str) -> Iterator[Grids]:
    """Yield all solutions of a nearly empty cube, by `placements` or by `sat`, whichever ends in its turn.

    Random givens are quick by `placements` only; of those that were chosen so that they are few, `sat` learns more.
    """
    _load_placements(puzzle.geometry)
    emit(MethodChosen("placements", about))
    first = deadline.within(_PLACEMENTS_TURN_SECONDS, deadline.solutions)
    batches, complete = collected(calls.solutions(puzzle, "placements", first))
    if not complete and sum(map(len, batches)) != deadline.solutions:
        deadline()
        emit(MethodChosen("sat", f"since {_PLACEMENTS_TURN_SECONDS:.0f} seconds of placements did not end"))
        second = deadline.within(_CUBE_SAT_SECONDS, deadline.solutions or BLOCKABLE_SOLUTIONS)
        batches, complete = collected(by_sat(puzzle, second, options))
    if complete or sum(map(len, batches)) == deadline.solutions:
        yield from batches
        return
    deadline()
    emit(MethodChosen("placements", f"since {_CUBE_SAT_SECONDS:.0f} seconds of sat did not end either"))
    yield from calls.solutions(puzzle, "placements", deadline)


@lru_cache(maxsize=2)
def _load_placements(board: Geometry) -> None:
    """Compile `placements`, or load it where it is compiled: that may take longer than its turn."""
    for _ in placements.solutions(Puzzle.of(board, np.ones(board.n_cells, np.uint8)), Deadline()):
        pass


def first_seconds(board: Geometry) -> float:
    """Return how long search is tried first on a board, after loading it."""
    loading.load(board)
    return _FIRST_PLAIN_SECONDS if is_plain(board) else _FIRST_SECONDS
