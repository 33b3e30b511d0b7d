"""The search on larger squares and cubes, compiled for each shape; `blocks` describes how the board is stored."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import bit_count, by_length, compiled, inlined, lowest, subroutine
from sudoku_encode.run.vectors import (
    any_bit,
    bit_counts,
    larger,
    largest,
    load,
    reordering,
    smaller,
    splat,
    store,
    times_256,
    where_zero,
    without_lowest,
    zero_lanes,
)
from sudoku_encode.search.blocks import DONE, LANES, LEVEL, BlocksState, Shape, Shorts
from sudoku_encode.search.few_open_kernel import FIRST_EIGHTHS, count_if_few

if TYPE_CHECKING:
    from sudoku_encode.run.vectors import Vector


# The three rules of `blocks`.

# Up to this number contradictions are counted for a block.
_MAX_WEIGHT = 1000
# The directions in which a line of a box continues in other blocks.
_RIGHT, _DOWN, _BEHIND = range(3)


def _next_in(bands: int, stacks: int) -> "list[int]":
    """Return for each lane that of the next block, going round, in a column of some bands or a row of some stacks."""
    order = list(range(LANES))
    for lane in order:
        band, stack = divmod(lane, 4)
        order[lane] = 4 * ((band + 1) % bands if band < bands else band) + (
            (stack + 1) % stacks if stack < stacks else stack
        )
    return order


# By the number of stacks, and of bands.
_to_right = by_length({stacks: reordering(_next_in(1, stacks)) for stacks in (2, 3, 4)})
_below = by_length({bands: reordering(_next_in(bands, 1)) for bands in (2, 3, 4)})


@inlined
def frame_size(shape: Shape) -> int:
    """Return how many numbers a frame takes: the vectors of the board, and one more."""
    return LANES * (len(shape.layers) * len(shape.rows) * len(shape.columns) * len(shape.slabs) + 1)


@inlined
def _line(frames: Shorts, base: int, step: int, cells: int) -> "Vector":
    """Return the candidates of the cells of a line within a box."""
    line = splat(0)
    for cell in range(cells):
        line |= load(frames, base + step * cell)
    return line


@inlined
def _beside(shape: Shape, frames: Shorts, base: int, step: int, cells: int, way: int, slab: int, away: int) -> "Vector":
    """Return the candidates of a line within a box where it continues in another block, 1 to 3 blocks `away`."""
    # `base`: where the first cell of the line is, in slab 0. `step`: from cell to cell. `way`: the direction of the
    # line.
    size = LANES * len(shape.layers) * len(shape.rows) * len(shape.columns)
    if way == _BEHIND:
        return _line(frames, base + size * ((slab + away) % len(shape.slabs)), step, cells)
    line = _line(frames, base + size * slab, step, cells)
    for _ in range(away):
        line = _to_right(shape.stacks, line) if way == _RIGHT else _below(shape.bands, line)
    return line


@inlined
def _narrow(frames: Shorts, base: int, step: int, cells: int, usable: "Vector") -> "Vector":
    """Keep the usable values in the cells of a line; return the values that were removed."""
    lost = splat(0)
    for cell in range(cells):
        before = load(frames, base + step * cell)
        lost |= before & ~usable
        store(frames, base + step * cell, before & usable)
    return lost


@inlined
def _shared(a_1: "Vector", a_2: "Vector", b_1: "Vector", b_2: "Vector") -> "Vector":
    """Return the values that two boxes can take, one in line a and the other in line b."""
    return (a_1 & b_2) | (a_2 & b_1)


@inlined
def _band_of_2(
    shape: Shape, frames: Shorts, first: int, apart: int, step: int, cells: int, way: int, slab: int
) -> "Vector":
    base = first + LANES * len(shape.layers) * len(shape.rows) * len(shape.columns) * slab
    a_1 = _beside(shape, frames, first, step, cells, way, slab, 1)
    b_1 = _beside(shape, frames, first + apart, step, cells, way, slab, 1)
    lost = _narrow(frames, base, step, cells, b_1)
    return lost | _narrow(frames, base + apart, step, cells, a_1)


@inlined
def _band_of_3(
    shape: Shape, frames: Shorts, first: int, apart: int, step: int, cells: int, way: int, slab: int
) -> "Vector":
    base = first + LANES * len(shape.layers) * len(shape.rows) * len(shape.columns) * slab
    a_1 = _beside(shape, frames, first, step, cells, way, slab, 1)
    a_2 = _beside(shape, frames, first, step, cells, way, slab, 2)
    b_1 = _beside(shape, frames, first + apart, step, cells, way, slab, 1)
    b_2 = _beside(shape, frames, first + apart, step, cells, way, slab, 2)
    c_1 = _beside(shape, frames, first + 2 * apart, step, cells, way, slab, 1)
    c_2 = _beside(shape, frames, first + 2 * apart, step, cells, way, slab, 2)
    lost = _narrow(frames, base, step, cells, _shared(b_1, b_2, c_1, c_2))
    lost |= _narrow(frames, base + apart, step, cells, _shared(a_1, a_2, c_1, c_2))
    return lost | _narrow(frames, base + 2 * apart, step, cells, _shared(a_1, a_2, b_1, b_2))


@inlined
def _band_of_4(
    shape: Shape, frames: Shorts, first: int, apart: int, step: int, cells: int, way: int, slab: int
) -> "Vector":
    base = first + LANES * len(shape.layers) * len(shape.rows) * len(shape.columns) * slab
    a_1 = _beside(shape, frames, first, step, cells, way, slab, 1)
    a_2 = _beside(shape, frames, first, step, cells, way, slab, 2)
    a_3 = _beside(shape, frames, first, step, cells, way, slab, 3)
    b_1 = _beside(shape, frames, first + apart, step, cells, way, slab, 1)
    b_2 = _beside(shape, frames, first + apart, step, cells, way, slab, 2)
    b_3 = _beside(shape, frames, first + apart, step, cells, way, slab, 3)
    c_1 = _beside(shape, frames, first + 2 * apart, step, cells, way, slab, 1)
    c_2 = _beside(shape, frames, first + 2 * apart, step, cells, way, slab, 2)
    c_3 = _beside(shape, frames, first + 2 * apart, step, cells, way, slab, 3)
    d_1 = _beside(shape, frames, first + 3 * apart, step, cells, way, slab, 1)
    d_2 = _beside(shape, frames, first + 3 * apart, step, cells, way, slab, 2)
    d_3 = _beside(shape, frames, first + 3 * apart, step, cells, way, slab, 3)
    ab_12, ab_13, ab_23 = _shared(a_1, a_2, b_1, b_2), _shared(a_1, a_3, b_1, b_3), _shared(a_2, a_3, b_2, b_3)
    cd_12, cd_13, cd_23 = _shared(c_1, c_2, d_1, d_2), _shared(c_1, c_3, d_1, d_3), _shared(c_2, c_3, d_2, d_3)
    lost = _narrow(frames, base, step, cells, (b_1 & cd_23) | (b_2 & cd_13) | (b_3 & cd_12))
    lost |= _narrow(frames, base + apart, step, cells, (a_1 & cd_23) | (a_2 & cd_13) | (a_3 & cd_12))
    lost |= _narrow(frames, base + 2 * apart, step, cells, (d_1 & ab_23) | (d_2 & ab_13) | (d_3 & ab_12))
    return lost | _narrow(frames, base + 3 * apart, step, cells, (c_1 & ab_23) | (c_2 & ab_13) | (c_3 & ab_12))


# Rule 3 on the 2, 3 or 4 lines of one direction in a box; it returns the values that were removed. `first` is where the
# first cell of the first line is, in slab 0; `apart` is the distance of the lines, `step` that of their cells.
_band = by_length({2: _band_of_2, 3: _band_of_3, 4: _band_of_4})


@inlined
def _box(
    frames: Shorts, base: int, step_1: int, cells_1: int, step_2: int, cells_2: int, full: "Vector"
) -> "tuple[Vector, Vector]":
    """Apply rules 1 and 2 to a box; return bits in the lanes with a contradiction, and the bits that changed."""
    zero = splat(0)
    taken, repeated = zero, zero
    for i in range(cells_1):
        for j in range(cells_2):
            cell = load(frames, base + step_1 * i + step_2 * j)
            single = where_zero(without_lowest(cell), cell, zero)
            repeated |= taken & single
            taken |= single
    once, twice, wrong = zero, zero, repeated
    for i in range(cells_1):
        for j in range(cells_2):
            cell = _without(load(frames, base + step_1 * i + step_2 * j), taken)
            twice |= once & cell
            once |= cell
            # A cell without a candidate.
            wrong |= where_zero(cell, full, zero)
    # A value without a place.
    wrong |= once ^ full
    hidden, changed = once & ~twice, zero
    for i in range(cells_1):
        for j in range(cells_2):
            before = load(frames, base + step_1 * i + step_2 * j)
            cell = _without(before, taken)
            own = cell & hidden
            cell = where_zero(own, cell, own)
            changed |= cell ^ before
            store(frames, base + step_1 * i + step_2 * j, cell)
    return wrong, changed


@inlined
def _without(cell: "Vector", taken: "Vector") -> "Vector":
    """Return an open cell without the values of filled cells, and a filled cell as it is."""
    return where_zero(without_lowest(cell), cell, cell & ~taken)


@inlined
def _no_more_boxes(shape: Shape, frames: Shorts, base: int, full: "Vector") -> "tuple[Vector, Vector]":
    return splat(0), splat(0)


@inlined
def _upright_boxes(shape: Shape, frames: Shorts, base: int, full: "Vector") -> "tuple[Vector, Vector]":
    layers, rows, columns = len(shape.layers), len(shape.rows), len(shape.columns)
    wrong, changed = splat(0), splat(0)
    for row in range(rows):
        bad, new = _box(frames, base + LANES * columns * row, LANES * rows * columns, layers, LANES, columns, full)
        wrong, changed = wrong | bad, changed | new
    for column in range(columns):
        bad, new = _box(frames, base + LANES * column, LANES * rows * columns, layers, LANES * columns, rows, full)
        wrong, changed = wrong | bad, changed | new
    return wrong, changed


# Rules 1 and 2 on the boxes that stand upright in the blocks of a slab, by the number of layers: a square has none.
_more_boxes = by_length({1: _no_more_boxes, 2: _upright_boxes, 3: _upright_boxes, 4: _upright_boxes})


@inlined
def _no_more_bands(shape: Shape, frames: Shorts, base: int, slab: int) -> "Vector":
    return splat(0)


@inlined
def _upright_bands(shape: Shape, frames: Shorts, base: int, slab: int) -> "Vector":
    layers, rows, columns = len(shape.layers), len(shape.rows), len(shape.columns)
    right, down, behind = LANES, LANES * columns, LANES * rows * columns
    changed = splat(0)
    for row in range(rows):
        place = base + down * row
        changed |= _band(shape.layers, shape, frames, place, behind, right, columns, _RIGHT, slab)
        changed |= _band(shape.columns, shape, frames, place, right, behind, layers, _BEHIND, slab)
    for column in range(columns):
        place = base + right * column
        changed |= _band(shape.layers, shape, frames, place, behind, down, rows, _DOWN, slab)
        changed |= _band(shape.rows, shape, frames, place, down, behind, layers, _BEHIND, slab)
    return changed


# Rule 3 on those boxes.
_more_bands = by_length({1: _no_more_bands, 2: _upright_bands, 3: _upright_bands, 4: _upright_bands})


@compiled
def settle(shape: Shape, state: BlocksState, base: int) -> bool:
    """Apply the rules to the board in a frame until nothing changes; return False on a contradiction."""
    frames, weights = state.frames, state.weights
    layers, rows, columns = len(shape.layers), len(shape.rows), len(shape.columns)
    right, down, behind = LANES, LANES * columns, LANES * rows * columns
    full = splat((1 << rows * columns) - 1)
    while True:
        changed = splat(0)
        for slab in range(len(shape.slabs)):
            wrong, new = _more_boxes(shape.layers, shape, frames, base + behind * layers * slab, full)
            changed |= new
            for layer in range(layers):
                place = base + behind * (layers * slab + layer)
                bad, new = _box(frames, place, down, rows, right, columns, full)
                wrong, changed = wrong | bad, changed | new
            if any_bit(wrong):
                weight = load(weights, LANES * slab) + where_zero(wrong, splat(0), splat(1))
                store(weights, LANES * slab, smaller(weight, splat(_MAX_WEIGHT)))
                return False
        for slab in range(len(shape.slabs)):
            for layer in range(layers):
                place = base + behind * layer
                changed |= _band(shape.rows, shape, frames, place, down, right, columns, _RIGHT, slab)
                changed |= _band(shape.columns, shape, frames, place, right, down, rows, _DOWN, slab)
            changed |= _more_bands(shape.layers, shape, frames, base, slab)
        if not any_bit(changed):
            return True


# With more guesses that count twice, the number of solutions of one call might not fit its 63 bits.
_MAX_DOUBLED = 24
# A cell's candidates as a number without a sign.
_VALUES = 2**LANES - 1


@inlined
def _choose(shape: Shape, state: BlocksState, base: int) -> tuple[int, bool]:
    """Return the place of an open cell with few candidates (-1 if no cell is open), and whether no cell has three."""
    # Blocks that often fail come first: a contradiction of a block weighs as much as 1/256 of a candidate.
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


@inlined
def _gather_few(shape: Shape, state: BlocksState, base: int, most: int) -> int:
    """Note the open cells and their candidates; return how many there are, or a number above `most`."""
    frames, few, n_open = state.frames, state.few, 0
    for place in range(0, frame_size(shape) - LANES, LANES):
        lanes = ~zero_lanes(without_lowest(load(frames, base + place)) & load(state.blocks, 0)) & _VALUES
        if n_open + bit_count(lanes) > most:
            return most + 1
        while lanes:
            cell = place + lowest(lanes)
            lanes &= lanes - 1
            few.cells[n_open], few.masks[0, n_open] = cell, int(frames[base + cell]) & _VALUES
            n_open += 1
    return n_open


@subroutine
def _write(state: BlocksState, base: int, grid: NDArray[np.uint8]) -> None:
    for cell in range(len(grid)):
        grid[cell] = lowest(int(state.frames[base + state.places[cell]])) + 1


@compiled
def run(shape: Shape, state: BlocksState, out: Grids, stop: int, doubling: bool, work: int) -> int:
    """Continue up to `stop` solutions, `work` visited boards or the end; return how many solutions were found."""
    # `out` takes the first solutions of this call, as many as it has room for. With `doubling` the two halves of a
    # state of pairs are counted by one of them.
    frames, size = state.frames, frame_size(shape)
    level, n_solutions, eighths = state.counts[LEVEL], 0, FIRST_EIGHTHS
    while level >= 0 and work > 0 and n_solutions < stop:
        base = level * size
        doubled = int(frames[base + size - LANES])
        work -= 1
        if not settle(shape, state, base):
            level -= 1
            continue
        if doubling and n_solutions > len(out) and doubled == 0:
            n_open = _gather_few(shape, state, base, eighths // 8)
            ways, eighths, steps = count_if_few(state.few, n_open, eighths)
            work -= steps // 8
            if ways >= 0:
                n_solutions += ways
                level -= 1
                continue
        place, pairs = _choose(shape, state, base)
        if place < 0:
            if n_solutions < len(out):
                _write(state, base, out[n_solutions])
            n_solutions += 1 << doubled
            level -= 1
            continue
        candidates = int(frames[base + place]) & _VALUES
        bit = candidates & -candidates
        if doubling and pairs and doubled < _MAX_DOUBLED:
            # Every open cell has two candidates, every value two places in each unit: each choice settles all cells
            # connected with it, and the opposite choice in all of them is sound as well. One of the two will do.
            frames[base + size - LANES] = doubled + 1
            frames[base + place] = bit
            continue
        for number in range(0, size, LANES):
            store(frames, base + size + number, load(frames, base + number))
        frames[base + place] = candidates ^ bit
        level += 1
        frames[base + size + place] = bit
    state.counts[LEVEL] = level
    state.counts[DONE] = level < 0
    return n_solutions


@subroutine
def _reset(shape: Shape, state: BlocksState, givens: NDArray[np.uint8]) -> None:
    """Start the search of other givens."""
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
    counts: Int64s,
    progress: Int64s,
    work: int,
) -> None:
    """Solve puzzle after puzzle, from number `progress[0]` on, until about `work` boards are visited."""
    # `progress[1]`: whether the state is in the middle of that puzzle. `givens`: (puzzles, n_cells). `grids`: the same
    # shape, takes the first solution of each. `counts`: (puzzles,), takes the counts up to `limit`.
    share = max(1, work // 4)
    while progress[0] < len(givens) and work > 0:
        puzzle = progress[0]
        if not progress[1]:
            _reset(shape, state, givens[puzzle])
            progress[1] = 1
        first = puzzle if counts[puzzle] == 0 else len(givens)
        counts[puzzle] += run(shape, state, grids[first : puzzle + 1], limit - counts[puzzle], True, share)
        ended = state.counts[DONE] or counts[puzzle] >= limit
        work -= 16 if ended else share
        if ended:
            counts[puzzle] = min(counts[puzzle], limit)
            progress[0] += 1
            progress[1] = 0
