"""The methods `cp-sat` and `cp-sat-bool`."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from sudoku_encode.encoders import cp
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.methods.one_solution import SolveRest, emit_large
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
def solver_of_rest(board: Geometry, model: str) -> Generator[SolveRest]:
    """Yield a function that solves puzzles one by one, each by a small model of the cells that singles leave open."""

    def solve(puzzles: list[Puzzle], reductions: list[Reduction]) -> Iterator[Grids | None]:
        for puzzle, reduced in zip(puzzles, reductions, strict=True):
            yield cpsat.first_of_small(cp.unnamed_model(puzzle, model, reduced))

    yield solve
