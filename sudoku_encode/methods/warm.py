"""Compile a method before it is timed: that takes seconds, once on a machine, and must not count as a puzzle's time."""

from contextlib import suppress

import numpy as np

from sudoku_encode.methods.method import Method
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Limits


def warm_up(method: Method, board: Geometry) -> None:
    """Compile what a method needs on a board, or load what is compiled."""
    if not method.compiled or method.unsupported_reason(board):
        return
    # A small puzzle, and one without a solution on the board itself, since some kernels are for certain boards only.
    for puzzle in (Puzzle.of(boards.board("4x4")), Puzzle.of(board, np.ones(board.n_cells, np.uint8))):
        # No error is raised here: the method will raise it again on the puzzle that is asked about.
        with suppress(Exception):
            if method.lists:
                next(method.functions.solutions(puzzle, Limits(1).start(), **method.arguments), None)
            if method.counts:
                method.functions.count(puzzle, Limits().start(), **method.arguments)
