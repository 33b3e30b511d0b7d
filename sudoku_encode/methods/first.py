"""One solution of each of many puzzles: with the method `sat`, neighbours on one board share one incremental solver."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import Stopped
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.run.limits import Limits
from sudoku_encode.solvers import sat
from sudoku_encode.solvers.table import DEFAULT_SOLVER, sat_solver

# Puzzles share a solver where their board has at most this many variables; on larger boards to reduce each is faster.
_SHARED_VARIABLES = 5_000
_CHUNK_PUZZLES = 256

_NO_LIMITS, _NO_OPTIONS = Limits(), Options()

# The answer of a search for one solution: a grid (n_cells,), None when there is none, or what stopped the search.
Answer = Grids | Stopped | None


def first_of_each(puzzles: Iterable[Puzzle], method: str = "sat", options: Options = _NO_OPTIONS) -> Iterator[Answer]:
    """Yield for each puzzle a solution (n_cells,), None where it has none, or what stopped the search.

    Args:
        puzzles: of any boards.
        method: a key of METHODS.
        options: what else is chosen.
    """
    solver = options.sat_solver or DEFAULT_SOLVER
    plain = method == "sat" and options == Options(sat_solver=options.sat_solver)
    for key, group in groupby(puzzles, key=_shared_board):
        head, rest = _first_two(group)
        if plain and key and len(head) == 2 and sat_solver(solver).answers_again:
            yield from _incrementally(rest, solver)
        else:
            yield from (first(puzzle, method, options=options) for puzzle in rest)


def first(puzzle: Puzzle, method: str, limits: Limits = _NO_LIMITS, options: Options = _NO_OPTIONS) -> Answer:
    """Return a solution (n_cells,), None where there is none, or what stopped the search."""
    # Some methods are faster with a limit of 1; that they stop there does not matter, since the solution is the answer.
    deadline = Limits(1, limits.seconds, limits.memory).start()
    try:
        for batch in calls.solutions(puzzle, method, deadline, options):
            return np.asarray(batch[0])
    except Stopped as reason:
        return reason
    return None


def _first_two(puzzles: Iterable[Puzzle]) -> tuple[list[Puzzle], Iterator[Puzzle]]:
    """Return the first two puzzles, or the only one, and all of them."""
    remaining = iter(puzzles)
    head = list(islice(remaining, 2))
    return head, chain(head, remaining)


def _shared_board(puzzle: Puzzle) -> Geometry | None:
    """Return the board that puzzles must share to be solved by one solver; None where that would not pay."""
    board = puzzle.geometry
    if puzzle.pencilmarks is not None or board.oversized_unit or board.n_cells * board.n_values > _SHARED_VARIABLES:
        return None
    return board


def _incrementally(puzzles: Iterator[Puzzle], solver: str) -> Iterator[Answer]:
    """Solve puzzles of one board: the empty board's encoding is loaded once, givens are assumptions."""
    chunk = list(islice(puzzles, _CHUNK_PUZZLES))
    empty = Puzzle.of(chunk[0].geometry)
    with sat.IncrementalSolver(encode(empty, reduction="none"), solver) as incremental:
        while chunk:
            givens = np.stack([puzzle.givens for puzzle in chunk])
            grids, answers = incremental.first(givens)
            solved = np.flatnonzero(np.array(answers, bool))
            check(empty, grids[solved], givens[solved])
            yield from (grid if answer else None for grid, answer in zip(grids, answers, strict=True))
            chunk = list(islice(puzzles, _CHUNK_PUZZLES))
