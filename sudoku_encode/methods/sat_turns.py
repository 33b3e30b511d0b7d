"""What `auto` does with SAT solvers: all of a puzzle, or a turn before something else is tried."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from sudoku_encode.errors import StoppedError, TooLargeError
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import INTERRUPTED, Count
from sudoku_encode.run.events import MethodChosen, Progress, emit
from sudoku_encode.run.limits import Deadline

# With more solutions than these, and as many blocking clauses, a SAT solver takes quadratic time.
BLOCKABLE_SOLUTIONS = 20_000
# How long a SAT solver may work on a puzzle before search is compiled for it, and on all puzzles of this process
# together: about as long as compiling takes.
_TURN_SECONDS, _ALL_TURNS_SECONDS = 2.0, 6.0
# Boards with more candidates take a SAT solver long to load, and much memory.
LOADABLE_CANDIDATES = 2**14


def by_sat(puzzle: Puzzle, deadline: Deadline, options: Options) -> Iterator[Grids]:
    """Yield what `sat` finds, in a process of its own: a solver that ends its process does not end this one.

    Raises:
        StoppedError: the limit or the deadline was reached, or the process died.
    """
    return stream(partial(calls.solutions, puzzle, "sat", deadline, options))


@dataclass
class Turns:
    """How many seconds SAT solvers may still take in this process before search is compiled."""

    seconds_left: float = _ALL_TURNS_SECONDS


turns = Turns()


def sat_turn(puzzle: Puzzle, deadline: Deadline, most: int) -> Iterator[Grids]:
    """Yield what a SAT solver finds in its turn, and at most `most` solutions.

    It is always the default solver, since not every solver can be stopped.

    Raises:
        StoppedError: its time is over, or none is left; or there are more solutions, or too large a model.
    """
    board = puzzle.geometry
    if turns.seconds_left <= 0 or board.n_cells * board.n_values > LOADABLE_CANDIDATES:
        raise StoppedError("time limit")
    begun = time.monotonic()
    turn = deadline.within(_TURN_SECONDS, min(most, BLOCKABLE_SOLUTIONS))
    try:
        yield from by_sat(puzzle, turn, Options())
    except TooLargeError as error:
        raise StoppedError(str(error)) from error
    finally:
        turns.seconds_left -= time.monotonic() - begun


def collected(batches: Iterator[Grids]) -> tuple[list[Grids], bool]:
    """Return some batches, and whether they are all that there are; how many solutions they have is emitted."""
    found, total = [], 0
    try:
        for batch in batches:
            found.append(batch)
            total += len(batch)
            emit(Progress.of_solutions(total))
    except (StoppedError, MemoryError):
        return found, False
    return found, True


def chose_sat_instead(reason: str) -> MethodChosen:
    """Return the event that says that `sat` ended in its turn, by what there is against search."""
    return MethodChosen("sat", f"which ended within {_TURN_SECONDS:.0f} seconds, instead of search: {reason}")


class NotSoon(Exception):
    """Search has found no solution, or too few, in the time that it is tried first."""


def in_words(seconds: float) -> str:
    """Return a time as text."""
    return "a second" if seconds == 1 else f"{seconds:g} seconds"


def is_final(found: Count, deadline: Deadline) -> bool:
    """Say whether a count is the answer: it is complete, or there is no time to try another method."""
    return found.complete or found.stopped == INTERRUPTED or deadline.seconds_left <= 0
