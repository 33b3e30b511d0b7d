"""Simple Sudoku: nine lines of nine symbols, with borders around the boxes."""

from sudoku_encode.formats.symbols import packed_rows
from sudoku_encode.puzzles.puzzle import Puzzle

_BORDER = "-" * 13


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    rows = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in packed_rows(puzzle)]
    return "\n".join([*rows[:3], _BORDER, *rows[3:6], _BORDER, *rows[6:]])
