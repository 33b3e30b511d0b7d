"""What the tests of the papers' methods share: ticks, and the solutions of a puzzle as a set."""

import io
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from hypothesis import reject

from sudoku_encode import search
from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.calls import solutions
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline


def never() -> None:
    """A tick that stops nothing."""


def after(calls: int) -> Callable[[], None]:
    """A tick that stops the search after this many calls."""
    left = [calls]

    def tick() -> None:
        if left[0] == 0:
            raise StoppedError("enough")
        left[0] -= 1

    return tick


def rows_of(batches: Iterable[Grids]) -> list[tuple[int, ...]]:
    return [tuple(grid.tolist()) for batch in batches for grid in batch]


def different(batches: Iterable[Grids]) -> set[tuple[int, ...]]:
    """The solutions, none of which may come twice."""
    found = rows_of(batches)
    assert len(set(found)) == len(found)
    return set(found)


def all_by_sat(puzzle: Puzzle, limit: int = 300) -> set[tuple[int, ...]]:
    """All solutions; an example of Hypothesis with as many as the limit is given up, and another one is tried."""
    try:
        return different(solutions(puzzle, "sat", Deadline(limit)))
    except StoppedError:
        reject()


def written_down(state: search.State) -> search.State:
    """The search as it comes back from a file."""
    back: search.State = _read_back(state)
    return back


def _read_back(arrays: Any) -> Any:
    if not isinstance(arrays, np.ndarray):
        return type(arrays)(*map(_read_back, arrays))
    file = io.BytesIO()
    np.save(file, arrays)
    file.seek(0)
    return np.load(file)
