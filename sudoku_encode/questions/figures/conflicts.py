"""How many conflicts a SAT solver has with a puzzle."""

from dataclasses import replace

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.encoders.table import DEFAULT_ENCODING
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.figures.asked import Asked, Figure, over_copies
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver

# A plain solver of learnt clauses, which does nothing else before it searches.
SOLVER = "minisat22"
REDUCTION = "givens"


def conflicts(asked: Asked, deadline: Deadline) -> Figure:
    """Return how many conflicts a solver has until it is proved that there are no more solutions.

    Raises:
        StoppedError: by the deadline.
    """
    counted = [conflicts_of(copy, deadline) for copy in asked.copies]
    model = {"solver": SOLVER, "encoding": DEFAULT_ENCODING, "reduction": REDUCTION}
    return over_copies("conflicts", counted, asked, **model)


def conflicts_of(puzzle: Puzzle, deadline: Deadline) -> int:
    """Return how many conflicts the solver has with one puzzle.

    Raises:
        StoppedError: by the deadline.
    """
    with IncrementalSolver(encode(puzzle, reduction=REDUCTION), SOLVER) as solver:
        for _ in solver.solutions(replace(deadline, solutions=2), for_good=True):
            pass
        return solver.conflicts
