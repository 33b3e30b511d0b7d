"""What follows by singles from a candidate, for many of them: the loops of `nets`, compiled."""

import numpy as np

from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint64s
from sudoku_encode.puzzles.geometry import Cells
from sudoku_encode.run.compiling import compiled_with_arrays

_ONE = np.uint64(1)
_NONE = np.uint64(0)


@compiled_with_arrays
def settle(  # noqa: PLR0912  -- a compiled loop
    cell: int, mask: np.uint64, masks: Uint64s, filled: Bools, stack: Int64s, peers: Cells, starts: Int64s, units: Cells
) -> int:
    """Leave a mask to a cell, and fill in naked and hidden singles until there are none.

    Args:
        cell: the cell.
        mask: what it may still hold.
        masks: uint64 (n_cells,): the candidates of each cell, changed in place; bit 0 is value 1.
        filled: bool (n_cells,): whether a cell's value has been taken from its peers; changed in place.
        stack: int64 (n_cells + 1,): room for cells.
        peers: int32: the peers of all cells, one cell after the other.
        starts: int64 (n_cells + 1,): where the peers of each cell start.
        units: int32 (units, n_values): the units that hold every value.

    Returns:
        How many cells were filled; where a cell has no candidate or a unit no place for a value, -1 less that number.
    """
    n = units.shape[1]
    full = ~_NONE if n == 64 else (_ONE << np.uint64(n)) - _ONE
    count, height = 0, 0
    masks[cell] = mask
    if mask == _NONE:
        return -1
    if mask & (mask - _ONE) == _NONE:
        stack[0] = cell
        height = 1
    while True:
        while height:
            height -= 1
            at = stack[height]
            if filled[at]:
                continue
            value = masks[at]
            filled[at] = True
            count += 1
            for number in range(starts[at], starts[at + 1]):
                peer = peers[number]
                if masks[peer] & value:
                    masks[peer] ^= value
                    left = masks[peer]
                    if left == _NONE:
                        return -1 - count
                    if left & (left - _ONE) == _NONE:
                        stack[height] = peer
                        height += 1
        for row in range(len(units)):
            once = twice = _NONE
            for at in units[row]:
                twice |= once & masks[at]
                once |= masks[at]
            if once != full:
                return -1 - count
            single = once & ~twice
            for at in units[row]:
                here = masks[at] & single
                if here and masks[at] != here:
                    if here & (here - _ONE):
                        return -1 - count
                    masks[at] = here
                    stack[height] = at
                    height += 1
            if height:
                break
        if not height:
            return count


@compiled_with_arrays
def settle_each(
    cells: Int64s, values: Uint64s, masks: Uint64s, filled: Bools, peers: Cells, starts: Int64s, units: Cells
) -> tuple[Int64s, Uint64s]:
    """Suppose each of some candidates in turn, and fill in singles.

    Args:
        cells: int64 (m,): their cells.
        values: uint64 (m,): their values as masks.
        masks: of all cells; nothing is changed.
        filled: as `settle`.
        peers: as `settle`.
        starts: as `settle`.
        units: as `settle`.

    Returns:
        What `settle` returns for each, int64 (m,), and what is left to the cells then, uint64 (m, n_cells).
    """
    n_cells = len(masks)
    counts = np.zeros(len(cells), np.int64)
    left = np.zeros((len(cells), n_cells), np.uint64)
    stack = np.zeros(n_cells + 1, np.int64)
    for number in range(len(cells)):
        left[number] = masks
        now = filled.copy()
        counts[number] = settle(cells[number], values[number], left[number], now, stack, peers, starts, units)
    return counts, left


@compiled_with_arrays
def refute(
    cell: int,
    value: np.uint64,
    masks: Uint64s,
    filled: Bools,
    peers: Cells,
    starts: Int64s,
    units: Cells,
    gone: Int64s,
) -> int:
    """Suppose a candidate, and take away what leads to a contradiction by singles then, until that shows one.

    Args:
        cell: its cell.
        value: its value as a mask.
        masks: as `settle_each`.
        filled: as `settle`.
        peers: as `settle`.
        starts: as `settle`.
        units: as `settle`.
        gone: int64 (n_cells * n_values, 2): room for what is taken away, in order: cell, and value from 0.

    Returns:
        How many are taken away until there is a contradiction; -1 where there is none.
    """
    n_cells = len(masks)
    stack = np.zeros(n_cells + 1, np.int64)
    now, done = masks.copy(), filled.copy()
    if settle(cell, value, now, done, stack, peers, starts, units) < 0:
        return 0
    trial, trial_done = now.copy(), done.copy()
    n_gone, last = 0, -1
    at, n_values = 0, units.shape[1]
    # Round and round, until all candidates were tried since the last one that went.
    while True:
        here, bit = at // n_values, np.uint64(at % n_values)
        if not done[here] and now[here] >> bit & _ONE:
            trial[:] = now
            trial_done[:] = done
            if settle(here, _ONE << bit, trial, trial_done, stack, peers, starts, units) < 0:
                gone[n_gone, 0], gone[n_gone, 1] = here, int(bit)
                n_gone += 1
                last = at
                if settle(here, now[here] & ~(_ONE << bit), now, done, stack, peers, starts, units) < 0:
                    return n_gone
        if last < 0 and at == n_cells * n_values - 1:
            return -1
        at = (at + 1) % (n_cells * n_values)
        if at == last:
            return -1
