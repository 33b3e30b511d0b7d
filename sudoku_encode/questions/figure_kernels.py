"""The figure `backdoor`, compiled."""

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.compiling import compiled, subroutine
from sudoku_encode.search.any_kernel import fewest, restrict, undo
from sudoku_encode.search.state import TRAIL, AnyState


@compiled
def completes(state: AnyState, cells: Int64s, solution: Int64s, first: int, more: int, chosen: Int64s) -> bool:
    """Check whether filling `cells[first]` and up to `more` later cells leaves only singles; put them into `chosen`."""
    # A cell that singles have filled after the cells before is skipped: the set without it does as well. `solution`
    # gives the value of each cell of the board as a bit; the state is restored at the end.
    masks, mark = state.masks, state.counts[TRAIL]
    chosen[0] = cells[first]
    restrict(state, cells[first], solution[cells[first]])
    is_complete = fewest(state, False)[0] < 0
    if not is_complete and more > 0:
        for second in range(first + 1, len(cells)):
            cell = cells[second]
            if masks[cell] & (masks[cell] - 1) == 0:
                continue
            inner = state.counts[TRAIL]
            restrict(state, cell, solution[cell])
            chosen[1] = cell
            is_complete = fewest(state, False)[0] < 0
            if not is_complete and more > 1:
                is_complete = _third(state, cells, solution, second, chosen)
            undo(state, inner)
            if is_complete:
                break
    undo(state, mark)
    return is_complete


@subroutine
def _third(state: AnyState, cells: Int64s, solution: Int64s, second: int, chosen: Int64s) -> bool:
    """Check whether one more cell, after the second in the list, leaves nothing but singles."""
    for third in range(second + 1, len(cells)):
        cell = cells[third]
        if state.masks[cell] & (state.masks[cell] - 1) == 0:
            continue
        mark = state.counts[TRAIL]
        restrict(state, cell, solution[cell])
        is_complete = fewest(state, False)[0] < 0
        undo(state, mark)
        if is_complete:
            chosen[2] = cell
            return True
    return False
