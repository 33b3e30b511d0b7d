"""`search` on all cores: many puzzles on one board in one compiled loop over arrays, or one puzzle split into many.

Where search is not compiled yet, many puzzles are first given to a SAT solver: a few are done before it would be.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_encode import search
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import Died, Stopped
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.run import events, kernels
from sudoku_encode.run.child import apart
from sudoku_encode.run.result import Budget
from sudoku_encode.solvers.sat import IncrementalSolver

# So many puzzles are one piece of work for a core, short enough that Ctrl-C and the first answers do not wait.
_CHUNK = 1024
# Boards with more candidates take a SAT solver long to load, and much memory.
LOADABLE = 2**14
# So many puzzles a SAT solver does before they are passed on; how long it goes on while search is not compiled, which
# takes some seconds.
_SAT_CHUNK, _SAT_SECONDS = 64, 2.0
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


def answers(board: Geometry, givens: Grids, limit: int, method: str = "auto") -> Iterator[Answers]:
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
        kernels.need(method)
    elif board.clique is None and (reason := search.missing_for_batch(board)):
        if board.n_cells * board.n_values <= LOADABLE:
            events.remark(f"by sat instead of search: {reason}")
            try:
                for found in _by_sat(board, givens, limit, time.monotonic() + _SAT_SECONDS):
                    first += len(found.counts)
                    yield found
            except Died as death:
                events.remark(f"sat gave up: {death}")
        if first < len(givens) and (reason := kernels.unavailable()):
            events.remark(f"by sat to the end: {reason}")
            yield from _by_sat(board, givens[first:], limit, None)
            return
    if first < len(givens):
        yield from _by_search(board, givens[first:], limit)


def _by_sat(board: Geometry, givens: Grids, limit: int, deadline: float | None) -> Iterator[Answers]:
    """Do what `answers` does with a SAT solver, in a process of its own: should the solver end it, that is no answer.

    At the deadline the rest is left undone.

    Raises:
        Died: the process ended before that.
    """

    def work(send: Callable[[Answers], None]) -> None:
        for found in _by_one_solver(board, givens, limit, deadline):
            send(found)

    return apart(work, lambda: None)


def _by_one_solver(board: Geometry, givens: Grids, limit: int, deadline: float | None) -> Iterator[Answers]:
    """Do what `_by_sat` does, here."""
    empty = Puzzle.of(board)
    budget = Budget(limit, deadline)
    with IncrementalSolver(encode(empty, reduction="none")) as solver:
        for start in range(0, len(givens), _SAT_CHUNK):
            chunk = givens[start : start + _SAT_CHUNK]
            grids, counts = np.zeros(chunk.shape, np.uint8), np.zeros(len(chunk), np.int64)
            for row, puzzle in enumerate(chunk):
                try:
                    found = list(solver.solutions(budget, puzzle))
                except Stopped:
                    yield _checked(empty, chunk[:row], grids[:row], counts[:row])
                    return
                counts[row] = sum(map(len, found))
                if found:
                    grids[row] = found[0][0]
            yield _checked(empty, chunk, grids, counts)


def _by_search(board: Geometry, givens: Grids, limit: int) -> Iterator[Answers]:
    """Do what `answers` does on all cores."""
    stop = threading.Event()
    empty = Puzzle.of(board)

    def tick() -> None:
        if stop.is_set():
            raise Stopped("interrupted")

    def work(chunk: Grids) -> Answers:
        return _checked(empty, chunk, *search.batch(board, chunk, limit, tick))

    if search.missing_for_batch(board):
        # The compiler is waited for here, where Ctrl-C is heard, and not in a thread.
        yield work(givens[:1])
        givens = givens[1:]
    chunks = [givens[start : start + _CHUNK] for start in range(0, len(givens), _CHUNK)]
    with ThreadPoolExecutor(cores()) as pool:
        try:
            yield from pool.map(work, chunks)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _checked(empty: Puzzle, givens: Grids, grids: Grids, counts: NDArray[np.int64]) -> Answers:
    """Return answers whose grids are solutions, each of its puzzle.

    Raises:
        InternalError: one is not.
    """
    solved = counts > 0
    check(empty, grids[solved], givens[solved])
    return Answers(grids, counts)
