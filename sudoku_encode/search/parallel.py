"""`search` on all cores: one puzzle split into many, or many puzzles in one compiled loop over arrays."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

from sudoku_encode import search
from sudoku_encode.errors import StoppedError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.cores import cores
from sudoku_encode.run.counting import IN_PARTS, Count
from sudoku_encode.run.pools import pool_of
from sudoku_encode.run.threads import threads
from sudoku_encode.search import loading, solutions, unsupported_reason
from sudoku_encode.search.in_parts import count_in_parts

__all__ = ["batches", "count", "count_parts", "solutions", "unsupported_reason"]

# How many puzzles a core is given at a time at most: few enough that Ctrl-C and the first answers do not wait.
CHUNK_PUZZLES = 512
# How long a puzzle is counted on one core before it is split: then the count begins anew, so this time is lost.
_ALONE_SECONDS = 0.5


class _Longer(Exception):
    """One core did not end in its time."""


def count(puzzle: Puzzle, tick: Callable[[], None], in_parts: bool = False) -> Count:
    """Count the solutions: on one core where that is quick, else on all.

    Args:
        puzzle: on a board of up to 64 values.
        tick: called some times a second; it may raise StoppedError.
        in_parts: whether the caller counts in parts what is not quick.

    Raises:
        StoppedError: by `tick`; for what the caller counts in parts, IN_PARTS.
    """
    alone = time.monotonic() + _ALONE_SECONDS

    def tick_alone() -> None:
        tick()
        if time.monotonic() >= alone:
            raise _Longer

    try:
        return Count(search.count(puzzle, tick_alone), True)
    except _Longer:
        pass
    if in_parts:
        raise StoppedError(IN_PARTS)
    return count_parts(puzzle, tick)


def count_parts(puzzle: Puzzle, tick: Callable[[], None]) -> Count:
    """Count the solutions in parts that share none, on all cores."""
    with pool_of(f"threads:{cores()}") as pool:
        return count_in_parts(puzzle, tick, pool)


def batches(
    board: Geometry, givens: Grids, limit: int, seconds: float | None = None, n_threads: int | None = None
) -> Iterator[search.BatchAnswers]:
    """Yield what `search.batch` says of some puzzles at a time, in their order, by default on all cores."""
    stop = threading.Event()
    if loading.missing_for_batch(board):
        # The compiler is waited for here and not in a thread.
        yield search.batch(board, givens[:1], limit, lambda: None, seconds)
        givens = givens[1:]
    n_threads = n_threads or cores()
    size = max(1, min(CHUNK_PUZZLES, -(-len(givens) // n_threads)))
    chunks = [givens[start : start + size] for start in range(0, len(givens), size)]
    answer = partial(search.batch, board, limit=limit, tick=partial(_stop_when, stop), seconds=seconds)
    with threads(n_threads) as pool:
        try:
            yield from pool.map(answer, chunks)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _stop_when(stop: threading.Event) -> None:
    if stop.is_set():
        raise StoppedError("interrupted")
