"""Solutions by rank, and the large numbers that ranks and shares need.

Each solution has a number, its rank, from 0 on, and can be computed without those before it. Where ranks are drawn with
equal probability, so are solutions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Uint64s
from sudoku_encode.puzzles.puzzle import Grids

# Ranks and counts are written in digits of 56 bits, as the counts of a transfer matrix are.
DIGIT_BITS = 56


@dataclass(frozen=True, eq=False)
class RankedSolutions:
    """The solutions of a puzzle by rank."""

    total: int  # how many ranks there are, from 0 to `total` - 1
    # Returns the solutions of ranks in their order, uint8 (ranks, n_cells); its second argument is called some times a
    # second, and an error that it raises ends the work.
    solutions_at: Callable[[Sequence[int], Callable[[], None]], Grids]
    way: str  # the strategy, for people
    # Whether every rank has a solution, so that `total` is their number. Else `solutions_at` leaves out ranks without a
    # solution; each solution has the same number of ranks.
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


# Integers above a machine word, in arrays: each as its remainder modulo 2**64 and as a floating-point number.
#
# Sums and products of words that overflow are right modulo 2**64; done in floating point at the same time they are
# right to some ten digits. Together they determine the exact number, as long as ten digits tell which of the numbers
# with that remainder it is.

WORD_BITS = 64
# Up to this many bits the floating-point numbers, right to at least 33 bits, determine the exact number.
MAX_BITS = 90
_DIGIT_BITS = 56


class Wide(NamedTuple):
    """An array of numbers."""

    parts: tuple[NDArray[Any], ...]  # the numbers as uint64, modulo 2**64; and as float64, if they may be larger

    @staticmethod
    def kinds(most: int) -> tuple[type[Any], ...]:
        """Return the types of the parts of numbers up to `most`: words alone, if they fit in one.

        Raises:
            OutOfTableMemory: they may be too large.
        """
        if most.bit_length() > MAX_BITS:
            raise OutOfTableMemory(f"memory limit: shares above {MAX_BITS} bits")
        return (np.uint64,) if most < 2**WORD_BITS else (np.uint64, np.float64)

    @staticmethod
    def zeros(shape: tuple[int, ...], most: int) -> "Wide":
        """Return zeros."""
        return Wide(tuple(np.zeros(shape, kind) for kind in Wide.kinds(most)))

    @staticmethod
    def all_one(size: int, most: int) -> "Wide":
        """Return ones."""
        return Wide(tuple(np.ones(size, kind) for kind in Wide.kinds(most)))

    @staticmethod
    def of_digits(digits: NDArray[np.uint64], most: int) -> "Wide":
        """Return numbers from digits of 56 bits, (numbers, digits), lowest first."""
        parts = []
        for kind in Wide.kinds(most):
            part = np.zeros(len(digits), kind)
            for place in range(digits.shape[1] - 1, -1, -1):
                part = part * kind(2**_DIGIT_BITS) + digits[:, place].astype(kind)
            parts.append(part)
        return Wide(tuple(parts))


def exact(numbers: Wide, most: int) -> NDArray[Any]:
    """Return the numbers as Python integers."""
    low: NDArray[Any] = numbers.parts[0].astype(object)
    if most < 2**WORD_BITS:
        return low
    about = np.vectorize(int, otypes=[object])(numbers.parts[1])
    whole: NDArray[Any] = low + ((about - low + 2 ** (WORD_BITS - 1)) // 2**WORD_BITS) * 2**WORD_BITS
    return whole
