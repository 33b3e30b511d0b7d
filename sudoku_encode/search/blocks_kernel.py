"""The search on larger squares and cubes, compiled for each shape; `blocks` says how the board is held."""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled, inlined, lowest
from sudoku_encode.run.vectors import (
    any_bit,
    bit_counts,
    larger,
    largest,
    load,
    splat,
    store,
    times_256,
    where_zero,
    without_lowest,
    zero_lanes,
)
from sudoku_encode.search.blocks import DONE, LANES, LEVEL, BlocksState, Shape
from sudoku_encode.search.blocks_settle_kernel import frame_size, settle

# With more guesses that count twice, the number of solutions of one call might not fit its 63 bits.
_MAX_DOUBLED = 24
# A cell's candidates as a number without a sign.
_VALUES = 2**LANES - 1


@inlined
def _choose(shape: Shape, state: BlocksState, base: int) -> tuple[int, bool]:
    """Return the place of an open cell with few candidates, in a block that often fails; -1 where no cell is open.

    And whether no cell has three candidates. A contradiction of a block weighs as much as 1/256 of a candidate.
    """
    zero, blocks = splat(0), load(state.blocks, 0)
    best, number, thirds = zero, zero, zero
    in_slab = len(shape.layers) * len(shape.rows) * len(shape.columns)
    for slab in range(len(shape.slabs)):
        weight = load(state.weights, LANES * slab)
        for vector in range(in_slab * slab, in_slab * (slab + 1)):
            cell = load(state.frames, base + LANES * vector)
            second = without_lowest(cell)
            thirds |= without_lowest(second)
            points = times_256(splat(LANES) + ~bit_counts(cell) + splat(1)) + weight + splat(1)
            score = larger(best, where_zero(second, zero, points) & blocks)
            number = where_zero(score ^ best, number, splat(vector))
            best = score
    most = largest(best)
    if most == 0:
        return -1, True
    lane = lowest(zero_lanes(best ^ splat(most)))
    store(state.scratch, 0, number)
    return LANES * (int(state.scratch[lane]) & _VALUES) + lane, not any_bit(thirds & blocks)


@compiled
def _write(state: BlocksState, base: int, grid: NDArray[np.uint8]) -> None:
    for cell in range(len(grid)):
        grid[cell] = lowest(int(state.frames[base + state.places[cell]])) + 1


@compiled
def run(shape: Shape, state: BlocksState, out: Grids, stop: int, doubling: bool, work: int) -> int:
    """Go on until `stop` solutions are found, about `work` boards are looked at, or all is done.

    Args:
        shape: of the board.
        state: the search.
        out: takes the first solutions of this call, as many as it has room for.
        stop: how many solutions to find.
        doubling: count the two halves of a state of pairs by one of them.
        work: how many boards to look at.

    Returns:
        How many solutions were found.
    """
    frames, size = state.frames, frame_size(shape)
    level, found = state.counts[LEVEL], 0
    while level >= 0 and work > 0 and found < stop:
        base = level * size
        doubled = int(frames[base + size - LANES])
        work -= 1
        if not settle(shape, state, base):
            level -= 1
            continue
        at, pairs = _choose(shape, state, base)
        if at < 0:
            if found < len(out):
                _write(state, base, out[found])
            found += 1 << doubled
            level -= 1
            continue
        candidates = int(frames[base + at]) & _VALUES
        bit = candidates & -candidates
        if doubling and pairs and doubled < _MAX_DOUBLED:
            # Every open cell has two candidates, every value two places in each unit: each choice settles all that
            # hangs together with it, and all of that turned round is sound as well. One of the two will do.
            frames[base + size - LANES] = doubled + 1
            frames[base + at] = bit
            continue
        for number in range(0, size, LANES):
            store(frames, base + size + number, load(frames, base + number))
        frames[base + at] = candidates ^ bit
        level += 1
        frames[base + size + at] = bit
    state.counts[LEVEL] = level
    state.counts[DONE] = level < 0
    return found


@compiled
def _reset(shape: Shape, state: BlocksState, givens: NDArray[np.uint8]) -> None:
    """Start on other givens."""
    end = frame_size(shape) - LANES
    state.frames[:end] = (1 << len(shape.rows) * len(shape.columns)) - 1
    state.frames[end] = 0
    state.weights[:] = 0
    for cell in range(len(givens)):
        if givens[cell]:
            state.frames[state.places[cell]] = 1 << (givens[cell] - 1)
    state.counts[:] = 0


@compiled
def run_all(
    shape: Shape,
    state: BlocksState,
    givens: Grids,
    limit: int,
    grids: Grids,
    found: Int64s,
    at: Int64s,
    work: int,
) -> None:
    """Solve puzzle after puzzle, from number `at[0]` on, until about `work` boards are looked at.

    Args:
        shape: of the board.
        state: room for a search; `at[1]` says whether it is in the middle of a puzzle.
        givens: (puzzles, n_cells).
        limit: up to how many solutions to count.
        grids: (puzzles, n_cells); takes the first solution of each.
        found: (puzzles,); takes the counts.
        at: the puzzle at work, and whether it was begun.
        work: about how many boards to look at.
    """
    share = max(1, work // 4)
    while at[0] < len(givens) and work > 0:
        puzzle = at[0]
        if not at[1]:
            _reset(shape, state, givens[puzzle])
            at[1] = 1
        first = puzzle if found[puzzle] == 0 else len(givens)
        found[puzzle] += run(shape, state, grids[first : puzzle + 1], limit - found[puzzle], True, share)
        ended = state.counts[DONE] or found[puzzle] >= limit
        work -= 16 if ended else share
        if ended:
            found[puzzle] = min(found[puzzle], limit)
            at[0] += 1
            at[1] = 0
