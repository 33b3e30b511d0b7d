"""A puzzle with some of its givens."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sudoku_encode.puzzles.puzzle import Puzzle


def with_givens_of(puzzle: Puzzle, cells: Sequence[int]) -> Puzzle:
    """Return the puzzle with the givens of some cells alone.

    A cell whose given goes may hold any value; the pencilmarks of blanks stay as they are.
    """
    kept = list(cells)
    givens = np.zeros_like(puzzle.givens)
    givens[kept] = puzzle.givens[kept]
    marks = puzzle.pencilmarks
    if marks is not None:
        marks = marks.copy()
        marks[(puzzle.givens > 0) & (givens == 0)] = True
    return replace(puzzle, givens=givens, pencilmarks=marks)
