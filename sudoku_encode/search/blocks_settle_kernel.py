"""The three rules of `blocks`, compiled for each shape."""

from typing import TYPE_CHECKING

from sudoku_encode.run.compiling import by_length, compiled, inlined
from sudoku_encode.run.vectors import (
    any_bit,
    load,
    reordering,
    smaller,
    splat,
    store,
    where_zero,
    without_lowest,
)
from sudoku_encode.search.blocks import LANES, BlocksState, Shape, Shorts

if TYPE_CHECKING:
    from sudoku_encode.run.vectors import Vector

# How often a contradiction is counted for a block.
_MAX_WEIGHT = 1000
# The directions in which a line of a box goes on in other blocks.
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
    """Return how many numbers a frame has: the vectors of the board, and one more."""
    return LANES * (len(shape.layers) * len(shape.rows) * len(shape.columns) * len(shape.slabs) + 1)


@inlined
def _line(frames: Shorts, at: int, step: int, cells: int) -> "Vector":
    """Return what the cells of a line within a box may hold between them."""
    line = splat(0)
    for cell in range(cells):
        line |= load(frames, at + step * cell)
    return line


@inlined
def _beside(shape: Shape, frames: Shorts, at: int, step: int, cells: int, way: int, slab: int, away: int) -> "Vector":
    """Return what a line within a box may hold where it goes on in another block, some blocks away.

    Args:
        shape: of the board.
        frames: they hold the board.
        at: where its first cell is, in slab 0.
        step: from cell to cell.
        cells: how many they are.
        way: in which direction the line goes.
        slab: of the block.
        away: 1 to 3.
    """
    size = LANES * len(shape.layers) * len(shape.rows) * len(shape.columns)
    if way == _BEHIND:
        return _line(frames, at + size * ((slab + away) % len(shape.slabs)), step, cells)
    line = _line(frames, at + size * slab, step, cells)
    for _ in range(away):
        line = _to_right(shape.stacks, line) if way == _RIGHT else _below(shape.bands, line)
    return line


@inlined
def _narrow(frames: Shorts, at: int, step: int, cells: int, usable: "Vector") -> "Vector":
    """Leave the cells of a line what can be used there; return what was lost."""
    lost = splat(0)
    for cell in range(cells):
        before = load(frames, at + step * cell)
        lost |= before & ~usable
        store(frames, at + step * cell, before & usable)
    return lost


@inlined
def _shared(a_1: "Vector", a_2: "Vector", b_1: "Vector", b_2: "Vector") -> "Vector":
    """Return the values that two boxes can take, one in line a and the other in line b."""
    return (a_1 & b_2) | (a_2 & b_1)


@inlined
def _band_of_2(
    shape: Shape, frames: Shorts, first: int, apart: int, step: int, cells: int, way: int, slab: int
) -> "Vector":
    here = first + LANES * len(shape.layers) * len(shape.rows) * len(shape.columns) * slab
    a_1 = _beside(shape, frames, first, step, cells, way, slab, 1)
    b_1 = _beside(shape, frames, first + apart, step, cells, way, slab, 1)
    lost = _narrow(frames, here, step, cells, b_1)
    return lost | _narrow(frames, here + apart, step, cells, a_1)


@inlined
def _band_of_3(
    shape: Shape, frames: Shorts, first: int, apart: int, step: int, cells: int, way: int, slab: int
) -> "Vector":
    here = first + LANES * len(shape.layers) * len(shape.rows) * len(shape.columns) * slab
    a_1 = _beside(shape, frames, first, step, cells, way, slab, 1)
    a_2 = _beside(shape, frames, first, step, cells, way, slab, 2)
    b_1 = _beside(shape, frames, first + apart, step, cells, way, slab, 1)
    b_2 = _beside(shape, frames, first + apart, step, cells, way, slab, 2)
    c_1 = _beside(shape, frames, first + 2 * apart, step, cells, way, slab, 1)
    c_2 = _beside(shape, frames, first + 2 * apart, step, cells, way, slab, 2)
    lost = _narrow(frames, here, step, cells, _shared(b_1, b_2, c_1, c_2))
    lost |= _narrow(frames, here + apart, step, cells, _shared(a_1, a_2, c_1, c_2))
    return lost | _narrow(frames, here + 2 * apart, step, cells, _shared(a_1, a_2, b_1, b_2))


@inlined
def _band_of_4(
    shape: Shape, frames: Shorts, first: int, apart: int, step: int, cells: int, way: int, slab: int
) -> "Vector":
    here = first + LANES * len(shape.layers) * len(shape.rows) * len(shape.columns) * slab
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
    lost = _narrow(frames, here, step, cells, (b_1 & cd_23) | (b_2 & cd_13) | (b_3 & cd_12))
    lost |= _narrow(frames, here + apart, step, cells, (a_1 & cd_23) | (a_2 & cd_13) | (a_3 & cd_12))
    lost |= _narrow(frames, here + 2 * apart, step, cells, (d_1 & ab_23) | (d_2 & ab_13) | (d_3 & ab_12))
    return lost | _narrow(frames, here + 3 * apart, step, cells, (c_1 & ab_23) | (c_2 & ab_13) | (c_3 & ab_12))


# Rule 3 on the lines of one direction in a box, by how many they are; it returns what was lost. `first` is where the
# first cell of the first line is, in slab 0; the lines are `apart`, their cells a `step`.
_band = by_length({2: _band_of_2, 3: _band_of_3, 4: _band_of_4})


@inlined
def _box(
    frames: Shorts, at: int, step_1: int, cells_1: int, step_2: int, cells_2: int, full: "Vector"
) -> "tuple[Vector, Vector]":
    """Apply rules 1 and 2 to a box.

    Returns:
        Bits in the lanes where a contradiction was found; what changed.
    """
    zero = splat(0)
    taken, repeated = zero, zero
    for i in range(cells_1):
        for j in range(cells_2):
            cell = load(frames, at + step_1 * i + step_2 * j)
            single = where_zero(without_lowest(cell), cell, zero)
            repeated |= taken & single
            taken |= single
    once, twice, wrong = zero, zero, repeated
    for i in range(cells_1):
        for j in range(cells_2):
            cell = _without(load(frames, at + step_1 * i + step_2 * j), taken)
            twice |= once & cell
            once |= cell
            # A cell without a candidate.
            wrong |= where_zero(cell, full, zero)
    # A value without a place.
    wrong |= once ^ full
    hidden, changed = once & ~twice, zero
    for i in range(cells_1):
        for j in range(cells_2):
            before = load(frames, at + step_1 * i + step_2 * j)
            cell = _without(before, taken)
            own = cell & hidden
            cell = where_zero(own, cell, own)
            changed |= cell ^ before
            store(frames, at + step_1 * i + step_2 * j, cell)
    return wrong, changed


@inlined
def _without(cell: "Vector", taken: "Vector") -> "Vector":
    """Return a cell without the values of filled ones, if it is none of these."""
    return where_zero(without_lowest(cell), cell, cell & ~taken)


@inlined
def _no_more_boxes(shape: Shape, frames: Shorts, at: int, full: "Vector") -> "tuple[Vector, Vector]":
    return splat(0), splat(0)


@inlined
def _upright_boxes(shape: Shape, frames: Shorts, at: int, full: "Vector") -> "tuple[Vector, Vector]":
    layers, rows, columns = len(shape.layers), len(shape.rows), len(shape.columns)
    wrong, changed = splat(0), splat(0)
    for row in range(rows):
        bad, new = _box(frames, at + LANES * columns * row, LANES * rows * columns, layers, LANES, columns, full)
        wrong, changed = wrong | bad, changed | new
    for column in range(columns):
        bad, new = _box(frames, at + LANES * column, LANES * rows * columns, layers, LANES * columns, rows, full)
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
        at = base + down * row
        changed |= _band(shape.layers, shape, frames, at, behind, right, columns, _RIGHT, slab)
        changed |= _band(shape.columns, shape, frames, at, right, behind, layers, _BEHIND, slab)
    for column in range(columns):
        at = base + right * column
        changed |= _band(shape.layers, shape, frames, at, behind, down, rows, _DOWN, slab)
        changed |= _band(shape.rows, shape, frames, at, down, behind, layers, _BEHIND, slab)
    return changed


# Rule 3 on those boxes.
_more_bands = by_length({1: _no_more_bands, 2: _upright_bands, 3: _upright_bands, 4: _upright_bands})


@compiled
def settle(shape: Shape, state: BlocksState, base: int) -> bool:
    """Apply the rules to the board in a frame until nothing changes, or a contradiction is found: then return False."""
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
                at = base + behind * (layers * slab + layer)
                bad, new = _box(frames, at, down, rows, right, columns, full)
                wrong, changed = wrong | bad, changed | new
            if any_bit(wrong):
                weight = load(weights, LANES * slab) + where_zero(wrong, splat(0), splat(1))
                store(weights, LANES * slab, smaller(weight, splat(_MAX_WEIGHT)))
                return False
        for slab in range(len(shape.slabs)):
            for layer in range(layers):
                at = base + behind * layer
                changed |= _band(shape.rows, shape, frames, at, down, right, columns, _RIGHT, slab)
                changed |= _band(shape.columns, shape, frames, at, right, down, rows, _DOWN, slab)
            changed |= _more_bands(shape.layers, shape, frames, base, slab)
        if not any_bit(changed):
            return True
