"""The compiled moves of `lewis2007`, and their state."""

from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled, subroutine


class State(NamedTuple):
    """A full grid whose boxes hold every value, and what its rows and columns hold."""

    grid: Grids  # (n_cells,)
    free: Intps  # the cells that may change, box after box
    boxes: Int64s  # (free, 2): for each where the cells of its box start and end in `free`
    lines: Int64s  # (n_cells, 2): the row of each cell, and its column plus the number of rows
    times: Int64s  # (lines, n_values): how often a line holds a value
    barred: Bools  # (n_cells, n_values): the values that pencilmarks exclude


@subroutine
def _put(state: State, cell: int, value: int) -> int:
    """Replace the value of a cell, and return by how much the cost grows."""
    old, new = int(state.grid[cell]) - 1, value - 1
    growth = int(state.barred[cell, new]) - int(state.barred[cell, old])
    for side in range(2):
        line = state.lines[cell, side]
        state.times[line, old] -= 1
        growth += state.times[line, old] == 0
        growth -= state.times[line, new] == 0
        state.times[line, new] += 1
    state.grid[cell] = value
    return growth


@compiled
def anneal(state: State, cost: int, temperature: float, random: np.random.Generator, moves: int) -> int:
    """Try some swaps of two cells of a box, until the cost is 0, and return the cost at the end."""
    grid, free = state.grid, state.free
    for _ in range(moves):
        if cost == 0:
            break
        first = int(random.random() * len(free))
        start, end = state.boxes[first]
        second = start + int(random.random() * (end - start - 1))
        second += second >= first
        cell, other = free[first], free[second]
        value, other_value = int(grid[cell]), int(grid[other])
        growth = _put(state, cell, other_value)
        growth += _put(state, other, value)
        if growth > 0 and random.random() >= np.exp(-growth / temperature):
            _put(state, cell, value)
            _put(state, other, other_value)
        else:
            cost += growth
    return cost
