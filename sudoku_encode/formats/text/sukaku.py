"""The candidates of each cell on one line: the value d or a blank at the d-th of the n symbols of a cell."""

import numpy as np

from sudoku_encode.formats.symbols import pack
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    n = puzzle.geometry.n_values
    return pack(np.where(puzzle.candidates, np.arange(1, n + 1), 0).ravel(), n)
