"""Whether some grids are there twice: they are compared by a number for each, which is faster than cell by cell."""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.puzzle import Grids


def has_repeats(grids: Grids) -> bool:
    """Say whether some grid (m, n_cells) is there twice; wrongly about once in 2**64 pairs of different ones."""
    return len(np.unique(marks(grids))) < len(grids)


def marks(grids: Grids) -> NDArray[np.uint64]:
    """Return a number for each grid (m, n_cells): of two different ones it is the same about once in 2**64 cases."""
    factors = np.random.default_rng(0).integers(1, 2**63, grids.shape[1], np.uint64) * np.uint64(2) + np.uint64(1)
    mixed = np.zeros(len(grids), np.uint64)
    for column, factor in zip(grids.T, factors, strict=True):
        mixed = (mixed ^ column) * factor
        mixed ^= mixed >> np.uint64(29)
    return mixed
