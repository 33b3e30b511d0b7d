"""`search` on all cores: one puzzle split into many, or many puzzles in one compiled loop over arrays."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial

from sudoku_encode import search
from sudoku_encode.errors import Stopped
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.cores import cores
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.executor import spread
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.threads import threads
from sudoku_encode.search import solutions, unsupported_reason

__all__ = ["batches", "count", "count_parts", "solutions", "unsupported_reason"]

# How many parts a puzzle is split into for each worker: many, so that no worker is left with a large one at the end.
PARTS_PER_WORKER = 16
# How many puzzles a core is given at a time at most: few enough that Ctrl-C and the first answers do not wait.
CHUNK_PUZZLES = 512
# How long a puzzle is counted on one core before it is split: then the count begins anew, so this time is lost.
_ALONE_SECONDS = 0.5


class _Longer(Exception):
    """One core did not end in its time."""


def count(puzzle: Puzzle, tick: Callable[[], None], executor: Executor | None = None) -> int:
    """Return the number of solutions: on one core where that is quick, else on all.

    Args:
        puzzle: on a board of up to 64 values.
        tick: called some times a second; it may raise Stopped.
        executor: where the parts are counted; then the puzzle is split at once.

    Raises:
        Stopped: by `tick`, or a part stopped.
    """
    if executor is None:
        alone = time.monotonic() + _ALONE_SECONDS

        def tick_alone() -> None:
            tick()
            if time.monotonic() >= alone:
                raise _Longer

        try:
            return search.count(puzzle, tick_alone)
        except _Longer:
            pass
    return count_parts(puzzle, tick, executor)


def count_parts(puzzle: Puzzle, tick: Callable[[], None], executor: Executor | None = None) -> int:
    """Return the number of solutions, counted in parts that share none, on all cores or by an executor.

    Raises:
        Stopped: by `tick`, or a part stopped.
    """
    parts = search.split(puzzle, PARTS_PER_WORKER * cores())
    if executor is not None:
        # A part that is at work when the time is over ends by itself: an executor ends none.
        seconds = tick.seconds_left if isinstance(tick, Deadline) else math.inf
        return _sum(parts, partial(count_part, seconds=seconds), executor, tick)
    stop = threading.Event()
    with threads() as pool:
        try:
            return _sum(parts, partial(search.count, tick=partial(_stop_when, stop)), pool, tick)
        finally:
            stop.set()


def count_part(part: Puzzle, seconds: float) -> int:
    """Return the number of solutions of a part, in whatever process an executor runs it.

    Raises:
        Stopped: it takes more seconds.
    """
    return search.count(part, Deadline(ends=time.monotonic() + seconds))


def _sum(parts: list[Puzzle], task: Callable[[Puzzle], int], executor: Executor, tick: Callable[[], None]) -> int:
    total = 0
    for done, (_, found) in enumerate(spread(task, parts, executor, window=len(parts), tick=tick), start=1):
        if isinstance(found, Stopped):
            raise found
        total += found
        emit(Progress.of_solutions(total, f"{done} of {len(parts)} parts, "))
    return total


def batches(
    board: Geometry, givens: Grids, limit: int, seconds: float | None = None, n_threads: int | None = None
) -> Iterator[search.BatchAnswers]:
    """Yield what `search.batch` says of some puzzles at a time, in their order, by default on all cores."""
    stop = threading.Event()
    if search.missing_for_batch(board):
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
        raise Stopped("interrupted")
