"""The method `auto`: choose a method for a puzzle by its board and by the first moments of search.

The order of the choice, where each step is taken only if the one before did not end:

1. `sat_first`: where compiled code is not loaded, a SAT solver with few conflicts.
2. Where search is not compiled on this machine, which takes seconds once, a SAT solver for some seconds. If nothing can
   be compiled, it does all of the puzzle.
3. The first turn of `search`, which ends most puzzles, and lists and counts millions of solutions a second.
4. By what that turn shows: a SAT solver, which learns clauses where a search repeats its mistakes, for few solutions
   that are hard to find, as in cubes and large boards; `frontier` to count more solutions than can be listed;
   `placements` for cubes of side 9 with nearly all cells blank; else search on all cores. On such cubes and on puzzles
   with constraints, methods take turns; see `turns`.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import isfinite

from sudoku_encode import search
from sudoku_encode.errors import INTERRUPTED, StoppedError, plural
from sudoku_encode.methods import calls, sat_first, turns
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.turns import BLOCKABLE_SOLUTIONS, by_sat, chose_sat
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import CONTINUE_IN_PARTS, Count, count_or_stopped, tally
from sudoku_encode.run.events import MethodChosen, SolutionEstimate, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.machine import cores
from sudoku_encode.search import loading
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


def unsupported_reason(board: Geometry) -> str:
    """Return an empty string: every board is supported."""
    return ""


# Counting.


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


def is_final(count: Count, deadline: Deadline) -> bool:
    """Return whether a count is the answer: it is complete, or no time is left to try another method."""
    return count.complete or count.stopped == INTERRUPTED or deadline.seconds_left <= 0


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
    count = tally(turns.sat_turn(puzzle, deadline, BLOCKABLE_SOLUTIONS))
    if is_final(count, deadline):
        emit(turns.chose_sat_instead(missing) if count.complete else MethodChosen("sat"))
        return count
    if reason := kernels.unavailable():
        emit(chose_sat(f"since nothing can be compiled here: {reason}", options))
        return tally(by_sat(puzzle, deadline, options))
    return None


def first_turn(puzzle: Puzzle, deadline: Deadline) -> Count:
    """Count the solutions by `search`, as far as it comes in its turn."""
    if puzzle.constraints:
        early, why = tally(turns.first_constrained(puzzle, deadline)), ""
    else:
        first = first_seconds(puzzle.geometry)
        early = count_or_stopped(partial(search.count, puzzle, deadline.within(first)))
        why = f"which finished within {_seconds_text(first)}" if early.complete else ""
    if is_final(early, deadline):
        emit(MethodChosen("search", why))
    return early


def first_seconds(board: Geometry) -> float:
    """Load search for a board, and return how many seconds it is tried first."""
    loading.load(board)
    return _FIRST_PLAIN_SECONDS if is_plain(board) else _FIRST_SECONDS


def _seconds_text(seconds: float) -> str:
    """Return a time as text."""
    return "a second" if seconds == 1 else f"{seconds:g} seconds"


def later_turns(puzzle: Puzzle, deadline: Deadline, options: Options, in_parts: bool, n_early: int) -> Count:
    """Count the solutions, of which `first_turn` counted `n_early`, by a method that fits the puzzle."""
    if not puzzle.constraints:
        return _count_by_estimate(puzzle, deadline, options, in_parts)
    if n_early < turns.MANY_SOLUTIONS:
        return tally(turns.list_constrained(puzzle, deadline, options, n_early))
    return _count_on_all_cores(puzzle, deadline, in_parts, turns.after_search(n_early))


def _count_by_estimate(puzzle: Puzzle, deadline: Deadline, options: Options, in_parts: bool) -> Count:
    """Count a puzzle that search did not finish soon, by a method that suits the estimated number of solutions."""
    try:
        guess = estimate(puzzle, _PROBES, 0, deadline)
    except StoppedError as reason:
        return Count(0, False, reason.reason)
    about = f"since none of {_PROBES} random probes reached a solution"
    if guess.solutions:
        is_finite = isfinite(guess.solutions) and isfinite(guess.solutions_error)
        log10 = None if is_finite else guess.log10_solutions
        estimated = SolutionEstimate(guess.solutions, guess.solutions_error, log10)
        emit(estimated)
        about = f"since random probes estimate {estimated}"
    about += f" after {_seconds_text(first_seconds(puzzle.geometry))} of search"
    if turns.is_nearly_empty_cube(puzzle):
        return tally(turns.list_nearly_empty_cube(puzzle, deadline, options, about))
    if guess.solutions <= _FEW_SOLUTIONS and not is_plain(puzzle.geometry):
        emit(chose_sat(about, options))
        count = tally(by_sat(puzzle, replace(deadline, solutions=BLOCKABLE_SOLUTIONS), options))
        if is_final(count, deadline):
            return count
        emit(chose_sat(f"which gave up: {count.stopped}", options))
    if guess.solutions > _SEARCHABLE_SOLUTIONS or guess.nodes > _SEARCHABLE_SOLUTIONS:
        from sudoku_encode import frontier

        if not frontier.unsupported_reason(puzzle.geometry):
            emit(MethodChosen("frontier", about))
            count = calls.count(puzzle, "frontier", deadline)
            if is_final(count, deadline):
                return count
            emit(MethodChosen("frontier", f"which gave up: {count.stopped}"))
        if guess.solutions <= BLOCKABLE_SOLUTIONS:
            emit(chose_sat(about, options))
            return tally(by_sat(puzzle, deadline, options))
    return _count_on_all_cores(puzzle, deadline, in_parts, about)


def _count_on_all_cores(puzzle: Puzzle, deadline: Deadline, in_parts: bool, about: str) -> Count:
    """Count by search on all cores, or leave that to a caller that counts in parts."""
    if in_parts:
        emit(MethodChosen("search in parts", about))
        return Count(0, False, CONTINUE_IN_PARTS)
    from sudoku_encode.search import parallel

    emit(MethodChosen(f"search on {cores()} {plural('core', cores())}", about))
    return count_or_stopped(partial(parallel.count_parts, puzzle, deadline))


# Listing.


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
    if refusal := search.unsupported_reason(board):
        emit(chose_sat(f"since search does not support this board: {refusal}", options))
        yield from by_sat(puzzle, deadline, options)
        return
    if (turn := sat_first.take_turn(puzzle, deadline, options, only_one=repeatable)) is not None:
        yield from turn.batches
        return
    if missing := loading.not_compiled_reason(board, bool(puzzle.constraints)):
        # Where there is one solution, its order is always the same.
        most = 2 if repeatable else deadline.solutions or BLOCKABLE_SOLUTIONS
        batches, complete = turns.collect_until_stopped(turns.sat_turn(puzzle, deadline, most))
        if repeatable and not complete:
            batches = []
        enough = complete or turns.number_in(batches) == deadline.solutions
        if enough or deadline.seconds_left <= 0:
            emit(turns.chose_sat_instead(missing) if enough else MethodChosen("sat"))
            yield from batches
            deadline()
            return
        if reason := kernels.unavailable():
            emit(chose_sat(f"since nothing can be compiled here: {reason}", options))
            yield from by_sat(puzzle, deadline, options)
            return
    if puzzle.constraints:
        yield from turns.list_constrained(puzzle, deadline, options)
    else:
        yield from _by_search(puzzle, deadline, options)


class _NotSoon(Exception):
    """Search found no solution, or too few, in its first moments."""


def _by_search(puzzle: Puzzle, deadline: Deadline, options: Options) -> Iterator[Grids]:
    """Yield all solutions by `search`, or by another method if search finds no solution soon."""
    is_chosen = False
    first = first_seconds(puzzle.geometry)
    turn = time.monotonic() + first

    def tick() -> None:
        deadline()
        if not is_chosen and time.monotonic() >= turn:
            raise _NotSoon

    try:
        for batch in search.solutions(puzzle, tick):
            if not is_chosen:
                emit(MethodChosen("search"))
            is_chosen = True
            yield batch
        if not is_chosen:
            emit(MethodChosen("search"))
    except _NotSoon:
        about = f"since a trial search of {_seconds_text(first)} found no solution"
        if turns.is_nearly_empty_cube(puzzle):
            yield from turns.list_nearly_empty_cube(puzzle, deadline, options, about)
        else:
            emit(chose_sat(about, options))
            yield from by_sat(puzzle, deadline, options)
