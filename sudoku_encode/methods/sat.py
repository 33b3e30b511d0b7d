"""The methods `sat` and `sat:ENCODING`: a SAT solver on an encoding, with blocking clauses."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.encoders.reduction import Reductions
from sudoku_encode.methods.method import RestSolver
from sudoku_encode.methods.one_solution import emit_large
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.geometry import Geometry
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
    encode_part = partial(encode, encoding=encoding, reduction=reduction, amo=amo)
    emit_large(puzzle, "writing the clauses")
    encoded = encode_part(puzzle)
    size = f"{encoded.cnf.n_variables:,} variables, {encoded.cnf.n_clauses:,} clauses"
    emit_large(puzzle, f"solving by {sat_solver}: {size}")
    return sat.solutions(encoded, deadline, sat_solver, encode_part)


@contextmanager
def solver_of_rest(board: Geometry, encoding: str, sat_solver: str = DEFAULT_SOLVER) -> Generator[RestSolver]:
    """Yield a function that solves puzzles by one solver of the empty board, with givens and singles as assumptions."""
    with sat.IncrementalSolver(encode(Puzzle.of(board), encoding, reduction="none"), sat_solver) as incremental:

        def solve(givens: Grids, reductions: Reductions | None) -> tuple[Grids, Bools]:
            grids, answers = incremental.first(givens if reductions is None else reductions.values)
            return grids, np.array(answers, bool)

        yield RestSolver(solve, needs_reductions=False)
