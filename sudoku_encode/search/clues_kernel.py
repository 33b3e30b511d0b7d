"""The propagators of counts of values, and of clues along lines, compiled; see `propagators_kernel` for their rules.

Each reads its cells as they are, where an automaton of them would have thousands of transitions.
"""

from sudoku_encode.puzzles.arrays import Int64s, Uint32s
from sudoku_encode.run.compiling import bit_count, inlined, lowest
from sudoku_encode.search.any_kernel import Changes
from sudoku_encode.search.propagators_kernel import drop_from_common_peers, keep
from sudoku_encode.search.state import AnyState, Propagators

# How often values occur in cells, see COUNTS in `state`.


@inlined
def _possible(
    masks: Int64s, cells: Uint32s, start: int, data: Int64s, groups: tuple[int, int], values: int
) -> tuple[int, int]:
    """Return how many cells hold one of some values, and how many cells, or groups for one value, can hold one."""
    # `groups`: the range in `data` of where the groups of differing cells begin.
    low = high = 0
    first, last = groups
    is_single = values & (values - 1) == 0
    for group in range(first, last):
        n_places = 0
        for index in range(start + data[group], start + data[group + 1]):
            mask = masks[cells[index]]
            if mask & values:
                n_places += 1
                low += mask & ~values == 0
        high += min(n_places, 1) if is_single else n_places
    return low, high


@inlined
def _fill(
    state: AnyState, tables: Propagators, start: int, groups: tuple[int, int], values: int, changes: Changes
) -> Changes:
    """Keep values in all cells, or for one value in each group with one place, since all that can hold them must."""
    queued, n_dirty, trail = changes
    first, last = groups
    is_single = values & (values - 1) == 0
    for group in range(first, last):
        n_places, only = 0, start
        for index in range(start + tables.data[group], start + tables.data[group + 1]):
            if state.masks[tables.cells[index]] & values:
                n_places += 1
                only = index
                if not is_single:
                    queued, n_dirty, trail = keep(state, tables.cells[index], values, queued, n_dirty, trail)
        if is_single and n_places == 1:
            queued, n_dirty, trail = keep(state, tables.cells[only], values, queued, n_dirty, trail)
        if is_single and n_places > 0 and queued >= 0 and len(tables.near):
            span = start + tables.data[group], start + tables.data[group + 1]
            queued, n_dirty, trail = drop_from_common_peers(
                state, tables, tables.cells, span, values, (queued, n_dirty, trail)
            )
    return queued, n_dirty, trail


@inlined
def counts(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the candidates with which each value occurs an allowed number of times and all cells are filled."""
    # `scratch` holds three words for each class of values: how often it can occur, as a set of bits; how many groups
    # can hold it; how many cells the classes before it can fill together, as a set of bits. `which` numbers the
    # classes, whose values begin at `classes` in `data`.
    start, end, place = tables.starts[number], tables.starts[number + 1], tables.places[number]
    n_groups, n_classes = tables.data[place], tables.data[place + 1]
    groups, classes = (place + 2, place + 2 + n_groups), place + 3 + n_groups
    scratch = tables.scratch
    reached = 1
    for which in range(n_classes):
        values = tables.data[classes + 2 * which]
        low, high = _possible(state.masks, tables.cells, start, tables.data, groups, values)
        rest = tables.data[classes + 2 * which + 1] & (1 << high + 1) - 1 & ~((1 << low) - 1)
        scratch[3 * which], scratch[3 * which + 1], scratch[3 * which + 2] = rest, high, reached
        after = 0
        while rest:
            after |= reached << lowest(rest)
            rest &= rest - 1
        reached = after & (2 << end - start) - 1
    good = reached & 1 << end - start
    if good == 0:
        return -1, n_dirty, trail
    which = n_classes
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
    for which in range(n_classes):
        values, amounts, high = tables.data[classes + 2 * which], scratch[3 * which], scratch[3 * which + 1]
        low, _ = _possible(state.masks, tables.cells, start, tables.data, groups, values)
        if amounts >> low == 1:
            # No more cell can be filled.
            for index in range(start, end):
                if state.masks[tables.cells[index]] & ~values:
                    queued, n_dirty, trail = keep(state, tables.cells[index], ~values, queued, n_dirty, trail)
        elif amounts & (1 << high) - 1 == 0:
            # Every group that can hold the value must.
            queued, n_dirty, trail = _fill(state, tables, start, groups, values, (queued, n_dirty, trail))
    return queued, n_dirty, trail


@inlined
def same_counts(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the candidates with which each value can occur as often in all parts."""
    # `scratch` holds for each value the least and the most times that it can occur in a part.
    start, place, scratch, n = tables.starts[number], tables.places[number], tables.scratch, state.units.shape[1]
    n_parts, size = tables.data[place], tables.data[place + 1]
    parts = place + 2
    least = most = 0
    for value in range(n):
        low, high = 0, size
        for part in range(n_parts):
            groups = (place + tables.data[parts + part], place + tables.data[parts + part + 1])
            fewest, greatest = _possible(state.masks, tables.cells, start, tables.data, groups, 1 << value)
            low, high = max(low, fewest), min(high, greatest)
        if low > high:
            return -1, n_dirty, trail
        scratch[2 * value], scratch[2 * value + 1] = low, high
        least += low
        most += high
    if not least <= size <= most:
        return -1, n_dirty, trail
    for value in range(n):
        bit = 1 << value
        # All values together fill the cells of a part.
        low = max(scratch[2 * value], size - most + scratch[2 * value + 1])
        high = min(scratch[2 * value + 1], size - least + scratch[2 * value])
        for part in range(n_parts):
            groups = (place + tables.data[parts + part], place + tables.data[parts + part + 1])
            fewest, greatest = _possible(state.masks, tables.cells, start, tables.data, groups, bit)
            if fewest > high or greatest < low:
                return -1, n_dirty, trail
            if fewest == high:
                for index in range(start + tables.data[groups[0]], start + tables.data[groups[1]]):
                    cell = tables.cells[index]
                    if state.masks[cell] != bit:
                        queued, n_dirty, trail = keep(state, cell, ~bit, queued, n_dirty, trail)
            elif greatest == low:
                queued, n_dirty, trail = _fill(state, tables, start, groups, bit, (queued, n_dirty, trail))
        if queued < 0:
            break
    return queued, n_dirty, trail


@inlined
def each_class(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep values of some classes alone in the cells that can hold them, if these are as many as the classes."""
    start, end, place = tables.starts[number], tables.starts[number + 1], tables.places[number]
    for which in range(tables.data[place]):
        values, n_classes = tables.data[place + 1 + 2 * which], tables.data[place + 2 + 2 * which]
        n_places = 0
        for index in range(start, end):
            n_places += state.masks[tables.cells[index]] & values != 0
        if n_places < n_classes:
            return -1, n_dirty, trail
        if n_classes == 1 and values & (values - 1) == 0 and len(tables.near):
            queued, n_dirty, trail = drop_from_common_peers(
                state, tables, tables.cells, (start, end), values, (queued, n_dirty, trail)
            )
        if n_places == n_classes:
            for index in range(start, end):
                if state.masks[tables.cells[index]] & values:
                    queued, n_dirty, trail = keep(state, tables.cells[index], values, queued, n_dirty, trail)
    return queued, n_dirty, trail


# Clues along a line.


@inlined
def indexed_line(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep in a cell of a line the places where its own place can be written, and this place only there."""
    start, place, n = tables.starts[number], tables.data[tables.places[number]], state.units.shape[1]
    cell, bit = tables.cells[start + place], 1 << place
    possible, written = bit, -1
    for other in range(n):
        mask = state.masks[tables.cells[start + other]]
        if other != place and mask & bit:
            possible |= 1 << other
            if mask == bit:
                written &= 1 << other
    queued, n_dirty, trail = keep(state, cell, possible & written, queued, n_dirty, trail)
    if queued < 0:
        return queued, n_dirty, trail
    mask = state.masks[cell]
    for other in range(n):
        if other != place:
            if not mask >> other & 1:
                queued, n_dirty, trail = keep(state, tables.cells[start + other], ~bit, queued, n_dirty, trail)
            elif mask & (mask - 1) == 0:
                queued, n_dirty, trail = keep(state, tables.cells[start + other], bit, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def equal_where(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Make a cell equal the second cell of a pair if the first is decided; else decide what the first cannot hold."""
    start, bit = tables.starts[number], tables.data[tables.places[number]]
    own = tables.cells[start]
    for index in range(start + 1, tables.starts[number + 1], 2):
        first, second = tables.cells[index], tables.cells[index + 1]
        mask, common = state.masks[first], state.masks[own] & state.masks[second]
        if mask == bit:
            queued, n_dirty, trail = keep(state, own, common, queued, n_dirty, trail)
            queued, n_dirty, trail = keep(state, second, common, queued, n_dirty, trail)
        elif mask & bit and common == 0:
            queued, n_dirty, trail = keep(state, first, ~bit, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def visible(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values with which an allowed number of cells are greater than all before them."""
    # `scratch` holds for each cell and each greatest value of those before it the numbers of cells seen so far, as
    # bits; after them the same, from which the end can be reached, for two cells in turn.
    start, end, place, scratch = tables.starts[number], tables.starts[number + 1], tables.places[number], tables.scratch
    allowed, differ = tables.data[place], tables.data[place + 1]
    size, width = end - start, state.units.shape[1] + 1
    scratch[:width] = 0
    scratch[0] = 1
    for index in range(size):
        mask = state.masks[tables.cells[start + index]]
        current, after = index * width, (index + 1) * width
        lower = 0
        for height in range(width):
            seen = scratch[current + height]
            # The value `height` is hidden behind an equal one.
            hidden = mask & (1 << height - differ) - 1 if height else 0
            reached = seen if hidden else 0
            if height and mask >> height - 1 & 1:
                reached |= lower << 1
            # So many cells that differ do not fit below.
            scratch[after + height] = 0 if differ and height <= index else reached
            lower |= seen
    turn = (size + 1) * width
    for height in range(width):
        scratch[turn + height] = scratch[size * width + height] & allowed
    index = size
    while index > 0 and queued >= 0:
        index -= 1
        cell = tables.cells[start + index]
        mask = state.masks[cell]
        current, before = index * width, (size + 1) * width + width * ((size - index) % 2)
        lower = values = 0
        for height in range(1, width):
            lower |= scratch[current + height - 1]
            if mask >> height - 1 & 1 and lower << 1 & scratch[turn + height]:
                values |= 1 << height - 1
        higher = 0
        height = width
        while height > 0:
            height -= 1
            seen = scratch[current + height]
            hidden = mask & (1 << height - differ) - 1 if height else 0
            good = scratch[turn + height]
            if hidden and seen & good:
                values |= hidden
            scratch[before + height] = seen & (higher | (good if hidden else 0))
            if height and mask >> height - 1 & 1:
                higher |= good >> 1
        turn = before
        queued, n_dirty, trail = keep(state, cell, values, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def cut_line(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values with which a line, or a loop, can be cut into pieces of a sum."""
    # For each sum before the opening of a loop `scratch` gets the sums of the current piece before each cell, as bits;
    # after them the values that are possible.
    start, end, place, scratch = tables.starts[number], tables.starts[number + 1], tables.places[number], tables.scratch
    total, n_openings = tables.data[place], tables.data[place + 1]
    size, fitting = end - start, (1 << total) - 1
    scratch[size : 2 * size] = 0
    for opening in range(n_openings):
        amounts = 1 << opening
        for index in range(size):
            scratch[index] = amounts
            rest = state.masks[tables.cells[start + index]] & fitting
            after = 0
            while rest:
                after |= amounts << lowest(rest) + 1
                rest &= rest - 1
            # A piece that is complete is followed by one of 0.
            amounts = after & fitting | after >> total & 1
        good = amounts & 1 << opening
        index = size
        while index > 0 and good:
            index -= 1
            good = good & ~1 | (good & 1) << total
            rest = state.masks[tables.cells[start + index]] & fitting
            before = 0
            while rest:
                from_here = good >> lowest(rest) + 1 & scratch[index]
                if from_here:
                    before |= from_here
                    scratch[size + index] |= rest & -rest
                rest &= rest - 1
            good = before
    for index in range(size):
        queued, n_dirty, trail = keep(state, tables.cells[start + index], scratch[size + index], queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def sum_between(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values with which the cells between two ends hold one of some sets of values."""
    # `scratch` gets the values that are possible in each cell, and after them the candidates.
    start, end, place = tables.starts[number], tables.starts[number + 1], tables.places[number]
    size, scratch = end - start, tables.scratch
    for index in range(size):
        scratch[index] = 0
        scratch[size + index] = state.masks[tables.cells[start + index]]
    for pair in range(tables.data[place]):
        first, last, others = place + 2 + 3 * pair, place + 3 + 3 * pair, tables.data[place + 4 + 3 * pair]
        firsts = lasts = only_ends = 0
        for index in range(size):
            mask = scratch[size + index]
            if mask & tables.data[first]:
                firsts |= 1 << index
            if mask & tables.data[last]:
                lasts |= 1 << index
            if mask & others == 0:
                only_ends |= 1 << index
        while firsts:
            begin = lowest(firsts)
            firsts &= firsts - 1
            rest = lasts & ~((2 << begin) - 1)
            while rest:
                close = lowest(rest)
                rest &= rest - 1
                if only_ends & ~(1 << begin | 1 << close) == 0 and _fits(tables, place, size, begin, close, others):
                    scratch[begin] |= tables.data[first]
                    scratch[close] |= tables.data[last]
    for index in range(size):
        queued, n_dirty, trail = keep(state, tables.cells[start + index], scratch[index], queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def _fits(tables: Propagators, place: int, size: int, begin: int, close: int, others: int) -> bool:
    """Add the values that the other cells can have between and beside two ends, and return whether they can."""
    scratch = tables.scratch
    starts = place + 2 + 3 * tables.data[place] + close - begin - 1
    all_inside = all_outside = 0
    for index in range(size):
        if begin < index < close:
            all_inside |= scratch[size + index]
        elif index not in (begin, close):
            all_outside |= scratch[size + index]
    # Whether these cells need all values.
    needed = others if bit_count(others) == size - 2 else 0
    fits = False
    for which in range(place + tables.data[starts], place + tables.data[starts + 1]):
        inside = tables.data[which]
        outside = others & ~inside
        if inside & ~(all_inside & others) or needed & outside & ~all_outside:
            continue
        index = 0
        while index < size and (
            index in (begin, close) or scratch[size + index] & (inside if begin < index < close else outside)
        ):
            index += 1
        if index < size:
            continue
        fits = True
        for index in range(size):
            if index not in (begin, close):
                scratch[index] |= inside if begin < index < close else outside
    return fits
