"""Estimate the number of solutions by random probes."""

from collections.abc import Callable
from math import isfinite
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.search.state import any_state, masks_of


class Estimate(NamedTuple):
    """The estimates of random probes. Each figure is a mean, and its error the standard error of a mean."""

    solutions: float  # the number of solutions; the estimate is unbiased. It is infinite above the largest float.
    solutions_error: float  # its standard error. Where few probes met many solutions it is too small itself.
    nodes: float  # the number of nodes of the search tree, the root among them
    nodes_error: float  # its standard error
    log10_solutions: float  # the decimal logarithm of the estimate, always finite unless that is 0: then -inf

    @property
    def text(self) -> str:
        """The estimated number of solutions in a few characters."""
        return f"{self.solutions:.3g}" if isfinite(self.solutions) else f"10^{self.log10_solutions:.0f}"


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
        return Estimate(0.0, 0.0, 1.0, 0.0, -np.inf)
    random = np.random.default_rng(seed)
    figures = np.empty((probes, 3))
    step = max(1, 2**18 // board.n_cells // 8)
    for first in range(0, probes, step):
        tick()
        probe(state, random, figures[first : first + step])
    exponents = figures[:, 2].astype(np.int64)
    figures, exponent = np.ldexp(figures[:, :2], (exponents - exponents.max())[:, None]), int(exponents.max())
    # The squares of the greatest numbers would pass the largest float.
    scale = np.maximum(figures.max(axis=0), 1.0)
    mean, error = figures.mean(axis=0), scale * (figures / scale).std(axis=0, ddof=min(1, probes - 1)) / np.sqrt(probes)
    with np.errstate(divide="ignore", over="ignore"):
        log10 = float(np.log10(mean[0])) + exponent * float(np.log10(2.0))
        solutions, nodes = np.ldexp(mean, exponent).tolist()
        solutions_error, nodes_error = np.ldexp(error, exponent).tolist()
    return Estimate(solutions, solutions_error, nodes, nodes_error, log10)
