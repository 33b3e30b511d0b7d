"""Estimate the number of solutions by random probes."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.search.state import any_state, masks_of


class Estimate(NamedTuple):
    """The estimates of random probes. Each figure is a mean, and its error the standard error of a mean."""

    solutions: float  # the number of solutions; the estimate is unbiased
    solutions_error: float  # its standard error. Where few probes met many solutions it is too small itself.
    nodes: float  # the number of nodes of the search tree, the root among them
    nodes_error: float  # its standard error


def estimate(puzzle: Puzzle, probes: int, seed: int, tick: Callable[[], None] = lambda: None) -> Estimate:
    """Estimate the number of solutions by random probes.

    The tree has a child for each candidate of a cell with the fewest. A probe goes down choosing a child at random, and
    counts as often as the product of the numbers of children.

    Source: Knuth 1975, Estimating the efficiency of backtrack programs.
    """
    from sudoku_encode.search.any_kernel import begin, probe

    board = puzzle.geometry
    state = any_state(board, masks_of(puzzle))
    if board.oversized_unit is not None or not begin(state, False):
        return Estimate(0.0, 0.0, 1.0, 0.0)
    random = np.random.default_rng(seed)
    figures = np.empty((probes, 2))
    step = max(1, 2**18 // board.n_cells // 8)
    for first in range(0, probes, step):
        tick()
        probe(state, random, figures[first : first + step])
    # The squares of the greatest numbers would pass the largest float.
    scale = np.maximum(figures.max(axis=0), 1.0)
    mean, error = figures.mean(axis=0), scale * (figures / scale).std(axis=0, ddof=min(1, probes - 1)) / np.sqrt(probes)
    return Estimate(float(mean[0]), float(error[0]), float(mean[1]), float(error[1]))
