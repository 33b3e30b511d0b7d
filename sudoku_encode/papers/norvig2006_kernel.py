"""The compiled search of `norvig2006`, and its state."""

from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.puzzles.geometry import Cells
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

# Places in `State.counts`: open guesses; length of the trail; its propagated part; values guessed; values undone; 1
# when the search has ended.
GUESSES, TRAIL, PROPAGATED, TRIED, UNDONE, DONE = range(6)


class State(NamedTuple):
    """The state of a search, in arrays, so that the search can be interrupted and resumed."""

    units: Cells  # int32 (units, n_values): the units with as many cells as values
    units_of_cells: Cells  # int32 (n_cells, rules): the unit in `units` of each cell in each rule; -1 for none
    peers: Cells  # int32: the peers of all cells, one cell after the other
    starts: Int64s  # (n_cells + 1,): the first place of each cell in `peers`
    masks: Uint64s  # (n_cells,): the candidates of each cell; bit 0 is value 1
    trail_cells: Cells  # int32: the cell of each elimination, in order
    trail_masks: Uint64s  # uint64: the candidates of each elimination
    guess_cells: Cells  # int32 (n_cells,): the cell of each guess
    guess_masks: Uint64s  # (n_cells,): the candidates of that cell not tried yet
    guess_marks: Int64s  # (n_cells,): the length of the trail before the guess
    counts: Int64s  # (6,): see GUESSES and those after it


_ONE = np.uint64(1)
_NONE = np.uint64(0)


@subroutine_with_arrays
def _eliminate(
    cell: int, removed: np.uint64, masks: Uint64s, trail_cells: Cells, trail_masks: Uint64s, counts: Int64s
) -> None:
    """Eliminate the values of a mask from a cell, and record that on the trail, to be propagated later."""
    taken = masks[cell] & removed
    if taken:
        masks[cell] ^= taken
        trail_cells[counts[TRAIL]] = cell
        trail_masks[counts[TRAIL]] = taken
        counts[TRAIL] += 1


@subroutine_with_arrays
def _only_places(
    unit: Cells, removed: np.uint64, masks: Uint64s, trail_cells: Cells, trail_masks: Uint64s, counts: Int64s
) -> bool:
    """Apply rule 2: assign each value of a mask with one place left in the unit; False if a value has none."""
    once = twice = _NONE
    for cell in unit:
        twice |= once & masks[cell]
        once |= masks[cell]
    if removed & ~once:
        return False
    single = removed & ~twice
    if single:
        for cell in unit:
            own = masks[cell] & single
            if own & (own - _ONE):
                return False
            if own:
                _eliminate(cell, ~own, masks, trail_cells, trail_masks, counts)
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
    """Apply rules 1 and 2 to the part of the trail not propagated yet; False on a contradiction."""
    while counts[PROPAGATED] < counts[TRAIL]:
        cell, removed = trail_cells[counts[PROPAGATED]], trail_masks[counts[PROPAGATED]]
        counts[PROPAGATED] += 1
        mask = masks[cell]
        if mask == _NONE:
            return False
        if mask & (mask - _ONE) == _NONE:
            for peer in peers[starts[cell] : starts[cell + 1]]:
                _eliminate(peer, mask, masks, trail_cells, trail_masks, counts)
        for unit in units_of_cells[cell]:
            if unit >= 0 and not _only_places(units[unit], removed, masks, trail_cells, trail_masks, counts):
                return False
    return True


@subroutine_with_arrays
def _fewest(masks: Uint64s) -> int:
    """Return the first cell with the fewest candidates above one, or -1 if each cell has one."""
    best, least = -1, 65
    for cell in range(len(masks)):
        mask = masks[cell]
        size = 0
        while mask and size < least:
            mask &= mask - _ONE
            size += 1
        if 1 < size < least:
            best, least = cell, size
            if least == 2:
                break
    return best


@subroutine_with_arrays
def _value(mask: np.uint64) -> int:
    """Return the value of the lowest bit."""
    value = 1
    while not mask & _ONE:
        mask >>= _ONE
        value += 1
    return value


@subroutine_with_arrays
def _next_guess(
    masks: Uint64s,
    trail_cells: Cells,
    trail_masks: Uint64s,
    guess_cells: Cells,
    guess_masks: Uint64s,
    guess_marks: Int64s,
    counts: Int64s,
) -> None:
    """Undo the last guess with an untried value, and those after it, and assign that value."""
    while counts[GUESSES] > 0:
        last = counts[GUESSES] - 1
        if counts[TRAIL] > guess_marks[last]:
            counts[UNDONE] += 1
        while counts[TRAIL] > guess_marks[last]:
            counts[TRAIL] -= 1
            masks[trail_cells[counts[TRAIL]]] |= trail_masks[counts[TRAIL]]
        counts[PROPAGATED] = counts[TRAIL]
        untried = guess_masks[last]
        if untried:
            rest = untried & (untried - _ONE)
            guess_masks[last] = rest
            counts[TRIED] += 1
            _eliminate(guess_cells[last], ~(untried ^ rest), masks, trail_cells, trail_masks, counts)
            return
        counts[GUESSES] = last
    counts[DONE] = 1


@compiled_with_arrays
def propagate_all(state: State) -> bool:
    """Propagate the eliminations; False on a contradiction."""
    units, units_of_cells, peers, starts, masks, trail_cells, trail_masks = state[:7]
    return propagate(units, units_of_cells, peers, starts, masks, trail_cells, trail_masks, state.counts)


@compiled_with_arrays
def search(state: State, out: Grids, work: int) -> int:
    """Search until `out` is full, about `work` cells are visited, or the end; return the number of solutions."""
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
    n_solutions = 0
    reach = 2 * units_of_cells.shape[1] * units.shape[1] + 1
    while work > 0 and n_solutions < len(out) and not counts[DONE]:
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
            for place in range(len(masks)):
                out[n_solutions, place] = _value(masks[place])
            n_solutions += 1
        _next_guess(masks, trail_cells, trail_masks, guess_cells, guess_masks, guess_marks, counts)
    return n_solutions
