"""Solve or count many puzzles on one board, given as arrays, by `search` on all cores.

Where search is not compiled yet, a SAT solver begins: it solves a few puzzles while search would still be compiled.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import ProcessDiedError, StoppedError
from sudoku_encode.methods.auto import first_seconds
from sudoku_encode.methods.check_results import GivensBatch, grids_fault
from sudoku_encode.methods.turns import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check, fault
from sudoku_encode.run import kernels
from sudoku_encode.run.child import stream
from sudoku_encode.run.events import Event, Remark, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading, parallel
from sudoku_encode.solvers.sat import IncrementalSolver

# How many answers of a SAT solver make a batch; and how long it works before search is compiled, which takes about as
# long.
_SAT_BATCH_PUZZLES, SAT_SECONDS = 64, 2.0

if TYPE_CHECKING:
    from sudoku_encode.methods.one_solution import SolveMany


@dataclass(frozen=True, eq=False)
class BatchResult:
    """The answers for some consecutive puzzles.

    Attributes:
        grids: uint8 (m, n_cells), a solution of each puzzle; zeros if no solution was found.
        counts: int64 (m,), how many solutions were found, up to the limit.
        given_up: bool (m,), which puzzles took too long; they may have more solutions.
        method: the method that answered.
    """

    grids: Grids
    counts: Int64s
    given_up: Bools
    method: str = "search"

    def part(self, start: int, end: int) -> "BatchResult":
        """Return the answers for the puzzles from `start` to `end`."""
        return BatchResult(self.grids[start:end], self.counts[start:end], self.given_up[start:end], self.method)

    @classmethod
    def of_solutions(cls, grids: Grids, has_solution: Bools, method: str) -> "BatchResult":
        """Return the answers of a method that finds a solution of each puzzle that has any."""
        grids = np.where(has_solution[:, None], grids, np.uint8(0))
        return cls(grids, has_solution.astype(np.int64), np.zeros(len(grids), bool), method)

    @classmethod
    def joined(cls, batches: "list[BatchResult]", board: Geometry) -> "BatchResult":
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
) -> Iterator[BatchResult]:
    """Solve many puzzles, and count their solutions up to a limit.

    Args:
        board: of all puzzles.
        givens: uint8 (m, n_cells), 0 for a blank.
        limit: 1 to solve, 2 to know whether the solution is the only one.
        method: `search`, or `auto`, which uses a SAT solver while search is not compiled, or if it cannot be.
        seconds: after which a puzzle is given up.
        sat_ends: the time of `time.monotonic` until which a SAT solver works while search is not compiled; by default
            some seconds from now.
        n_threads: how many threads search; by default one on each core.

    Yields:
        The answers for some puzzles at a time, in their order, each grid checked against the rules.

    Raises:
        MethodError: `search` cannot be compiled.
        ProcessDiedError: nothing can be compiled, and the SAT solver ended its process.
        InternalError: a grid is not a solution.
    """
    first = 0
    if method != "auto":
        kernels.require(method)
    elif board.oversized_unit is None and (reason := loading.batch_not_compiled_reason(board)):
        if board.n_cells * board.n_values <= LOADABLE_CANDIDATES:
            emit(Remark(f"by sat instead of search: {reason}"))
            try:
                for result in _by_sat(board, givens, limit, seconds, sat_ends or time.monotonic() + SAT_SECONDS):
                    first += len(result.counts)
                    yield result
            except ProcessDiedError as death:
                emit(Remark(f"sat gave up: {death}"))
        if first < len(givens) and (reason := kernels.unavailable()):
            emit(Remark(f"by sat for the remaining puzzles: {reason}"))
            yield from _by_sat(board, givens[first:], limit, seconds, None)
            return
        if first < len(givens):
            # Once search is compiled, it gives up a puzzle that it does not finish soon, as if it had been compiled
            # from the start.
            seconds = min(first_seconds(board), math.inf if seconds is None else seconds)
    if first < len(givens):
        yield from _by_search(board, givens[first:], limit, seconds, n_threads)


def seconds_for_each(board: Geometry, method: str, seconds: float | None) -> float | None:
    """Return after how many seconds a puzzle is given up, at most `seconds`; load compiled code.

    Raises:
        MethodError: `search` cannot be compiled.
    """
    if method == "search":
        kernels.require(method)
    elif loading.batch_not_compiled_reason(board):
        return seconds
    # Processes that are forked from this one then need not load it.
    first = first_seconds(board)
    if method == "search":
        return seconds
    return first if seconds is None else min(first, seconds)


def search_batch(board: Geometry, limit: int, method: str, seconds: float | None, batch: GivensBatch) -> BatchResult:
    """Return the answers for some puzzles, by one core; see `solve_batches`."""
    seconds_each = seconds_for_each(board, method, seconds)
    return BatchResult.joined(list(solve_batches(board, batch.givens, limit, method, seconds_each, n_threads=1)), board)


def solve_batch(solve: "SolveMany", method: str, batch: GivensBatch) -> BatchResult:
    """Return the answers for some puzzles, which a function solves."""
    return BatchResult.of_solutions(*solve(batch.givens), method)


def _by_sat(
    board: Geometry, givens: Grids, limit: int, seconds: float | None, ends: float | None
) -> Iterator[BatchResult]:
    """Solve puzzles by a SAT solver, in a process of its own, until the time `ends`; see `solve_batches`."""
    return stream(partial(_by_one_solver, board, givens, limit, seconds, ends))


def _by_one_solver(
    board: Geometry, givens: Grids, limit: int, seconds: float | None, ends: float | None
) -> Iterator[BatchResult]:
    """Solve puzzles by a SAT solver, in this process; see `_by_sat`."""
    empty, turn = Puzzle.of(board), Deadline(limit, ends)
    with IncrementalSolver(encode(empty, reduction="none")) as solver:
        for start in range(0, len(givens), _SAT_BATCH_PUZZLES):
            batch = givens[start : start + _SAT_BATCH_PUZZLES]
            result = BatchResult(
                np.zeros(batch.shape, np.uint8), np.zeros(len(batch), np.int64), np.zeros(len(batch), bool), "sat"
            )
            for row, puzzle in enumerate(batch):
                try:
                    for grids in solver.solutions(turn if seconds is None else turn.within(seconds, limit), puzzle):
                        if not result.counts[row]:
                            result.grids[row] = grids[0]
                        result.counts[row] += len(grids)
                except StoppedError:
                    if seconds is None or turn.seconds_left <= 0:
                        yield _checked(empty, batch[:row], result.part(0, row))
                        return
                    result.given_up[row] = True
            yield _checked(empty, batch, result)


def _by_search(
    board: Geometry, givens: Grids, limit: int, seconds: float | None, n_threads: int | None
) -> Iterator[BatchResult]:
    """Solve puzzles by `search`, in threads; see `solve_batches`."""
    empty, first = Puzzle.of(board), 0
    for batch in parallel.batches(board, givens, limit, seconds, n_threads):
        yield _checked(empty, givens[first : first + len(batch.grids)], BatchResult(*batch))
        first += len(batch.grids)


def _checked(empty: Puzzle, givens: Grids, result: BatchResult) -> BatchResult:
    """Return the answers, each grid checked against its puzzle."""
    solved = result.counts > 0
    check(empty, result.grids[solved], givens[solved])
    return result


def batch_fault(
    board: Geometry, batch: GivensBatch, answer: BatchResult | StoppedError, events: Sequence[Event]
) -> str:
    """Return why the answers for a batch of puzzles on a board are wrong; "" if they are not."""
    if isinstance(answer, StoppedError):
        return ""
    if answer.grids.shape != batch.givens.shape or answer.counts.shape != batch.numbers.shape:
        return f"the executor's answer for puzzle {batch.numbers[0]} and those after it is for {len(answer.counts)}"
    solved = answer.counts > 0
    if fault(Puzzle.of(board), answer.grids[solved], batch.givens[solved]):
        for number, givens, grid in zip(batch.numbers[solved], batch.givens[solved], answer.grids[solved], strict=True):
            if fault_text := grids_fault(int(number), Puzzle(board, givens), grid[None]):
                return fault_text
    return ""
