"""Decimal numbers separated by commas, a puzzle a line."""

from sudoku_encode.formats.symbols import blank_of
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    blank = blank_of(puzzle, "0", ".")
    return ",".join(str(value or blank) for value in puzzle.givens.tolist())
