"""The search with constraints, compiled: singles and propagators until nothing more follows, then a guess.

It is the search of `any_kernel`, but after the singles it runs the propagators whose cells lost candidates, the cheap
ones first.
"""

from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import bit_count, compiled, inlined, lowest
from sudoku_encode.search.any_kernel import Changes, drop_settled, mark, note_open, settle, settle_all, undo
from sudoku_encode.search.clues_kernel import (
    counts,
    cut_line,
    each_class,
    equal_where,
    indexed_line,
    same_counts,
    sum_between,
    visible,
)
from sudoku_encode.search.propagators_kernel import (
    automaton,
    bounds,
    clause,
    distinct,
    drop_from_common_peers,
    is_easy,
    relation,
    sets,
    sums,
)
from sudoku_encode.search.regions_kernel import connected, regions, runs
from sudoku_encode.search.state import (
    AGAIN,
    ASKED,
    AUTOMATON,
    BLAME,
    BOUNDS,
    CLAUSE,
    CONFLICTS,
    CONNECTED,
    COUNTS,
    CUT_LINE,
    DONE,
    EACH_CLASS,
    EARLY,
    EFFORT,
    EQUAL_WHERE,
    FOUND,
    GRID,
    GUESSED,
    GUESSES,
    INDEXED_LINE,
    LATE,
    N_KINDS,
    OPEN_CELLS,
    OPEN_UNITS,
    READY,
    REGIONS,
    RELATION,
    RUNS,
    SAME_COUNTS,
    SETS,
    SUM_BETWEEN,
    SUMS,
    TRAIL,
    VISIBLE,
    WEIGHT,
    AnyState,
    ConstrainedState,
    Propagators,
)

# Before a weight is multiplied by a number of candidates, it has about this many bits at most.
_LARGEST_WEIGHT = 40
# More work than can be done.
_NEVER = 1 << 62
# Cells that can hold the value whose guesses fail most have this share of its weight in addition, in sixteenths.
_VALUE_SHARE = 9


@inlined
def _wait(tables: Propagators, number: int) -> None:
    """Queue a propagator."""
    if not tables.marked[number]:
        tables.marked[number] = True
        kind, size = tables.kinds[number], tables.waiting.shape[1]
        tables.waiting[kind, (tables.rings[0, kind] + tables.rings[1, kind]) % size] = number
        tables.rings[1, kind] += 1


@inlined
def _wait_for(tables: Propagators, cell: int) -> None:
    """Queue the propagators of a cell that are in use."""
    for index in range(tables.user_starts[cell], tables.user_starts[cell + 1]):
        if tables.users[index] >= tables.progress[ASKED]:
            break
        _wait(tables, tables.users[index])


@inlined
def _next(tables: Propagators) -> int:
    """Take the next propagator from the queue, still marked, and return it; -1 if the queue is empty."""
    for kind in range(N_KINDS):
        if tables.rings[1, kind] > 0:
            first = tables.rings[0, kind]
            tables.rings[0, kind] = (first + 1) % tables.waiting.shape[1]
            tables.rings[1, kind] -= 1
            return int(tables.waiting[kind, first])
    return -1


@inlined
def _ask(state: AnyState, tables: Propagators, number: int, trail: int) -> Changes:  # noqa: PLR0912
    """Run a propagator."""
    kind = tables.kinds[number]
    if kind == RELATION:
        return relation(state, tables, number, 0, 0, trail)
    if kind == CLAUSE:
        return clause(state, tables, number, 0, 0, trail)
    if kind == SETS:
        return sets(state, tables, number, 0, 0, trail)
    if kind == SUMS:
        return sums(state, tables, number, 0, 0, trail)
    if kind == BOUNDS:
        return bounds(state, tables, number, 0, 0, trail)
    if kind == INDEXED_LINE:
        return indexed_line(state, tables, number, 0, 0, trail)
    if kind == EQUAL_WHERE:
        return equal_where(state, tables, number, 0, 0, trail)
    if kind == EACH_CLASS:
        return each_class(state, tables, number, 0, 0, trail)
    if kind == COUNTS:
        return counts(state, tables, number, 0, 0, trail)
    if kind == SAME_COUNTS:
        return same_counts(state, tables, number, 0, 0, trail)
    if kind == VISIBLE:
        return visible(state, tables, number, 0, 0, trail)
    if kind == CUT_LINE:
        return cut_line(state, tables, number, 0, 0, trail)
    if kind == SUM_BETWEEN:
        return sum_between(state, tables, number, 0, 0, trail)
    if kind == AUTOMATON:
        return automaton(state, tables, number, 0, 0, trail)
    if kind == RUNS:
        return runs(state, tables, number, 0, 0, trail)
    if kind == CONNECTED:
        return connected(state, tables, number, 0, 0, trail)
    if kind == REGIONS:
        return regions(state, tables, number, 0, 0, trail)
    return distinct(state, tables, number, 0, 0, trail)


@inlined
def _blame(tables: Propagators, number: int) -> None:
    """Add to the weights of a propagator's cells after a contradiction; in a long search later ones add more."""
    weights, progress = tables.weights, tables.progress
    for index in range(tables.starts[number], tables.starts[number + 1]):
        weights[tables.cells[index]] += progress[BLAME]
    if tables.progress[LATE]:
        progress[BLAME] += progress[BLAME] >> 7
    if progress[BLAME] >> _LARGEST_WEIGHT:
        progress[BLAME] >>= _LARGEST_WEIGHT // 2
        for cell in range(len(weights)):
            weights[cell] = 1 + (weights[cell] >> _LARGEST_WEIGHT // 2)
        for value in range(len(tables.value_weights)):
            tables.value_weights[value] >>= _LARGEST_WEIGHT // 2


@inlined
def _narrow_units(state: AnyState, tables: Propagators, trail: int) -> Changes:
    """Take a value with two or three places in a unit from all cells that differ from these places."""
    queued = n_dirty = 0
    if len(tables.near) == 0 or is_easy(tables):
        return queued, n_dirty, trail
    tables.progress[EFFORT] += state.counts[OPEN_UNITS] // 2
    for number in range(state.counts[OPEN_UNITS]):
        unit = state.open_units[number]
        once = twice = thrice = more = 0
        for place in range(state.sizes[unit]):
            mask = state.masks[state.units[unit, place]]
            more |= thrice & mask
            thrice |= twice & mask
            twice |= once & mask
            once |= mask
        rest = twice & ~more
        while rest and queued >= 0:
            queued, n_dirty, trail = drop_from_common_peers(
                state, tables, state.units[unit], (0, state.sizes[unit]), rest & -rest, (queued, n_dirty, trail)
            )
            rest &= rest - 1
    return queued, n_dirty, trail


@inlined
def _propagate(state: AnyState, tables: Propagators, trail: int, seen: int) -> int:
    """Run propagators until nothing changes; return the trail's length, or its complement on a contradiction."""
    # The units of the board are propagated, and propagators may be queued. `trail` is given in the same form; its
    # entries from `seen` on are new.
    while trail >= 0:
        while seen < trail:
            _wait_for(tables, state.trail_cells[seen])
            seen += 1
        number = _next(tables)
        if number < 0:
            queued, n_dirty, trail = _narrow_units(state, tables, trail)
            if queued == 0 and n_dirty == 0:
                return trail
            trail = settle(state, queued, n_dirty, trail)
            continue
        tables.progress[EFFORT] += tables.costs[number]
        if not tables.once[number]:
            tables.marked[number] = False
        queued, n_dirty, trail = _ask(state, tables, number, trail)
        if queued < 0:
            _blame(tables, number)
        while seen < trail:
            _wait_for(tables, state.trail_cells[seen])
            seen += 1
        if tables.once[number]:
            # Its own removals need no second run.
            tables.marked[number] = False
        if queued != 0 or n_dirty > 0:
            trail = settle(state, queued, n_dirty, trail)
            if trail < 0 and queued >= 0 and tables.progress[LATE]:
                _blame(tables, number)
    while True:
        number = _next(tables)
        if number < 0:
            return trail
        tables.marked[number] = False


@inlined
def _begins(state: AnyState, tables: Propagators) -> bool:
    """Return whether the search begins or restarts; if so, queue all propagators that are in use from here on."""
    counts, progress = state.counts, tables.progress
    if counts[READY]:
        if progress[EFFORT] < progress[AGAIN]:
            return False
        progress[ASKED], progress[LATE] = len(tables.kinds), 1
        if progress[FOUND] > 0:
            progress[AGAIN] = _NEVER
            return False
        progress[AGAIN] *= 2
        if counts[GUESSES] > 0:
            undo(state, state.guess_marks[0])
            counts[GUESSES] = 0
    counts[READY] = 1
    for number in range(progress[ASKED]):
        _wait(tables, number)
    return True


@inlined
def _failing_value(tables: Propagators) -> tuple[int, int]:
    """Return the value, as a bit, whose guesses failed far more often than others, and what its cells weigh more."""
    values, fewest, most, bit = tables.value_weights, 0, 0, 0
    for value in range(len(values)):
        weight = values[value]
        if weight > most:
            most, bit = weight, 1 << value
        if weight and (fewest == 0 or weight < fewest):
            fewest = weight
    if most < WEIGHT * len(values) or 2 * most <= 3 * fewest:
        return 0, 0
    return bit, most * _VALUE_SHARE // 16


@inlined
def _choose_cell(state: AnyState, tables: Propagators) -> tuple[int, int]:
    """Return the open cell with the fewest candidates for its weight (-1 if no cell is open), and their number."""
    # Open cells ascend. Most hidden cells are guessed only when the grid is full: see `_drop_hidden_guesses`.
    best, least, weight, n_early = -1, 1, 1, tables.progress[EARLY]
    failing, more = _failing_value(tables)
    for number in range(state.counts[OPEN_CELLS]):
        cell = state.open_cells[number]
        if best >= 0 and cell >= n_early > best:
            break
        mask = state.masks[cell]
        if mask & (mask - 1):
            size, own = bit_count(mask), tables.weights[cell]
            if mask & failing:
                own += more
            if best < 0 or size * weight < least * own:
                best, least, weight = cell, size, own
    return best, least


@inlined
def _choose_value(state: AnyState, tables: Propagators, cell: int, least: int) -> tuple[int, int]:
    """Return the cell and the value, as a bit, to guess: those of a cell, or of a value with two places in a unit."""
    bit = state.masks[cell] & -state.masks[cell]
    if least < 3:
        return cell, bit
    # A choice of two places is compared with one of `least` candidates.
    best, n_early, is_early = 2 * tables.weights[cell], tables.progress[EARLY], cell < tables.progress[EARLY]
    for number in range(state.counts[OPEN_UNITS]):
        unit = state.open_units[number]
        once = twice = thrice = 0
        for place in range(state.sizes[unit]):
            mask = state.masks[state.units[unit, place]]
            thrice |= twice & mask
            twice |= once & mask
            once |= mask
        rest = twice & ~thrice
        while rest:
            value = rest & -rest
            rest &= rest - 1
            heavy, heaviest = -1, 0
            for place in range(state.sizes[unit]):
                other = state.units[unit, place]
                if state.masks[other] & value and tables.weights[other] > heaviest:
                    heavy, heaviest = other, tables.weights[other]
            if heaviest * least >= best and (heavy < n_early or not is_early):
                best = heaviest * least
                cell, bit = heavy, value
    return cell, bit


@inlined
def _guess(state: AnyState, tables: Propagators) -> tuple[int, int]:
    """Make the next guess, and return its cell (-1 if no cell is open) and its value as a bit."""
    cell, least = _choose_cell(state, tables)
    if cell < 0:
        return -1, 0
    cell, bit = _choose_value(state, tables, cell, least)
    last = state.counts[GUESSES]
    state.guess_cells[last] = cell
    state.guess_bits[last] = bit
    state.guess_marks[last] = state.counts[TRAIL]
    state.counts[GUESSES] = last + 1
    tables.progress[GUESSED] += 1
    return cell, bit


@inlined
def _undo_guess(state: AnyState) -> tuple[int, int]:
    """Undo the last guess; return its cell (-1 if there is no guess) and its candidates without the guessed value."""
    counts = state.counts
    if counts[GUESSES] == 0:
        return -1, 0
    last = counts[GUESSES] - 1
    counts[GUESSES] = last
    undo(state, state.guess_marks[last])
    cell = state.guess_cells[last]
    return cell, state.masks[cell] ^ state.guess_bits[last]


@inlined
def _drop_hidden_guesses(state: AnyState, tables: Propagators) -> None:
    """Forget the guesses after which only hidden cells changed: other values there would give the same grid again."""
    counts, trail = state.counts, state.counts[TRAIL]
    while trail > 0 and state.trail_cells[trail - 1] >= tables.progress[GRID]:
        trail -= 1
    while counts[GUESSES] > 0 and state.guess_marks[counts[GUESSES] - 1] >= trail:
        counts[GUESSES] -= 1


@inlined
def _restrict(state: AnyState, cell: int, mask: int) -> int:
    """Leave a cell the candidates of a mask, and propagate the units; return as `settle` does."""
    trail = state.counts[TRAIL]
    state.trail_cells[trail] = cell
    state.trail_masks[trail] = state.masks[cell]
    state.masks[cell] = mask
    queued = 0
    if mask & (mask - 1) == 0:
        state.queue[0] = cell
        queued = 1
    n_dirty = mark(cell, state.units_of_cell, state.marked, state.dirty, 0)
    return settle(state, queued, n_dirty, trail + 1)


@compiled
def run(constrained: ConstrainedState, out: Grids, stop: int, work: int) -> int:
    """Search up to `stop` solutions, `work` propagator runs or the end; return how many solutions were found."""
    # A search that does not end soon restarts, with the deferred propagators and with the weights gathered so far.
    # After a solution it continues as it is, since a restart would find that solution again. `out` takes the first
    # solutions of this call, as many as it has room for. Propagators that take long count several times as work.
    state, tables = constrained.board, constrained.propagators
    counts, masks, progress = state.counts, state.masks, tables.progress
    n_solutions, back = 0, False
    while not counts[DONE] and (back or (work > 0 and n_solutions < stop)):
        before, cell, at_root = progress[EFFORT], 0, not back and _begins(state, tables)
        if at_root:
            sound = settle_all(state)
            seen = counts[TRAIL]
            trail = seen if sound else ~seen
        else:
            cell, mask = _undo_guess(state) if back else _guess(state, tables)
            if cell < 0:
                if back:
                    counts[DONE] = 1
                    break
                if n_solutions < len(out):
                    for cell_number in range(len(masks)):
                        out[n_solutions, cell_number] = lowest(masks[cell_number]) + 1
                n_solutions += 1
                progress[FOUND] += 1
                _drop_hidden_guesses(state, tables)
                back = True
                work -= 1 + len(masks) // 16
                continue
            seen = counts[TRAIL]
            trail = _restrict(state, cell, mask)
        trail = _propagate(state, tables, trail, seen)
        counts[TRAIL] = max(trail, ~trail)
        back = trail < 0
        if back and not at_root:
            # Beside the cells of a propagator, of which `_blame` adds to the weights.
            tables.weights[cell] += progress[BLAME]
            progress[CONFLICTS] += 1
            if mask & (mask - 1) == 0:
                tables.value_weights[lowest(mask)] += progress[BLAME]
        if at_root and not back:
            note_open(state)
            drop_settled(state)
        work -= counts[OPEN_CELLS] // 16 + progress[EFFORT] - before
    return n_solutions
