"""The loop of `box_fillings`, compiled."""

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays

_SIDE = 3
_VALUES = 9


@compiled_with_arrays
def list_fillings(masks: Int64s, rows: Uint64s, columns: Uint64s) -> int:
    """List the fillings of a box; return how many there are.

    Args:
        masks: int64 (9,): the candidates of its cells, a bit each, row by row.
        rows: uint64 (362880,): of each filling what its rows hold, bit `row * 9 + value`; changed.
        columns: uint64 (362880,): what its columns hold, bit `column * 9 + value`; changed.
    """
    found = cell = used = 0
    left, taken = np.zeros(_VALUES, np.int64), np.zeros(_VALUES, np.int64)
    left[0] = masks[0]
    by_row, by_column = np.zeros(_VALUES + 1, np.uint64), np.zeros(_VALUES + 1, np.uint64)
    while cell >= 0:
        if not left[cell]:
            cell -= 1
            if cell >= 0:
                used ^= taken[cell]
            continue
        bit = left[cell] & -left[cell]
        left[cell] ^= bit
        by_row[cell + 1] = by_row[cell] | np.uint64(bit) << np.uint64(cell // _SIDE * _VALUES)
        by_column[cell + 1] = by_column[cell] | np.uint64(bit) << np.uint64(cell % _SIDE * _VALUES)
        if cell == _VALUES - 1:
            rows[found], columns[found] = by_row[_VALUES], by_column[_VALUES]
            found += 1
        else:
            taken[cell] = bit
            used |= bit
            cell += 1
            left[cell] = masks[cell] & ~used
    return found
