"""Smallest backdoors for singles: the fewest blanks that, once filled, leave nothing but singles.

Source: Williams, Gomes & Selman 2003, Backdoors to typical case complexity. What fills the rest here is naked and
    hidden singles, where theirs is any solver that takes polynomial time.
"""

import numpy as np

from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.questions.figures.asked import Asked, Figure
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import unsupported_reason
from sudoku_encode.search.state import any_state, masks_of

# Up to this size it is exact.
MOST_CELLS = 3


def backdoor(asked: Asked, deadline: Deadline) -> Figure:
    """Return the size of a smallest set of blanks that leaves nothing but singles when it is filled, with such a set.

    Exact up to 3: a larger one has the value 4, and is said to be more than 3. Where the time ends, what is known is
    that it has more cells than the sets that were all tried.

    Raises:
        StoppedError: by the deadline, before any size was tried to the end.
    """
    puzzle, solution = asked.puzzle, asked.solution
    if why := unsupported_reason(puzzle.geometry):
        return Figure("backdoor", None, "", {}, why)
    assert solution is not None
    cells = smallest(puzzle, solution, deadline)
    if cells is None:
        return Figure("backdoor", MOST_CELLS + 1, f"more than {MOST_CELLS}", {"exact": False, "cells": None})
    names = [puzzle.geometry.cell_name(cell) for cell in cells]
    return Figure(
        "backdoor",
        len(cells),
        ": ".join([f"{len(cells)}", *([" ".join(names)] if names else [])]),
        {"exact": True, "cells": names},
    )


def smallest(puzzle: Puzzle, solution: Grids, deadline: Deadline) -> tuple[int, ...] | None:
    """Return a smallest set of blanks whose values let naked and hidden singles fill the rest; None for more than 3.

    Args:
        puzzle: with one solution.
        solution: uint8 (n_cells,).
        deadline: when to stop.

    Raises:
        StoppedError: by the deadline.
    """
    from sudoku_encode.questions.figures.backdoor_kernel import completes
    from sudoku_encode.search.any_kernel import settle_all

    state = any_state(puzzle.geometry, masks_of(puzzle))
    settle_all(state)
    # What singles fill is in no smallest set.
    cells = np.flatnonzero(state.masks & (state.masks - 1))
    if not len(cells):
        return ()
    bits = (np.uint64(1) << (solution - np.uint8(1)).astype(np.uint64)).view(np.int64)
    chosen = np.zeros(MOST_CELLS, np.int64)
    for more in range(MOST_CELLS):
        for first in range(len(cells)):
            deadline()
            if completes(state, cells, bits, first, more, chosen):
                return tuple(chosen[: more + 1].tolist())
    return None
