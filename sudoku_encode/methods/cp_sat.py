"""The methods `cp-sat` and `cp-sat-bool`."""

from collections.abc import Iterator

from sudoku_encode.encoders import cp
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import cpsat


def unsupported_reason(board: Geometry) -> str:
    """Return an empty string: every board is supported."""
    return ""


def solutions(
    puzzle: Puzzle, deadline: Deadline, model: str, reduction: str = "singles", seed: int = 0, workers: int = 1
) -> Iterator[Grids]:
    """Yield all solutions in batches; see `solvers.cpsat.solutions`."""
    return cpsat.solutions(cp.cp_model(puzzle, model, reduction), deadline, seed, workers)
