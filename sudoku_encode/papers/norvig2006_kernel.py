"""The loops of `norvig2006`, compiled."""

import numpy as np

from sudoku_encode.papers.norvig2006_state import DONE, GUESSES, PROPAGATED, TRAIL, TRIED, UNDONE, State
from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.puzzles.geometry import Cells
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled_with_arrays

_ONE = np.uint64(1)
_NONE = np.uint64(0)


@compiled_with_arrays
def _eliminate(
    cell: int, gone: np.uint64, masks: Uint64s, trail_cells: Cells, trail_masks: Uint64s, counts: Int64s
) -> None:
    """Take the values of a mask from a cell and write down what that took; it is propagated later."""
    taken = masks[cell] & gone
    if taken:
        masks[cell] ^= taken
        trail_cells[counts[TRAIL]] = cell
        trail_masks[counts[TRAIL]] = taken
        counts[TRAIL] += 1


@compiled_with_arrays
def _only_places(
    unit: Cells, gone: np.uint64, masks: Uint64s, trail_cells: Cells, trail_masks: Uint64s, counts: Int64s
) -> bool:
    """Rule 2 for the values of a mask: assign each that has one place left in the unit; false when one has none."""
    once = twice = _NONE
    for cell in unit:
        twice |= once & masks[cell]
        once |= masks[cell]
    if gone & ~once:
        return False
    single = gone & ~twice
    if single:
        for cell in unit:
            here = masks[cell] & single
            if here & (here - _ONE):
                return False
            if here:
                _eliminate(cell, ~here, masks, trail_cells, trail_masks, counts)
    return True


@compiled_with_arrays
def propagate(
    units: Cells,
    units_of_cells: Cells,
    peers: Cells,
    starts: Int64s,
    masks: Uint64s,
    trail_cells: Cells,
    trail_masks: Uint64s,
    counts: Int64s,
) -> bool:
    """Apply rules 1 and 2 to everything on the trail that has not been propagated; false on a contradiction."""
    while counts[PROPAGATED] < counts[TRAIL]:
        cell, gone = trail_cells[counts[PROPAGATED]], trail_masks[counts[PROPAGATED]]
        counts[PROPAGATED] += 1
        left = masks[cell]
        if left == _NONE:
            return False
        if left & (left - _ONE) == _NONE:
            for peer in peers[starts[cell] : starts[cell + 1]]:
                _eliminate(peer, left, masks, trail_cells, trail_masks, counts)
        for unit in units_of_cells[cell]:
            if unit >= 0 and not _only_places(units[unit], gone, masks, trail_cells, trail_masks, counts):
                return False
    return True


@compiled_with_arrays
def _fewest(masks: Uint64s) -> int:
    """Return the first cell with the fewest candidates above one, or -1 when each cell has one."""
    best, least = -1, 65
    for cell in range(len(masks)):
        left = masks[cell]
        size = 0
        while left and size < least:
            left &= left - _ONE
            size += 1
        if 1 < size < least:
            best, least = cell, size
            if least == 2:
                break
    return best


@compiled_with_arrays
def _value(mask: np.uint64) -> int:
    """Return the value of the lowest bit."""
    value = 1
    while not mask & _ONE:
        mask >>= _ONE
        value += 1
    return value


@compiled_with_arrays
def _next_guess(
    masks: Uint64s,
    trail_cells: Cells,
    trail_masks: Uint64s,
    guess_cells: Cells,
    guess_masks: Uint64s,
    guess_marks: Int64s,
    counts: Int64s,
) -> None:
    """Undo the last guess and assign the next value of its cell; of the guess before it when none is left."""
    while counts[GUESSES] > 0:
        last = counts[GUESSES] - 1
        if counts[TRAIL] > guess_marks[last]:
            counts[UNDONE] += 1
        while counts[TRAIL] > guess_marks[last]:
            counts[TRAIL] -= 1
            masks[trail_cells[counts[TRAIL]]] |= trail_masks[counts[TRAIL]]
        counts[PROPAGATED] = counts[TRAIL]
        left = guess_masks[last]
        if left:
            rest = left & (left - _ONE)
            guess_masks[last] = rest
            counts[TRIED] += 1
            _eliminate(guess_cells[last], ~(left ^ rest), masks, trail_cells, trail_masks, counts)
            return
        counts[GUESSES] = last
    counts[DONE] = 1


@compiled_with_arrays
def propagate_all(state: State) -> bool:
    """Propagate what was eliminated; false on a contradiction."""
    units, units_of_cells, peers, starts, masks, trail_cells, trail_masks = state[:7]
    return propagate(units, units_of_cells, peers, starts, masks, trail_cells, trail_masks, state.counts)


@compiled_with_arrays
def search(state: State, out: Grids, work: int) -> int:
    """Go on until `out` is full, about `work` cells are looked at, or all is done.

    Returns:
        How many solutions there are in `out`.
    """
    (
        units,
        units_of_cells,
        peers,
        starts,
        masks,
        trail_cells,
        trail_masks,
        guess_cells,
        guess_masks,
        guess_marks,
        counts,
    ) = state
    found = 0
    reach = 2 * units_of_cells.shape[1] * units.shape[1] + 1
    while work > 0 and found < len(out) and not counts[DONE]:
        before = counts[PROPAGATED]
        sound = propagate(units, units_of_cells, peers, starts, masks, trail_cells, trail_masks, counts)
        work -= int(len(masks) + reach * (counts[PROPAGATED] - before))
        cell = _fewest(masks) if sound else -1
        if cell >= 0:
            guess_cells[counts[GUESSES]] = cell
            guess_masks[counts[GUESSES]] = masks[cell]
            guess_marks[counts[GUESSES]] = counts[TRAIL]
            counts[GUESSES] += 1
        elif sound:
            for at in range(len(masks)):
                out[found, at] = _value(masks[at])
            found += 1
        _next_guess(masks, trail_cells, trail_masks, guess_cells, guess_masks, guess_marks, counts)
    return found
