"""One solution of a puzzle, or of each of many.

Neighbours on one small board share a solver: singles are placed first, and the solver gets the puzzles that these do
not solve, one by one.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import chain, groupby, islice

import numpy as np

from sudoku_encode.encoders.reduction import batch_size, reduce_givens
from sudoku_encode.errors import StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.methods.method import RestSolver
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.solvers.table import DEFAULT_SOLVER, sat_solver

# From givens, uint8 (m, n_cells), to a solution of each puzzle, and bool (m,): whether it has a solution.
SolveMany = Callable[[Grids], tuple[Grids, Bools]]
# A solution (n_cells,), None if there is no solution, or what stopped the search.
SolveResult = Grids | StoppedError | None

_BATCH_PUZZLES = 256
# If singles solve fewer than one puzzle in 16, they take more time than they save the solver.
_SOLVED_BY_SINGLES = 16
_NO_LIMITS, _NO_OPTIONS = Limits(), Options()

# A model of fewer candidates is made in a moment.
_LARGE_CANDIDATES = 3000


def emit_large(puzzle: Puzzle, text: str) -> None:
    """Emit the progress of a method with one large model, which takes seconds to make and to solve."""
    if puzzle.geometry.n_cells * puzzle.geometry.n_values > _LARGE_CANDIDATES:
        emit(Progress(f"{text} ..."))


def can_solve_many(board: Geometry, method: str, options: Options) -> bool:
    """Return whether `solver_of_many` can solve puzzles on a board, with givens alone."""
    chosen = calls.find_method(method)
    return (
        board.n_cells * board.n_values <= chosen.max_batch_candidates
        and set(options.chosen) <= set(chosen.batch_options)
        and board.oversized_unit is None
        and sat_solver(options.sat_solver or DEFAULT_SOLVER).answers_again
    )


@contextmanager
def solver_of_many(board: Geometry, method: str, options: Options) -> Generator[SolveMany]:
    """Yield a function that solves many puzzles on a board, each solution checked; see `can_solve_many`.

    The solver is made here, so that processes forked from this one inherit it.
    """
    chosen = calls.find_method(method)
    with chosen.functions.solver_of_rest(board, **chosen.arguments, **options.chosen) as rest:
        reduces = True

        def solve(givens: Grids) -> tuple[Grids, Bools]:
            nonlocal reduces
            size, parts = batch_size(board), []
            for start in range(0, len(givens), size):
                part = givens[start : start + size]
                if not reduces:
                    parts.append(rest.solve(part, None))
                    continue
                grids, has_solution, n_open = _solved(board, part, rest)
                parts.append((grids, has_solution))
                reduces = rest.needs_reductions or (len(part) - n_open) * _SOLVED_BY_SINGLES >= len(part)
            grids, has_solution = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
            check(Puzzle.of(board), grids[has_solution], givens[has_solution])
            return grids, has_solution

        yield solve


def solve_many(board: Geometry, method: str, options: Options, givens: Grids) -> tuple[Grids, Bools]:
    """Solve many puzzles on a board by a solver that is made for them; see `solver_of_many`."""
    with solver_of_many(board, method, options) as solve:
        return solve(givens)


def _solved(board: Geometry, givens: Grids, rest: RestSolver) -> tuple[Grids, Bools, int]:
    """Solve as many puzzles as are reduced at once, see `SolveMany`; return also how many singles left open."""
    reduced = reduce_givens(board, givens, "singles")
    grids, has_solution = reduced.values, np.array([not reason for reason in reduced.contradictions])
    open_rows = np.flatnonzero(has_solution & ~reduced.decided.all(axis=1))
    if len(open_rows):
        grids[open_rows], has_solution[open_rows] = rest.solve(givens[open_rows], reduced.of_rows(open_rows))
    return grids, has_solution, len(open_rows)


def solve_all(puzzles: Iterable[Puzzle], method: str = "sat", options: Options = _NO_OPTIONS) -> Iterator[SolveResult]:
    """Yield for each puzzle a solution (n_cells,), None if it has no solution, or what stopped the search.

    Args:
        puzzles: on any boards.
        method: a key of METHODS.
        options: of the method.
    """

    @cache
    def together(board: Geometry) -> bool:
        return can_solve_many(board, method, options)

    def shared_board(puzzle: Puzzle) -> Geometry | None:
        """Return the board of a puzzle that one solver can solve with others; None if none can."""
        return puzzle.geometry if puzzle.has_givens_alone and together(puzzle.geometry) else None

    for board, group in groupby(puzzles, key=shared_board):
        head, rest = _first_two(group)
        if board and len(head) == 2:
            yield from _together(rest, board, method, options)
        else:
            yield from (solve_one(puzzle, method, options=options) for puzzle in rest)


def _first_two(puzzles: Iterable[Puzzle]) -> tuple[list[Puzzle], Iterator[Puzzle]]:
    """Return the first two puzzles, or the only one, and all of them."""
    remaining = iter(puzzles)
    head = list(islice(remaining, 2))
    return head, chain(head, remaining)


def _together(puzzles: Iterator[Puzzle], board: Geometry, method: str, options: Options) -> Iterator[SolveResult]:
    """Solve puzzles on a board, with givens alone, by one solver."""
    with solver_of_many(board, method, options) as solve:
        while batch := list(islice(puzzles, _BATCH_PUZZLES)):
            grids, has_solution = solve(np.stack([puzzle.givens for puzzle in batch]))
            yield from (grid if solved else None for grid, solved in zip(grids, has_solution, strict=True))


def solve_one(puzzle: Puzzle, method: str, limits: Limits = _NO_LIMITS, options: Options = _NO_OPTIONS) -> SolveResult:
    """Return a solution (n_cells,), None if there is no solution, or what stopped the search."""
    # Some methods are faster with a limit of 1. Reaching it raises no error here, since one solution is the answer.
    deadline = Limits(1, limits.seconds, limits.memory).start()
    try:
        for batch in calls.solutions(puzzle, method, deadline, options):
            return np.asarray(batch[0])
    except StoppedError as reason:
        return reason
    return None
