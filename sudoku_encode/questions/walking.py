"""Solutions without the promise that each is as likely: from one to others near it, again and again."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.random import PCG64, RandomState

from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.generating import grids
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.questions.ways import first_solution
from sudoku_encode.run.limits import Deadline

# How often a few values are filled anew between one solution and the next.
_ROUNDS = 10


def walk(puzzle: Puzzle, seed: int, deadline: Deadline) -> Iterator[Grids]:
    """Yield solutions, each (n_cells,), without end; none where there is none. Each depends on the one before.

    Between two of them a few values are taken out and filled anew, with a SAT solver in random order, some times; the
    givens stay. Where the board is empty, and has a regular solution, that is the first, shuffled.

    Raises:
        StoppedError: by the deadline, or no solution was found.
    """
    rng = RandomState(PCG64(seed))
    board = puzzle.geometry
    free = not puzzle.givens.any() and puzzle.has_givens_alone
    pattern = grids.pattern(board) if free else None
    grid = first_solution(puzzle, AUTO, deadline, Options()) if pattern is None else grids.shuffled(board, pattern, rng)

    def encoded(rest: Puzzle) -> Encoding:
        givens = np.where(puzzle.givens > 0, puzzle.givens, rest.givens)
        return encode(replace(puzzle, givens=givens))

    while grid is not None:
        for _ in range(_ROUNDS):
            grid = grids.refilled(board, grid, rng, deadline, encoded)
        yield grid
