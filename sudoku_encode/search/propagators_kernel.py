"""What each kind of propagator removes, compiled; `constrained_state` says what their numbers mean.

Each is sound: it removes only what no solution has. And of cells that all have one candidate each decides exactly, also
where a cell comes several times.
"""

from sudoku_encode.run.compiling import inlined, lowest
from sudoku_encode.search.any_kernel import mark
from sudoku_encode.search.constrained_state import Propagators
from sudoku_encode.search.state import AnyState

# What changes while candidates are removed: how many cells are queued (-1 on a contradiction), how many units are
# noted, and the length of the trail.
Changes = tuple[int, int, int]


@inlined
def keep(state: AnyState, cell: int, mask: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Leave a cell those of its candidates that are in a mask."""
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
    """Keep the values of two cells that go with one of the other's."""
    start, place = tables.starts[number], tables.places[number]
    for way in range(2):
        first, second = tables.cells[start + way], tables.cells[start + 1 - way]
        wanted = state.masks[second]
        left = state.masks[first]
        reached = 0
        while left:
            reached |= tables.data[place + lowest(left)]
            if reached & wanted == wanted:
                break
            left &= left - 1
        queued, n_dirty, trail = keep(state, second, reached, queued, n_dirty, trail)
        place += state.units.shape[1]
    return queued, n_dirty, trail


@inlined
def clause(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep what makes the last cell hold that still can."""
    last = -1
    for at in range(tables.starts[number], tables.starts[number + 1]):
        mask, wanted = state.masks[tables.cells[at]], tables.factors[at]
        if mask & wanted:
            if last >= 0 or mask & ~wanted == 0:
                return queued, n_dirty, trail
            last = at
    if last < 0:
        return -1, n_dirty, trail
    return keep(state, tables.cells[last], tables.factors[last], queued, n_dirty, trail)


@inlined
def sets(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values of the sets that the cells can still hold, and fill in what has one place among the cells."""
    start, end, place = tables.starts[number], tables.starts[number + 1], tables.places[number]
    held = decided = 0
    for at in range(start, end):
        mask = state.masks[tables.cells[at]]
        held |= mask
        if mask & (mask - 1) == 0:
            decided |= mask
    some, every = 0, -1
    for other in range(place + 1, place + 1 + tables.data[place]):
        values = tables.data[other]
        if values & ~held == 0 and decided & ~values == 0:
            for at in range(start, end):
                if state.masks[tables.cells[at]] & values == 0:
                    break
            else:
                some |= values
                every &= values
    if some == 0:
        return -1, n_dirty, trail
    once = twice = 0
    for at in range(start, end):
        mask = state.masks[tables.cells[at]] & some
        twice |= once & mask
        once |= mask
    once &= every & ~twice
    for at in range(start, end):
        cell = tables.cells[at]
        only = state.masks[cell] & once
        queued, n_dirty, trail = keep(state, cell, only if only else some, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def _amounts(state: AnyState, tables: Propagators, first: int, last: int, begin: int, most: int) -> int:
    """Return the amounts that a part can have; those after each of its cells are left in `scratch`."""
    reached = begin
    n = state.units.shape[1]
    for at in range(first, last):
        tables.scratch[at - first] = reached
        left, factor = state.masks[tables.cells[at]], tables.factors[at]
        after = 0
        while left:
            value = lowest(left)
            left &= left - 1
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
        at = last
        while at > first and queued >= 0:
            at -= 1
            cell, factor, reached = tables.cells[at], tables.factors[at], tables.scratch[at - first]
            left = state.masks[cell]
            kept = before = 0
            while left:
                value = lowest(left)
                step = factor * value if factor > 0 else -factor * (n - 1 - value)
                if step <= 62:
                    from_here = (good >> step) & reached
                    if from_here:
                        before |= from_here
                        kept |= left & -left
                left &= left - 1
            good = before
            queued, n_dirty, trail = keep(state, cell, kept, queued, n_dirty, trail)
    return queued, n_dirty, trail
