"""The loops of `nets`: the consequences of candidates by singles, compiled."""

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
    """Restrict a cell to a mask, fill in singles, and return how many cells, n, are new; -1 - n at a contradiction."""
    # masks: uint64 (n_cells,), the candidates of each cell, changed in place; bit 0 is value 1.
    # filled: bool (n_cells,), whether a cell's value has been removed from its peers; changed in place.
    # stack: int64 (n_cells + 1,), scratch. units: int32 (units, n_values), the units that hold every value.
    # peers: the peers of all cells, one cell after the other; starts: int64 (n_cells + 1,), where those of each begin.
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
            top = stack[height]
            if filled[top]:
                continue
            value = masks[top]
            filled[top] = True
            count += 1
            for number in range(starts[top], starts[top + 1]):
                peer = peers[number]
                if masks[peer] & value:
                    masks[peer] ^= value
                    rest = masks[peer]
                    if rest == _NONE:
                        return -1 - count
                    if rest & (rest - _ONE) == _NONE:
                        stack[height] = peer
                        height += 1
        for row in range(len(units)):
            once = twice = _NONE
            for member in units[row]:
                twice |= once & masks[member]
                once |= masks[member]
            if once != full:
                return -1 - count
            single = once & ~twice
            for member in units[row]:
                alone = masks[member] & single
                if alone and masks[member] != alone:
                    if alone & (alone - _ONE):
                        return -1 - count
                    masks[member] = alone
                    stack[height] = member
                    height += 1
            if height:
                break
        if not height:
            return count


@compiled_with_arrays
def settle_each(
    cells: Int64s, values: Uint64s, masks: Uint64s, filled: Bools, peers: Cells, starts: Int64s, units: Cells
) -> tuple[Int64s, Uint64s]:
    """Assume each candidate in turn and `settle`; return the results, (m,), and the masks then, (m, n_cells)."""
    n_cells = len(masks)
    counts = np.zeros(len(cells), np.int64)
    settled = np.zeros((len(cells), n_cells), np.uint64)
    stack = np.zeros(n_cells + 1, np.int64)
    for number in range(len(cells)):
        settled[number] = masks
        now_filled = filled.copy()
        counts[number] = settle(cells[number], values[number], settled[number], now_filled, stack, peers, starts, units)
    return counts, settled


@compiled_with_arrays
def refute(
    cell: int,
    value: np.uint64,
    masks: Uint64s,
    filled: Bools,
    peers: Cells,
    starts: Int64s,
    units: Cells,
    removed: Int64s,
) -> int:
    """Assume a candidate, remove those that lead to a contradiction, return how many until there is one, or else -1."""
    # removed: int64 (n_cells * n_values, 2), takes the removed candidates in order: cell, and value from 0.
    n_cells = len(masks)
    stack = np.zeros(n_cells + 1, np.int64)
    now, done = masks.copy(), filled.copy()
    if settle(cell, value, now, done, stack, peers, starts, units) < 0:
        return 0
    trial, trial_done = now.copy(), done.copy()
    n_removed, last = 0, -1
    position, n_values = 0, units.shape[1]
    # In cycles, until all candidates were tried since the last removal.
    while True:
        tried, bit = position // n_values, np.uint64(position % n_values)
        if not done[tried] and now[tried] >> bit & _ONE:
            trial[:] = now
            trial_done[:] = done
            if settle(tried, _ONE << bit, trial, trial_done, stack, peers, starts, units) < 0:
                removed[n_removed, 0], removed[n_removed, 1] = tried, int(bit)
                n_removed += 1
                last = position
                if settle(tried, now[tried] & ~(_ONE << bit), now, done, stack, peers, starts, units) < 0:
                    return n_removed
        if last < 0 and position == n_cells * n_values - 1:
            return -1
        position = (position + 1) % (n_cells * n_values)
        if position == last:
            return -1
