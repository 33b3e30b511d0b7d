"""The propagators of all kinds, compiled; see RELATION and those after it in `state` for their numbers.

Each is sound: it removes only candidates that no solution has. On cells with one candidate each it decides exactly,
even if a cell occurs several times. Each returns `Changes`.
"""

from sudoku_encode.puzzles.arrays import Int64s, Uint32s
from sudoku_encode.run.compiling import bit_count, inlined, lowest
from sudoku_encode.search.any_kernel import Changes, mark
from sudoku_encode.search.state import AnyState, Propagators


@inlined
def keep(state: AnyState, cell: int, mask: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the candidates of a cell that are in a mask."""
    old = state.masks[cell]
    new = old & mask
    if new != old and queued >= 0:
        if new == 0:
            return -1, n_dirty, trail
        state.trail_cells[trail] = cell
        state.trail_masks[trail] = old
        trail += 1
        state.masks[cell] = new
        n_dirty = mark(cell, state.units_of_cell, state.marked, state.dirty, n_dirty)
        if new & (new - 1) == 0:
            state.queue[queued] = cell
            queued += 1
    return queued, n_dirty, trail


@inlined
def relation(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values of two cells that are allowed with a value of the other one."""
    start, place = tables.starts[number], tables.places[number]
    for way in range(2):
        first, second = tables.cells[start + way], tables.cells[start + 1 - way]
        other_mask = state.masks[second]
        rest = state.masks[first]
        reached = 0
        while rest:
            reached |= tables.data[place + lowest(rest)]
            if reached & other_mask == other_mask:
                break
            rest &= rest - 1
        queued, n_dirty, trail = keep(state, second, reached, queued, n_dirty, trail)
        place += state.units.shape[1]
    return queued, n_dirty, trail


@inlined
def clause(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Make the clause hold in the last cell that still can."""
    last = -1
    for index in range(tables.starts[number], tables.starts[number + 1]):
        mask, clause_values = state.masks[tables.cells[index]], tables.factors[index]
        if mask & clause_values:
            if last >= 0 or mask & ~clause_values == 0:
                return queued, n_dirty, trail
            last = index
    if last < 0:
        return -1, n_dirty, trail
    return keep(state, tables.cells[last], tables.factors[last], queued, n_dirty, trail)


@inlined
def sets(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values of the sets that the cells can still hold, and assign values with one place among the cells."""
    start, end, place = tables.starts[number], tables.starts[number + 1], tables.places[number]
    candidates = decided = 0
    for index in range(start, end):
        mask = state.masks[tables.cells[index]]
        candidates |= mask
        if mask & (mask - 1) == 0:
            decided |= mask
    possible, common = 0, -1
    for other in range(place + 1, place + 1 + tables.data[place]):
        values = tables.data[other]
        if values & ~candidates == 0 and decided & ~values == 0:
            for index in range(start, end):
                if state.masks[tables.cells[index]] & values == 0:
                    break
            else:
                possible |= values
                common &= values
    if possible == 0:
        return -1, n_dirty, trail
    once = twice = 0
    for index in range(start, end):
        mask = state.masks[tables.cells[index]] & possible
        twice |= once & mask
        once |= mask
    once &= common & ~twice
    for index in range(start, end):
        cell = tables.cells[index]
        only = state.masks[cell] & once
        queued, n_dirty, trail = keep(state, cell, only if only else possible, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def _amounts(state: AnyState, tables: Propagators, first: int, last: int, begin: int, most: int) -> int:
    """Return the amounts that a part can have; write those before each of its cells to `scratch`."""
    reached = begin
    n = state.units.shape[1]
    for index in range(first, last):
        tables.scratch[index - first] = reached
        rest, factor = state.masks[tables.cells[index]], tables.factors[index]
        after = 0
        while rest:
            value = lowest(rest)
            rest &= rest - 1
            step = factor * value if factor > 0 else -factor * (n - 1 - value)
            if step <= 62:
                after |= (reached << step) & most
        reached = after
    return reached


@inlined
def sums(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values by which all parts can add up to the same amount, part by part."""
    start, place = tables.starts[number], tables.places[number]
    n_parts, common, most = tables.data[place], tables.data[place + 1], tables.data[place + 2]
    begins, ends = place + 3, place + 3 + n_parts
    n = state.units.shape[1]
    for part in range(n_parts):
        first, last = start + tables.data[ends + part], start + tables.data[ends + part + 1]
        common &= _amounts(state, tables, first, last, tables.data[begins + part], most)
    if common == 0:
        return -1, n_dirty, trail
    for part in range(n_parts):
        first, last = start + tables.data[ends + part], start + tables.data[ends + part + 1]
        good = common
        if n_parts > 1:
            good &= _amounts(state, tables, first, last, tables.data[begins + part], most)
        index = last
        while index > first and queued >= 0:
            index -= 1
            cell, factor, reached = tables.cells[index], tables.factors[index], tables.scratch[index - first]
            rest = state.masks[cell]
            values = before = 0
            while rest:
                value = lowest(rest)
                step = factor * value if factor > 0 else -factor * (n - 1 - value)
                if step <= 62:
                    from_here = (good >> step) & reached
                    if from_here:
                        before |= from_here
                        values |= rest & -rest
                rest &= rest - 1
            good = before
            queued, n_dirty, trail = keep(state, cell, values, queued, n_dirty, trail)
    return queued, n_dirty, trail


# Counts of values among cells, see COUNTS in `state`.


@inlined
def _possible(masks: Int64s, cells: Uint32s, data: Int64s, start: int, place: int, bit: int) -> tuple[int, int]:
    """Return how many cells hold a value, and how many groups of differing cells have a cell that can hold it."""
    low = high = 0
    for group in range(place + 2, place + 2 + data[place]):
        can_hold = False
        for index in range(start + data[group], start + data[group + 1]):
            mask = masks[cells[index]]
            if mask & bit:
                can_hold = True
                if mask == bit:
                    low += 1
        high += can_hold
    return low, high


@inlined
def counts(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the candidates with which each value comes one of its allowed numbers of times, and all cells are filled."""
    # `scratch` holds three words for each value: how often it can come; in how many groups; in how many cells all
    # values before it can be, as bits.
    start, end, place = tables.starts[number], tables.starts[number + 1], tables.places[number]
    n_groups, n_values = tables.data[place], tables.data[place + 1]
    values = place + 3 + n_groups
    scratch = tables.scratch
    reached = 1
    for which in range(n_values):
        bit = tables.data[values + 2 * which]
        low, high = _possible(state.masks, tables.cells, tables.data, start, place, bit)
        rest = tables.data[values + 2 * which + 1] & (1 << high + 1) - 1 & ~((1 << low) - 1)
        scratch[3 * which], scratch[3 * which + 1], scratch[3 * which + 2] = rest, high, reached
        after = 0
        while rest:
            after |= reached << lowest(rest)
            rest &= rest - 1
        reached = after & (2 << end - start) - 1
    good = reached & 1 << end - start
    if good == 0:
        return -1, n_dirty, trail
    which = n_values
    while which > 0:
        which -= 1
        rest, amounts, before = scratch[3 * which], 0, 0
        while rest:
            amount = lowest(rest)
            from_here = good >> amount & scratch[3 * which + 2]
            if from_here:
                before |= from_here
                amounts |= 1 << amount
            rest &= rest - 1
        good = before
        scratch[3 * which] = amounts
    none = 0
    for which in range(n_values):
        bit, amounts, high = tables.data[values + 2 * which], scratch[3 * which], scratch[3 * which + 1]
        low = 0
        for index in range(start, end):
            low += state.masks[tables.cells[index]] == bit
        if amounts >> low == 1:
            none |= bit
        elif amounts & (1 << high) - 1 == 0:
            queued, n_dirty, trail = _fill(state, tables, number, bit, (queued, n_dirty, trail))
    for index in range(start, end):
        mask = state.masks[tables.cells[index]]
        if mask & (mask - 1):
            queued, n_dirty, trail = keep(state, tables.cells[index], ~none, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def _fill(state: AnyState, tables: Propagators, number: int, bit: int, changes: Changes) -> Changes:
    """Assign a value in each group in which it has one place, where every group that can have it must."""
    queued, n_dirty, trail = changes
    start, place = tables.starts[number], tables.places[number]
    for group in range(tables.data[place]):
        places, only = 0, start
        for index in range(start + tables.data[place + 2 + group], start + tables.data[place + 3 + group]):
            if state.masks[tables.cells[index]] & bit:
                places += 1
                only = index
        if places == 1:
            queued, n_dirty, trail = keep(state, tables.cells[only], bit, queued, n_dirty, trail)
    return queued, n_dirty, trail


# Sums within bounds, see BOUNDS in `state`.
#
# For cells that all differ the bounds are closer than the sums of their candidates: two cells that can both hold 1 hold
# at least 3.


@inlined
def _highest(mask: int) -> int:
    """Return the place of the highest bit of a mask that is not 0."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    return bit_count(mask) - 1


@inlined
def _least(firsts: int, free: int) -> int:
    """Return the least sum of cells that differ: each in turn takes the next free value from its smallest on."""
    total = waiting = value = 0
    while firsts or waiting:
        waiting += firsts & 15
        firsts >>= 4
        value += 1
        if waiting and free & 1:
            total += value
            waiting -= 1
        free >>= 1
        if free == 0:
            break
    return total


@inlined
def _most(lasts: int, free: int, n: int) -> int:
    """Return the greatest sum of cells that differ, the other way round."""
    total = waiting = 0
    value = n
    while value > 0:
        value -= 1
        waiting += lasts >> 4 * value & 15
        if waiting and free >> value & 1:
            total += value + 1
            waiting -= 1
    return total


@inlined
def _group(masks: Int64s, cells: Uint32s, first: int, last: int) -> tuple[int, int, int]:
    """Return counts of the smallest and of the greatest candidates of a group's cells, four bits per value, and all."""
    firsts = lasts = candidates = 0
    for index in range(first, last):
        mask = masks[cells[index]]
        firsts += 1 << 4 * lowest(mask)
        lasts += 1 << 4 * _highest(mask)
        candidates |= mask
    return firsts, lasts, candidates


@inlined
def _ends(masks: Int64s, cells: Uint32s, first: int, last: int, factor: int, n: int) -> tuple[int, int]:
    """Return the least and the greatest amount of a group, each cell times its factor."""
    if last - first == 1:
        mask = masks[cells[first]]
        smallest, greatest = lowest(mask) + 1, _highest(mask) + 1
    else:
        firsts, lasts, candidates = _group(masks, cells, first, last)
        smallest, greatest = _least(firsts, candidates), _most(lasts, candidates, n)
    return (factor * smallest, factor * greatest) if factor > 0 else (factor * greatest, factor * smallest)


@inlined
def _keep_between(
    state: AnyState, tables: Propagators, span: tuple[int, int], limits: tuple[int, int], changes: Changes
) -> Changes:
    """Keep the values by which a group can have an amount within limits."""
    (first, last), (low, high) = span, limits
    queued, n_dirty, trail = changes
    factor = tables.factors[first]
    firsts = lasts = candidates = 0
    if last - first > 1:
        firsts, lasts, candidates = _group(state.masks, tables.cells, first, last)
    for index in range(first, last):
        cell = tables.cells[index]
        mask = state.masks[cell]
        least = most = 0
        if last - first > 1:
            # The counts without this cell.
            firsts -= 1 << 4 * lowest(mask)
            lasts -= 1 << 4 * _highest(mask)
            least, most = factor * _least(firsts, candidates), factor * _most(lasts, candidates, state.units.shape[1])
            least, most = min(least, most), max(least, most)
        values, rest = 0, mask
        while rest:
            amount = factor * (lowest(rest) + 1)
            if least + amount <= high and most + amount >= low:
                values |= rest & -rest
            rest &= rest - 1
        queued, n_dirty, trail = keep(state, cell, values, queued, n_dirty, trail)
        if queued < 0:
            break
        if last - first > 1:
            firsts += 1 << 4 * lowest(values)
            lasts += 1 << 4 * _highest(values)
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


# Cells read by an automaton, see AUTOMATON and DISTINCT in `state`.


@inlined
def automaton(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values of transitions on a path from the first state to the last."""
    start, place = tables.starts[number], tables.places[number]
    n_layers = tables.starts[number + 1] - start
    n_states = tables.data[place + n_layers + 1]
    rows = place + n_layers + 2
    moves = rows + n_states + 1
    scratch = tables.scratch
    scratch[:n_states] = 0
    scratch[0] = 1
    for layer in range(n_layers):
        mask = state.masks[tables.cells[start + layer]]
        for node in range(tables.data[place + layer], tables.data[place + layer + 1]):
            if scratch[node]:
                for move in range(moves + tables.data[rows + node], moves + tables.data[rows + node + 1], 2):
                    if tables.data[move] & mask:
                        scratch[tables.data[move + 1]] = 1
    if scratch[n_states - 1] == 0:
        return -1, n_dirty, trail
    # 2 marks a state on a path from the first to the last.
    scratch[n_states - 1] = 2
    layer = n_layers
    while layer > 0 and queued >= 0:
        layer -= 1
        cell = tables.cells[start + layer]
        mask = state.masks[cell]
        values = 0
        for node in range(tables.data[place + layer], tables.data[place + layer + 1]):
            if scratch[node]:
                good = 0
                for move in range(moves + tables.data[rows + node], moves + tables.data[rows + node + 1], 2):
                    if tables.data[move] & mask and scratch[tables.data[move + 1]] == 2:
                        good |= tables.data[move]
                if good:
                    scratch[node] = 2
                    values |= good
        queued, n_dirty, trail = keep(state, cell, values, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def distinct(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values on paths of an automaton that have no value twice, where the cells differ."""
    # `scratch` holds, at the place of each set of values that the first cells can hold, the states reached by it as
    # bits; after them the sets of all layers, and where those of each layer begin.
    start, place = tables.starts[number], tables.places[number]
    n_layers = tables.starts[number + 1] - start
    rows = place + n_layers + 2
    moves = rows + tables.data[place + n_layers + 1] + 1
    scratch = tables.scratch
    size = 1 << state.units.shape[1]
    begins = 2 * size
    scratch[:size] = 0
    scratch[0] = 1
    scratch[size] = 0
    scratch[begins] = size
    end = size + 1
    for layer in range(n_layers):
        mask = state.masks[tables.cells[start + layer]]
        first, following = tables.data[place + layer], tables.data[place + layer + 1]
        scratch[begins + layer + 1] = end
        for which in range(scratch[begins + layer], scratch[begins + layer + 1]):
            used = scratch[which]
            free = mask & ~used
            rest = scratch[used]
            while rest and free:
                node = first + lowest(rest)
                rest &= rest - 1
                for move in range(moves + tables.data[rows + node], moves + tables.data[rows + node + 1], 2):
                    bit = tables.data[move]
                    if bit & free:
                        if scratch[used | bit] == 0:
                            scratch[end] = used | bit
                            end += 1
                        scratch[used | bit] |= 1 << tables.data[move + 1] - following
    if scratch[begins + n_layers] == end:
        return -1, n_dirty, trail
    layer = n_layers
    while layer > 0 and queued >= 0:
        layer -= 1
        cell = tables.cells[start + layer]
        mask = state.masks[cell]
        first, following = tables.data[place + layer], tables.data[place + layer + 1]
        values = 0
        for which in range(scratch[begins + layer], scratch[begins + layer + 1]):
            used = scratch[which]
            free = mask & ~used
            rest = scratch[used]
            good = 0
            while rest and free:
                state_bit = rest & -rest
                node = first + lowest(rest)
                rest &= rest - 1
                for move in range(moves + tables.data[rows + node], moves + tables.data[rows + node + 1], 2):
                    bit = tables.data[move]
                    if bit & free and scratch[used | bit] >> tables.data[move + 1] - following & 1:
                        values |= bit
                        good |= state_bit
            scratch[used] = good
        queued, n_dirty, trail = keep(state, cell, values, queued, n_dirty, trail)
    return queued, n_dirty, trail
