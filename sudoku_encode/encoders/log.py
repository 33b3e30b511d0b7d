"""The log encoding: variables are the binary digits of a value's place in its cell's domain."""

import numpy as np

from sudoku_encode.encoders import domains
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.formula.cnf import Group, Literals
from sudoku_encode.puzzles.puzzle import Puzzle


def encode(puzzle: Puzzle, left: Reduction, amo: str, duplicates: bool) -> Encoding:
    """Encode with ceil(log2 k) variables for a domain of k values; codes that stand for no value are excluded.

    Source: Iwama & Miyazaki 1994; Van Gelder 2008.
    """
    found, n = literals(left)
    sizes = left.candidates.sum(axis=1)
    unused = []
    for size in np.flatnonzero(np.bincount(sizes)).tolist():
        width = int(_bits(np.array(size)))
        digit = np.abs(found[sizes == size][left.candidates[sizes == size]].reshape(-1, size, found.shape[2])[:, 0])
        for code in range(size, 1 << width):
            sign = np.where(code >> np.arange(width) & 1, -1, 1)
            unused.append(Group.of("alo-cell", digit[:, :width] * sign))
    return domains.finish(puzzle, left, "log", unused, found, n)


def literals(left: Reduction) -> tuple[Literals, int]:
    """Return what `Encoding.literals` is for this encoding, and how many variables that takes."""
    sizes, place, first = domains.numbered(left.candidates, _bits)
    bits = _bits(sizes)
    digit = np.arange(max(1, int(bits.max())))
    sign = np.where(place[:, :, None] >> digit & 1, 1, -1)
    there = left.candidates[:, :, None] & (digit < bits[:, None, None])
    return np.where(there, sign * (first[:, :, None] + digit), 0).astype(np.int32), int(bits.sum())


def _bits(sizes: domains.Sizes) -> domains.Sizes:
    """Return how many binary digits number 0 .. size - 1."""
    return np.ceil(np.log2(sizes)).astype(np.int64)
