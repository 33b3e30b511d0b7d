"""The search on the 9x9 board, compiled; `vectors9` describes how the board is stored."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import bit_count, by_length, compiled, inlined, lowest
from sudoku_encode.run.vectors import (
    any_bit,
    bit_counts,
    constant,
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
from sudoku_encode.search.vectors9 import (
    ALL_VALUES,
    BOARD,
    BOXES,
    CONNECTED_CELLS,
    DONE,
    DOUBLED,
    FAILED,
    FOUND,
    FRAME,
    FULL,
    LEVEL,
    PLACES,
    WEIGHTS,
    Frames,
    Vectors9State,
)

if TYPE_CHECKING:
    from sudoku_encode.run.vectors import Vector

    Three = tuple[Vector, Vector, Vector]
    Nine = tuple[Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector]


# The three rules of `vectors9`.


def _boxes_beside(bands: int, stacks: int) -> "list[int]":
    """Return for each lane that of the box some bands down and some stacks to the right, going round."""
    # The fourth lane of a band moves with the band: a whole band is moved by one instruction.
    order = list(range(16))
    for band in range(3):
        for stack in range(4):
            order[4 * band + stack] = 4 * ((band + bands) % 3) + ((stack + stacks) % 3 if stack < 3 else 3)
    return order


_boxes_only = constant([-1 if BOXES >> lane & 1 else 0 for lane in range(16)])
to_right, to_left = reordering(_boxes_beside(0, 1)), reordering(_boxes_beside(0, 2))
below, above = reordering(_boxes_beside(1, 0)), reordering(_boxes_beside(2, 0))


@inlined
def _once_twice_of_three(x: "Vector", y: "Vector", z: "Vector") -> "tuple[Vector, Vector]":
    return x | y | z, (x & y) | ((x | y) & z)


@inlined
def once_twice(v: "Nine") -> "tuple[Vector, Vector]":
    """Return the bits of one vector or more, and those of two or more."""
    once_0, twice_0 = _once_twice_of_three(v[0], v[1], v[2])
    once_1, twice_1 = _once_twice_of_three(v[3], v[4], v[5])
    once_2, twice_2 = _once_twice_of_three(v[6], v[7], v[8])
    once, twice = _once_twice_of_three(once_0, once_1, once_2)
    return once, twice | twice_0 | twice_1 | twice_2


@inlined
def _all_without_lowest(v: "Nine") -> "Nine":
    return (
        without_lowest(v[0]),
        without_lowest(v[1]),
        without_lowest(v[2]),
        without_lowest(v[3]),
        without_lowest(v[4]),
        without_lowest(v[5]),
        without_lowest(v[6]),
        without_lowest(v[7]),
        without_lowest(v[8]),
    )


@inlined
def _boxes_with(v: "Nine") -> int:
    """Return the boxes in which a vector has a bit, a bit each."""
    return ~zero_lanes(v[0] | v[1] | v[2] | v[3] | v[4] | v[5] | v[6] | v[7] | v[8]) & BOXES


@inlined
def _without(cell: "Vector", taken: "Vector", single: "Vector") -> "Vector":
    return (cell & ~taken) | single


@inlined
def _only(cell: "Vector", hidden: "Vector") -> "Vector":
    """Return only the value that has its last place in this cell, if there is such a value."""
    own = cell & hidden
    return where_zero(own, cell, own)


@inlined
def _either_way(one_beside: "Vector", one_after: "Vector", other_beside: "Vector", other_after: "Vector") -> "Vector":
    return (one_beside & other_after) | (one_after & other_beside)


@inlined
def _usable_rows(a: "Vector", b: "Vector", c: "Vector") -> "Three":
    """Return for the three rows of a box the values that the boxes beside can take in the other two rows."""
    a_right, a_left, b_right, b_left, c_right, c_left = (
        to_right(a),
        to_left(a),
        to_right(b),
        to_left(b),
        to_right(c),
        to_left(c),
    )
    return (
        _either_way(b_right, b_left, c_right, c_left),
        _either_way(c_right, c_left, a_right, a_left),
        _either_way(a_right, a_left, b_right, b_left),
    )


@inlined
def _usable_columns(a: "Vector", b: "Vector", c: "Vector") -> "Three":
    a_below, a_above, b_below, b_above, c_below, c_above = below(a), above(a), below(b), above(b), below(c), above(c)
    return (
        _either_way(b_below, b_above, c_below, c_above),
        _either_way(c_below, c_above, a_below, a_above),
        _either_way(a_below, a_above, b_below, b_above),
    )


@inlined
def _missing_in_lines(a: "Vector", b: "Vector", c: "Vector") -> "Vector":
    """Return the values that three rows of boxes lack, in the lanes of their bands."""
    full = splat(ALL_VALUES)
    return (
        ((a | to_right(a) | to_left(a)) ^ full)
        | ((b | to_right(b) | to_left(b)) ^ full)
        | ((c | to_right(c) | to_left(c)) ^ full)
    )


@inlined
def _missing_in_columns(a: "Vector", b: "Vector", c: "Vector") -> "Vector":
    full = splat(ALL_VALUES)
    return ((a | below(a) | above(a)) ^ full) | ((b | below(b) | above(b)) ^ full) | ((c | below(c) | above(c)) ^ full)


@inlined
def _missing(v: "Nine") -> "Vector":
    """Return the values that units of a full board lack, in the lanes of boxes that they cross."""
    row_0, row_1, row_2 = v[0] | v[1] | v[2], v[3] | v[4] | v[5], v[6] | v[7] | v[8]
    in_boxes = (row_0 | row_1 | row_2) ^ splat(ALL_VALUES)
    in_columns = _missing_in_columns(v[0] | v[3] | v[6], v[1] | v[4] | v[7], v[2] | v[5] | v[8])
    return (in_boxes | _missing_in_lines(row_0, row_1, row_2) | in_columns) & _boxes_only()


@inlined
def settle(v: "Nine") -> "tuple[bool, Vector, Nine, Nine]":
    """Apply the rules until nothing changes; return whether the board is sound, bits in the failed lanes, the board."""
    # And at last the board without the lowest candidate of each cell. A full board is only checked, which takes less
    # than another round of the rules.
    zero, full = splat(0), splat(ALL_VALUES)
    v0, v1, v2, v3, v4, v5, v6, v7, v8 = v
    x = _all_without_lowest(v)
    while True:
        u0, u1, u2, u3, u4, u5, u6, u7, u8 = v0, v1, v2, v3, v4, v5, v6, v7, v8
        s0, s1, s2 = where_zero(x[0], v0, zero), where_zero(x[1], v1, zero), where_zero(x[2], v2, zero)
        s3, s4, s5 = where_zero(x[3], v3, zero), where_zero(x[4], v4, zero), where_zero(x[5], v5, zero)
        s6, s7, s8 = where_zero(x[6], v6, zero), where_zero(x[7], v7, zero), where_zero(x[8], v8, zero)
        taken, repeated = once_twice((s0, s1, s2, s3, s4, s5, s6, s7, s8))
        v0, v1, v2 = _without(v0, taken, s0), _without(v1, taken, s1), _without(v2, taken, s2)
        v3, v4, v5 = _without(v3, taken, s3), _without(v4, taken, s4), _without(v5, taken, s5)
        v6, v7, v8 = _without(v6, taken, s6), _without(v7, taken, s7), _without(v8, taken, s8)
        once, twice = once_twice((v0, v1, v2, v3, v4, v5, v6, v7, v8))
        # A value without a place in its box, or two cells that must both have it.
        wrong = (once ^ full) | repeated
        if any_bit(wrong):
            return False, wrong, (v0, v1, v2, v3, v4, v5, v6, v7, v8), x
        hidden = once & ~twice
        v0, v1, v2 = _only(v0, hidden), _only(v1, hidden), _only(v2, hidden)
        v3, v4, v5 = _only(v3, hidden), _only(v4, hidden), _only(v5, hidden)
        v6, v7, v8 = _only(v6, hidden), _only(v7, hidden), _only(v8, hidden)
        r0, r1, r2 = _usable_rows(v0 | v1 | v2, v3 | v4 | v5, v6 | v7 | v8)
        c0, c1, c2 = _usable_columns(v0 | v3 | v6, v1 | v4 | v7, v2 | v5 | v8)
        v0, v1, v2 = v0 & r0 & c0, v1 & r0 & c1, v2 & r0 & c2
        v3, v4, v5 = v3 & r1 & c0, v4 & r1 & c1, v5 & r1 & c2
        v6, v7, v8 = v6 & r2 & c0, v7 & r2 & c1, v8 & r2 & c2
        least = smaller(smaller(smaller(v0, v1), smaller(v2, v3)), smaller(smaller(v4, v5), smaller(v6, v7)))
        # A cell without a candidate.
        wrong = where_zero(smaller(least, v8), full, zero)
        if any_bit(wrong):
            return False, wrong, (v0, v1, v2, v3, v4, v5, v6, v7, v8), x
        x = _all_without_lowest((v0, v1, v2, v3, v4, v5, v6, v7, v8))
        if _boxes_with(x) == 0:
            wrong = _missing((v0, v1, v2, v3, v4, v5, v6, v7, v8))
            return not any_bit(wrong), wrong, (v0, v1, v2, v3, v4, v5, v6, v7, v8), x
        changed = (
            (u0 ^ v0) | (u1 ^ v1) | (u2 ^ v2) | (u3 ^ v3) | (u4 ^ v4) | (u5 ^ v5) | (u6 ^ v6) | (u7 ^ v7) | (u8 ^ v8)
        )
        if not any_bit(changed):
            return True, zero, (v0, v1, v2, v3, v4, v5, v6, v7, v8), x


# The choice of a cell, and the search.

_lanes = constant(range(16))
# The bonus of a cell of two candidates, and how much a box may weigh: a score stays below 256.
_PAIR, _MAX_WEIGHT = 128, 80


@inlined
def _loaded(frames: Frames, base: int) -> "Nine":
    return (
        load(frames, base),
        load(frames, base + 16),
        load(frames, base + 32),
        load(frames, base + 48),
        load(frames, base + 64),
        load(frames, base + 80),
        load(frames, base + 96),
        load(frames, base + 112),
        load(frames, base + 128),
    )


@inlined
def _store(frames: Frames, base: int, v: "Nine") -> None:
    store(frames, base, v[0])
    store(frames, base + 16, v[1])
    store(frames, base + 32, v[2])
    store(frames, base + 48, v[3])
    store(frames, base + 64, v[4])
    store(frames, base + 80, v[5])
    store(frames, base + 96, v[6])
    store(frames, base + 112, v[7])
    store(frames, base + 128, v[8])


# The further units: those besides rows, columns and boxes.


@inlined
def _narrow_units(state: Vectors9State, base: int, full: int) -> tuple[int, int]:
    """Apply the first two rules to the further units of a stored board; return 1 if it changed, and the full units."""
    # It returns -1 on a contradiction. A unit without an open cell is full, a bit each, and is not looked at again.
    frames, units = state.frames, state.units
    result = 0
    for unit in range(len(units)):
        if full >> unit & 1:
            continue
        once, twice, taken, repeated, several = 0, 0, 0, 0, 0
        for number in range(9):
            cell = int(frames[base + units[unit, number]])
            single = 0 if cell & (cell - 1) else cell
            repeated |= taken & single
            taken |= single
            several |= cell ^ single
            twice |= once & cell
            once |= cell
        if repeated or once != ALL_VALUES:
            return -1, full
        if several == 0:
            full |= 1 << unit
            continue
        hidden = once & ~twice & ~taken
        if not (several & taken or hidden):
            continue
        result = 1
        for number in range(9):
            cell = int(frames[base + units[unit, number]])
            if cell & (cell - 1):
                own = cell & hidden
                cell = own if own else cell & ~taken
                # A cell without a candidate, or with two values that have no other place.
                if cell == 0 or own & (own - 1):
                    return -1, full
                frames[base + units[unit, number]] = cell
    return result, full


@inlined
def _settle_plain(state: Vectors9State, base: int, full: int, v: "Nine") -> "tuple[bool, Vector, int, Nine, Nine]":
    sound, wrong, v, x = settle(v)
    return sound, wrong, full, v, x


@inlined
def _settle_further(state: Vectors9State, base: int, full: int, v: "Nine") -> "tuple[bool, Vector, int, Nine, Nine]":
    while True:
        sound, wrong, v, x = settle(v)
        if not sound or full == _all_units(state):
            return sound, wrong, full, v, x
        _store(state.frames, base, v)
        result, full = _narrow_units(state, base, full)
        if result <= 0:
            return result == 0, wrong, full, v, x
        v = _loaded(state.frames, base)


@inlined
def _all_units(state: Vectors9State) -> int:
    """Return the bits of all further units."""
    return (1 << len(state.units)) - 1


@inlined
def _no_cell(state: Vectors9State, base: int, full: int) -> int:
    return -1


@inlined
def _cell_of_further(state: Vectors9State, base: int, full: int) -> int:
    best, least = -1, ALL_VALUES
    for unit in range(len(state.units)):
        if full >> unit & 1:
            continue
        for number in range(9):
            size = bit_count(int(state.frames[base + state.units[unit, number]]))
            if 1 < size < least:
                best, least = state.units[unit, number], size
    return best


# By `kind_of`: apply all rules to a board, which may be written to its frame; return whether it is sound, bits in the
# failed lanes, the full units, and the board.
_settle_all = by_length({0: _settle_plain, 1: _settle_further})
# By `kind_of`: return the place of an open cell with the fewest candidates in the further units, or -1.
_cell_of_units = by_length({0: _no_cell, 1: _cell_of_further})


@inlined
def _placed_in(v: "Vector", number: int, place: "Vector", value: "Vector") -> "Vector":
    """Return vector `number` of a board with a value in the cell at a place, if the cell is in this vector."""
    return where_zero((_lanes() + splat(16 * number)) ^ place, value, v)


@inlined
def _placed(v: "Nine", index: int, bit: int) -> "Nine":
    """Return a board with a value in the cell at a place."""
    place, value = splat(index), splat(bit)
    return (
        _placed_in(v[0], 0, place, value),
        _placed_in(v[1], 1, place, value),
        _placed_in(v[2], 2, place, value),
        _placed_in(v[3], 3, place, value),
        _placed_in(v[4], 4, place, value),
        _placed_in(v[5], 5, place, value),
        _placed_in(v[6], 6, place, value),
        _placed_in(v[7], 7, place, value),
        _placed_in(v[8], 8, place, value),
    )


@inlined
def _open(second: "Vector") -> int:
    """Return the boxes in which this cell is open."""
    return ~zero_lanes(second) & BOXES


@inlined
def _n_open(x: "Nine") -> int:
    """Return the number of open cells."""
    return (
        bit_count(_open(x[0]))
        + bit_count(_open(x[1]))
        + bit_count(_open(x[2]))
        + bit_count(_open(x[3]))
        + bit_count(_open(x[4]))
        + bit_count(_open(x[5]))
        + bit_count(_open(x[6]))
        + bit_count(_open(x[7]))
        + bit_count(_open(x[8]))
    )


@inlined
def _rank(number: int, second: "Vector", third: "Vector") -> "Vector":
    """Return for each open cell of a vector its place, and 256 more for a cell of two candidates."""
    zero, places = splat(0), _lanes() + splat(16 * number)
    return where_zero(second, zero, where_zero(third, places + splat(256), places))


@inlined
def _any_open(x: "Nine", y: "Nine") -> int:
    """Return the place of a cell of two candidates, or of any open cell if there is no such cell."""
    best = _rank(0, x[0], y[0])
    best = larger(best, _rank(1, x[1], y[1]))
    best = larger(best, _rank(2, x[2], y[2]))
    best = larger(best, _rank(3, x[3], y[3]))
    best = larger(best, _rank(4, x[4], y[4]))
    best = larger(best, _rank(5, x[5], y[5]))
    best = larger(best, _rank(6, x[6], y[6]))
    best = larger(best, _rank(7, x[7], y[7]))
    best = larger(best, _rank(8, x[8], y[8]))
    return largest(best & _boxes_only()) & 255


@inlined
def _if_pair(cell: "Vector", second: "Vector", third: "Vector") -> "Vector":
    zero = splat(0)
    return where_zero(second, zero, where_zero(third, cell, zero))


@inlined
def _shared(
    cell: "Vector", in_box: "Vector", rightward: "Vector", leftward: "Vector", down: "Vector", up: "Vector"
) -> "Vector":
    """Return how many of a cell's candidates are in pairs: in its box, and in the boxes beside it in each direction."""
    return (
        bit_counts(cell & in_box)
        + bit_counts(cell & rightward)
        + bit_counts(cell & leftward)
        + bit_counts(cell & down)
        + bit_counts(cell & up)
    )


@inlined
def _score(number: int, second: "Vector", pair: "Vector", shared: "Vector", weight: "Vector") -> "Vector":
    """Return for each open cell of a vector its score in the upper byte and its place in the lower one."""
    zero = splat(0)
    points = where_zero(pair, zero, splat(_PAIR)) + shared + weight + splat(1)
    return where_zero(second, zero, times_256(points) + _lanes() + splat(16 * number))


@inlined
def _best_open(v: "Nine", x: "Nine", y: "Nine", weight: "Vector") -> int:
    """Return the place of a cell of two candidates shared with many such cells around it, in a box that often fails."""
    # `x` is the board `v` without the lowest candidate of each cell, `y` without the two lowest. `weight`: the number
    # of contradictions in each box.
    z0, z1, z2 = _if_pair(v[0], x[0], y[0]), _if_pair(v[1], x[1], y[1]), _if_pair(v[2], x[2], y[2])
    z3, z4, z5 = _if_pair(v[3], x[3], y[3]), _if_pair(v[4], x[4], y[4]), _if_pair(v[5], x[5], y[5])
    z6, z7, z8 = _if_pair(v[6], x[6], y[6]), _if_pair(v[7], x[7], y[7]), _if_pair(v[8], x[8], y[8])
    _, b = once_twice((z0, z1, z2, z3, z4, z5, z6, z7, z8))
    row, next_row, last_row = z0 | z1 | z2, z3 | z4 | z5, z6 | z7 | z8
    r0, r1, r2 = to_right(row), to_right(next_row), to_right(last_row)
    l0, l1, l2 = to_left(row), to_left(next_row), to_left(last_row)
    column, next_column, last_column = z0 | z3 | z6, z1 | z4 | z7, z2 | z5 | z8
    d0, d1, d2 = below(column), below(next_column), below(last_column)
    u0, u1, u2 = above(column), above(next_column), above(last_column)
    best = _score(0, x[0], z0, _shared(v[0], b, r0, l0, d0, u0), weight)
    best = larger(best, _score(1, x[1], z1, _shared(v[1], b, r0, l0, d1, u1), weight))
    best = larger(best, _score(2, x[2], z2, _shared(v[2], b, r0, l0, d2, u2), weight))
    best = larger(best, _score(3, x[3], z3, _shared(v[3], b, r1, l1, d0, u0), weight))
    best = larger(best, _score(4, x[4], z4, _shared(v[4], b, r1, l1, d1, u1), weight))
    best = larger(best, _score(5, x[5], z5, _shared(v[5], b, r1, l1, d2, u2), weight))
    best = larger(best, _score(6, x[6], z6, _shared(v[6], b, r2, l2, d0, u0), weight))
    best = larger(best, _score(7, x[7], z7, _shared(v[7], b, r2, l2, d1, u1), weight))
    best = larger(best, _score(8, x[8], z8, _shared(v[8], b, r2, l2, d2, u2), weight))
    return largest(best & _boxes_only()) & 255


@compiled
def _write(frames: Frames, base: int, grid: NDArray[np.uint8]) -> None:
    for cell in range(81):
        grid[cell] = lowest(frames[base + PLACES[cell]]) + 1


@compiled
def run(kind: tuple[int, ...], state: Vectors9State, out: Grids, stop: int, doubling: bool, work: int) -> int:
    """Continue up to `stop` solutions, `work` visited boards or the end; return how many solutions were found."""
    # `out` takes the first solutions of this call, as many as it has room for. With `doubling` the two halves of a
    # state of pairs are counted by one of them.
    frames, counts = state.frames, state.counts
    level, failed, n_visited_solutions = counts[LEVEL], counts[FAILED], counts[FOUND]
    n_solutions = 0
    weight = load(frames, WEIGHTS)
    while level >= 0 and work > 0 and n_solutions < stop:
        base = level * FRAME
        v = _loaded(frames, base)
        doubled, full = int(frames[base + DOUBLED]), int(frames[base + FULL])
        # Down from here: a guess is searched at once, the rest of the board is stored and searched later.
        while True:
            work -= 1
            base = level * FRAME
            sound, wrong, full, v, x = _settle_all(kind, state, base, full, v)
            if not sound:
                weight = smaller(weight + where_zero(wrong, splat(0), splat(1)), splat(_MAX_WEIGHT))
                failed += 1
                break
            if _boxes_with(x) == 0:
                if n_solutions < len(out):
                    _store(frames, base, v)
                    _write(frames, base, out[n_solutions])
                n_solutions += 1 << doubled
                n_visited_solutions += 1
                break
            y = _all_without_lowest(x)
            # Better choices cost more; they pay where most of them fail.
            _store(frames, base, v)
            place = _cell_of_units(kind, state, base, full)
            if place < 0:
                place = _best_open(v, x, y, weight) if failed >= n_visited_solutions else _any_open(x, y)
            candidates = int(frames[base + place])
            bit = candidates & -candidates
            if doubling and _boxes_with(y) == 0:
                # Every open cell has two candidates, every value two places in each unit: each choice settles all cells
                # connected with it, and the opposite choice in all of them is sound as well. One of the two will do.
                doubled += 1
                if full == _all_units(state) and _n_open(x) <= CONNECTED_CELLS and n_solutions >= len(out):
                    n_solutions += 1 << doubled
                    n_visited_solutions += 1
                    break
            else:
                frames[base + place] = candidates ^ bit
                frames[base + DOUBLED], frames[base + FULL] = doubled, full
                level += 1
            v = _placed(v, place, bit)
        level -= 1
    store(frames, WEIGHTS, weight)
    counts[LEVEL], counts[FAILED], counts[FOUND] = level, failed, n_visited_solutions
    counts[DONE] = level < 0
    return n_solutions


@compiled
def _reset(state: Vectors9State, givens: NDArray[np.uint8]) -> None:
    """Start the search of other givens."""
    state.frames[:BOARD] = ALL_VALUES
    state.frames[DOUBLED] = state.frames[FULL] = 0
    state.frames[WEIGHTS:] = 0
    for cell in range(81):
        if givens[cell]:
            state.frames[PLACES[cell]] = 1 << (givens[cell] - 1)
    state.counts[:] = 0


@compiled
def run_all(
    kind: tuple[int, ...],
    state: Vectors9State,
    givens: Grids,
    limit: int,
    grids: Grids,
    counts: Int64s,
    progress: Int64s,
    work: int,
) -> None:
    """Solve puzzle after puzzle, from number `progress[0]` on, until about `work` boards are visited."""
    # `progress[1]`: whether the state is in the middle of that puzzle. `givens`: (puzzles, 81). `grids`: the same
    # shape, takes the first solution of each. `counts`: (puzzles,), takes the counts up to `limit`.
    share = 2**14
    while progress[0] < len(givens) and work > 0:
        puzzle = progress[0]
        if not progress[1]:
            _reset(state, givens[puzzle])
            progress[1] = 1
        first = puzzle if counts[puzzle] == 0 else len(givens)
        counts[puzzle] += run(kind, state, grids[first : puzzle + 1], limit - counts[puzzle], True, share)
        ended = state.counts[DONE] or counts[puzzle] >= limit
        work -= 16 if ended else share
        if ended:
            counts[puzzle] = min(counts[puzzle], limit)
            progress[0] += 1
            progress[1] = 0
