"""Which constraints of a puzzle with one solution can go."""

from dataclasses import dataclass, replace

from sudoku_encode.errors import StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.events import Event, Progress, emit, observing
from sudoku_encode.run.limits import Deadline

# How long one constraint is looked at before the others are.
_EACH_SECONDS = 2.0
_METHOD = "auto"


@dataclass(frozen=True)
class RedundantConstraints:
    """Which constraints can go, one at a time.

    Attributes:
        constraints: those that can; not always two of them together.
        undecided: those of which that is not known.
    """

    constraints: tuple[Constraint, ...] = ()
    undecided: tuple[Constraint, ...] = ()


def redundant_constraints(puzzle: Puzzle, deadline: Deadline) -> RedundantConstraints:
    """Say which constraints can go one at a time, so that the puzzle still has one solution.

    What others mean without one may be another thing: a pair of cells that loses its dot is one that a negative
    constraint is about.

    Args:
        puzzle: has one solution.
        deadline: when to stop; constraints that were not looked at by then are undecided.
    """
    can_go, undecided = list[Constraint](), list[Constraint]()
    for constraint in puzzle.constraints:
        fewer = replace(puzzle, constraints=tuple(one for one in puzzle.constraints if one != constraint))
        try:
            deadline()
            with observing(_of_another_puzzle):
                found = calls.count(fewer, _METHOD, replace(deadline.within(_EACH_SECONDS), solutions=2))
        except StoppedError:
            undecided.append(constraint)
            continue
        if found.value < 2:
            (can_go if found.complete else undecided).append(constraint)
    return RedundantConstraints(tuple(can_go), tuple(undecided))


def _of_another_puzzle(event: Event) -> None:
    """Pass an event on without a number of solutions, which is not one of the puzzle that was asked about."""
    emit(Progress(event.text) if isinstance(event, Progress) else event)
