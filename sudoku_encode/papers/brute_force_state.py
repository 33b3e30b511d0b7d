"""The state of a search of `brute_force`, for its compiled kernel."""

from typing import NamedTuple

from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.geometry import Cells
from sudoku_encode.puzzles.puzzle import Candidates, Grids

# Places in `State.counts`: the blank at work, from 0; the values tried; those undone; 1 when all is done.
LEVEL, TRIED, UNDONE, DONE = range(4)


class State(NamedTuple):
    """A search, with all of it in arrays, so that it can be left and taken up again.

    Attributes:
        blanks: intp (blanks,), in scan order.
        candidates: bool (n_cells, n_values).
        units_of_cells: int32 (n_cells, rules): for each cell its unit of each rule; -1 for none.
        used: bool (units, n_values): the values that each unit holds.
        grid: uint8 (n_cells,).
        counts: int64 (4,): see LEVEL and those after it.
    """

    blanks: Intps
    candidates: Candidates
    units_of_cells: Cells
    used: Bools
    grid: Grids
    counts: Int64s
