"""The three rules of `vectors9`, compiled."""

from typing import TYPE_CHECKING

from sudoku_encode.run.compiling import inlined
from sudoku_encode.run.vectors import (
    any_bit,
    reordering,
    smaller,
    splat,
    where_zero,
    without_lowest,
)
from sudoku_encode.search.vectors9 import ALL_VALUES

if TYPE_CHECKING:
    from sudoku_encode.run.vectors import Vector

    Three = tuple[Vector, Vector, Vector]
    Nine = tuple[Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector]


def _boxes_beside(bands: int, stacks: int) -> "list[int]":
    """Return for each lane that of the box some bands down and some stacks to the right, going round.

    The fourth lane of a band moves with the band: a whole band is moved by one instruction.
    """
    order = list(range(16))
    for band in range(3):
        for stack in range(4):
            order[4 * band + stack] = 4 * ((band + bands) % 3) + ((stack + stacks) % 3 if stack < 3 else 3)
    return order


to_right, to_left = reordering(_boxes_beside(0, 1)), reordering(_boxes_beside(0, 2))
below, above = reordering(_boxes_beside(1, 0)), reordering(_boxes_beside(2, 0))


@inlined
def _once_twice_of_three(x: "Vector", y: "Vector", z: "Vector") -> "tuple[Vector, Vector]":
    return x | y | z, (x & y) | ((x | y) & z)


@inlined
def once_twice(v: "Nine") -> "tuple[Vector, Vector]":
    """Return the bits that some vector has, and those that two or more have."""
    once_0, twice_0 = _once_twice_of_three(v[0], v[1], v[2])
    once_1, twice_1 = _once_twice_of_three(v[3], v[4], v[5])
    once_2, twice_2 = _once_twice_of_three(v[6], v[7], v[8])
    once, twice = _once_twice_of_three(once_0, once_1, once_2)
    return once, twice | twice_0 | twice_1 | twice_2


@inlined
def _if_single(cell: "Vector") -> "Vector":
    """Return the candidate of a cell that has one, else nothing."""
    return where_zero(without_lowest(cell), cell, splat(0))


@inlined
def _without(cell: "Vector", taken: "Vector", single: "Vector") -> "Vector":
    return (cell & ~taken) | single


@inlined
def _only(cell: "Vector", hidden: "Vector") -> "Vector":
    """Return only the value whose last place a cell is, where there is one."""
    own = cell & hidden
    return where_zero(own, cell, own)


@inlined
def _either_way(one_beside: "Vector", one_after: "Vector", other_beside: "Vector", other_after: "Vector") -> "Vector":
    return (one_beside & other_after) | (one_after & other_beside)


@inlined
def _usable_rows(a: "Vector", b: "Vector", c: "Vector") -> "Three":
    """For the three rows of a box: the values that the boxes beside can take in the other two rows."""
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
def settle(v: "Nine") -> "tuple[bool, Vector, Nine]":
    """Apply the rules until nothing changes.

    Returns:
        Whether no contradiction was found; bits in the lanes of the boxes where one was; the board.
    """
    zero, full = splat(0), splat(ALL_VALUES)
    v0, v1, v2, v3, v4, v5, v6, v7, v8 = v
    while True:
        u0, u1, u2, u3, u4, u5, u6, u7, u8 = v0, v1, v2, v3, v4, v5, v6, v7, v8
        s0, s1, s2 = _if_single(v0), _if_single(v1), _if_single(v2)
        s3, s4, s5 = _if_single(v3), _if_single(v4), _if_single(v5)
        s6, s7, s8 = _if_single(v6), _if_single(v7), _if_single(v8)
        taken, repeated = once_twice((s0, s1, s2, s3, s4, s5, s6, s7, s8))
        v0, v1, v2 = _without(v0, taken, s0), _without(v1, taken, s1), _without(v2, taken, s2)
        v3, v4, v5 = _without(v3, taken, s3), _without(v4, taken, s4), _without(v5, taken, s5)
        v6, v7, v8 = _without(v6, taken, s6), _without(v7, taken, s7), _without(v8, taken, s8)
        once, twice = once_twice((v0, v1, v2, v3, v4, v5, v6, v7, v8))
        # A value without a place in its box, or two cells that must both have it.
        wrong = (once ^ full) | repeated
        if any_bit(wrong):
            return False, wrong, (v0, v1, v2, v3, v4, v5, v6, v7, v8)
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
            return False, wrong, (v0, v1, v2, v3, v4, v5, v6, v7, v8)
        changed = (
            (u0 ^ v0) | (u1 ^ v1) | (u2 ^ v2) | (u3 ^ v3) | (u4 ^ v4) | (u5 ^ v5) | (u6 ^ v6) | (u7 ^ v7) | (u8 ^ v8)
        )
        if not any_bit(changed):
            return True, zero, (v0, v1, v2, v3, v4, v5, v6, v7, v8)
