"""What the checks ask of the methods: one place, so that all ask it in the same way."""

import numpy as np
from numpy.typing import NDArray

import sudoku_encode as se

Grids = NDArray[np.uint8]


def count_in_process(puzzle: se.Puzzle, method: str, seconds: float) -> se.Count:
    """Count the solutions of a puzzle by a method of `papers`, for some seconds.

    `se.count` with a limit of seconds makes a process for each puzzle: that takes many times as long as most of these
    methods do, and what they take could not be measured here.

    Raises:
        MethodError: the method cannot be compiled.
        InternalError: it lists a grid that is no solution.
    """
    chosen = se.METHODS[method]
    if not chosen.installed:
        raise se.MethodError(f"method {method} is compiled, which cannot be done here")
    deadline, value = se.Limits(seconds=seconds).start(), 0
    try:
        if chosen.counts:
            return se.Count(chosen.functions.count(puzzle, deadline, **chosen.arguments), True)
        for grids in chosen.functions.solutions(puzzle, deadline, **chosen.arguments):
            if not _are_solutions(puzzle, grids):
                raise se.InternalError(f"method {method} lists a grid that is no solution")
            value += len(grids)
    except se.StoppedError as reason:
        return se.Count(value, False, str(reason))
    return se.Count(value, True)


def _are_solutions(puzzle: se.Puzzle, grids: Grids) -> bool:
    """Say whether all grids (m, n_cells) are solutions, on a board whose units hold every value.

    `se.violations` says it of one grid, and would take longer than the methods that are timed.
    """
    given, values = np.flatnonzero(puzzle.givens), np.arange(1, puzzle.geometry.n_values + 1)
    kept = (grids[:, given] == puzzle.givens[given]).all()
    return bool(kept) and all((np.sort(grids[:, rule.units]) == values).all() for rule in puzzle.geometry.rules)


def solutions(puzzle: se.Puzzle, method: str = "sat") -> Grids:
    """Return all solutions of a puzzle, uint8 (m, n_cells)."""
    return np.concatenate([np.empty((0, puzzle.geometry.n_cells), np.uint8), *se.solutions(puzzle, method).batches()])


def solution_set(puzzle: se.Puzzle, method: str = "sat") -> set[bytes]:
    """Return all solutions of a puzzle, each as its bytes: for comparison."""
    return {grid.tobytes() for grid in solutions(puzzle, method)}


def solution(puzzle: se.Puzzle) -> Grids:
    """Return the first solution of a puzzle that has one, uint8 (n_cells,)."""
    return next(se.solutions(puzzle, "sat")).values
