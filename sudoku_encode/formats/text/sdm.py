"""SudoCue collection: a line of 81 digits, 0 for a blank."""

from sudoku_encode.formats.symbols import blank_of, pack
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    return pack(puzzle.givens, puzzle.geometry.n_values, blank=blank_of(puzzle, "0", "."))
