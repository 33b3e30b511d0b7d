"""The propagator that keeps sums within bounds, compiled, see BOUNDS in `constrained_state`.

Of cells that all differ the bounds are closer than what their candidates add up to: two cells that both can hold 1 hold
3 at least.
"""

from sudoku_encode.puzzles.arrays import Int64s, Uint32s
from sudoku_encode.run.compiling import inlined, lowest, ones
from sudoku_encode.search.constrained_state import Propagators
from sudoku_encode.search.propagators_kernel import Changes, keep
from sudoku_encode.search.state import AnyState


@inlined
def _highest(mask: int) -> int:
    """Return the place of the highest bit of a mask that is not 0."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    return ones(mask) - 1


@inlined
def _least(firsts: int, held: int) -> int:
    """Return the least that cells that differ add up to: each in turn takes the next value from its smallest on."""
    total = waiting = value = 0
    while firsts or waiting:
        waiting += firsts & 15
        firsts >>= 4
        value += 1
        if waiting and held & 1:
            total += value
            waiting -= 1
        held >>= 1
        if held == 0:
            break
    return total


@inlined
def _most(lasts: int, held: int, n: int) -> int:
    """Return the greatest, the other way round."""
    total = waiting = 0
    value = n
    while value > 0:
        value -= 1
        waiting += lasts >> 4 * value & 15
        if waiting and held >> value & 1:
            total += value + 1
            waiting -= 1
    return total


@inlined
def _group(masks: Int64s, cells: Uint32s, first: int, last: int) -> tuple[int, int, int]:
    """Return of the cells of a group the smallest and the greatest candidates, four bits a value, and all of them."""
    firsts = lasts = held = 0
    for at in range(first, last):
        mask = masks[cells[at]]
        firsts += 1 << 4 * lowest(mask)
        lasts += 1 << 4 * _highest(mask)
        held |= mask
    return firsts, lasts, held


@inlined
def _ends(masks: Int64s, cells: Uint32s, first: int, last: int, factor: int, n: int) -> tuple[int, int]:
    """Return the least and the greatest amount of a group, each cell times its factor."""
    if last - first == 1:
        mask = masks[cells[first]]
        smallest, greatest = lowest(mask) + 1, _highest(mask) + 1
    else:
        firsts, lasts, held = _group(masks, cells, first, last)
        smallest, greatest = _least(firsts, held), _most(lasts, held, n)
    return (factor * smallest, factor * greatest) if factor > 0 else (factor * greatest, factor * smallest)


@inlined
def _keep_between(
    state: AnyState, tables: Propagators, span: tuple[int, int], limits: tuple[int, int], changes: Changes
) -> Changes:
    """Keep the values by which a group can have an amount within limits."""
    (first, last), (low, high) = span, limits
    queued, n_dirty, trail = changes
    factor = tables.factors[first]
    firsts = lasts = held = 0
    if last - first > 1:
        firsts, lasts, held = _group(state.masks, tables.cells, first, last)
    for at in range(first, last):
        cell = tables.cells[at]
        mask = state.masks[cell]
        least = most = 0
        if last - first > 1:
            # What the others have.
            firsts -= 1 << 4 * lowest(mask)
            lasts -= 1 << 4 * _highest(mask)
            least, most = factor * _least(firsts, held), factor * _most(lasts, held, state.units.shape[1])
            least, most = min(least, most), max(least, most)
        kept, left = 0, mask
        while left:
            amount = factor * (lowest(left) + 1)
            if least + amount <= high and most + amount >= low:
                kept |= left & -left
            left &= left - 1
        queued, n_dirty, trail = keep(state, cell, kept, queued, n_dirty, trail)
        if queued < 0:
            break
        if last - first > 1:
            firsts += 1 << 4 * lowest(kept)
            lasts += 1 << 4 * _highest(kept)
    return queued, n_dirty, trail


@inlined
def bounds(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values by which all parts can add up to amounts within the same bounds."""
    start, place, scratch = tables.starts[number], tables.places[number], tables.scratch
    n_parts, low, high = tables.data[place], tables.data[place + 1], tables.data[place + 2]
    parts = place + 3
    groups, n_groups = parts + n_parts + 1, tables.data[parts + n_parts]
    n = state.units.shape[1]
    # The least and the greatest amount of each group, and after them those of each part.
    for part in range(n_parts):
        least = most = 0
        for group in range(tables.data[parts + part], tables.data[parts + part + 1]):
            first, last = start + tables.data[groups + group], start + tables.data[groups + group + 1]
            smallest, greatest = _ends(state.masks, tables.cells, first, last, tables.factors[first], n)
            scratch[2 * group], scratch[2 * group + 1] = smallest, greatest
            least += smallest
            most += greatest
        low, high = max(low, least), min(high, most)
        scratch[2 * (n_groups + part)], scratch[2 * (n_groups + part) + 1] = least, most
    if low > high:
        return -1, n_dirty, trail
    for part in range(n_parts):
        least, most = scratch[2 * (n_groups + part)], scratch[2 * (n_groups + part) + 1]
        for group in range(tables.data[parts + part], tables.data[parts + part + 1]):
            # A cell of several parts may have lost candidates since: then less is removed than could be.
            span = start + tables.data[groups + group], start + tables.data[groups + group + 1]
            limits = low - most + scratch[2 * group + 1], high - least + scratch[2 * group]
            queued, n_dirty, trail = _keep_between(state, tables, span, limits, (queued, n_dirty, trail))
            if queued < 0:
                return queued, n_dirty, trail
    return queued, n_dirty, trail
