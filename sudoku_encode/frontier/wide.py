"""Whole numbers above a machine word, in arrays: what is left of them modulo 2**64, and about how large they are.

Sums and products of words that pass the end and go on from 0 are right modulo 2**64; done in floating point at the same
time they are right to some ten digits. Together that is the exact number, as long as ten digits leave no doubt which of
the numbers with that remainder it is.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory

WORD_BITS = 64
# Up to numbers of this many bits the floating ones, which are right to 33 bits at least, leave no doubt.
MAX_BITS = 90
_DIGIT_BITS = 56


class Wide(NamedTuple):
    """An array of numbers.

    Attributes:
        parts: the numbers as uint64, modulo 2**64; and as float64, if they may be larger.
    """

    parts: tuple[NDArray[Any], ...]

    @staticmethod
    def kinds(most: int) -> tuple[type[Any], ...]:
        """Return the types of the parts of numbers up to `most`: words alone, where it is one.

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
    def ones(size: int, most: int) -> "Wide":
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
    """Return the numbers as whole numbers of Python."""
    low: NDArray[Any] = numbers.parts[0].astype(object)
    if most < 2**WORD_BITS:
        return low
    about = np.vectorize(int, otypes=[object])(numbers.parts[1])
    whole: NDArray[Any] = low + ((about - low + 2 ** (WORD_BITS - 1)) // 2**WORD_BITS) * 2**WORD_BITS
    return whole
