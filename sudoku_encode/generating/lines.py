"""Cubes whose values have known patterns of signs, as a formula over lines; see `placements.structure`.

Where the pattern of a value is known, its cells come three at a time: a variable says that the value is on a line, and
stands for each of its three cells. A full cube takes 2,187 variables instead of 6,561.
"""

from collections.abc import Sequence

import numpy as np

from sudoku_encode.encoders.direct import at_least_one, drop_zeros, unit_sets
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.formula.cardinality import at_most_one
from sudoku_encode.formula.cnf import Cnf, each_once
from sudoku_encode.placements.structure import lines, side
from sudoku_encode.puzzles.puzzle import Puzzle


def encoded(puzzle: Puzzle, patterns: Sequence[int]) -> Encoding:
    """Return a formula for the solutions of a puzzle in which each value has a certain pattern.

    Args:
        puzzle: on a cube of side 4 or 9 with all six rules.
        patterns: of each value, from the first on, rows of `structure.patterns`.
    """
    board, k = puzzle.geometry, side(puzzle.geometry)
    candidates, literals, n = puzzle.candidates.copy(), np.zeros(puzzle.candidates.shape, np.int32), 0
    for value, pattern in enumerate(patterns):
        line = lines(k, pattern).astype(np.intp)
        # A line is possible where all its cells are.
        possible = np.bincount(line[candidates[:, value]], minlength=line.max() + 1) == k
        candidates[:, value] = possible[line]
        numbers = n + np.cumsum(possible)
        literals[:, value] = np.where(possible, numbers, 0)[line]
        n = int(numbers[-1])
    sets = [literals.T, *(unit_sets(literals, rule.units) for rule in board.rules)]
    tables = drop_zeros(np.concatenate(each_once(sets), axis=1))
    most, n = at_most_one("at most one", "pairwise", tables, n)
    cnf = Cnf.of(n, [*at_least_one("at least one", tables), *most])
    return Encoding(puzzle, "lines", "direct", cnf, candidates, literals[:, :, None])
