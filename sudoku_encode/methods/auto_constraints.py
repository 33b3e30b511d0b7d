"""What `auto` does with puzzles that have constraints: `search` where it ends soon or finds many solutions, else `sat`.

A SAT solver learns from constraints that weigh on many cells, where a search repeats its mistakes; but it lists far
fewer solutions in a second.
"""

import time
from collections.abc import Iterator
from functools import partial

from sudoku_encode import search
from sudoku_encode.errors import TooLargeError, plural
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.sat_turns import NotSoon, by_sat, in_words, is_final
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.cores import cores
from sudoku_encode.run.counting import IN_PARTS, Count, count_or_stopped, tally
from sudoku_encode.run.events import MethodChosen, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading, parallel

# How long search is tried first, which ends most puzzles in some milliseconds; with as many solutions as these it goes
# on.
_FIRST_SECONDS, MANY_SOLUTIONS = 0.3, 1000


def solutions(puzzle: Puzzle, deadline: Deadline, options: Options) -> Iterator[Grids]:
    """Yield all solutions of a puzzle with constraints.

    Raises:
        StoppedError: the deadline was reached.
    """
    loading.load(puzzle.geometry, constrained=True)
    held: list[Grids] = []
    found, told = 0, False
    turn = time.monotonic() + _FIRST_SECONDS

    def tick() -> None:
        deadline()
        if found < MANY_SOLUTIONS and time.monotonic() >= turn:
            raise NotSoon

    try:
        for batch in search.solutions(puzzle, tick):
            found += len(batch)
            held.append(batch)
            if found >= min(MANY_SOLUTIONS, deadline.solutions or MANY_SOLUTIONS):
                if not told:
                    emit(MethodChosen("search"))
                told = True
                yield from held
                held = []
    except NotSoon:
        emit(MethodChosen("sat", _about(found)))
        try:
            yield from by_sat(puzzle, deadline, options)
        except TooLargeError as reason:
            emit(MethodChosen("search", f"since {reason}"))
            yield from search.solutions(puzzle, deadline)
    else:
        if not told:
            emit(MethodChosen("search"))
        yield from held


def count(puzzle: Puzzle, deadline: Deadline, options: Options, in_parts: bool) -> Count:
    """Count the solutions of a puzzle with constraints; see `auto.count`."""
    loading.load(puzzle.geometry, constrained=True)
    early = tally(search.solutions(puzzle, deadline.within(_FIRST_SECONDS)))
    if is_final(early, deadline):
        emit(MethodChosen("search"))
        return early
    about = _about(early.value)
    if early.value < MANY_SOLUTIONS:
        emit(MethodChosen("sat", about))
        try:
            return tally(by_sat(puzzle, deadline, options))
        except TooLargeError as reason:
            about = f"since {reason}"
    if in_parts:
        emit(MethodChosen("search in parts", about))
        return Count(0, False, IN_PARTS)
    emit(MethodChosen(f"search on {cores()} {plural('core', cores())}", about))
    return count_or_stopped(partial(parallel.count_parts, puzzle, deadline))


def _about(found: int) -> str:
    number = f"{found} solutions" if found != 1 else "1 solution"
    return f"since {in_words(_FIRST_SECONDS)} of search found {number} and did not end"
