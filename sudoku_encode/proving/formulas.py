"""The formula of a certificate, and what a solver works on to refute it."""

import numpy as np

from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.formula.cnf import Cnf, Group
from sudoku_encode.proving import plain
from sudoku_encode.puzzles.puzzle import Puzzle


def formulas(puzzle: Puzzle) -> tuple[Encoding, Encoding]:
    """Return the formula of a certificate, and what a solver works on to refute it; see `whole_of` and `left_of`."""
    whole = whole_of(puzzle)
    return whole, left_of(puzzle, whole)


def whole_of(puzzle: Puzzle) -> Encoding:
    """Return the formula of a certificate: the extended encoding without a reduction.

    With constraints it is the plain one: how encoders write constraints may change, and a certificate may not. That
    the solutions were listed by an encoder, and that no other is left by the plain clauses, is then shown by two codes.
    """
    if not puzzle.constraints:
        return encode(puzzle, reduction="none")
    board = puzzle.geometry
    groups = [Group.of("plain", rows) for rows in plain.each_once(puzzle).values()]
    x = np.arange(1, board.n_cells * board.n_values + 1, dtype=np.int32).reshape(board.n_cells, board.n_values, 1)
    everything = np.ones(x.shape[:2], bool)
    return Encoding(puzzle, "extended", "direct", Cnf.of(plain.n_variables(puzzle), groups), everything, x)


def left_of(puzzle: Puzzle, whole: Encoding) -> Encoding:
    """Return what singles leave of a puzzle, or of a cube of one, if its variables are among those of the whole.

    They are not where constraints have auxiliary variables: then it is the whole formula itself, without what a cube
    adds to its puzzle.
    """
    left = encode(puzzle)
    return whole if left.n_auxiliary else left
