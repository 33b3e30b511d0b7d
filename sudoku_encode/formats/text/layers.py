"""The layers of a cube, one per x, with a blank line between them: a line per y, symbols along z; or the faces."""

from sudoku_encode.formats.symbols import packed_rows
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    rows, height = packed_rows(puzzle), puzzle.geometry.shape[1]
    return "\n\n".join("\n".join(rows[start : start + height]) for start in range(0, len(rows), height))
