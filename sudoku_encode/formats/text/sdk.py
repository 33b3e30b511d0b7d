"""SudoCue and SadMan: nine lines of nine symbols."""

from sudoku_encode.formats.symbols import packed_rows
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    return "\n".join(packed_rows(puzzle))
