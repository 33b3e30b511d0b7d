"""Pairs of cells in one unit: peers, once or both ways."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int32s, Intps

# A pair as one number, of as few bytes as will do: then they are quick to sort.
Numbers = NDArray[np.unsignedinteger]


def pairs(units: Int32s) -> Int32s:
    """Return all pairs of cells of a unit, smaller cell first, int32 (2, pairs), for the units of one rule."""
    ordered = np.sort(units, axis=1).T
    return ordered[_places(units.shape[1])].reshape(2, -1)


@lru_cache(maxsize=16)
def _places(size: int) -> Intps:
    return np.stack(np.triu_indices(size, 1))


def pairs_of_all(units: Iterable[Int32s]) -> Int32s:
    """Return the pairs of the units of some rules, in their order; those of several units several times."""
    return np.concatenate([np.empty((2, 0), np.int32), *map(pairs, units)], axis=1)


def new_pairs(units: Iterable[Int32s], homes: Int32s) -> Int32s:
    """Return each pair of the units of some rules once that other rules do not have, int32 (pairs, 2), in their order.

    `homes` has the units of each cell in the other rules; see `geometry.units_of_cells`.
    """
    first, second = pairs_of_all(units)
    _, places = np.unique(_numbers(first, second, len(homes)), return_index=True)
    places.sort()
    first, second = first[places], second[places]
    in_one_unit = ((homes[first] == homes[second]) & (homes[first] >= 0)).any(axis=1)
    return np.stack([first[~in_one_unit], second[~in_one_unit]], axis=1)


def both_ways(once: Int32s, n_cells: int, more: Sequence[Numbers] = ()) -> Numbers:
    """Return the numbers `cell * n_cells + peer` of pairs both ways and of more pairs, each once, ascending."""
    first, second = once
    numbers = np.concatenate([*more, _numbers(first, second, n_cells), _numbers(second, first, n_cells)])
    numbers.sort()
    are_new = np.ones(len(numbers), bool)
    are_new[1:] = numbers[1:] != numbers[:-1]
    return numbers[are_new]


def _numbers(first: Int32s, second: Int32s, n_cells: int) -> Numbers:
    kind = np.min_scalar_type(n_cells**2)
    return np.asarray(first.astype(kind) * n_cells + second.astype(kind))
