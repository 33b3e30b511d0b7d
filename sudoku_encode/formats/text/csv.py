"""Decimal numbers separated by commas, a puzzle a line."""

from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    return ",".join(map(str, puzzle.givens.tolist()))
