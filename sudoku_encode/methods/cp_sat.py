"""The methods `cp-sat` and `cp-sat-bool`."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager

import numpy as np

from sudoku_encode.encoders import cp
from sudoku_encode.encoders.reduction import Reductions
from sudoku_encode.methods.method import RestSolver
from sudoku_encode.methods.one_solution import emit_large
from sudoku_encode.puzzles.arrays import Bools
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
    emit_large(puzzle, "building the CP-SAT model")
    encoded = cp.cp_model(puzzle, model, reduction)
    emit_large(puzzle, f"solving by {model}: {len(encoded.model.proto.variables):,} variables")
    return cpsat.solutions(encoded, deadline, seed, workers)


@contextmanager
def solver_of_rest(board: Geometry, model: str) -> Generator[RestSolver]:
    """Yield a function that solves puzzles one by one, each by a small model of the cells that singles leave open."""

    def solve(givens: Grids, reductions: Reductions | None) -> tuple[Grids, Bools]:
        assert reductions is not None
        grids, has_solution = np.zeros_like(givens), np.zeros(len(givens), bool)
        for row, reduced in enumerate(reductions):
            grid = cpsat.first_of_small(cp.unnamed_model(Puzzle(board, givens[row]), model, reduced))
            if grid is not None:
                grids[row], has_solution[row] = grid, True
        return grids, has_solution

    yield RestSolver(solve, needs_reductions=True)
