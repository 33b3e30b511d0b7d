"""The first turn of `auto` on one puzzle: a SAT solver answers most puzzles before numba could be loaded.

A turn is limited by solutions and conflicts, and not by time, so that its answer does not depend on the machine. If it
reaches a limit, `search` takes the puzzle: once loaded, it finds millions of solutions in a second. After some turns,
or if numba is loaded already, `search` takes every puzzle at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from sudoku_encode.errors import StoppedError, TooLargeError, solution_limit
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.constraints.lowering import is_quick
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import MethodChosen, emit, observing
from sudoku_encode.run.limits import Deadline

# A turn takes some milliseconds, and at most about a quarter of the time of loading numba and search.
_MOST_SOLUTIONS, MOST_CONFLICTS = 1000, 2000
# This number of turns on easy puzzles takes about as long as loading search.
_MOST_TURNS = 32
# Boards with more candidates of blanks, and puzzles with more constraints, take longer to encode.
_MOST_CANDIDATES, _MOST_CONSTRAINTS = 2**12, 64
WHY = f"which finished within {MOST_CONFLICTS:,} conflicts, before search was loaded"
_NO_OPTIONS = Options()


@dataclass
class Turns:
    """How many turns SAT solvers may still take in this process."""

    remaining: int = _MOST_TURNS


turns = Turns()


class Turn(NamedTuple):
    """The solutions that were found in a turn: all, or as many as the limit."""

    batches: list[Grids]
    complete: bool

    @property
    def counted(self) -> Count:
        """The number of solutions."""
        n_solutions = sum(map(len, self.batches))
        return Count(n_solutions, self.complete, "" if self.complete else solution_limit(n_solutions))


def is_due(puzzle: Puzzle, options: Options = _NO_OPTIONS) -> bool:
    """Return whether a SAT solver should try a puzzle before numba is loaded."""
    return (
        turns.remaining > 0
        and not kernels.loaded()
        and options == _NO_OPTIONS
        # Of puzzles that are lowered already, solutions that differ in hidden cells alone would be counted apart.
        and not puzzle.geometry.n_hidden
        and len(puzzle.blanks) * puzzle.geometry.n_values <= _MOST_CANDIDATES
        and len(puzzle.constraints) <= _MOST_CONSTRAINTS
        and is_quick(puzzle)
    )


def take_turn(
    puzzle: Puzzle, deadline: Deadline, options: Options = _NO_OPTIONS, only_one: bool = False
) -> Turn | None:
    """Return the solutions of a puzzle, up to the limit on solutions; None if another method should find them.

    Args:
        puzzle: any.
        deadline: the limits.
        options: of `auto`; if any is given, the answer is None.
        only_one: whether the order of solutions matters, so that several of them are left to search.
    """
    if not is_due(puzzle, options):
        return None
    turns.remaining -= 1
    most = 2 if only_one else min(deadline.solutions or _MOST_SOLUTIONS, _MOST_SOLUTIONS)
    limits = Deadline(most, deadline.ends, deadline.memory, MOST_CONFLICTS)
    turn = Turn([], True)
    try:
        for batch in calls.solutions(puzzle, "sat", limits):
            turn.batches.append(batch)
    except (StoppedError, TooLargeError, MemoryError):
        turn = turn._replace(complete=False)
    if turn.complete or (not only_one and turn.counted.value == deadline.solutions):
        emit(MethodChosen("sat", WHY))
        return turn
    # Search is loaded now.
    turns.remaining = 0
    return None


def ends_in_turn(work: Callable[[Deadline], None], puzzle: Puzzle, deadline: Deadline, options: Options) -> bool:
    """Do some work by a SAT solver if that is due, and return whether it ended within its conflicts.

    Raises:
        StoppedError: by the deadline.
    """
    if not is_due(puzzle, options):
        return False
    turns.remaining -= 1
    try:
        work(replace(deadline, conflicts=MOST_CONFLICTS))
    except (StoppedError, TooLargeError):
        deadline()
        turns.remaining = 0
        return False
    emit(MethodChosen("sat", WHY))
    return True


def is_enough(puzzle: Puzzle) -> bool:
    """Return whether a turn proves that a puzzle has one solution or none, so that nothing need be loaded for it."""
    with observing(lambda event: None):
        return take_turn(puzzle, Deadline(2), only_one=True) is not None
