"""A solution of each of many puzzles on one board: what singles do not solve is given to one solver, one by one."""

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager

import numpy as np

from sudoku_encode.encoders.reduction import Reduction, batch_size, reduce_all
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.solvers.table import DEFAULT_SOLVER, sat_solver

# From givens, uint8 (m, n_cells), to a solution of each puzzle, and bool (m,): which have one.
SolveMany = Callable[[Grids], tuple[Grids, Bools]]
# From puzzles and what singles leave of each to a solution of each, None where it has none.
SolveRest = Callable[[list[Puzzle], list[Reduction]], Iterator[Grids | None]]


def solves_many(board: Geometry, method: str, options: Options) -> bool:
    """Say whether many puzzles on a board, with givens alone, are solved by `solver_of_many`."""
    chosen = calls.find(method)
    return (
        board.n_cells * board.n_values <= chosen.together_up_to
        and set(options.chosen) <= set(chosen.together_options)
        and board.oversized_unit is None
        and sat_solver(options.sat_solver or DEFAULT_SOLVER).answers_again
    )


@contextmanager
def solver_of_many(board: Geometry, method: str, options: Options) -> Generator[SolveMany]:
    """Yield a function that solves many puzzles on a board, each solution checked; see `solves_many`.

    What it has to make once is made here, so that processes made from this one have it.
    """
    chosen = calls.find(method)
    rest: AbstractContextManager[SolveRest] = chosen.functions.solver_of_rest(
        board, **chosen.arguments, **options.chosen
    )
    with rest as solve_rest:

        def solve(givens: Grids) -> tuple[Grids, Bools]:
            size = batch_size(board)
            parts = [_solved(board, givens[start : start + size], solve_rest) for start in range(0, len(givens), size)]
            grids, has_solution = (np.concatenate(some) for some in zip(*parts, strict=True))
            check(Puzzle.of(board), grids[has_solution], givens[has_solution])
            return grids, has_solution

        yield solve


def solve_many(board: Geometry, method: str, options: Options, givens: Grids) -> tuple[Grids, Bools]:
    """Solve many puzzles on a board by a solver that is made for them; see `solver_of_many`."""
    with solver_of_many(board, method, options) as solve:
        return solve(givens)


def _solved(board: Geometry, givens: Grids, solve_rest: SolveRest) -> tuple[Grids, Bools]:
    """Do what `SolveMany` does for as many puzzles as are reduced at once."""
    puzzles = [Puzzle(board, row) for row in givens]
    left = reduce_all(puzzles, "singles")
    grids = (left.candidates.argmax(axis=2) + 1).astype(np.uint8)
    has_solution = np.array([not reason for reason in left.contradictions])
    open_rows = np.flatnonzero(has_solution & ~left.decided.all(axis=1)).tolist()
    reductions = list(left)
    found = solve_rest([puzzles[row] for row in open_rows], [reductions[row] for row in open_rows])
    for row, grid in zip(open_rows, found, strict=True):
        if grid is None:
            has_solution[row] = False
        else:
            grids[row] = grid
    return grids, has_solution
