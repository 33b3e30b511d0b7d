"""Make a compiled method ready: compiling takes seconds, once on a machine, and belongs to no puzzle's time."""

from contextlib import suppress

import numpy as np

from sudoku_encode.methods.method import Method
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Limits


def warm_up(method: Method, board: Geometry) -> None:
    """Compile what a method needs on a board, or load what is compiled."""
    if not method.compiled:
        return
    # One that is soon done, and one on the very board, which some kernels are for, with no solution.
    for puzzle in (Puzzle.of(boards.board("4x4")), Puzzle.of(board, np.ones(board.n_cells, np.uint8))):
        # What is wrong with the method will show on the puzzle as well.
        with suppress(Exception):
            if method.lists:
                next(method.functions.solutions(puzzle, Limits(1).start(), **method.arguments), None)
            if method.counts:
                method.functions.count(puzzle, Limits().start(), **method.arguments)
