"""The methods `sat` and `sat:ENCODING`: a SAT solver on an encoding, with blocking clauses."""

from collections.abc import Iterator

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import sat
from sudoku_encode.solvers.table import DEFAULT_SOLVER


def solutions(
    puzzle: Puzzle,
    deadline: Deadline,
    encoding: str = "extended",
    reduction: str | None = None,
    amo: str = "pairwise",
    sat_solver: str = DEFAULT_SOLVER,
) -> Iterator[Grids]:
    """Yield all solutions in batches; see `solvers.sat.solutions`."""
    return sat.solutions(encode(puzzle, encoding, reduction=reduction, amo=amo), deadline, sat_solver)
