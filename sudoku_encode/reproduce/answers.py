"""What the checks ask the rest of the toolkit: one place, so that all ask it in the same way."""

import numpy as np

from sudoku_encode.methods import calls
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Limits


def count(puzzle: Puzzle, method: str = "sat", limit: int | None = None, seconds: float | None = None) -> Count:
    """Count the solutions of a puzzle, up to a limit or for some seconds."""
    return calls.count(puzzle, method, Limits(limit, seconds).start())


def solutions(puzzle: Puzzle, method: str = "sat") -> Grids:
    """Return all solutions of a puzzle, uint8 (m, n_cells)."""
    return np.concatenate([np.empty((0, puzzle.geometry.n_cells), np.uint8), *calls.solutions(puzzle, method)])


def solution_set(puzzle: Puzzle, method: str = "sat") -> set[bytes]:
    """Return all solutions of a puzzle, each as its bytes: for comparison."""
    return {grid.tobytes() for grid in solutions(puzzle, method)}


def solution(puzzle: Puzzle) -> Grids:
    """Return the first solution of a puzzle that has one, uint8 (n_cells,)."""
    first: Grids = next(calls.solutions(puzzle, "sat"))[0]
    return first
