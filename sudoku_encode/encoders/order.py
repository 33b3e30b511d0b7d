"""The order encoding: a variable says that a cell's value comes after the i-th of its domain."""

import numpy as np

from sudoku_encode.encoders import domains
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.formula.cnf import Cnf, Group, Literals
from sudoku_encode.puzzles.puzzle import Puzzle

NUMBERING = "variable cell * ({n} - 1) + i: the cell's value is greater than i, for i = 1 .. {n} - 1"


def encode(puzzle: Puzzle, reduced: Reduction, amo: str, duplicates: bool) -> tuple[Cnf, Literals]:
    """Encode with k - 1 variables for a domain of k values; `after i` implies `after i - 1`.

    Source: Tamura et al. 2009.
    Differs: all-different is a clause per edge and value, with no ordering of the peers.
    """
    literals, n = candidate_literals(reduced)
    # A value in the middle of its domain: after the one before, and not after itself.
    after, not_after = literals[(literals != 0).all(axis=2)].T
    order = Group.of("order", np.stack([not_after, after], axis=1))
    return domains.with_conflicts(puzzle, reduced, [order], literals, n)


def candidate_literals(reduced: Reduction) -> tuple[Literals, int]:
    """Return what `Encoding.literals` is for this encoding, and how many variables that takes."""
    sizes, place, first = domains.number_domains(reduced.candidates, lambda k: k - 1)
    after = np.where(reduced.candidates & (place > 0), first + place - 1, 0)
    not_after = np.where(reduced.candidates & (place < sizes[:, None] - 1), -(first + place), 0)
    return np.stack([after, not_after], axis=2).astype(np.int32), int((sizes - 1).sum())
