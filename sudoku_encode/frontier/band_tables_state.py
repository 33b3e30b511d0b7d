"""What the compiled loops of `band_tables` work on."""

from typing import NamedTuple

from sudoku_encode.puzzles.arrays import Int32s, Int64s


class Lists(NamedTuple):
    """Lists of numbers, one after the other.

    Attributes:
        items: int32 (items,) or (items, 3).
        starts: int64 (lists + 1,): where each starts, and where the last ends.
    """

    items: Int32s
    starts: Int64s
