"""The propagators of regions to be found, connected cells and runs, compiled; see `propagators_kernel`."""

from sudoku_encode.run.compiling import inlined, lowest, subroutine
from sudoku_encode.search.any_kernel import Changes
from sudoku_encode.search.propagators_kernel import keep
from sudoku_encode.search.state import AnyState, Propagators

# In place of a number of steps: a cell that is not reached, and one that was looked at again.
_UNREACHED, _SEEN = -1, -2
# In place of the only cell by which a group of cells can grow: there is no such cell, or there are several.
_NONE, _SEVERAL = -1, -2


@subroutine
def runs(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values with which the control cell is the total length of the arms."""
    # `scratch` holds the least and the greatest length of each arm, and then the values that each cell can keep.
    start, end, place = tables.starts[number], tables.starts[number + 1], tables.places[number]
    masks, cells, data, scratch = state.masks, tables.cells, tables.data, tables.scratch
    offset, n_arms = data[place], data[place + 1]
    room = 2 * n_arms - start
    for index in range(start, end):
        scratch[room + index] = 0
    control, first = cells[start], cells[start + 1]
    rest = masks[first]
    while rest:
        bit = rest & -rest
        rest ^= bit
        low, high = _lengths(masks, tables, start, place, bit)
        fitting, values = 0, masks[control]
        least = most = 0
        while values:
            value = lowest(values) + 1 + offset
            if low <= value <= high:
                fitting |= values & -values
                most = value
                if least == 0:
                    least = value
            values &= values - 1
        if fitting == 0:
            continue
        scratch[room + start] |= fitting
        scratch[room + start + 1] |= bit
        for arm in range(n_arms):
            begin = start + data[place + 2 + arm]
            shortest = max(scratch[2 * arm], least - high + scratch[2 * arm + 1])
            longest = min(scratch[2 * arm + 1], most - low + scratch[2 * arm])
            for index in range(begin, start + data[place + 3 + arm]):
                mask = masks[cells[index]]
                if index < begin + shortest:
                    mask = bit
                elif index == begin + shortest and shortest == longest:
                    mask &= ~bit
                scratch[room + index] |= mask
    for index in range(start, end):
        queued, n_dirty, trail = keep(state, cells[index], scratch[room + index], queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def _lengths(masks, tables, start, place, bit):  # type: ignore[no-untyped-def]
    """Return the least and the greatest total if the first cell has a value; write those of the arms to `scratch`."""
    cells, data = tables.cells, tables.data
    low = high = 1
    for arm in range(data[place + 1]):
        begin, end = start + data[place + 2 + arm], start + data[place + 3 + arm]
        index = begin
        while index < end and masks[cells[index]] == bit:
            index += 1
        shortest = index - begin
        while index < end and masks[cells[index]] & bit:
            index += 1
        tables.scratch[2 * arm], tables.scratch[2 * arm + 1] = shortest, index - begin
        low += shortest
        high += index - begin
    return low, high


@subroutine
def connected(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values with which the cells that hold a value of the set are connected."""
    place = tables.places[number]
    values, least, most = tables.data[place], tables.data[place + 1], tables.data[place + 2]
    return _connect(state, tables, (number, place + 3), (values, least, most), (queued, n_dirty, trail))


@subroutine
def _connect(
    state: AnyState, tables: Propagators, where: tuple[int, int], group: tuple[int, int, int], changes: Changes
) -> Changes:
    """Keep the values with which the cells that hold a value of a set are connected, and as many as they must be."""
    # `where`: the propagator, and where its number of cells is in `data`, with the table of those that touch after it.
    # `scratch` holds the steps to each cell, and then a list of cells.
    number, place = where
    values, least, most = group
    queued, n_dirty, trail = changes
    start, size = tables.starts[number], tables.data[place]
    masks, cells = state.masks, tables.cells
    n_possible, n_fixed, seed = _count(state, tables, where, values)
    if n_possible < least or n_fixed > most:
        return -1, n_dirty, trail
    if n_fixed == 0:
        return _keep_all(state, tables, where, group, changes) if n_possible == least else changes
    n_reached, n_fixed_reached = _reach(state, tables, where, seed, values, most - n_fixed)
    if n_fixed_reached < n_fixed or n_reached < least:
        return -1, n_dirty, trail
    for index in range(size):
        if tables.scratch[index] == _UNREACHED:
            queued, n_dirty, trail = keep(state, cells[start + index], ~values, queued, n_dirty, trail)
    if n_reached == least:
        return _keep_all(state, tables, where, group, (queued, n_dirty, trail))
    if n_fixed == n_reached:
        return queued, n_dirty, trail
    # Decided cells that are connected need a cell to grow by, if there are others or too few.
    for index in range(size):
        mask = masks[cells[start + index]]
        if tables.scratch[index] != _SEEN and mask & values and mask & ~values == 0 and queued >= 0:
            n_group, only = _grown(state, tables, where, index, values)
            if n_group < max(n_fixed, least):
                if only == _NONE:
                    return -1, n_dirty, trail
                if only >= 0:
                    # The next run sees what follows.
                    return keep(state, cells[start + only], values, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def _count(state: AnyState, tables: Propagators, where: tuple[int, int], values: int) -> tuple[int, int, int]:
    """Return how many cells can hold a value of a set, how many must, and the place of the last of these."""
    number, place = where
    start = tables.starts[number]
    n_possible = n_fixed = 0
    seed = -1
    for index in range(tables.data[place]):
        mask = state.masks[tables.cells[start + index]]
        if mask & values:
            n_possible += 1
            if mask & ~values == 0:
                n_fixed += 1
                seed = index
    return n_possible, n_fixed, seed


@inlined
def _keep_all(
    state: AnyState, tables: Propagators, where: tuple[int, int], group: tuple[int, int, int], changes: Changes
) -> Changes:
    """Keep the values of a set in each cell that can hold one."""
    number, place = where
    queued, n_dirty, trail = changes
    start = tables.starts[number]
    for index in range(tables.data[place]):
        cell = tables.cells[start + index]
        if state.masks[cell] & group[0]:
            queued, n_dirty, trail = keep(state, cell, group[0], queued, n_dirty, trail)
    return queued, n_dirty, trail


@subroutine
def _reach(
    state: AnyState, tables: Propagators, where: tuple[int, int], seed: int, values: int, budget: int
) -> tuple[int, int]:
    """Write the steps to each cell to `scratch`, and return how many cells are reached, and how many are decided."""
    # A step to a cell that is decided costs nothing. The front of the list are the cells of the current number of
    # steps, its end those of the next number.
    number, place = where
    start, size = tables.starts[number], tables.data[place]
    width = tables.data[place + 1]
    masks, cells, scratch = state.masks, tables.cells, tables.scratch
    for index in range(size):
        scratch[index] = _UNREACHED
    scratch[seed], scratch[size] = 0, seed
    n_reached = n_fixed = 1
    head, tail, back = size, size + 1, 2 * size
    steps = 0
    while head < tail:
        while head < tail:
            row = place + 2 + scratch[head] * width
            head += 1
            for column in range(row, row + width):
                other = tables.data[column]
                if other < 0:
                    break
                if scratch[other] != _UNREACHED:
                    continue
                mask = masks[cells[start + other]]
                if mask & values == 0:
                    continue
                if mask & ~values == 0:
                    scratch[other] = steps
                    scratch[tail] = other
                    tail += 1
                    n_fixed += 1
                    n_reached += 1
                elif steps < budget:
                    scratch[other] = steps + 1
                    back -= 1
                    scratch[back] = other
                    n_reached += 1
        head, tail = size, size
        while back < 2 * size:
            scratch[tail] = scratch[back]
            tail += 1
            back += 1
        steps += 1
    return n_reached, n_fixed


@subroutine
def _grown(state: AnyState, tables: Propagators, where: tuple[int, int], seed: int, values: int) -> tuple[int, int]:
    """Return how many decided cells are connected with one, and the only cell by which they can grow."""
    number, place = where
    start, size = tables.starts[number], tables.data[place]
    width = tables.data[place + 1]
    masks, cells, scratch = state.masks, tables.cells, tables.scratch
    scratch[seed], scratch[size] = _SEEN, seed
    head, tail, only = size, size + 1, _NONE
    while head < tail:
        row = place + 2 + scratch[head] * width
        head += 1
        for column in range(row, row + width):
            other = tables.data[column]
            if other < 0:
                break
            mask = masks[cells[start + other]]
            if mask & values == 0:
                continue
            if mask & ~values == 0:
                if scratch[other] != _SEEN:
                    scratch[other] = _SEEN
                    scratch[tail] = other
                    tail += 1
            elif only != other:
                only = other if only == _NONE else _SEVERAL
    return tail - size, only


@subroutine
def regions(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values and the numbers of regions with which regions are connected and have each value once."""
    # The cells of the propagator are those of the numbers, and then those of the values.
    start, place = tables.starts[number], tables.places[number]
    n_regions, size = tables.data[place], tables.data[place + 1]
    masks, cells = state.masks, tables.cells
    n = state.units.shape[1]
    # Regions begin in the order of their numbers.
    allowed = 1
    for index in range(start, start + size):
        cell = cells[index]
        queued, n_dirty, trail = keep(state, cell, allowed, queued, n_dirty, trail)
        if queued < 0:
            return queued, n_dirty, trail
        allowed |= masks[cell] << 1
    for region in range(n_regions):
        bit = 1 << region
        queued, n_dirty, trail = _values(state, tables, number, bit, (queued, n_dirty, trail))
        if queued >= 0:
            group = bit, n, n
            queued, n_dirty, trail = _connect(state, tables, (number, place + 1), group, (queued, n_dirty, trail))
        if queued < 0:
            return queued, n_dirty, trail
    return queued, n_dirty, trail


@subroutine
def _values(state: AnyState, tables: Propagators, number: int, bit: int, changes: Changes) -> Changes:
    """Keep the values and the numbers of one region, which has each value once."""
    queued, n_dirty, trail = changes
    start, size = tables.starts[number], tables.data[tables.places[number] + 1]
    masks, cells = state.masks, tables.cells
    used = once = twice = 0
    for index in range(start, start + size):
        label = masks[cells[index]]
        if label & bit:
            mask = masks[cells[index + size]]
            twice |= once & mask
            once |= mask
            if label == bit and mask & (mask - 1) == 0:
                if used & mask:
                    return -1, n_dirty, trail
                used |= mask
    if once != state.every[0]:
        return -1, n_dirty, trail
    only = once & ~twice
    for index in range(start, start + size):
        label_cell, cell = cells[index], cells[index + size]
        label, mask = masks[label_cell], masks[cell]
        if label & bit == 0:
            continue
        if mask & only:
            queued, n_dirty, trail = keep(state, label_cell, bit, queued, n_dirty, trail)
            queued, n_dirty, trail = keep(state, cell, mask & only, queued, n_dirty, trail)
        elif label == bit:
            if mask & (mask - 1):
                queued, n_dirty, trail = keep(state, cell, ~used, queued, n_dirty, trail)
        elif mask & ~used == 0:
            queued, n_dirty, trail = keep(state, label_cell, ~bit, queued, n_dirty, trail)
    return queued, n_dirty, trail
