"""`search` on all cores: one puzzle split into many, or many puzzles in one compiled loop over arrays."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

from sudoku_encode import search
from sudoku_encode.errors import INTERRUPTED, StoppedError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.counting import CONTINUE_IN_PARTS, Count
from sudoku_encode.run.machine import cores
from sudoku_encode.run.pools import pool_of
from sudoku_encode.run.threads import threads
from sudoku_encode.search import loading, solutions, unsupported_reason
from sudoku_encode.search.in_parts import count_in_parts

__all__ = ["batches", "count", "count_parts", "solutions", "unsupported_reason"]

# How many puzzles a core gets at most at a time: few enough that Ctrl-C and the first answers do not wait.
MAX_BATCH_PUZZLES = 512
# How long a puzzle is counted on one core before it is split. The count then starts again, so this time is lost.
_ALONE_SECONDS = 0.5


class _TimeOverError(Exception):
    """One core did not finish in its time."""


def count(puzzle: Puzzle, tick: Callable[[], None], in_parts: bool = False) -> Count:
    """Count the solutions: on one core where that is quick, else on all.

    With `in_parts` the caller counts slow puzzles in parts itself.

    Raises:
        StoppedError: by `tick`; CONTINUE_IN_PARTS for a puzzle that the caller counts in parts.
    """
    alone = time.monotonic() + _ALONE_SECONDS

    def tick_alone() -> None:
        tick()
        if time.monotonic() >= alone:
            raise _TimeOverError

    try:
        return Count(search.count(puzzle, tick_alone), True)
    except _TimeOverError:
        pass
    if in_parts:
        raise StoppedError(CONTINUE_IN_PARTS)
    return count_parts(puzzle, tick)


def count_parts(puzzle: Puzzle, tick: Callable[[], None]) -> Count:
    """Count the solutions in parts that share none, on all cores."""
    with pool_of(f"threads:{cores()}") as pool:
        return count_in_parts(puzzle, tick, pool)


def batches(
    board: Geometry, givens: Grids, limit: int, seconds: float | None = None, n_threads: int | None = None
) -> Iterator[search.BatchAnswers]:
    """Yield the answers of `search.batch` for batches of puzzles in their order, by default on all cores."""
    stop = threading.Event()
    if loading.batch_not_compiled_reason(board):
        # Wait for the compiler here, not in a thread.
        yield search.batch(board, givens[:1], limit, lambda: None, seconds)
        givens = givens[1:]
    n_threads = n_threads or cores()
    size = max(1, min(MAX_BATCH_PUZZLES, -(-len(givens) // n_threads)))
    batches_of_givens = [givens[start : start + size] for start in range(0, len(givens), size)]
    answer = partial(search.batch, board, limit=limit, tick=partial(_stop_when, stop), seconds=seconds)
    with threads(n_threads) as pool:
        try:
            yield from pool.map(answer, batches_of_givens)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _stop_when(stop: threading.Event) -> None:
    if stop.is_set():
        raise StoppedError(INTERRUPTED)
