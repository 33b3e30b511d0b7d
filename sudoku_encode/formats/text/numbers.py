"""Decimal numbers separated by spaces, a row a line, with a blank line between the layers of a cube."""

from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    layers = puzzle.givens.reshape(-1, *puzzle.geometry.shape[-2:]).tolist()
    return "\n\n".join("\n".join(" ".join(map(str, row)) for row in layer) for layer in layers)
