"""The search with constraints, compiled: singles and propagators until nothing more follows, then a guess.

It is that of `any_kernel`, with the propagators asked between: each that has a cell which lost candidates, the cheap
ones first.
"""

from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled, inlined, lowest, ones
from sudoku_encode.search.any_kernel import mark, note_open, settle, settle_all, thin, two_places, undo
from sudoku_encode.search.constrained_state import (
    BOUNDS,
    CLAUSE,
    N_KINDS,
    RELATION,
    SETS,
    SUMS,
    ConstrainedState,
    Propagators,
)
from sudoku_encode.search.propagators_kernel import Changes, automaton, bounds, clause, relation, sets, sums
from sudoku_encode.search.state import DONE, GUESSES, OPEN_CELLS, READY, TRAIL, AnyState


@inlined
def _wait(tables: Propagators, number: int) -> None:
    """Let a propagator wait until it is asked."""
    if not tables.marked[number]:
        tables.marked[number] = True
        kind, size = tables.kinds[number], tables.waiting.shape[1]
        tables.waiting[kind, (tables.rings[0, kind] + tables.rings[1, kind]) % size] = number
        tables.rings[1, kind] += 1


@inlined
def _wait_for(tables: Propagators, cell: int) -> None:
    """Let the propagators of a cell wait."""
    for at in range(tables.user_starts[cell], tables.user_starts[cell + 1]):
        _wait(tables, tables.users[at])


@inlined
def _next(tables: Propagators) -> int:
    """Return the propagator to be asked next, which waits no longer but is marked; -1 where none waits."""
    for kind in range(N_KINDS):
        if tables.rings[1, kind] > 0:
            first = tables.rings[0, kind]
            tables.rings[0, kind] = (first + 1) % tables.waiting.shape[1]
            tables.rings[1, kind] -= 1
            return int(tables.waiting[kind, first])
    return -1


@inlined
def _ask(state: AnyState, tables: Propagators, number: int, trail: int) -> Changes:
    """Ask a propagator."""
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
    return automaton(state, tables, number, 0, 0, trail)


@inlined
def _blame(tables: Propagators, number: int) -> None:
    """Note that a propagator found a contradiction, and ask none of those that wait."""
    for at in range(tables.starts[number], tables.starts[number + 1]):
        tables.weights[tables.cells[at]] += 1


@compiled
def _propagate(state: AnyState, tables: Propagators, trail: int, seen: int) -> int:
    """Ask propagators until nothing more follows.

    Args:
        state: the board, on which the units are propagated.
        tables: the propagators; some may wait.
        trail: its length, or its complement on a contradiction.
        seen: from which place of the trail on the changes are new.

    Returns:
        The length of the trail, or its complement (a negative number) on a contradiction.
    """
    while trail >= 0:
        while seen < trail:
            _wait_for(tables, state.trail_cells[seen])
            seen += 1
        number = _next(tables)
        if number < 0:
            return trail
        tables.effort[0] += tables.costs[number]
        if not tables.once[number]:
            tables.marked[number] = False
        queued, n_dirty, trail = _ask(state, tables, number, trail)
        if queued < 0:
            _blame(tables, number)
        while seen < trail:
            _wait_for(tables, state.trail_cells[seen])
            seen += 1
        if tables.once[number]:
            # What it removed itself needs not be asked again.
            tables.marked[number] = False
        if queued != 0 or n_dirty > 0:
            trail = settle(state, queued, n_dirty, trail)
    while True:
        number = _next(tables)
        if number < 0:
            return trail
        tables.marked[number] = False


@compiled
def _restrict(state: AnyState, tables: Propagators, cell: int, mask: int) -> bool:
    """Leave a cell the candidates of a mask, some of its own, and propagate; false on a contradiction."""
    before = state.counts[TRAIL]
    state.trail_cells[before] = cell
    state.trail_masks[before] = state.masks[cell]
    state.masks[cell] = mask
    queued = 0
    if mask & (mask - 1) == 0:
        state.queue[0] = cell
        queued = 1
    n_dirty = mark(cell, state.units_of_cell, state.marked, state.dirty, 0)
    trail = settle(state, queued, n_dirty, before + 1)
    trail = _propagate(state, tables, trail, before)
    state.counts[TRAIL] = max(trail, ~trail)
    return trail >= 0


@compiled
def begin(constrained: ConstrainedState) -> None:
    """Propagate the candidates that a search starts with."""
    state, tables = constrained.board, constrained.propagators
    state.counts[READY] = 1
    if not settle_all(state):
        state.counts[DONE] = 1
        return
    for number in range(len(tables.kinds)):
        _wait(tables, number)
    trail = state.counts[TRAIL]
    trail = _propagate(state, tables, trail, trail)
    state.counts[TRAIL] = max(trail, ~trail)
    if trail < 0:
        state.counts[DONE] = 1
        return
    note_open(state)
    thin(state)


@compiled
def _chosen(state: AnyState, tables: Propagators) -> tuple[int, int]:
    """Return the open cell with the fewest candidates for its weight, and how many those are; -1 where none is open."""
    best, least, weight = -1, 1, 1
    for at in range(state.counts[OPEN_CELLS]):
        cell = state.open_cells[at]
        mask = state.masks[cell]
        if mask & (mask - 1):
            size = ones(mask)
            if best < 0 or size * weight < least * tables.weights[cell]:
                best, least, weight = cell, size, tables.weights[cell]
    return best, least


@compiled
def _next_branch(state: AnyState, tables: Propagators) -> None:
    """Undo the last guess and take its value from its cell; the guess before it when that is a contradiction."""
    counts = state.counts
    while counts[GUESSES] > 0:
        last = counts[GUESSES] - 1
        counts[GUESSES] = last
        undo(state, state.guess_marks[last])
        cell = state.guess_cells[last]
        if _restrict(state, tables, cell, state.masks[cell] ^ state.guess_bits[last]):
            return
    counts[DONE] = 1


@compiled
def run(constrained: ConstrainedState, out: Grids, stop: int, work: int) -> int:
    """Go on until `stop` solutions are found, about `work` propagators are asked, or all is done.

    Args:
        constrained: a search that has begun.
        out: takes the first solutions of this call, as many as it has room for.
        stop: how many solutions to find.
        work: about how many propagators to ask; those that take long count several times.

    Returns:
        How many solutions were found.
    """
    state, tables = constrained.board, constrained.propagators
    counts, masks = state.counts, state.masks
    found = 0
    while not counts[DONE] and work > 0 and found < stop:
        before = tables.effort[0]
        cell, least = _chosen(state, tables)
        if cell < 0:
            if found < len(out):
                for at in range(len(masks)):
                    out[found, at] = lowest(masks[at]) + 1
            found += 1
            _next_branch(state, tables)
            work -= 1 + len(masks) // 16 + tables.effort[0] - before
            continue
        bit = masks[cell] & -masks[cell]
        if least > 2:
            place, value = two_places(state)
            if place >= 0:
                cell, bit = place, value
        last = counts[GUESSES]
        state.guess_cells[last] = cell
        state.guess_bits[last] = bit
        state.guess_marks[last] = counts[TRAIL]
        counts[GUESSES] = last + 1
        if not _restrict(state, tables, cell, bit):
            _next_branch(state, tables)
        work -= counts[OPEN_CELLS] // 16 + tables.effort[0] - before
    return found
