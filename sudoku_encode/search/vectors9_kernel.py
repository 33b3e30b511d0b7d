"""The search on the plain 9x9 board, compiled; `vectors9` says how the board is held."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled, inlined, lowest, ones
from sudoku_encode.run.vectors import (
    bit_counts,
    constant,
    larger,
    largest,
    load,
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
    DONE,
    DOUBLED,
    FAILED,
    FOUND,
    FRAME,
    HANGING_TOGETHER,
    LEVEL,
    PLACES,
    WEIGHTS,
    Frames,
    Vectors9State,
)
from sudoku_encode.search.vectors9_settle_kernel import above, below, once_twice, settle, to_left, to_right

if TYPE_CHECKING:
    from sudoku_encode.run.vectors import Vector
    from sudoku_encode.search.vectors9_settle_kernel import Nine

_lanes = constant(range(16))
_boxes_only = constant([-1 if BOXES >> lane & 1 else 0 for lane in range(16)])
# What a cell of two candidates has above all others, and how much a box may weigh: a score stays below 256.
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
    """Return the boxes in which some vector has a bit, a bit each."""
    return ~zero_lanes(v[0] | v[1] | v[2] | v[3] | v[4] | v[5] | v[6] | v[7] | v[8]) & BOXES


@inlined
def _placed_in(v: "Vector", number: int, place: "Vector", value: "Vector") -> "Vector":
    """Return vector `number` of a board with a value in the cell at a place, if that is in it."""
    return where_zero((_lanes() + splat(16 * number)) ^ place, value, v)


@inlined
def _placed(v: "Nine", at: int, bit: int) -> "Nine":
    """Return a board with a value in the cell at a place."""
    place, value = splat(at), splat(bit)
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
        ones(_open(x[0]))
        + ones(_open(x[1]))
        + ones(_open(x[2]))
        + ones(_open(x[3]))
        + ones(_open(x[4]))
        + ones(_open(x[5]))
        + ones(_open(x[6]))
        + ones(_open(x[7]))
        + ones(_open(x[8]))
    )


@inlined
def _rank(number: int, second: "Vector", third: "Vector") -> "Vector":
    """Return for each open cell of a vector its place, and 256 more for a cell of two candidates."""
    zero, places = splat(0), _lanes() + splat(16 * number)
    return where_zero(second, zero, where_zero(third, places + splat(256), places))


@inlined
def _any_open(x: "Nine", y: "Nine") -> int:
    """Return the place of a cell of two candidates, or of any open cell where there is none."""
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
    cell: "Vector", in_box: "Vector", right: "Vector", left: "Vector", down: "Vector", up: "Vector"
) -> "Vector":
    """Return how many of a cell's candidates are in pairs: in its box, and in the boxes beside it in each direction."""
    return (
        bit_counts(cell & in_box)
        + bit_counts(cell & right)
        + bit_counts(cell & left)
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
    """Return the place of a cell of two candidates that are in many other such cells around, in a box that often fails.

    Args:
        v: the board.
        x: the same without the lowest candidate of each cell.
        y: without two of them.
        weight: how often a contradiction was found in each box.
    """
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
def run(state: Vectors9State, out: Grids, stop: int, doubling: bool, work: int) -> int:
    """Go on until `stop` solutions are found, about `work` boards are looked at, or all is done.

    Args:
        state: the search.
        out: takes the first solutions of this call, as many as it has room for.
        stop: how many solutions to find.
        doubling: count the two halves of a state of pairs by one of them.
        work: how many boards to look at.

    Returns:
        How many solutions were found.
    """
    frames, counts = state
    level, failed, all_found = counts[LEVEL], counts[FAILED], counts[FOUND]
    found = 0
    weight = load(frames, WEIGHTS)
    while level >= 0 and work > 0 and found < stop:
        base = level * FRAME
        v = _loaded(frames, base)
        doubled = int(frames[base + DOUBLED])
        # Down from here: a guess is looked at at once, what is left of the board is stored and looked at later.
        while True:
            work -= 1
            sound, wrong, v = settle(v)
            if not sound:
                weight = smaller(weight + where_zero(wrong, splat(0), splat(1)), splat(_MAX_WEIGHT))
                failed += 1
                break
            x = _all_without_lowest(v)
            base = level * FRAME
            if _boxes_with(x) == 0:
                if found < len(out):
                    _store(frames, base, v)
                    _write(frames, base, out[found])
                found += 1 << doubled
                all_found += 1
                break
            y = _all_without_lowest(x)
            # Better choices cost more; they pay where most of them fail.
            at = _best_open(v, x, y, weight) if failed >= all_found else _any_open(x, y)
            _store(frames, base, v)
            candidates = int(frames[base + at])
            bit = candidates & -candidates
            if doubling and _boxes_with(y) == 0:
                # Every open cell has two candidates, every value two places in each unit: each choice settles all that
                # hangs together with it, and all of that turned round is sound as well. One of the two will do.
                doubled += 1
                if _n_open(x) <= HANGING_TOGETHER and found >= len(out):
                    found += 1 << doubled
                    all_found += 1
                    break
            else:
                frames[base + at] = candidates ^ bit
                frames[base + DOUBLED] = doubled
                level += 1
            v = _placed(v, at, bit)
        level -= 1
    store(frames, WEIGHTS, weight)
    counts[LEVEL], counts[FAILED], counts[FOUND] = level, failed, all_found
    counts[DONE] = level < 0
    return found


@compiled
def _reset(state: Vectors9State, givens: NDArray[np.uint8]) -> None:
    """Start on other givens."""
    state.frames[:BOARD] = ALL_VALUES
    state.frames[DOUBLED] = 0
    state.frames[WEIGHTS:] = 0
    for cell in range(81):
        if givens[cell]:
            state.frames[PLACES[cell]] = 1 << (givens[cell] - 1)
    state.counts[:] = 0


@compiled
def run_all(
    state: Vectors9State,
    givens: Grids,
    limit: int,
    grids: Grids,
    found: Int64s,
    at: Int64s,
    work: int,
) -> None:
    """Solve puzzle after puzzle, from number `at[0]` on, until about `work` boards are looked at.

    Args:
        state: room for a search; `at[1]` says whether it is in the middle of a puzzle.
        givens: (puzzles, 81).
        limit: up to how many solutions to count.
        grids: (puzzles, 81); takes the first solution of each.
        found: (puzzles,); takes the counts.
        at: the puzzle at work, and whether it was begun.
        work: about how many boards to look at.
    """
    share = 2**14
    while at[0] < len(givens) and work > 0:
        puzzle = at[0]
        if not at[1]:
            _reset(state, givens[puzzle])
            at[1] = 1
        first = puzzle if found[puzzle] == 0 else len(givens)
        found[puzzle] += run(state, grids[first : puzzle + 1], limit - found[puzzle], True, share)
        ended = state.counts[DONE] or found[puzzle] >= limit
        work -= 16 if ended else share
        if ended:
            found[puzzle] = min(found[puzzle], limit)
            at[0] += 1
            at[1] = 0
