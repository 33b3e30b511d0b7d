"""The layers of a cube, one per x, with a blank line between them: a line per y, symbols along z."""

from sudoku_encode.formats.symbols import packed_rows
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    n, rows = puzzle.geometry.n_values, packed_rows(puzzle)
    return "\n\n".join("\n".join(rows[start : start + n]) for start in range(0, n * n, n))
