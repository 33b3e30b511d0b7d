"""One symbol a cell on one line."""

from sudoku_encode.formats.symbols import pack
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    return pack(puzzle.givens, puzzle.geometry.n_values)
