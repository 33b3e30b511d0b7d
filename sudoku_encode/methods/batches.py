"""Many puzzles on one board as arrays: by `search` on all cores.

Where search is not compiled yet, the puzzles are first given to a SAT solver: a few are done before it would be.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sudoku_encode import search
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import Died, Stopped
from sudoku_encode.methods.auto import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.run import kernels
from sudoku_encode.run.child import stream
from sudoku_encode.run.events import Remark, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import parallel
from sudoku_encode.solvers.sat import IncrementalSolver

# How many answers of a SAT solver make a batch; and how long it goes on before search is compiled, which takes about
# as long.
_SAT_CHUNK_PUZZLES, _SAT_SECONDS = 64, 2.0


@dataclass(frozen=True, eq=False)
class Batch:
    """The answers for some consecutive puzzles.

    Attributes:
        grids: uint8 (m, n_cells), a solution of each puzzle; zeros where it has none.
        counts: int64 (m,), how many solutions each puzzle has, up to the limit.
    """

    grids: Grids
    counts: NDArray[np.int64]


def solve_batches(board: Geometry, givens: Grids, limit: int, method: str = "auto") -> Iterator[Batch]:
    """Solve many puzzles, and count their solutions up to a limit.

    Args:
        board: of all puzzles.
        givens: uint8 (m, n_cells), 0 for a blank.
        limit: 1 to solve, 2 to know whether the solution is the only one.
        method: `search`, or `auto`: then by a SAT solver as long as nothing is compiled, and where nothing can be.

    Yields:
        The answers for some puzzles at a time, in their order, each grid checked against the rules.

    Raises:
        MethodError: `search` cannot be compiled.
        Died: nothing can be compiled, and the SAT solver ended its process.
        InternalError: a grid is no solution.
    """
    first = 0
    if method != "auto":
        kernels.require(method)
    elif board.oversized_unit is None and (reason := search.missing_for_batch(board)):
        if board.n_cells * board.n_values <= LOADABLE_CANDIDATES:
            emit(Remark(f"by sat instead of search: {reason}"))
            try:
                for found in _by_sat(board, givens, limit, time.monotonic() + _SAT_SECONDS):
                    first += len(found.counts)
                    yield found
            except Died as death:
                emit(Remark(f"sat gave up: {death}"))
        if first < len(givens) and (reason := kernels.unavailable()):
            emit(Remark(f"by sat to the end: {reason}"))
            yield from _by_sat(board, givens[first:], limit, None)
            return
    if first < len(givens):
        yield from _by_search(board, givens[first:], limit)


def _by_sat(board: Geometry, givens: Grids, limit: int, ends: float | None) -> Iterator[Batch]:
    """Do what `solve_batches` does with a SAT solver, in a process of its own, which a solver may end.

    Args:
        board: of all puzzles.
        givens: uint8 (m, n_cells), 0 for a blank.
        limit: up to how many solutions are counted.
        ends: the time of `time.monotonic` at which it stops, without an answer for the puzzles that remain.

    Raises:
        Died: the solver ended the process.
    """
    return stream(partial(_by_one_solver, board, givens, limit, ends))


def _by_one_solver(board: Geometry, givens: Grids, limit: int, ends: float | None) -> Iterator[Batch]:
    """Do what `_by_sat` does, in this process."""
    empty = Puzzle.of(board)
    deadline = Deadline(limit, ends)
    with IncrementalSolver(encode(empty, reduction="none")) as solver:
        for start in range(0, len(givens), _SAT_CHUNK_PUZZLES):
            chunk = givens[start : start + _SAT_CHUNK_PUZZLES]
            grids, counts = np.zeros(chunk.shape, np.uint8), np.zeros(len(chunk), np.int64)
            for row, puzzle in enumerate(chunk):
                try:
                    found = list(solver.solutions(deadline, puzzle))
                except Stopped:
                    yield _checked(empty, chunk[:row], grids[:row], counts[:row])
                    return
                counts[row] = sum(map(len, found))
                if found:
                    grids[row] = found[0][0]
            yield _checked(empty, chunk, grids, counts)


def _by_search(board: Geometry, givens: Grids, limit: int) -> Iterator[Batch]:
    """Do what `solve_batches` does on all cores."""
    empty, first = Puzzle.of(board), 0
    for grids, counts in parallel.batches(board, givens, limit):
        yield _checked(empty, givens[first : first + len(grids)], grids, counts)
        first += len(grids)


def _checked(empty: Puzzle, givens: Grids, grids: Grids, counts: NDArray[np.int64]) -> Batch:
    """Return the answers as a batch, each grid checked against its puzzle.

    Raises:
        InternalError: a grid is no solution.
    """
    solved = counts > 0
    check(empty, grids[solved], givens[solved])
    return Batch(grids, counts)
