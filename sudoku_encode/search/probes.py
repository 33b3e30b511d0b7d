"""Estimate the number of solutions by random probes."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.search.state import any_state, masks_of


class Estimate(NamedTuple):
    """What random probes say. Each figure is a mean, so its error is that of a mean.

    Attributes:
        solutions: how many solutions there are, on average right.
        solutions_error: its standard error. Where few probes met many solutions it is too small itself.
        nodes: how many nodes the search tree has, the root among them.
        nodes_error: its standard error.
    """

    solutions: float
    solutions_error: float
    nodes: float
    nodes_error: float


def estimate(puzzle: Puzzle, probes: int, seed: int, tick: Callable[[], None] = lambda: None) -> Estimate:
    """Estimate the number of solutions by random probes.

    A probe goes down the tree that has a child for each candidate of a cell with the fewest, choosing one of them at
    random, and counts for as many as it passed by: the product of the numbers of children.

    Source: Knuth 1975, Estimating the efficiency of backtrack programs.
    """
    from sudoku_encode.search.any_kernel import settle_all
    from sudoku_encode.search.probe_kernel import probe

    board = puzzle.geometry
    state = any_state(board, masks_of(puzzle))
    if board.oversized_unit is not None or not settle_all(state):
        return Estimate(0.0, 0.0, 1.0, 0.0)
    random = np.random.default_rng(seed)
    found = np.empty((probes, 2))
    step = max(1, 2**18 // board.n_cells // 8)
    for first in range(0, probes, step):
        tick()
        probe(state, random, found[first : first + step])
    mean, error = found.mean(axis=0), found.std(axis=0, ddof=min(1, probes - 1)) / np.sqrt(probes)
    return Estimate(float(mean[0]), float(error[0]), float(mean[1]), float(error[1]))
