"""Puzzles that are searched long enough to be stopped in the middle."""

import numpy as np

from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle

# 943,676 solutions.
MANY = "000000000000000012003045000000003000060000000120000000000200006007000400000807000"
# 10,810 solutions.
TEN_THOUSAND = "000000000000000002003004050000006000000012000070000080000300940200700000650000000"
# Four rows that have nothing to do with each other, and fewer cells in each than there are values.
STRIP = Geometry("strip", (2, 6), 4, (Rule("row", np.arange(12, dtype=np.int32).reshape(4, 3)),))


def of(name: str, text: str) -> Puzzle:
    return Puzzle.of(board(name), [int(symbol, 36) for symbol in text])


def of_blocks(seed: int, n_blanks: int) -> Puzzle:
    """A 16x16 puzzle with some blanks in a grid that is easy to write down, its values renamed at random."""
    random = np.random.default_rng(seed)
    rows, columns = np.divmod(np.arange(256), 16)
    grid = random.permutation(16)[(4 * (rows % 4) + rows // 4 + columns) % 16] + 1
    grid[random.permutation(256)[:n_blanks]] = 0
    return Puzzle.of(board("16x16"), grid)
