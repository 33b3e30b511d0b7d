"""The log encoding: variables are the binary digits of a value's place in its cell's domain."""

import numpy as np

from sudoku_encode.cnf import Group
from sudoku_encode.encoders import domains
from sudoku_encode.encoding import Encoding
from sudoku_encode.puzzle import Puzzle
from sudoku_encode.reduction import Reduction


def encode(puzzle: Puzzle, left: Reduction, amo: str, duplicates: bool) -> Encoding:
    """Encode with ceil(log2 k) variables for a domain of k values; codes that stand for no value are excluded.

    Source: Iwama & Miyazaki 1994; Van Gelder 2008, section 2.
    """
    sizes, place, first = domains.numbered(left.candidates, _bits)
    bits = _bits(sizes)
    digit = np.arange(int(bits.max()))
    variable = first[:, :, None] + digit
    sign = np.where(place[:, :, None] >> digit & 1, 1, -1)
    there = left.candidates[:, :, None] & (digit < bits[:, None, None])
    literals = np.where(there, sign * variable, 0).astype(np.int32)
    unused = []
    for size in np.flatnonzero(np.bincount(sizes)).tolist():
        cells = np.flatnonzero(sizes == size)
        width = int(bits[cells[0]])
        for code in range(size, 1 << width):
            sign_of = np.where(code >> digit[:width] & 1, -1, 1)
            unused.append(Group.of("alo-cell", variable[cells, 0, :width] * sign_of))
    return domains.finish(puzzle, left, "log", unused, literals, int(bits.sum()))


def _bits(sizes: domains.Sizes) -> domains.Sizes:
    """Return how many binary digits number 0 .. size - 1."""
    return np.ceil(np.log2(sizes)).astype(np.int64)
