"""The solutions of a puzzle by rank, by the way that fits it: see `ranks`."""

from collections.abc import Callable

import numpy as np

from sudoku_encode.frontier import (
    box_fillings,
    empty_9x9,
    ranked_bands,
    ranked_cells,
    ranked_empty_9x9,
    ranked_few_givens,
)
from sudoku_encode.frontier.problem import propagated
from sudoku_encode.frontier.ranks import Ranked
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.puzzle import Puzzle


def ranked(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int) -> Ranked:
    """Return the solutions of a puzzle by rank.

    Args:
        puzzle: on a board of up to 64 values. Where not every rank has a solution, it may be that none has.
        tick: called some times a second; what it raises ends the work.
        max_bytes: what the tables may take.

    Raises:
        OutOfTableMemory: the tables would take more.
        StoppedError: by `tick`.
    """
    board = puzzle.geometry
    candidates = propagated(puzzle)
    if candidates is None:
        nothing = np.zeros((0, board.n_cells), np.uint8)
        return Ranked(0, lambda ranks, tick: nothing, "singles find a contradiction")
    if empty_9x9.fits(board, candidates):
        return ranked_empty_9x9.ranked(tick)
    if not box_fillings.fits(board):
        return ranked_cells.ranked(puzzle, candidates, tick, max_bytes)
    only_givens = puzzle.pencilmarks is None
    if only_givens and ranked_few_givens.fits(puzzle.givens):
        return ranked_few_givens.ranked(puzzle.givens, tick)
    try:
        return ranked_bands.ranked(candidates, tick, max_bytes)
    except OutOfTableMemory:
        if only_givens:
            return ranked_few_givens.ranked(puzzle.givens, tick)
        return ranked_cells.ranked(puzzle, candidates, tick, max_bytes)
