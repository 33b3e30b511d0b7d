"""Decimal numbers separated by spaces, a row a line, with a blank line between the layers of a cube.

Where boards overlap, - is a place outside of them.
"""

from sudoku_encode.formats.symbols import framed_rows
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    if puzzle.geometry.places:
        return "\n".join(map(" ".join, framed_rows(puzzle, "0", "-")))
    layers = puzzle.givens.reshape(-1, *puzzle.geometry.shape[-2:]).tolist()
    return "\n\n".join("\n".join(" ".join(map(str, row)) for row in layer) for layer in layers)
