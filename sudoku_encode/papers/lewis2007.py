"""Simulated annealing: boxes that hold every value, and swaps within a box until rows and columns do too.

The cost of a grid is the number of values that each row and each column lacks, in all. A move swaps two cells of a box
that are not given; a swap that raises the cost is accepted with a probability that falls with the temperature. It ends
with a solution or not at all: it cannot show that there is no other solution, or no solution.

Source: Lewis 2007.
Differs: the text of the paper is not at hand; the schedule follows descriptions of it by others: the first temperature
    is the standard deviation of the cost after one of START_MOVES swaps, each temperature lasts for as many swaps as
    the square of the number of blanks, and after PATIENCE temperatures without an improvement the first one returns.
    The search gives up after MAX_REHEATINGS of these. Boxes may be rectangles. A value that pencilmarks exclude costs
    1.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers.gtsps import unsupported_reason
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

if TYPE_CHECKING:
    from sudoku_encode.papers.lewis2007_kernel import State

__all__ = ["solutions", "unsupported_reason"]

START_MOVES, COOLING, PATIENCE, MAX_REHEATINGS = 20, 0.99, 20, 500

ONE_ONLY = "not proved: annealing ends with its first solution"


def solutions(puzzle: Puzzle, tick: Callable[[], None], seed: int = 0) -> Iterator[Grids]:
    """Yield a solution, if annealing reaches one.

    Raises:
        StoppedError: always in the end, since there may be other solutions.
    """
    if puzzle.clash is not None:
        raise StoppedError("failed: annealing starts with boxes that hold every value, and givens clash")
    random = np.random.default_rng(seed)
    state = start(puzzle, random)
    if _anneal_to_solution(state, tick, random):
        yield state.grid[None].copy()
        raise StoppedError(ONE_ONLY)
    raise StoppedError(f"failed: annealing reached no solution in {MAX_REHEATINGS} attempts")


def start(puzzle: Puzzle, random: np.random.Generator) -> "State":
    """Return a grid with the givens, in which the values that a box lacks are in its blanks at random."""
    from sudoku_encode.papers.lewis2007_kernel import State

    board, grid = puzzle.geometry, puzzle.givens.copy()
    row_rule, column_rule, box_rule = (_rule_units(board, name) for name in ("row", "column", "box"))
    free, boxes = list[int](), list[tuple[int, int]]()
    for box in box_rule:
        blanks = box[grid[box] == 0]
        grid[blanks] = random.permutation(np.setdiff1d(np.arange(1, board.n_values + 1), grid[box]))
        # A blank alone in its box cannot be swapped.
        if len(blanks) > 1:
            boxes += [(len(free), len(free) + len(blanks))] * len(blanks)
            free += blanks.tolist()
    lines = np.zeros((board.n_cells, 2), np.int64)
    units = [*row_rule, *column_rule]
    times = np.zeros((len(units), board.n_values), np.int64)
    for number, unit in enumerate(units):
        lines[unit, number // len(row_rule)] = number
        times[number] = np.bincount(grid[unit] - 1, minlength=board.n_values)
    places = np.array(boxes, np.int64).reshape(-1, 2)
    return State(grid, np.array(free, np.intp), places, lines, times, ~puzzle.candidates)


def _rule_units(board: Geometry, name: str) -> "np.ndarray[tuple[int, ...], np.dtype[np.intp]]":
    """Return the units of a rule, (units, cells)."""
    (units,) = (rule.units for rule in board.rules if rule.name == name)
    return units.astype(np.intp)


def cost_of(state: "State") -> int:
    """Return the number of values that rows and columns lack, and of those that pencilmarks exclude."""
    barred = state.barred[np.arange(len(state.grid)), state.grid.astype(np.intp) - 1]
    return int((state.times == 0).sum()) + int(barred.sum())


def _anneal_to_solution(state: "State", tick: Callable[[], None], random: np.random.Generator) -> bool:
    """Anneal until the cost is 0, and return whether that was reached."""
    from sudoku_encode.papers.lewis2007_kernel import anneal

    cost = cost_of(state)
    if not len(state.free):
        return cost == 0
    copies = [state._replace(grid=state.grid.copy(), times=state.times.copy()) for _ in range(START_MOVES)]
    first = temperature = max(float(np.std([anneal(copy, cost, np.inf, random, 1) for copy in copies])), 0.1)
    best, waited, reheatings = cost, 0, 0
    while cost and reheatings < MAX_REHEATINGS:
        tick()
        cost = anneal(state, cost, temperature, random, len(state.free) ** 2)
        temperature *= COOLING
        waited = 0 if cost < best else waited + 1
        best = min(best, cost)
        if waited == PATIENCE:
            # The best cost of the last attempt is not reached again before the grid has cooled down.
            temperature, best, waited, reheatings = first, state.times.size, 0, reheatings + 1
    return cost == 0
