"""SudoCue progress: nine lines of nine cells with spaces between them, each cell its candidates."""

from sudoku_encode.formats import candidate_grids
from sudoku_encode.puzzles.puzzle import Puzzle

read, unfit = candidate_grids.read, candidate_grids.unfit


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    return "\n".join(" ".join(row) for row in candidate_grids.cells_of(puzzle))
