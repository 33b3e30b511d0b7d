"""The search on any board, compiled: singles, then a guess in a cell with the fewest candidates.

Also the components of a puzzle, and random probes into its search tree.
"""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Bools, Floats, Int32s, Int64s, Uint32s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import bit_count, compiled, inlined, lowest, subroutine
from sudoku_encode.search.few_open_kernel import FIRST_EIGHTHS, count_if_few
from sudoku_encode.search.state import (
    DONE,
    DOUBLED,
    GUESSES,
    OPEN_CELLS,
    OPEN_UNITS,
    READY,
    TRAIL,
    TRIED,
    AnyState,
)

# With more guesses that count twice, the number of solutions of one call might not fit its 63 bits.
_MAX_DOUBLED = 24
# The changes while candidates are removed: how many cells are queued (-1 on a contradiction), how many units are
# marked, and the length of the trail.
Changes = tuple[int, int, int]


@inlined
def mark(cell: int, units_of_cell: Uint32s, marked: Bools, dirty: Uint32s, n_dirty: int) -> int:
    """Mark the units of a cell as having lost a candidate; return how many units are marked."""
    for rule in range(units_of_cell.shape[1]):
        unit = units_of_cell[cell, rule]
        if not marked[unit]:
            marked[unit] = True
            dirty[n_dirty] = unit
            n_dirty += 1
    return n_dirty


@inlined
def _take_from_peers(state: AnyState, cell: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Take the only candidate of a cell from its peers; return `Changes`."""
    masks, peers = state.masks, state.peers
    bit = masks[cell]
    for index in range(state.starts[cell], state.ends[cell]):
        peer = peers[index]
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
def _fill_only_places(state: AnyState, unit: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Assign the values that have one place left in a unit; return `Changes`."""
    masks, units = state.masks, state.units
    once = twice = 0
    for place in range(state.sizes[unit]):
        mask = masks[units[unit, place]]
        twice |= once & mask
        once |= mask
    if once != state.needed[unit]:
        return -1, n_dirty, trail
    single = once & ~twice
    for place in range(state.sizes[unit]):
        cell = units[unit, place]
        old = masks[cell]
        last_places = old & single
        if last_places and last_places != old:
            if last_places & (last_places - 1):
                return -1, n_dirty, trail
            state.trail_cells[trail] = cell
            state.trail_masks[trail] = old
            trail += 1
            masks[cell] = last_places
            state.queue[queued] = cell
            queued += 1
            n_dirty = mark(cell, state.units_of_cell, state.marked, state.dirty, n_dirty)
    return queued, n_dirty, trail


@subroutine
def settle(state: AnyState, queued: int, n_dirty: int, trail: int) -> int:
    """Propagate queued cells and marked units; return the length of the trail, or its complement on a contradiction."""
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
    for number in range(n_dirty):
        state.marked[state.dirty[number]] = False
    return ~trail if queued < 0 else trail


@subroutine
def note_open(state: AnyState) -> None:
    """Write down the open cells and their units; no other cell opens from here on."""
    n_open = n_units = 0
    for cell in range(len(state.masks)):
        mask = state.masks[cell]
        if mask & (mask - 1):
            state.open_cells[n_open] = cell
            n_open += 1
            n_units = mark(cell, state.units_of_cell, state.marked, state.open_units, n_units)
    for number in range(n_units):
        state.marked[state.open_units[number]] = False
    state.counts[OPEN_CELLS], state.counts[OPEN_UNITS] = n_open, n_units


@subroutine
def settle_all(state: AnyState) -> bool:
    """Propagate all candidates; return False on a contradiction."""
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


@subroutine
def drop_settled(state: AnyState) -> None:
    """Leave settled cells, and peers that share no candidate, out of the tables for the rest of the search."""
    masks = state.masks
    for number in range(state.counts[OPEN_CELLS]):
        cell = state.open_cells[number]
        in_use = state.starts[cell]
        for place in range(in_use, state.ends[cell]):
            peer = state.peers[place]
            if masks[peer] & masks[cell]:
                state.peers[in_use] = peer
                in_use += 1
        state.ends[cell] = in_use
    for number in range(state.counts[OPEN_UNITS]):
        unit = state.open_units[number]
        in_use = 0
        for place in range(state.sizes[unit]):
            cell = state.units[unit, place]
            if masks[cell] & (masks[cell] - 1):
                state.units[unit, place] = state.units[unit, in_use]
                state.units[unit, in_use] = cell
                in_use += 1
            else:
                state.needed[unit] &= ~masks[cell]
        state.sizes[unit] = in_use


@compiled
def begin(state: AnyState, for_good: bool) -> bool:
    """Propagate all candidates; drop settled cells from the tables if it is `for_good`; return False if it is done."""
    state.counts[READY] = 1
    if not settle_all(state):
        state.counts[DONE] = 1
    elif for_good:
        drop_settled(state)
    return not state.counts[DONE]


@subroutine
def restrict(state: AnyState, cell: int, mask: int) -> bool:
    """Leave a cell the candidates of a mask, a subset of its own, and propagate; return False on a contradiction."""
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
    """Take back all changes from a place of the trail on."""
    trail = state.counts[TRAIL]
    while trail > mark:
        trail -= 1
        state.masks[state.trail_cells[trail]] = state.trail_masks[trail]
    state.counts[TRAIL] = mark


@compiled
def fewest(state: AnyState, to_the_end: bool) -> tuple[int, int, int]:
    """Return the first open cell with the fewest candidates (or -1), their number, and the largest number in a cell."""
    # The scan stops at a cell of two candidates unless `to_the_end`; then the largest number is that of the cells
    # scanned.
    best, least, most = -1, 65, 1
    for number in range(state.counts[OPEN_CELLS]):
        cell = state.open_cells[number]
        mask = state.masks[cell]
        if mask & (mask - 1):
            size = bit_count(mask)
            most = max(most, size)
            if size < least:
                best, least = cell, size
                if size == 2 and not to_the_end:
                    break
    return best, least, most


@inlined
def _gather_few(state: AnyState, most: int) -> int:
    """Note the open cells and their candidates; return how many there are, or a number above `most`."""
    few, n_open = state.few, 0
    for number in range(state.counts[OPEN_CELLS]):
        cell = state.open_cells[number]
        mask = state.masks[cell]
        if mask & (mask - 1):
            if n_open == most:
                return n_open + 1
            few.cells[n_open], few.masks[0, n_open] = cell, mask
            n_open += 1
    return n_open


@subroutine
def two_places(state: AnyState) -> tuple[int, int]:
    """Return a cell and a value (its bit) with one other place in a unit; -1 and 0 if no unit has such a value."""
    for number in range(state.counts[OPEN_UNITS]):
        unit = state.open_units[number]
        once = twice = thrice = 0
        for place in range(state.sizes[unit]):
            mask = state.masks[state.units[unit, place]]
            thrice |= twice & mask
            twice |= once & mask
            once |= mask
        two = twice & ~thrice
        if two:
            bit = two & -two
            for place in range(state.sizes[unit]):
                cell = state.units[unit, place]
                if state.masks[cell] & bit:
                    return cell, bit
    return -1, 0


@subroutine
def _next_branch(state: AnyState) -> bool:
    """Undo the last guess and take its value from its cell; on a contradiction do the same with the guess before it."""
    counts = state.counts
    while counts[GUESSES] > 0:
        last = counts[GUESSES] - 1
        counts[GUESSES] = last
        undo(state, state.guess_marks[last])
        if state.guess_twice[last]:
            counts[DOUBLED] -= 1
            continue
        # With a sign, like all cells of guesses, so that `restrict` is compiled once.
        cell = int(np.int64(state.guess_cells[last]))
        if restrict(state, cell, state.masks[cell] ^ state.guess_bits[last]):
            return True
    counts[DONE] = 1
    return False


# How many cells `run` visits in the time of a step of `count_if_few`.
_CELLS_PER_STEP = 32


@compiled
def run(state: AnyState, out: Grids, stop: int, doubling: bool, work: int) -> int:
    """Continue up to `stop` solutions, `work` visited cells or the end; return how many solutions were found."""
    # `out` takes the first solutions of this call, as many as it has room for. With `doubling` the two halves of a
    # state of pairs are counted by one of them.
    counts = state.counts
    masks = state.masks
    n_solutions = 0
    eighths = FIRST_EIGHTHS
    if not counts[READY] and not counts[DONE]:
        begin(state, True)
    while not counts[DONE] and work > 0 and n_solutions < stop:
        before = counts[TRAIL]
        if doubling and n_solutions > len(out) and counts[DOUBLED] == 0:
            n_open = _gather_few(state, eighths // 8)
            ways, eighths, steps = count_if_few(state.few, n_open, eighths)
            work -= _CELLS_PER_STEP * steps
            if ways >= 0:
                n_solutions += ways
                _next_branch(state)
                continue
        cell, least, most = fewest(state, doubling)
        if cell < 0:
            if n_solutions < len(out):
                for cell_number in range(len(masks)):
                    out[n_solutions, cell_number] = lowest(masks[cell_number]) + 1
            n_solutions += 1 << counts[DOUBLED]
            _next_branch(state)
            work -= len(masks)
            continue
        bit = masks[cell] & -masks[cell]
        if least > 2:
            place, value = two_places(state)
            if place >= 0:
                cell, bit = place, value
        # Where every open cell has two candidates and every value two places in each unit, each choice settles all
        # cells connected with it, and the opposite choice in all of them is another solution: half the work will do.
        twice = doubling and most == 2 and state.every[1] == 1 and counts[DOUBLED] < _MAX_DOUBLED
        last = counts[GUESSES]
        state.guess_cells[last] = cell
        state.guess_bits[last] = bit
        state.guess_marks[last] = counts[TRAIL]
        state.guess_twice[last] = twice
        counts[GUESSES] = last + 1
        counts[TRIED] += 1
        counts[DOUBLED] += twice
        if not restrict(state, cell, bit):
            _next_branch(state)
        work -= counts[OPEN_CELLS] + 32 * max(1, counts[TRAIL] - before)
    return n_solutions


@subroutine
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
    counts: Int64s,
    progress: Int64s,
    work: int,
) -> None:
    """Solve puzzle after puzzle, from number `progress[0]` on, until about `work` cells are visited."""
    # `progress[1]`: whether the state is in the middle of that puzzle. `givens`: (puzzles, n_cells). `grids`: the same
    # shape, takes the first solution of each. `counts`: (puzzles,), takes the counts up to `limit`.
    n_cells = len(state.masks)
    while progress[0] < len(givens) and work > 0:
        puzzle = progress[0]
        if not progress[1]:
            _reset(state, givens[puzzle])
            begin(state, False)
            progress[1] = 1
        first = puzzle if counts[puzzle] == 0 else len(givens)
        share = min(work, 1 << 20)
        counts[puzzle] += run(state, grids[first : puzzle + 1], limit - counts[puzzle], True, share)
        work -= share if not state.counts[DONE] and counts[puzzle] < limit else 20 * n_cells
        if state.counts[DONE] or counts[puzzle] >= limit:
            counts[puzzle] = min(counts[puzzle], limit)
            progress[0] += 1
            progress[1] = 0


# The independent parts of a puzzle.


@compiled
def components(state: AnyState, part: Int32s) -> int:
    """Number the parts of the open cells that share no candidate within a unit; return how many parts there are."""
    # `state` is propagated. `part`: (n_cells,), takes the number of each cell's part, -1 for a cell with one candidate.
    masks = state.masks
    for cell in range(len(masks)):
        part[cell] = -1 if masks[cell] & (masks[cell] - 1) == 0 else -2
    n_parts = 0
    for first in range(len(masks)):
        if part[first] != -2:
            continue
        part[first] = n_parts
        state.queue[0] = first
        done, queued = 0, 1
        while done < queued:
            cell = state.queue[done]
            done += 1
            for index in range(state.starts[cell], state.starts[cell + 1]):
                peer = state.peers[index]
                if part[peer] == -2 and masks[peer] & masks[cell]:
                    part[peer] = n_parts
                    state.queue[queued] = peer
                    queued += 1
        n_parts += 1
    return n_parts


# Random probes into the search tree.

# Weights of probes above this power of two are divided by it.
_LARGE_EXPONENT = 400
_LARGE_WEIGHT = 2.0**_LARGE_EXPONENT


@compiled
def probe(state: AnyState, random: np.random.Generator, out: Floats) -> None:
    """Go down the tree at random, once for each row of `out`, each child of a node being equally likely."""
    # `state` is propagated, without open guesses. `out`: (probes, 3), takes the solutions and the nodes that each probe
    # stands for, divided by a power of two, and its exponent: the numbers themselves may pass the largest float.
    root = state.counts[TRAIL]
    for number in range(len(out)):
        weight = nodes = 1.0
        exponent = 0
        sound = True
        while sound:
            cell, size, _ = fewest(state, False)
            if cell < 0:
                break
            weight *= size
            nodes += weight
            if nodes > _LARGE_WEIGHT:
                weight /= _LARGE_WEIGHT
                nodes /= _LARGE_WEIGHT
                exponent += _LARGE_EXPONENT
            mask = state.masks[cell]
            for _ in range(int(random.random() * size)):
                mask &= mask - 1
            sound = restrict(state, cell, mask & -mask)
        out[number, 0] = weight if sound else 0.0
        out[number, 1] = nodes
        out[number, 2] = exponent
        undo(state, root)
