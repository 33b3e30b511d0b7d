"""The propagators of the constraints, compiled: a function for each kind; counts and clues are in `clues_kernel`.

The comment before RELATION in `state` says what each kind means, and what its numbers in `tables.factors` and
`tables.data` are. Here `number` is the number of a propagator, `start` the place of its first cell in `tables.cells`,
and `place` that of its first number in `tables.data`. Masks are sets of values, value 1 as bit 0.

Each propagator is sound: it removes only candidates that no solution has. Once every cell has one candidate, it finds a
contradiction exactly if its constraint is broken, even if a cell occurs several times. Each takes the three numbers of
`Changes`, and returns them as they are afterwards; `queued` is -1 after a contradiction.
"""

from sudoku_encode.puzzles.arrays import Int64s, Uint32s
from sudoku_encode.run.compiling import bit_count, inlined, lowest
from sudoku_encode.search.any_kernel import Changes, mark
from sudoku_encode.search.state import CONFLICTS, FOUND, AnyState, Propagators


@inlined
def keep(state: AnyState, cell: int, mask: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the candidates of a cell that are in a mask, unless there was a contradiction before."""
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
def is_easy(tables: Propagators) -> bool:
    """Return whether most guesses lead to solutions: then it costs more than it saves to look for common peers."""
    return bool(2 * tables.progress[CONFLICTS] < tables.progress[FOUND])


@inlined
def drop_from_common_peers(
    state: AnyState, tables: Propagators, cells: Uint32s, span: tuple[int, int], bit: int, changes: Changes
) -> Changes:
    """Take a value that one of some cells must hold from all cells that differ from each of its places there."""
    # `span`: the range of these cells in `cells`.
    first, last = span
    queued, n_dirty, trail = changes
    for word in range(tables.near.shape[1]):
        common, is_missing = -1, True
        for index in range(first, last):
            if state.masks[cells[index]] & bit:
                common &= tables.near[cells[index], word]
                is_missing = False
        if is_missing:
            return -1, n_dirty, trail
        while common:
            cell = 64 * word + lowest(common)
            common &= common - 1
            queued, n_dirty, trail = keep(state, cell, ~bit, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def relation(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep in each of two cells the values that are allowed with a candidate of the other one."""
    start, place = tables.starts[number], tables.places[number]
    # From the first cell to the second, then back.
    for direction in range(2):
        first, second = tables.cells[start + direction], tables.cells[start + 1 - direction]
        other_mask = state.masks[second]
        rest = state.masks[first]
        allowed = 0
        while rest:
            allowed |= tables.data[place + lowest(rest)]
            if allowed & other_mask == other_mask:
                break
            rest &= rest - 1
        queued, n_dirty, trail = keep(state, second, allowed, queued, n_dirty, trail)
        place += state.units.shape[1]
    return queued, n_dirty, trail


@inlined
def clause(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """If only one cell can still hold one of its values in the clause, keep these values there."""
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
    """Keep the values of sets that are still possible; a value of all these sets with one place is assigned there."""
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
    required = common & ~(decided | once) if len(tables.near) and not is_easy(tables) else 0
    while required and queued >= 0:
        queued, n_dirty, trail = drop_from_common_peers(
            state, tables, tables.cells, (start, end), required & -required, (queued, n_dirty, trail)
        )
        required &= required - 1
    return queued, n_dirty, trail


@inlined
def _amounts(state: AnyState, tables: Propagators, first: int, last: int, begin: int, in_use: int) -> int:
    """Return the set of sums that a part can have; write the set of sums before each of its cells to `scratch`."""
    # `first`, `last`: the range of its cells. `begin`: the sum before the first cell, as a set. `in_use`: the mask of
    # sums that matter. Sets of sums have a bit for each; a step of 63 or more would shift all out of a word.
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
                after |= (reached << step) & in_use
        reached = after
    return reached


@inlined
def sums(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values with which all parts can have the same sum, one of the allowed ones."""
    start, place = tables.starts[number], tables.places[number]
    n_parts, common, in_use = tables.data[place], tables.data[place + 1], tables.data[place + 2]
    # Where the sums before the first cells are in `data`, and where the first cells of the parts.
    begins, cell_starts = place + 3, place + 3 + n_parts
    n = state.units.shape[1]
    for part in range(n_parts):
        first, last = start + tables.data[cell_starts + part], start + tables.data[cell_starts + part + 1]
        common &= _amounts(state, tables, first, last, tables.data[begins + part], in_use)
    if common == 0:
        return -1, n_dirty, trail
    # In each part backwards: `good` are the sums after a cell from which a common sum can be reached.
    for part in range(n_parts):
        first, last = start + tables.data[cell_starts + part], start + tables.data[cell_starts + part + 1]
        good = common
        if n_parts > 1:
            good &= _amounts(state, tables, first, last, tables.data[begins + part], in_use)
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


# Sums within bounds, see BOUNDS in `state`.
#
# Cells of a group differ, which gives closer bounds than adding up their least and their greatest candidates: two cells
# that can both hold 1 have a sum of at least 3.


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
    """Return a lower bound of the sum of cells that differ: each takes the next free value from its smallest on."""
    # `firsts`: for each value, in four bits, how many cells have it as smallest candidate. `free`: all candidates.
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
    """Return an upper bound of the sum of cells that differ: each takes the next free value from its greatest down."""
    # `lasts`: for each value, in four bits, how many cells have it as greatest candidate. `free`: all candidates.
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
    """Return how many cells of a group have each smallest and each greatest candidate, and all their candidates."""
    # The counts have four bits for each value.
    firsts = lasts = candidates = 0
    for index in range(first, last):
        mask = masks[cells[index]]
        firsts += 1 << 4 * lowest(mask)
        lasts += 1 << 4 * _highest(mask)
        candidates |= mask
    return firsts, lasts, candidates


@inlined
def _ends(masks: Int64s, cells: Uint32s, first: int, last: int, factor: int, n: int) -> tuple[int, int]:
    """Return bounds of the sum of a group, times the factor of its cells."""
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
    """Keep the values with which a group can have a sum, times its factor, within limits."""
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
            # Bounds of the other cells: the counts without this one.
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
    """Keep the values with which the sums of all parts can be equal and within the bounds."""
    start, place, scratch = tables.starts[number], tables.places[number], tables.scratch
    n_parts, low, high = tables.data[place], tables.data[place + 1], tables.data[place + 2]
    # Where the first groups of the parts are in `data`, and where the first cells of the groups.
    part_starts = place + 3
    group_starts, n_groups = part_starts + n_parts + 1, tables.data[part_starts + n_parts]
    n = state.units.shape[1]
    # `scratch` gets the bounds of the sum of each group, and after them those of each part.
    for part in range(n_parts):
        least = most = 0
        for group in range(tables.data[part_starts + part], tables.data[part_starts + part + 1]):
            first, last = start + tables.data[group_starts + group], start + tables.data[group_starts + group + 1]
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
        for group in range(tables.data[part_starts + part], tables.data[part_starts + part + 1]):
            # A cell of several parts may have lost candidates since: then these bounds are wider than they could be.
            span = start + tables.data[group_starts + group], start + tables.data[group_starts + group + 1]
            limits = low - most + scratch[2 * group + 1], high - least + scratch[2 * group]
            queued, n_dirty, trail = _keep_between(state, tables, span, limits, (queued, n_dirty, trail))
            if queued < 0:
                return queued, n_dirty, trail
    return queued, n_dirty, trail


# An automaton reads the values of cells in order, see AUTOMATON and DISTINCT in `state`. Layer i holds the states
# before cell i is read. In `data` the list of each state's first transition begins at `rows`, the transitions at
# `moves`.


@inlined
def automaton(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values of transitions on a path from the first state to the last."""
    # `scratch`: for each state 1 if it can be reached from the first one, 2 if the last one can be reached from it too.
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
    """Keep the values on paths of an automaton on which no value occurs twice."""
    # `scratch` holds for each set of values, at that place, the states of a layer that the cells before it reach with
    # these values, as bits; from `size` on the sets of all layers, layer by layer; from `begins` on where the sets of
    # each layer begin.
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
