"""The loop of `almost_locked` over all pairs of sets, compiled."""

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays

_ONE = np.uint64(1)
_NONE = np.uint64(0)


@compiled_with_arrays
def best_pair(
    inside: Uint64s, values: Uint64s, places: Uint64s, seen: Uint64s, sizes: Int64s
) -> tuple[int, int, int, int]:
    """Find two sets without a common cell, one of which at most holds x, so that some z that both see goes.

    Args:
        inside: uint64 (m, words): the cells of each set, a bit for each.
        values: uint64 (m,): their values.
        places: uint64 (m, n_values, words): the cells of each set that may hold a value.
        seen: uint64 (m, n_values, words): the cells that may hold a value and see all those.
        sizes: int64 (m,): how many cells each set has, ascending.

    Returns:
        The numbers of two sets with as few cells together as can be, x and z, both from 0; -1 each where none fit.
    """
    n_values, n_words = places.shape[1], places.shape[2]
    best = (-1, -1, -1, -1)
    fewest = 2 * sizes[-1] + 1
    for one in range(len(sizes)):
        for other in range(one + 1, len(sizes)):
            if sizes[one] + sizes[other] >= fewest:
                break
            common = values[one] & values[other]
            if common == _NONE or common & (common - _ONE) == _NONE:
                continue
            apart = True
            for word in range(n_words):
                apart &= not inside[one, word] & inside[other, word]
            if not apart:
                continue
            restricted = _NONE
            for value in range(n_values):
                if common >> np.uint64(value) & _ONE:
                    holds = True
                    for word in range(n_words):
                        holds &= not places[other, value, word] & ~seen[one, value, word]
                    if holds:
                        restricted |= _ONE << np.uint64(value)
            if restricted:
                x, z = _x_and_z(one, other, common, restricted, seen)
                if z >= 0:
                    best = (one, other, x, z)
                    fewest = sizes[one] + sizes[other]
    return best


@compiled_with_arrays
def _x_and_z(one: int, other: int, common: np.uint64, restricted: np.uint64, seen: Uint64s) -> tuple[int, int]:
    """Return an x and a z of two sets; -1 each where nothing goes."""
    n_values, n_words = seen.shape[1], seen.shape[2]
    for z in range(n_values):
        others = restricted & ~(_ONE << np.uint64(z))
        if not others or not common >> np.uint64(z) & _ONE:
            continue
        for word in range(n_words):
            if seen[one, z, word] & seen[other, z, word]:
                for x in range(n_values):
                    if others >> np.uint64(x) & _ONE:
                        return x, z
    return -1, -1
