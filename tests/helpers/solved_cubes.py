"""Cubes for the tests of `placements`, uniform and mixed, and what other methods list."""

import numpy as np
from numpy.random import RandomState

from sudoku_encode.formats.reading import read
from sudoku_encode.methods import calls
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from tests.helpers.known_puzzles import INSTANCES

CUBE = board("9x9x9")
EMPTY_4 = Puzzle.of(board("4x4x4"), np.zeros(64, np.uint8))


def mixed_cube() -> Grids:
    """Return a cube in which values 1, 2 and 3 have another pattern than the others, made by a formula."""
    grid = np.zeros((9, 9, 9), np.uint8)
    for a, b, c in np.ndindex(3, 3, 3):
        for value, i in np.ndindex(9, 3):
            group, number = divmod(value, 3)
            o, r = (group + c) % 3, (number + a + b) % 3
            z = -i - r if c == 0 and group == 0 else i + r
            grid[3 * a + i, 3 * b + (i + o) % 3, 3 * c + z % 3] = value + 1
    return grid.ravel()


def table_1() -> Grids:
    return read(INSTANCES / "papers" / "jana-2023-table-1.txt").givens


def blanked(grid: Grids, blanks: int, seed: int) -> Puzzle:
    givens = grid.copy()
    givens[RandomState(seed).permutation(729)[:blanks]] = 0
    return Puzzle.of(CUBE, givens)


def by(method: str, puzzle: Puzzle) -> set[bytes]:
    return {grid.tobytes() for batch in calls.solutions(puzzle, method) for grid in batch}
