"""Solutions by rank: each has a number of its own, from 0 on, and can be had without those before it.

Where each rank is as likely to be drawn as the others, so is each solution.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_encode.puzzles.arrays import Uint64s
from sudoku_encode.puzzles.puzzle import Grids

# Ranks and counts are written in digits of 56 bits, as the counts of a transfer matrix are.
DIGIT_BITS = 56


@dataclass(frozen=True, eq=False)
class Ranked:
    """The solutions of a puzzle by rank.

    Attributes:
        total: how many ranks there are, from 0 to `total` - 1.
        at: returns the solutions of some ranks in their order, uint8 (ranks, n_cells); its second argument is called
            some times a second, and what that raises ends the work.
        way: how that is done, for people.
        every: whether every rank has a solution, so that `total` is their number. Else some have none, which `at`
            leaves out; each solution has as many ranks as the others.
    """

    total: int
    at: Callable[[Sequence[int], Callable[[], None]], Grids]
    way: str
    every: bool = True


def digits_of(numbers: Sequence[int], n_digits: int) -> Uint64s:
    """Return whole numbers in digits, uint64 (numbers, digits), lowest first."""
    size, rest = n_digits * DIGIT_BITS // 8, 8 - DIGIT_BITS // 8
    data = b"".join(number.to_bytes(size, "little") for number in numbers)
    parts = np.frombuffer(data, np.uint8).reshape(len(numbers), n_digits, -1)
    padded: Uint64s = np.ascontiguousarray(np.pad(parts, ((0, 0), (0, 0), (0, rest)))).view("<u8")[..., 0]
    return padded.astype(np.uint64)


def n_digits_of(most: int) -> int:
    """Return how many digits numbers up to `most` need."""
    return max(1, -(-most.bit_length() // DIGIT_BITS))
