"""Cells that must be given: where solutions differ, and the smallest sets of cells that tell one from all others.

A puzzle cut out of a solution is unique if and only if its givens meet the *difference* to each other solution: the set
of cells where the two differ. A set of cells is bits of a 64-bit number, cell i at bit i, so a board has at most 64.
"""

from collections.abc import Sequence
from math import comb, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.reproduce.answers import Grids

Sets = NDArray[np.uint64]
Cells = NDArray[np.intp]


class Kind(NamedTuple):
    """Solutions that the symmetries of a board turn into each other.

    Attributes:
        grid: one of them, uint8 (n_cells,).
        number: how many there are.
    """

    grid: Grids
    number: int


def kinds(grids: Grids, moves: Sequence[Cells], n_values: int) -> list[Kind]:
    """Sort all solutions of a board into kinds.

    Args:
        grids: all of them, (m, n_cells); the first `n_values` cells are a unit.
        moves: symmetries that make up all that are used, each as the cell whose value comes to each place. That they
            are symmetries is seen here: what a move makes of a solution must be one.
        n_values: values may be renamed at will.

    Raises:
        KeyError: a move is no symmetry of the board.
    """
    named = np.unique(_renamed(grids, n_values), axis=0)
    number = {row.tobytes(): at for at, row in enumerate(named)}
    images = [[number[row.tobytes()] for row in _renamed(named[:, move], n_values)] for move in moves]
    label, before = np.arange(len(named)), np.empty(0, np.intp)
    while not np.array_equal(label, before):
        before = label.copy()
        for image in images:
            label = np.minimum(label, label[image])
            np.minimum.at(label, image, label.copy())
    roots, sizes = np.unique(label, return_counts=True)
    return [
        Kind(named[root], size * factorial(n_values)) for root, size in zip(roots.tolist(), sizes.tolist(), strict=True)
    ]


def _renamed(grids: Grids, n_values: int) -> Grids:
    """Rename the values of each grid so that the first cells hold 1, 2, 3, ..."""
    names = np.argsort(grids[:, :n_values], axis=1).astype(np.uint8) + 1
    return np.take_along_axis(names, grids.astype(np.intp) - 1, axis=1)


def swaps(shape: tuple[int, ...], band: int) -> list[Cells]:
    """Return swaps of axes, and of lines or layers next to each other: all symmetries are made of them.

    Args:
        shape: of the board.
        band: how many layers make a band, which stay together: bands are swapped as a whole, and layers within one.
    """
    cells, n = np.arange(np.prod(shape)).reshape(shape), shape[0]
    made = [np.swapaxes(cells, axis, axis + 1) for axis in range(len(shape) - 1)]
    for axis in range(len(shape)):
        for first in range(n - 1):
            order = np.arange(n)
            if (first + 1) % band:
                order[[first, first + 1]] = first + 1, first
            else:
                order[first + 1 - band : first + 1 + band] = np.roll(order[first + 1 - band : first + 1 + band], band)
            made.append(np.take(cells, order, axis=axis))
    return [move.ravel() for move in made]


def differences(grid: Grids, grids: Grids) -> Sets:
    """Return the differences of a solution to all others that contain no smaller one, the smallest first."""
    where = np.zeros((len(grids), 64), np.uint8)
    where[:, : grids.shape[1]] = grids != grid
    rest = np.unique(np.packbits(where, axis=1, bitorder="little").view(np.uint64))
    rest = rest[rest > 0]
    rest = rest[np.argsort(np.bitwise_count(rest), kind="stable")]
    found = []
    while len(rest):
        found.append(rest[0])
        rest = rest[rest & rest[0] != rest[0]]
    return np.array(found, np.uint64)


def n_meeting(sets: Sets, k: int, allowed: int) -> int:
    """Count the sets of k cells out of `allowed` that have a cell in each of some sets.

    One of the sets that has the fewest cells allowed is taken, and each of its cells in turn; in what follows the cells
    that were taken before are no longer allowed, so that each result is counted once.
    """
    if not len(sets):
        return comb(allowed.bit_count(), k)
    if k == 0:
        return 0
    left = sets & np.uint64(allowed)
    if k == 1:
        return int(np.bitwise_and.reduce(left)).bit_count()
    total, cells = 0, int(left[np.argmin(np.bitwise_count(left))])
    while cells:
        cell = cells & -cells
        cells ^= cell
        allowed ^= cell
        total += n_meeting(sets[sets & np.uint64(cell) == 0], k - 1, allowed)
    return total


def n_disjoint(sets: Sets) -> int:
    """Return how many of the sets, taken in their order, have no cell in common: as many givens are needed at least."""
    taken, number = 0, 0
    for one in sets.tolist():
        if not one & taken:
            taken |= one
            number += 1
    return number
