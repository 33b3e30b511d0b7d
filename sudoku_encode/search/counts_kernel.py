"""The propagator that counts values among cells, compiled, see COUNTS in `constrained_state`."""

from sudoku_encode.puzzles.arrays import Int64s, Uint32s
from sudoku_encode.run.compiling import inlined, lowest
from sudoku_encode.search.constrained_state import Propagators
from sudoku_encode.search.propagators_kernel import Changes, keep
from sudoku_encode.search.state import AnyState


@inlined
def _possible(masks: Int64s, cells: Uint32s, data: Int64s, start: int, place: int, bit: int) -> tuple[int, int]:
    """Return how many cells hold a value, and in how many groups, whose cells differ, one can."""
    low = high = 0
    for group in range(place + 2, place + 2 + data[place]):
        some = False
        for at in range(start + data[group], start + data[group + 1]):
            mask = masks[cells[at]]
            if mask & bit:
                some = True
                if mask == bit:
                    low += 1
        high += some
    return low, high


@inlined
def counts(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep for each value the cells by which all values can come as often as they may, so that no cell is left over.

    In `scratch` are kept for each value: how often it can come, in how many groups, and in how many cells all before it
    can be, as bits.
    """
    start, end, place = tables.starts[number], tables.starts[number + 1], tables.places[number]
    n_groups, n_values = tables.data[place], tables.data[place + 1]
    values = place + 3 + n_groups
    scratch = tables.scratch
    reached = 1
    for which in range(n_values):
        bit = tables.data[values + 2 * which]
        low, high = _possible(state.masks, tables.cells, tables.data, start, place, bit)
        left = tables.data[values + 2 * which + 1] & (1 << high + 1) - 1 & ~((1 << low) - 1)
        scratch[3 * which], scratch[3 * which + 1], scratch[3 * which + 2] = left, high, reached
        after = 0
        while left:
            after |= reached << lowest(left)
            left &= left - 1
        reached = after & (2 << end - start) - 1
    good = reached & 1 << end - start
    if good == 0:
        return -1, n_dirty, trail
    which = n_values
    while which > 0:
        which -= 1
        left, kept, before = scratch[3 * which], 0, 0
        while left:
            amount = lowest(left)
            from_here = good >> amount & scratch[3 * which + 2]
            if from_here:
                before |= from_here
                kept |= 1 << amount
            left &= left - 1
        good = before
        scratch[3 * which] = kept
    none = 0
    for which in range(n_values):
        bit, kept, high = tables.data[values + 2 * which], scratch[3 * which], scratch[3 * which + 1]
        low = 0
        for at in range(start, end):
            low += state.masks[tables.cells[at]] == bit
        if kept >> low == 1:
            none |= bit
        elif kept & (1 << high) - 1 == 0:
            queued, n_dirty, trail = _fill(state, tables, number, bit, (queued, n_dirty, trail))
    for at in range(start, end):
        mask = state.masks[tables.cells[at]]
        if mask & (mask - 1):
            queued, n_dirty, trail = keep(state, tables.cells[at], ~none, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def _fill(state: AnyState, tables: Propagators, number: int, bit: int, changes: Changes) -> Changes:
    """Fill in a value that every group must have that can, where it has one place in it."""
    queued, n_dirty, trail = changes
    start, place = tables.starts[number], tables.places[number]
    for group in range(tables.data[place]):
        places, only = 0, start
        for at in range(start + tables.data[place + 2 + group], start + tables.data[place + 3 + group]):
            if state.masks[tables.cells[at]] & bit:
                places += 1
                only = at
        if places == 1:
            queued, n_dirty, trail = keep(state, tables.cells[only], bit, queued, n_dirty, trail)
    return queued, n_dirty, trail
