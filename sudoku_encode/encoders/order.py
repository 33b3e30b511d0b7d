"""The order encoding: a variable says that a cell's value comes after the i-th of its domain."""

import numpy as np

from sudoku_encode.encoders import domains
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.formula.cnf import Group, Literals
from sudoku_encode.puzzles.puzzle import Puzzle


def encode(puzzle: Puzzle, left: Reduction, amo: str, duplicates: bool) -> Encoding:
    """Encode with k - 1 variables for a domain of k values; `after i` implies `after i - 1`.

    Source: Tamura et al. 2009.
    Differs: all-different is a clause per edge and value, with no ordering of the peers.
    """
    found, n = literals(left)
    # A value in the middle of its domain: after the one before, and not after itself.
    after, not_after = found[(found != 0).all(axis=2)].T
    return domains.finish(puzzle, left, "order", [Group.of("order", np.stack([not_after, after], axis=1))], found, n)


def literals(left: Reduction) -> tuple[Literals, int]:
    """Return what `Encoding.literals` is for this encoding, and how many variables that takes."""
    sizes, place, first = domains.numbered(left.candidates, lambda k: k - 1)
    after = np.where(left.candidates & (place > 0), first + place - 1, 0)
    not_after = np.where(left.candidates & (place < sizes[:, None] - 1), -(first + place), 0)
    return np.stack([after, not_after], axis=2).astype(np.int32), int((sizes - 1).sum())
