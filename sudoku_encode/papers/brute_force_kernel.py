"""The loop of `brute_force`, compiled."""

from sudoku_encode.papers.brute_force_state import DONE, LEVEL, TRIED, UNDONE, State
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.geometry import Cells
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled_with_arrays


@compiled_with_arrays
def _mark(used: Bools, units: Cells, value: int, held: bool) -> None:
    """Say in every unit of a cell whether it holds the value."""
    for unit in units:
        if unit >= 0:
            used[unit, value - 1] = held


@compiled_with_arrays
def _fits(used: Bools, units: Cells, value: int) -> bool:
    # numba compiles no generator here.
    for unit in units:  # noqa: SIM110
        if unit >= 0 and used[unit, value - 1]:
            return False
    return True


@compiled_with_arrays
def search(state: State, out: Grids, work: int) -> int:
    """Go on until `out` is full, about `work` values are looked at, or all is done.

    Returns:
        How many solutions there are in `out`.
    """
    blanks, candidates, units_of_cells, used, grid, counts = state
    n_values = candidates.shape[1]
    found = 0
    level, tried, undone = counts[LEVEL], counts[TRIED], counts[UNDONE]
    while work > 0 and found < len(out) and level >= 0:
        if level == len(blanks):
            out[found] = grid
            found += 1
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
    return found
