"""Many puzzles on one board as arrays: by `search` on all cores.

Where search is not compiled yet, the puzzles are first given to a SAT solver: a few are done before it would be.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import ProcessDiedError, StoppedError
from sudoku_encode.methods.auto import first_seconds
from sudoku_encode.methods.pieces import Piece
from sudoku_encode.methods.sat_turns import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.run import kernels
from sudoku_encode.run.child import stream
from sudoku_encode.run.events import Remark, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading, parallel
from sudoku_encode.solvers.sat import IncrementalSolver

# How many answers of a SAT solver make a batch; and how long it goes on before search is compiled, which takes about
# as long.
_SAT_CHUNK_PUZZLES, SAT_SECONDS = 64, 2.0

if TYPE_CHECKING:
    from sudoku_encode.methods.many import SolveMany


@dataclass(frozen=True, eq=False)
class Batch:
    """The answers for some consecutive puzzles.

    Attributes:
        grids: uint8 (m, n_cells), a solution of each puzzle; zeros where none was found.
        counts: int64 (m,), how many solutions were found, up to the limit.
        given_up: bool (m,), which puzzles took too long; they may have more solutions.
        method: which method answered.
    """

    grids: Grids
    counts: Int64s
    given_up: Bools
    method: str = "search"

    def part(self, start: int, end: int) -> "Batch":
        """Return the answers for the puzzles from `start` to `end`."""
        return Batch(self.grids[start:end], self.counts[start:end], self.given_up[start:end], self.method)

    @classmethod
    def of_solutions(cls, grids: Grids, has_solution: Bools, method: str) -> "Batch":
        """Return the answers of a method that finds a solution of each puzzle that has one."""
        grids = np.where(has_solution[:, None], grids, np.uint8(0))
        return cls(grids, has_solution.astype(np.int64), np.zeros(len(grids), bool), method)

    @classmethod
    def joined(cls, batches: "list[Batch]", board: Geometry) -> "Batch":
        """Return some batches as one; the method is that of the last."""
        if not batches:
            return cls(np.empty((0, board.n_cells), np.uint8), np.empty(0, np.int64), np.empty(0, bool))
        return cls(
            np.concatenate([batch.grids for batch in batches]),
            np.concatenate([batch.counts for batch in batches]),
            np.concatenate([batch.given_up for batch in batches]),
            batches[-1].method,
        )


def solve_batches(
    board: Geometry,
    givens: Grids,
    limit: int,
    method: str = "auto",
    seconds: float | None = None,
    sat_ends: float | None = None,
    n_threads: int | None = None,
) -> Iterator[Batch]:
    """Solve many puzzles, and count their solutions up to a limit.

    Args:
        board: of all puzzles.
        givens: uint8 (m, n_cells), 0 for a blank.
        limit: 1 to solve, 2 to know whether the solution is the only one.
        method: `search`, or `auto`: then by a SAT solver as long as nothing is compiled, and where nothing can be.
        seconds: after which a puzzle is given up.
        sat_ends: the time of `time.monotonic` until which a SAT solver goes on where search is not compiled; by default
            some seconds from now.
        n_threads: how many search at a time; by default one on each core.

    Yields:
        The answers for some puzzles at a time, in their order, each grid checked against the rules.

    Raises:
        MethodError: `search` cannot be compiled.
        ProcessDiedError: nothing can be compiled, and the SAT solver ended its process.
        InternalError: a grid is no solution.
    """
    first = 0
    if method != "auto":
        kernels.require(method)
    elif board.oversized_unit is None and (reason := loading.missing_for_batch(board)):
        if board.n_cells * board.n_values <= LOADABLE_CANDIDATES:
            emit(Remark(f"by sat instead of search: {reason}"))
            try:
                for found in _by_sat(board, givens, limit, seconds, sat_ends or time.monotonic() + SAT_SECONDS):
                    first += len(found.counts)
                    yield found
            except ProcessDiedError as death:
                emit(Remark(f"sat gave up: {death}"))
        if first < len(givens) and (reason := kernels.unavailable()):
            emit(Remark(f"by sat to the end: {reason}"))
            yield from _by_sat(board, givens[first:], limit, seconds, None)
            return
        if first < len(givens):
            # Once search is compiled, it gives up a puzzle that it does not finish soon, as where it was before.
            seconds = min(first_seconds(board), math.inf if seconds is None else seconds)
    if first < len(givens):
        yield from _by_search(board, givens[first:], limit, seconds, n_threads)


def seconds_for_each(board: Geometry, method: str, seconds: float | None) -> float | None:
    """Return after how many seconds a puzzle is given up, `seconds` at most; what is compiled is loaded here.

    Raises:
        MethodError: `search` cannot be compiled.
    """
    if method == "search":
        kernels.require(method)
    elif loading.missing_for_batch(board):
        return seconds
    # What it loads here, processes made from this one need not load.
    first = first_seconds(board)
    if method == "search":
        return seconds
    return first if seconds is None else min(first, seconds)


def searched_piece(board: Geometry, limit: int, method: str, seconds: float | None, piece: Piece) -> Batch:
    """Return the answers for some puzzles by one core; see `solve_batches`."""
    seconds_each = seconds_for_each(board, method, seconds)
    return Batch.joined(list(solve_batches(board, piece.givens, limit, method, seconds_each, n_threads=1)), board)


def solved_piece(solve: "SolveMany", method: str, piece: Piece) -> Batch:
    """Return a solution of each of some puzzles, which a function finds."""
    return Batch.of_solutions(*solve(piece.givens), method)


def _by_sat(board: Geometry, givens: Grids, limit: int, seconds: float | None, ends: float | None) -> Iterator[Batch]:
    """Do what `solve_batches` does with a SAT solver, in a process of its own, which a solver may end.

    Args:
        board: of all puzzles.
        givens: uint8 (m, n_cells), 0 for a blank.
        limit: up to how many solutions are counted.
        seconds: after which a puzzle is given up.
        ends: the time of `time.monotonic` at which it stops, without an answer for the puzzles that remain.

    Raises:
        ProcessDiedError: the solver ended the process.
    """
    return stream(partial(_by_one_solver, board, givens, limit, seconds, ends))


def _by_one_solver(
    board: Geometry, givens: Grids, limit: int, seconds: float | None, ends: float | None
) -> Iterator[Batch]:
    """Do what `_by_sat` does, in this process."""
    empty, turn = Puzzle.of(board), Deadline(limit, ends)
    with IncrementalSolver(encode(empty, reduction="none")) as solver:
        for start in range(0, len(givens), _SAT_CHUNK_PUZZLES):
            chunk = givens[start : start + _SAT_CHUNK_PUZZLES]
            found = Batch(
                np.zeros(chunk.shape, np.uint8), np.zeros(len(chunk), np.int64), np.zeros(len(chunk), bool), "sat"
            )
            for row, puzzle in enumerate(chunk):
                try:
                    for grids in solver.solutions(turn if seconds is None else turn.within(seconds, limit), puzzle):
                        if not found.counts[row]:
                            found.grids[row] = grids[0]
                        found.counts[row] += len(grids)
                except StoppedError:
                    if seconds is None or turn.seconds_left <= 0:
                        yield _checked(empty, chunk[:row], found.part(0, row))
                        return
                    found.given_up[row] = True
            yield _checked(empty, chunk, found)


def _by_search(
    board: Geometry, givens: Grids, limit: int, seconds: float | None, n_threads: int | None
) -> Iterator[Batch]:
    """Do what `solve_batches` does by `search`, in threads."""
    empty, first = Puzzle.of(board), 0
    for found in parallel.batches(board, givens, limit, seconds, n_threads):
        yield _checked(empty, givens[first : first + len(found.grids)], Batch(*found))
        first += len(found.grids)


def _checked(empty: Puzzle, givens: Grids, found: Batch) -> Batch:
    """Return the answers, each grid checked against its puzzle.

    Raises:
        InternalError: a grid is no solution.
    """
    solved = found.counts > 0
    check(empty, found.grids[solved], givens[solved])
    return found
