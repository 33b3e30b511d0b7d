"""The log encoding: variables are the binary digits of a value's place in its cell's domain."""

import numpy as np

from sudoku_encode.encoders import domains
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.formula.cnf import Cnf, Group, Literals
from sudoku_encode.puzzles.puzzle import Puzzle

NUMBERING = "variable cell * {bits} + i + 1: binary digit i of the cell's value less 1, for i = 0 .. {bits} - 1"


def encode(puzzle: Puzzle, reduced: Reduction, amo: str, duplicates: bool) -> tuple[Cnf, Literals]:
    """Encode with ceil(log2 k) variables for a domain of k values; codes that stand for no value are excluded.

    Source: Iwama & Miyazaki 1994; Van Gelder 2008.
    """
    literals, n = candidate_literals(reduced)
    sizes = reduced.candidates.sum(axis=1)
    unused = []
    for size in np.flatnonzero(np.bincount(sizes)).tolist():
        width = int(_bits(np.array(size)))
        cells = sizes == size
        digit = np.abs(literals[cells][reduced.candidates[cells]].reshape(-1, size, literals.shape[2])[:, 0])
        for code in range(size, 1 << width):
            sign = np.where(code >> np.arange(width) & 1, -1, 1)
            unused.append(Group.of("alo-cell", digit[:, :width] * sign))
    return domains.with_conflicts(puzzle, reduced, unused, literals, n)


def candidate_literals(reduced: Reduction) -> tuple[Literals, int]:
    """Return what `Encoding.literals` is for this encoding, and how many variables that takes."""
    sizes, place, first = domains.number_domains(reduced.candidates, _bits)
    bits = _bits(sizes)
    digit = np.arange(max(1, int(bits.max())))
    sign = np.where(place[:, :, None] >> digit & 1, 1, -1)
    used = reduced.candidates[:, :, None] & (digit < bits[:, None, None])
    return np.where(used, sign * (first[:, :, None] + digit), 0).astype(np.int32), int(bits.sum())


def _bits(sizes: domains.Sizes) -> domains.Sizes:
    """Return how many binary digits number 0 .. size - 1."""
    return np.ceil(np.log2(sizes)).astype(np.int64)
