"""How many solutions have each candidate: all of them from one pass forwards and one backwards, none is counted twice.

By the tables of bands on the 9x9, else by a transfer matrix over the cells; on an empty board by its symmetry, since
there every value has the same share of a cell.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier import band_shares, box_fillings, cell_shares
from sudoku_encode.frontier.problem import differing, propagated
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.puzzle import Puzzle


class Shares(NamedTuple):
    """How many solutions there are.

    Attributes:
        shares: (n_cells, n_values), whole numbers of Python: how many have each value.
        total: how many there are; the shares of each cell sum to it.
    """

    shares: NDArray[Any]
    total: int


def shares(
    puzzle: Puzzle,
    tick: Callable[[], None],
    max_bytes: int,
    watch: Callable[[str], None],
    count: Callable[[], int],
) -> Shares:
    """Return how many solutions have each candidate.

    Args:
        puzzle: on a board of up to 64 values.
        tick: called some times a second; what it raises ends the work.
        max_bytes: what the tables may take.
        watch: told which way is taken.
        count: returns the number of solutions, which is all that is needed where nothing tells the values apart.

    Raises:
        OutOfTableMemory: the tables would take more.
        StoppedError: by `tick`.
    """
    candidates = propagated(puzzle)
    if candidates is None:
        return Shares(np.zeros(puzzle.candidates.shape, object), 0)
    n = puzzle.geometry.n_values
    if not differing(puzzle.candidates).any():
        watch("nothing tells the values apart: each has the same share")
        total = count()
        return Shares(np.full(candidates.shape, total // n, object), total)
    if box_fillings.fits(puzzle.geometry) and (candidates.sum(axis=1) > 1).any():
        try:
            watch("tables of what bands or stacks put into the lines across them, forwards and backwards")
            return Shares(*band_shares.shares(candidates, tick, max_bytes))
        except OutOfTableMemory as reason:
            watch(f"{reason}; cell by cell instead")
    watch("cell by cell, forwards and backwards")
    return Shares(*cell_shares.shares(puzzle, candidates, tick, max_bytes))
