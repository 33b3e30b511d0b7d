"""Decimal numbers separated by spaces, a row a line, with a blank line between the layers of a cube.

Where boards overlap, - is a place outside of them.
"""

from sudoku_encode.formats.symbols import blank_of, framed_rows
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    blank = blank_of(puzzle, "0", ".")
    if puzzle.geometry.places:
        return "\n".join(map(" ".join, framed_rows(puzzle, blank, "-")))
    layers = puzzle.givens.reshape(-1, *puzzle.geometry.shape[-2:]).tolist()
    return "\n\n".join("\n".join(" ".join(str(value or blank) for value in row) for row in layer) for layer in layers)
