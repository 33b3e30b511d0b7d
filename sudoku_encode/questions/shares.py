"""How many solutions have each candidate: by listing them, by `frontier`, or by a count for each candidate."""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode import frontier
from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.questions.gathered import Gathered
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline

# Whole numbers of Python, since shares may pass a machine word: (n_cells, n_values).
Shares = NDArray[Any]


def by_frontier(puzzle: Puzzle, deadline: Deadline) -> tuple[Shares, int]:
    """Return the shares of all candidates and the total, by one pass forwards and one backwards.

    Raises:
        StoppedError: by the deadline, or the tables would take too much memory.
    """
    max_bytes = frontier.MAX_BYTES if deadline.memory is None else deadline.memory * 3 // 4
    found = frontier.shares(puzzle, deadline, max_bytes, lambda text: emit(Progress(text)))
    return found.shares, found.total


def by_counts(found: Gathered, method: str, deadline: Deadline, options: Options) -> tuple[Shares, int]:
    """Count the solutions that have each candidate, one after the other, by a method that counts.

    Of values that nothing tells apart one is counted for all.

    Raises:
        StoppedError: by the deadline, or the method stopped.
        InternalError: the shares of a cell do not sum to the total.
    """
    n_cells, n = found.seen.shape
    shares, unknown = np.zeros((n_cells, n), object), ~found.refuted
    total = _counted(found.puzzle, method, deadline, options)
    if not total:
        return shares, 0
    kinds = kinds_of_values(found.puzzle)
    for cell, value in product(range(n_cells), np.unique(kinds).tolist()):
        if not unknown[cell, value]:
            continue
        one = np.zeros(n, bool)
        one[value] = True
        counted = total if unknown[cell].sum() == 1 else _counted(found.narrowed(cell, one), method, deadline, options)
        shares[cell, kinds == value] = counted
        emit(Progress(f"counted for cell {cell + 1:,} of {n_cells:,} ...", total))
    if any(sum(row) != total for row in shares.tolist()):
        raise InternalError(f"{method}: the shares of a cell do not sum to the number of solutions")
    return shares, total


def _counted(puzzle: Puzzle, method: str, deadline: Deadline, options: Options) -> int:
    """Return how many solutions a puzzle has.

    Raises:
        StoppedError: that is not known.
        KeyboardInterrupt: Ctrl-C.
    """
    counted = calls.count(puzzle, method, Deadline(None, deadline.ends, deadline.memory), options)
    if not counted.complete:
        raise StoppedError(counted.stopped)
    return counted.value


def kinds_of_values(puzzle: Puzzle) -> Int64s:
    """Return for each value (from 0) the first one that nothing in the puzzle tells apart from it."""
    return first_alike(puzzle.candidates)


def first_alike(candidates: Candidates) -> Int64s:
    """Return for each value the first one that the same cells may hold."""
    columns = candidates.astype(np.int64).T
    alike = (columns[:, None, :] == columns[None, :, :]).all(axis=2)
    first: Int64s = np.argmax(alike, axis=1).astype(np.int64)
    return first
