"""The state of a search of `norvig2006`, for its compiled kernel."""

from typing import NamedTuple

from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.puzzles.geometry import Cells

# Places in `State.counts`: guesses open; length of the trail; how much of it is propagated; values guessed; those
# undone; 1 when all is done.
GUESSES, TRAIL, PROPAGATED, TRIED, UNDONE, DONE = range(6)


class State(NamedTuple):
    """A search, with all of it in arrays, so that it can be left and taken up again.

    Attributes:
        units: int32 (units, n_values): the units that hold every value.
        units_of_cells: int32 (n_cells, rules): for each cell its unit of each rule that holds every value; -1 for none.
        peers: int32: the peers of all cells, one cell after the other.
        starts: int64 (n_cells + 1,): where the peers of each cell start.
        masks: uint64 (n_cells,): the candidates of each cell; bit 0 is value 1.
        trail_cells: int32: the cells from which something was eliminated, in order.
        trail_masks: uint64: what was eliminated from each.
        guess_cells: int32 (n_cells,): for each guess its cell.
        guess_masks: uint64 (n_cells,): the candidates of that cell not tried yet.
        guess_marks: int64 (n_cells,): how long the trail was before the guess.
        counts: int64 (6,): see GUESSES and those after it.
    """

    units: Cells
    units_of_cells: Cells
    peers: Cells
    starts: Int64s
    masks: Uint64s
    trail_cells: Cells
    trail_masks: Uint64s
    guess_cells: Cells
    guess_masks: Uint64s
    guess_marks: Int64s
    counts: Int64s
