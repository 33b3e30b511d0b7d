"""Smallest backdoors for singles, compiled."""

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.compiling import compiled_with_arrays
from sudoku_encode.search.any_kernel import fewest, restrict, undo
from sudoku_encode.search.state import TRAIL, AnyState


@compiled_with_arrays
def completes(state: AnyState, cells: Int64s, solution: Int64s, first: int, more: int, chosen: Int64s) -> bool:
    """Say whether filling some cells leaves nothing but singles: one after another of a list, the first of them given.

    Cells that are filled already, by singles after the cells before, are passed over: a set with such a cell is no
    better than the set without it.

    Args:
        state: propagated; it is left as it was.
        cells: the list, ascending.
        solution: the value of each cell of the board, as a bit.
        first: the place in the list of the first cell.
        more: how many cells to fill besides, up to 2, all after the first in the list.
        chosen: takes the cells.
    """
    masks, mark = state.masks, state.counts[TRAIL]
    chosen[0] = cells[first]
    restrict(state, cells[first], solution[cells[first]])
    found = fewest(state, False)[0] < 0
    if not found and more > 0:
        for second in range(first + 1, len(cells)):
            cell = cells[second]
            if masks[cell] & (masks[cell] - 1) == 0:
                continue
            inner = state.counts[TRAIL]
            restrict(state, cell, solution[cell])
            chosen[1] = cell
            found = fewest(state, False)[0] < 0
            if not found and more > 1:
                found = _third(state, cells, solution, second, chosen)
            undo(state, inner)
            if found:
                break
    undo(state, mark)
    return found


@compiled_with_arrays
def _third(state: AnyState, cells: Int64s, solution: Int64s, second: int, chosen: Int64s) -> bool:
    """Say whether one more cell, after the second in the list, leaves nothing but singles."""
    for third in range(second + 1, len(cells)):
        cell = cells[third]
        if state.masks[cell] & (state.masks[cell] - 1) == 0:
            continue
        mark = state.counts[TRAIL]
        restrict(state, cell, solution[cell])
        found = fewest(state, False)[0] < 0
        undo(state, mark)
        if found:
            chosen[2] = cell
            return True
    return False
