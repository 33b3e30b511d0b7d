"""The loops of `norvig2006`, compiled."""

import numpy as np

from sudoku_encode.papers.norvig2006 import State
from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.puzzles.geometry import Cells
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled

_GUESSES, _TRAIL, _PROPAGATED, _TRIED, _UNDONE, _DONE = 0, 1, 2, 3, 4, 5
_ONE = np.uint64(1)
_NONE = np.uint64(0)


@compiled
def _eliminate(
    cell: int, gone: np.uint64, masks: Uint64s, trail_cells: Cells, trail_masks: Uint64s, counts: Int64s
) -> None:
    """Take the values of a mask from a cell and write down what that took; it is propagated later."""
    taken = masks[cell] & gone
    if taken:
        masks[cell] ^= taken
        trail_cells[counts[_TRAIL]] = cell
        trail_masks[counts[_TRAIL]] = taken
        counts[_TRAIL] += 1


@compiled
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


@compiled
def propagate(
    units: Cells,
    homes: Cells,
    peers: Cells,
    starts: Int64s,
    masks: Uint64s,
    trail_cells: Cells,
    trail_masks: Uint64s,
    counts: Int64s,
) -> bool:
    """Apply rules 1 and 2 to everything on the trail that has not been propagated; false on a contradiction."""
    while counts[_PROPAGATED] < counts[_TRAIL]:
        cell, gone = trail_cells[counts[_PROPAGATED]], trail_masks[counts[_PROPAGATED]]
        counts[_PROPAGATED] += 1
        left = masks[cell]
        if left == _NONE:
            return False
        if left & (left - _ONE) == _NONE:
            for peer in peers[starts[cell] : starts[cell + 1]]:
                _eliminate(peer, left, masks, trail_cells, trail_masks, counts)
        for unit in homes[cell]:
            if unit >= 0 and not _only_places(units[unit], gone, masks, trail_cells, trail_masks, counts):
                return False
    return True


@compiled
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


@compiled
def _value(mask: np.uint64) -> int:
    """Return the value of the lowest bit."""
    value = 1
    while not mask & _ONE:
        mask >>= _ONE
        value += 1
    return value


@compiled
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
    while counts[_GUESSES] > 0:
        last = counts[_GUESSES] - 1
        if counts[_TRAIL] > guess_marks[last]:
            counts[_UNDONE] += 1
        while counts[_TRAIL] > guess_marks[last]:
            counts[_TRAIL] -= 1
            masks[trail_cells[counts[_TRAIL]]] |= trail_masks[counts[_TRAIL]]
        counts[_PROPAGATED] = counts[_TRAIL]
        left = guess_masks[last]
        if left:
            rest = left & (left - _ONE)
            guess_masks[last] = rest
            counts[_TRIED] += 1
            _eliminate(guess_cells[last], ~(left ^ rest), masks, trail_cells, trail_masks, counts)
            return
        counts[_GUESSES] = last
    counts[_DONE] = 1


@compiled
def propagate_all(state: State) -> bool:
    """Propagate what was eliminated; false on a contradiction."""
    units, homes, peers, starts, masks, trail_cells, trail_masks = state[:7]
    return propagate(units, homes, peers, starts, masks, trail_cells, trail_masks, state.counts)


@compiled
def search(state: State, out: Grids, work: int) -> int:
    """Go on until `out` is full, about so many cells are looked at, or all is done.

    Returns:
        How many solutions there are in `out`.
    """
    units, homes, peers, starts, masks, trail_cells, trail_masks, guess_cells, guess_masks, guess_marks, counts = state
    found = 0
    reach = 2 * homes.shape[1] * units.shape[1] + 1
    while work > 0 and found < len(out) and not counts[_DONE]:
        before = counts[_PROPAGATED]
        sound = propagate(units, homes, peers, starts, masks, trail_cells, trail_masks, counts)
        work -= int(len(masks) + reach * (counts[_PROPAGATED] - before))
        cell = _fewest(masks) if sound else -1
        if cell >= 0:
            guess_cells[counts[_GUESSES]] = cell
            guess_masks[counts[_GUESSES]] = masks[cell]
            guess_marks[counts[_GUESSES]] = counts[_TRAIL]
            counts[_GUESSES] += 1
        elif sound:
            for at in range(len(masks)):
                out[found, at] = _value(masks[at])
            found += 1
        _next_guess(masks, trail_cells, trail_masks, guess_cells, guess_masks, guess_marks, counts)
    return found
