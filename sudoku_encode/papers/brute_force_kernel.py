"""The compiled search of `brute_force`, and its state."""

from typing import NamedTuple

from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.geometry import Cells
from sudoku_encode.puzzles.puzzle import Candidates, Grids
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

# Places in `State.counts`: the current blank, from 0; values tried; values undone; 1 when the search has ended.
LEVEL, TRIED, UNDONE, DONE = range(4)


class State(NamedTuple):
    """The state of a search, in arrays, so that the search can be interrupted and resumed."""

    blanks: Intps  # (blanks,), in scan order
    candidates: Candidates  # (n_cells, n_values)
    units_of_cells: Cells  # int32 (n_cells, rules): the unit of each cell in each rule; -1 for none
    used: Bools  # (units, n_values): the values in each unit
    grid: Grids  # (n_cells,)
    counts: Int64s  # (4,): see LEVEL and those after it


@subroutine_with_arrays
def _mark(used: Bools, units: Cells, value: int, holds: bool) -> None:
    """Record in every unit of a cell that it holds the value, or no longer does."""
    for unit in units:
        if unit >= 0:
            used[unit, value - 1] = holds


@subroutine_with_arrays
def _fits(used: Bools, units: Cells, value: int) -> bool:
    # numba does not compile a generator here.
    for unit in units:  # noqa: SIM110
        if unit >= 0 and used[unit, value - 1]:
            return False
    return True


@compiled_with_arrays
def search(state: State, out: Grids, work: int) -> int:
    """Search until `out` is full, about `work` values are tried, or the search ends; return the number of solutions."""
    blanks, candidates, units_of_cells, used, grid, counts = state
    n_values = candidates.shape[1]
    n_solutions = 0
    level, tried, undone = counts[LEVEL], counts[TRIED], counts[UNDONE]
    while work > 0 and n_solutions < len(out) and level >= 0:
        if level == len(blanks):
            out[n_solutions] = grid
            n_solutions += 1
            level -= 1
            continue
        cell = blanks[level]
        units = units_of_cells[cell]
        value = int(grid[cell])
        if value > 0:
            _mark(used, units, value, False)
            undone += 1
        value += 1
        work -= 1
        while value <= n_values and not (candidates[cell, value - 1] and _fits(used, units, value)):
            value += 1
            work -= 1
        if value <= n_values:
            grid[cell] = value
            _mark(used, units, value, True)
            tried += 1
            level += 1
        else:
            grid[cell] = 0
            level -= 1
    counts[LEVEL], counts[TRIED], counts[UNDONE] = level, tried, undone
    counts[DONE] = level < 0
    return n_solutions
