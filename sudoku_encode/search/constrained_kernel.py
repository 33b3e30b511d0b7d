"""The search with constraints, compiled: singles and propagators until nothing more follows, then a guess.

It is that of `any_kernel`, with the propagators asked between: each that has a cell which lost candidates, the cheap
ones first.
"""

from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled, inlined, lowest, ones
from sudoku_encode.search.any_kernel import mark, note_open, settle, settle_all, thin, two_places, undo
from sudoku_encode.search.automata_kernel import automaton, distinct
from sudoku_encode.search.bounds_kernel import bounds
from sudoku_encode.search.constrained_state import (
    AGAIN,
    ASKED,
    AUTOMATON,
    BLAME,
    BOUNDS,
    CLAUSE,
    COUNTS,
    EFFORT,
    FOUND,
    GUESSED,
    LATE,
    N_KINDS,
    RELATION,
    SETS,
    SUMS,
    ConstrainedState,
    Propagators,
)
from sudoku_encode.search.counts_kernel import counts
from sudoku_encode.search.propagators_kernel import Changes, clause, relation, sets, sums
from sudoku_encode.search.state import DONE, GUESSES, OPEN_CELLS, READY, TRAIL, AnyState

# Before a weight is multiplied by a number of candidates, it has about as many bits at most.
_LARGEST_WEIGHT = 40
# More than can be looked at.
_NEVER = 1 << 62


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
    """Let the propagators of a cell wait, of those that are asked."""
    for at in range(tables.user_starts[cell], tables.user_starts[cell + 1]):
        if tables.users[at] >= tables.progress[ASKED]:
            break
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
    if kind == COUNTS:
        return counts(state, tables, number, 0, 0, trail)
    if kind == AUTOMATON:
        return automaton(state, tables, number, 0, 0, trail)
    return distinct(state, tables, number, 0, 0, trail)


@inlined
def _blame(tables: Propagators, number: int) -> None:
    """Add to the weights of the cells of a propagator, for a contradiction; of a long search a later one adds more."""
    weights, progress = tables.weights, tables.progress
    for at in range(tables.starts[number], tables.starts[number + 1]):
        weights[tables.cells[at]] += progress[BLAME]
    if tables.progress[LATE]:
        progress[BLAME] += progress[BLAME] >> 7
    if progress[BLAME] >> _LARGEST_WEIGHT:
        progress[BLAME] >>= _LARGEST_WEIGHT // 2
        for cell in range(len(weights)):
            weights[cell] = 1 + (weights[cell] >> _LARGEST_WEIGHT // 2)


@inlined
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
            # What it removed itself needs not be asked again.
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
    """Say whether the search begins or begins anew, and then let all propagators wait that are asked from here on."""
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


@inlined
def _guess(state: AnyState, tables: Propagators) -> tuple[int, int]:
    """Note the next guess, and return its cell and value (its bit); the cell is -1 where none is open."""
    cell, least = _chosen(state, tables)
    if cell < 0:
        return -1, 0
    bit = state.masks[cell] & -state.masks[cell]
    # With constraints a cell of three candidates, which many of them weigh on, mostly leads further.
    if least > 3:
        place, value = two_places(state)
        if place >= 0:
            cell, bit = place, value
    last = state.counts[GUESSES]
    state.guess_cells[last] = cell
    state.guess_bits[last] = bit
    state.guess_marks[last] = state.counts[TRAIL]
    state.counts[GUESSES] = last + 1
    tables.progress[GUESSED] += 1
    return cell, bit


@inlined
def _undone(state: AnyState) -> tuple[int, int]:
    """Undo the last guess, and return its cell and what candidates it has without the value; -1 where none is left."""
    counts = state.counts
    if counts[GUESSES] == 0:
        return -1, 0
    last = counts[GUESSES] - 1
    counts[GUESSES] = last
    undo(state, state.guess_marks[last])
    cell = state.guess_cells[last]
    return cell, state.masks[cell] ^ state.guess_bits[last]


@inlined
def _restrict(state: AnyState, cell: int, mask: int) -> int:
    """Leave a cell the candidates of a mask, some of its own, and propagate the units.

    Returns:
        The length of the trail, or its complement (a negative number) on a contradiction.
    """
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
    """Begin or go on until `stop` solutions are found, about `work` propagators are asked, or all is done.

    When the search does not end soon, it begins anew, with the late propagators and with what the weights say by then.
    Where a solution was found it goes on as it is, since it would find that one again.

    Args:
        constrained: a search.
        out: takes the first solutions of this call, as many as it has room for.
        stop: how many solutions to find.
        work: about how many propagators to ask; those that take long count several times.

    Returns:
        How many solutions were found.
    """
    state, tables = constrained.board, constrained.propagators
    counts, masks, progress = state.counts, state.masks, tables.progress
    found, back = 0, False
    while not counts[DONE] and (back or (work > 0 and found < stop)):
        before, at_root = progress[EFFORT], not back and _begins(state, tables)
        if at_root:
            sound = settle_all(state)
            seen = counts[TRAIL]
            trail = seen if sound else ~seen
        else:
            cell, mask = _undone(state) if back else _guess(state, tables)
            if cell < 0:
                if back:
                    counts[DONE] = 1
                    break
                if found < len(out):
                    for at in range(len(masks)):
                        out[found, at] = lowest(masks[at]) + 1
                found += 1
                progress[FOUND] += 1
                back = True
                work -= 1 + len(masks) // 16
                continue
            seen = counts[TRAIL]
            trail = _restrict(state, cell, mask)
        trail = _propagate(state, tables, trail, seen)
        counts[TRAIL] = max(trail, ~trail)
        back = trail < 0
        if at_root and not back:
            note_open(state)
            thin(state)
        work -= counts[OPEN_CELLS] // 16 + progress[EFFORT] - before
    return found
