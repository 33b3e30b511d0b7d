"""The loop of `almost_locked` over all pairs of sets, compiled."""

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

_ONE = np.uint64(1)
_NONE = np.uint64(0)


@compiled_with_arrays
def best_pair(
    inside: Uint64s, values: Uint64s, places: Uint64s, seen: Uint64s, sizes: Int64s
) -> tuple[int, int, int, int]:
    """Return two sets with the fewest cells for which ALS-XZ applies, their x and z (from 0); -1 each if none."""
    # Sets of cells have a bit for each: those of each set, (m, words); of each set and value those that may hold the
    # value, and those that may hold it and see all of the former, (m, n_values, words). Sizes are ascending.
    n_values, n_words = places.shape[1], places.shape[2]
    best = (-1, -1, -1, -1)
    fewest = 2 * sizes[-1] + 1
    for first in range(len(sizes)):
        for second in range(first + 1, len(sizes)):
            if sizes[first] + sizes[second] >= fewest:
                break
            common = values[first] & values[second]
            if common == _NONE or common & (common - _ONE) == _NONE:
                continue
            apart = True
            for word in range(n_words):
                apart &= not inside[first, word] & inside[second, word]
            if not apart:
                continue
            restricted = _NONE
            for value in range(n_values):
                if common >> np.uint64(value) & _ONE:
                    holds = True
                    for word in range(n_words):
                        holds &= not places[second, value, word] & ~seen[first, value, word]
                    if holds:
                        restricted |= _ONE << np.uint64(value)
            if restricted:
                x, z = _x_and_z(first, second, common, restricted, seen)
                if z >= 0:
                    best = (first, second, x, z)
                    fewest = sizes[first] + sizes[second]
    return best


@subroutine_with_arrays
def _x_and_z(first: int, second: int, common: np.uint64, restricted: np.uint64, seen: Uint64s) -> tuple[int, int]:
    """Return an x and a z of two sets; -1 each if no candidate goes."""
    n_values, n_words = seen.shape[1], seen.shape[2]
    for z in range(n_values):
        others = restricted & ~(_ONE << np.uint64(z))
        if not others or not common >> np.uint64(z) & _ONE:
            continue
        for word in range(n_words):
            if seen[first, z, word] & seen[second, z, word]:
                for x in range(n_values):
                    if others >> np.uint64(x) & _ONE:
                        return x, z
    return -1, -1
