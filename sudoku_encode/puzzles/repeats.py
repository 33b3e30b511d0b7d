"""Whether a list of grids has one twice."""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.puzzle import Grids


def has_repeats(grids: Grids) -> bool:
    """Say whether some grid is there twice.

    Args:
        grids: (m, n_cells). Of two different ones it is said in one of 2**64 cases.
    """
    return len(np.unique(_hashes(grids))) < len(grids)


def _hashes(grids: Grids) -> NDArray[np.uint64]:
    """Return a number for each grid, by which they are compared faster than by their cells."""
    factors = np.random.default_rng(0).integers(1, 2**63, grids.shape[1], np.uint64) * np.uint64(2) + np.uint64(1)
    mixed = np.zeros(len(grids), np.uint64)
    for column, factor in zip(grids.T, factors, strict=True):
        mixed = (mixed ^ column) * factor
        mixed ^= mixed >> np.uint64(29)
    return mixed
