"""Compile a method before it is timed: that takes seconds, once on a machine, and must not count as a puzzle's time."""

from contextlib import suppress

import numpy as np

from sudoku_encode.methods.calls import in_units, why_not
from sudoku_encode.methods.method import Method
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Limits


def warm_up(method: Method, puzzle: Puzzle) -> None:
    """Compile what a method needs for a puzzle, or load what is compiled."""
    board = puzzle.geometry
    if not method.compiled or why_not(method, puzzle):
        return
    # A small puzzle, and one without a solution on the board itself, since some kernels are for certain boards only.
    tried = [Puzzle.of(boards.board("4x4")), Puzzle.of(board, np.ones(board.n_cells, np.uint8))]
    if in_units(puzzle).constraints:
        tried.append(Puzzle.of(boards.board("4x4"), constraints=["thermometer r1c1 r1c2"]))
    for one in tried:
        # No error is raised here: the method will raise it again on the puzzle that is asked about.
        with suppress(Exception):
            if method.lists:
                next(method.functions.solutions(one, Limits(1).start(), **method.arguments), None)
            if method.counts:
                method.functions.count(one, Limits().start(), **method.arguments)
