"""The search on any board, compiled: singles, then a guess where there are the fewest ways."""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint32s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled, inlined, lowest, ones
from sudoku_encode.search.state import DONE, DOUBLED, GUESSES, OPEN_CELLS, OPEN_UNITS, READY, TRAIL, AnyState

# With more guesses that count twice, the number of solutions of one call might not fit its 63 bits.
_MAX_DOUBLED = 24


@inlined
def mark(cell: int, units_of_cell: Uint32s, marked: Bools, dirty: Uint32s, n_dirty: int) -> int:
    """Note that the units of a cell lost a candidate; return how many units are noted."""
    for rule in range(units_of_cell.shape[1]):
        unit = units_of_cell[cell, rule]
        if not marked[unit]:
            marked[unit] = True
            dirty[n_dirty] = unit
            n_dirty += 1
    return n_dirty


@inlined
def _take_from_peers(state: AnyState, cell: int, queued: int, n_dirty: int, trail: int) -> tuple[int, int, int]:
    """Take the only candidate of a cell from its peers.

    Returns:
        How many cells are queued (-1 on a contradiction), how many units are noted, and the length of the trail.
    """
    masks, peers = state.masks, state.peers
    bit = masks[cell]
    for at in range(state.starts[cell], state.ends[cell]):
        peer = peers[at]
        old = masks[peer]
        if old & bit:
            new = old ^ bit
            state.trail_cells[trail] = peer
            state.trail_masks[trail] = old
            trail += 1
            masks[peer] = new
            n_dirty = mark(peer, state.units_of_cell, state.marked, state.dirty, n_dirty)
            if new & (new - 1) == 0:
                if new == 0:
                    return -1, n_dirty, trail
                state.queue[queued] = peer
                queued += 1
    return queued, n_dirty, trail


@inlined
def _fill_only_places(state: AnyState, unit: int, queued: int, n_dirty: int, trail: int) -> tuple[int, int, int]:
    """Assign the values that have one place left in a unit.

    Returns:
        How many cells are queued (-1 on a contradiction), how many units are noted, and the length of the trail.
    """
    masks, units = state.masks, state.units
    once = twice = 0
    for at in range(state.sizes[unit]):
        mask = masks[units[unit, at]]
        twice |= once & mask
        once |= mask
    if once != state.needed[unit]:
        return -1, n_dirty, trail
    single = once & ~twice
    for at in range(state.sizes[unit]):
        cell = units[unit, at]
        old = masks[cell]
        here = old & single
        if here and here != old:
            if here & (here - 1):
                return -1, n_dirty, trail
            state.trail_cells[trail] = cell
            state.trail_masks[trail] = old
            trail += 1
            masks[cell] = here
            state.queue[queued] = cell
            queued += 1
            n_dirty = mark(cell, state.units_of_cell, state.marked, state.dirty, n_dirty)
    return queued, n_dirty, trail


@compiled
def settle(state: AnyState, queued: int, n_dirty: int, trail: int) -> int:
    """Propagate the cells in the queue and the units noted until nothing more follows.

    Returns:
        The length of the trail, or its complement (a negative number) on a contradiction.
    """
    done = 0
    while done < queued or (n_dirty > 0 and queued >= 0):
        if done < queued:
            done += 1
            queued, n_dirty, trail = _take_from_peers(state, state.queue[done - 1], queued, n_dirty, trail)
        else:
            n_dirty -= 1
            unit = state.dirty[n_dirty]
            state.marked[unit] = False
            queued, n_dirty, trail = _fill_only_places(state, unit, queued, n_dirty, trail)
    for at in range(n_dirty):
        state.marked[state.dirty[at]] = False
    return ~trail if queued < 0 else trail


@compiled
def note_open(state: AnyState) -> None:
    """Note the cells with several candidates, and their units; no other cell opens from here on."""
    n_open = n_units = 0
    for cell in range(len(state.masks)):
        mask = state.masks[cell]
        if mask & (mask - 1):
            state.open_cells[n_open] = cell
            n_open += 1
            n_units = mark(cell, state.units_of_cell, state.marked, state.open_units, n_units)
    for at in range(n_units):
        state.marked[state.open_units[at]] = False
    state.counts[OPEN_CELLS], state.counts[OPEN_UNITS] = n_open, n_units


@compiled
def settle_all(state: AnyState) -> bool:
    """Propagate everything that the candidates imply; false on a contradiction."""
    queued = 0
    for cell in range(len(state.masks)):
        mask = state.masks[cell]
        if mask == 0:
            return False
        if mask & (mask - 1) == 0:
            state.queue[queued] = cell
            queued += 1
    for unit in range(len(state.units)):
        state.dirty[unit] = unit
        state.marked[unit] = True
    trail = settle(state, queued, len(state.units), state.counts[TRAIL])
    state.counts[TRAIL] = max(trail, ~trail)
    note_open(state)
    return trail >= 0


@compiled
def thin(state: AnyState) -> None:
    """Leave the cells that are filled out of the tables, and peers that share no candidate, for all of the search."""
    masks = state.masks
    for number in range(state.counts[OPEN_CELLS]):
        cell = state.open_cells[number]
        kept = state.starts[cell]
        for at in range(kept, state.ends[cell]):
            peer = state.peers[at]
            if masks[peer] & masks[cell]:
                state.peers[kept] = peer
                kept += 1
        state.ends[cell] = kept
    for number in range(state.counts[OPEN_UNITS]):
        unit = state.open_units[number]
        kept = 0
        for at in range(state.sizes[unit]):
            cell = state.units[unit, at]
            if masks[cell] & (masks[cell] - 1):
                state.units[unit, at] = state.units[unit, kept]
                state.units[unit, kept] = cell
                kept += 1
            else:
                state.needed[unit] &= ~masks[cell]
        state.sizes[unit] = kept


@compiled
def begin(state: AnyState, for_good: bool) -> None:
    """Propagate the candidates that a search starts with.

    Args:
        state: a search that has not begun.
        for_good: it will search nothing else, so that its tables may lose what this search does not need.
    """
    state.counts[READY] = 1
    if not settle_all(state):
        state.counts[DONE] = 1
    elif for_good:
        thin(state)


@compiled
def restrict(state: AnyState, cell: int, mask: int) -> bool:
    """Leave a cell the candidates of a mask, some of its own, and propagate; false on a contradiction."""
    trail = state.counts[TRAIL]
    state.trail_cells[trail] = cell
    state.trail_masks[trail] = state.masks[cell]
    state.masks[cell] = mask
    queued = 0
    if mask & (mask - 1) == 0:
        state.queue[0] = cell
        queued = 1
    n_dirty = mark(cell, state.units_of_cell, state.marked, state.dirty, 0)
    trail = settle(state, queued, n_dirty, trail + 1)
    state.counts[TRAIL] = max(trail, ~trail)
    return trail >= 0


@compiled
def undo(state: AnyState, mark: int) -> None:
    """Take back everything from a place of the trail on."""
    trail = state.counts[TRAIL]
    while trail > mark:
        trail -= 1
        state.masks[state.trail_cells[trail]] = state.trail_masks[trail]
    state.counts[TRAIL] = mark


@compiled
def fewest(state: AnyState, to_the_end: bool) -> tuple[int, int, int]:
    """Return the first cell with the fewest candidates above one, how many those are, and the most of any cell.

    The cell is -1 when each cell has one. Unless it goes to the end, it stops at two, and the most is of those seen.
    """
    best, least, most = -1, 65, 1
    for at in range(state.counts[OPEN_CELLS]):
        cell = state.open_cells[at]
        mask = state.masks[cell]
        if mask & (mask - 1):
            size = ones(mask)
            most = max(most, size)
            if size < least:
                best, least = cell, size
                if size == 2 and not to_the_end:
                    break
    return best, least, most


@compiled
def two_places(state: AnyState) -> tuple[int, int]:
    """Return a cell and a value (its bit) that has one other place in a unit; the cell is -1 where there is none."""
    for number in range(state.counts[OPEN_UNITS]):
        unit = state.open_units[number]
        once = twice = thrice = 0
        for at in range(state.sizes[unit]):
            mask = state.masks[state.units[unit, at]]
            thrice |= twice & mask
            twice |= once & mask
            once |= mask
        two = twice & ~thrice
        if two:
            bit = two & -two
            for at in range(state.sizes[unit]):
                cell = state.units[unit, at]
                if state.masks[cell] & bit:
                    return cell, bit
    return -1, 0


@compiled
def _next_branch(state: AnyState) -> bool:
    """Undo the last guess and take its value from its cell; the guess before it when that is a contradiction."""
    counts = state.counts
    while counts[GUESSES] > 0:
        last = counts[GUESSES] - 1
        counts[GUESSES] = last
        undo(state, state.guess_marks[last])
        if state.guess_twice[last]:
            counts[DOUBLED] -= 1
            continue
        cell = state.guess_cells[last]
        if restrict(state, cell, state.masks[cell] ^ state.guess_bits[last]):
            return True
    counts[DONE] = 1
    return False


@compiled
def run(state: AnyState, out: Grids, stop: int, doubling: bool, work: int) -> int:
    """Go on until `stop` solutions are found, about `work` cells are looked at, or all is done.

    Args:
        state: a search that has begun.
        out: takes the first solutions of this call, as many as it has room for.
        stop: how many solutions to find.
        doubling: count the two halves of a state of pairs by one of them.
        work: about how many cells to look at.

    Returns:
        How many solutions were found.
    """
    counts = state.counts
    masks = state.masks
    found = 0
    while not counts[DONE] and work > 0 and found < stop:
        before = counts[TRAIL]
        cell, least, most = fewest(state, doubling)
        if cell < 0:
            if found < len(out):
                for at in range(len(masks)):
                    out[found, at] = lowest(masks[at]) + 1
            found += 1 << counts[DOUBLED]
            _next_branch(state)
            work -= len(masks)
            continue
        bit = masks[cell] & -masks[cell]
        if least > 2:
            place, value = two_places(state)
            if place >= 0:
                cell, bit = place, value
        # Where every open cell has two candidates and every value two places in each unit, each choice settles all
        # that hangs together with it, and turning all of that round gives another solution: half the work will do.
        twice = doubling and most == 2 and state.every[1] == 1 and counts[DOUBLED] < _MAX_DOUBLED
        last = counts[GUESSES]
        state.guess_cells[last] = cell
        state.guess_bits[last] = bit
        state.guess_marks[last] = counts[TRAIL]
        state.guess_twice[last] = twice
        counts[GUESSES] = last + 1
        counts[DOUBLED] += twice
        if not restrict(state, cell, bit):
            _next_branch(state)
        work -= counts[OPEN_CELLS] + 32 * max(1, counts[TRAIL] - before)
    return found


@compiled
def _reset(state: AnyState, givens: NDArray[np.uint8]) -> None:
    state.counts[:] = 0
    for cell in range(len(givens)):
        state.masks[cell] = 1 << (givens[cell] - 1) if givens[cell] else state.every[0]


@compiled
def run_all(
    state: AnyState,
    givens: Grids,
    limit: int,
    grids: Grids,
    found: Int64s,
    at: Int64s,
    work: int,
) -> None:
    """Solve puzzle after puzzle, from number `at[0]` on, until about `work` cells are looked at.

    Args:
        state: of the board; `at[1]` says whether it is in the middle of a puzzle.
        givens: (puzzles, n_cells).
        limit: up to how many solutions to count.
        grids: (puzzles, n_cells); takes the first solution of each.
        found: (puzzles,); takes the counts.
        at: the puzzle at work, and whether it was begun.
        work: about how many cells to look at.
    """
    n_cells = len(state.masks)
    while at[0] < len(givens) and work > 0:
        puzzle = at[0]
        if not at[1]:
            _reset(state, givens[puzzle])
            begin(state, False)
            at[1] = 1
        first = puzzle if found[puzzle] == 0 else len(givens)
        share = min(work, 1 << 20)
        found[puzzle] += run(state, grids[first : puzzle + 1], limit - found[puzzle], True, share)
        work -= share if not state.counts[DONE] and found[puzzle] < limit else 20 * n_cells
        if state.counts[DONE] or found[puzzle] >= limit:
            found[puzzle] = min(found[puzzle], limit)
            at[0] += 1
            at[1] = 0
