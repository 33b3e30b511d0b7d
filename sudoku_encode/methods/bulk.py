"""`search` on all cores: many puzzles on one board in one compiled loop over arrays, or one puzzle split into many."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import Stopped
from sudoku_encode.geometry import Geometry
from sudoku_encode.puzzle import Grids, Puzzle, check

# So many puzzles are one piece of work for a core, short enough that Ctrl-C and the first answers do not wait.
_CHUNK = 1024
# A puzzle is split into so many parts for each core, so that none is left with a large one at the end.
_PARTS = 16


@dataclass(frozen=True, eq=False)
class Answers:
    """What some consecutive puzzles have.

    Attributes:
        grids: uint8 (m, n_cells), a solution of each; zeros where there is none.
        counts: int64 (m,), how many solutions each has, up to the limit.
    """

    grids: Grids
    counts: NDArray[np.int64]


def cores() -> int:
    """Return on how many cores this process may run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count(puzzle: Puzzle, tick: Callable[[], None], watch: Callable[[str], None]) -> int:
    """Count the solutions of one puzzle on all cores: it is split into parts that share no solution.

    Args:
        puzzle: on a board that `search` takes.
        tick: called some times a second.
        watch: told how far it is.

    Raises:
        Stopped: by `tick`, or a part stopped.
    """
    from sudoku_encode import search

    parts = search.split(puzzle, _PARTS * cores())
    stop = threading.Event()

    def watched() -> None:
        if stop.is_set():
            raise Stopped("interrupted")

    with ThreadPoolExecutor(cores()) as pool:
        waiting = {pool.submit(search.count, part, watched) for part in parts}
        try:
            total = 0
            while waiting:
                done, waiting = wait(waiting, timeout=0.05)
                total += sum(part.result() for part in done)
                watch(f"{len(parts) - len(waiting)} of {len(parts)} parts, {total:,} solutions so far ...")
                tick()
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
    return total


def answers(board: Geometry, givens: Grids, limit: int) -> Iterator[Answers]:
    """Solve many puzzles by `search`, and count their solutions up to a limit.

    Args:
        board: of all puzzles.
        givens: uint8 (m, n_cells), 0 for a blank.
        limit: 1 to solve, 2 to know whether the solution is the only one.

    Yields:
        The answers for some puzzles at a time, in their order, each grid checked against the rules.

    Raises:
        InternalError: a grid is no solution.
    """
    from sudoku_encode import search

    stop = threading.Event()

    def tick() -> None:
        if stop.is_set():
            raise Stopped("interrupted")

    def work(chunk: Grids) -> Answers:
        return Answers(*search.batch(board, chunk, limit, tick))

    empty = Puzzle.of(board)
    chunks = [givens[start : start + _CHUNK] for start in range(0, len(givens), _CHUNK)]
    with ThreadPoolExecutor(cores()) as pool:
        try:
            for chunk, found in zip(chunks, pool.map(work, chunks), strict=True):
                solved = found.counts > 0
                check(empty, found.grids[solved], chunk[solved])
                yield found
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
