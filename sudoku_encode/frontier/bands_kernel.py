"""The loops of `bands`, compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.bands import Tree
from sudoku_encode.run.compiling import compiled

Words = NDArray[np.uint64]
Index = NDArray[np.int32]
Starts = NDArray[np.int64]

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


@compiled
def sets(states: NDArray[Any], values: Starts, slots: Starts, per_part: int, out: Words, start: int, end: int) -> None:
    """Write of some groups what each part of the columns holds.

    Args:
        states: (groups, n_values): for each value the bits of the columns that hold it.
        values: which value is where in a state.
        slots: for each column its bit.
        per_part: how many columns make a part.
        out: uint64 (groups, 3): bit `column of the part * n_values + value`.
        start: the first group.
        end: where to end.
    """
    n = states.shape[1]
    for group in range(start, end):
        for column in range(n):
            mask = np.uint64(0)
            for place in range(n):
                if states[group, place] >> slots[column] & 1:
                    mask |= np.uint64(1) << np.uint64(values[place])
            out[group, column // per_part] |= mask << np.uint64(column % per_part * n)


@compiled
def thirds(first: Words, second: Words, third: Words, full: np.uint64, out: Index, start: int, end: int) -> int:
    """Find which sets of three bands make a whole, of so many sets of the first band.

    Args:
        first: the distinct sets of a band in one part, ascending.
        second: those of another.
        third: those of the last.
        full: all bits.
        out: int32 (room, 3): where each triple of sets that do not meet and together are full is in the three.
        start: the first set of `first`.
        end: where to end.

    Returns:
        How many triples there are; those that do not fit in `out` are not written.
    """
    found = 0
    for a in range(start, end):
        for b in range(len(second)):
            if first[a] & second[b]:
                continue
            lacking = full ^ first[a] ^ second[b]
            c = np.searchsorted(third, lacking)
            if c < len(third) and third[c] == lacking:
                if found < len(out):
                    out[found, 0], out[found, 1], out[found, 2] = a, b, c
                found += 1
    return found


@compiled
def _leaves(
    parts: Words,
    others: Words,
    lacking: Words,
    counts: Words,
    other_counts: Words,
    lacking_counts: Words,
    full: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Sum over three lists of last parts that make a whole; `lacking` is ascending. Returns low and high word."""
    low = high = np.uint64(0)
    for a in range(len(parts)):
        for b in range(len(others)):
            if parts[a] & others[b]:
                continue
            left = full ^ parts[a] ^ others[b]
            bottom, top = 0, len(lacking)
            while bottom < top:
                middle = (bottom + top) >> 1
                if lacking[middle] < left:
                    bottom = middle + 1
                else:
                    top = middle
            if bottom < len(lacking) and lacking[bottom] == left:
                term = counts[a] * other_counts[b] * lacking_counts[bottom]
                low += term
                if low < term:
                    high += np.uint64(1)
    return low, high


@compiled
def _enter(one: Tree, first: int, place: Index, entered: bool) -> None:
    """Write for each second set below a first one which node it is, or take that back."""
    for node in range(one.starts[first], one.starts[first + 1]):
        place[one.nodes[node]] = node if entered else -1


@compiled
def _below(a: Tree, b: Tree, c: Tree, x: int, y: int, z: int, full: np.uint64, total: Words) -> int:
    """Add what three nodes have below them to the total; return how many pairs were looked at."""
    p, q, r = (
        slice(a.leaves[x], a.leaves[x + 1]),
        slice(b.leaves[y], b.leaves[y + 1]),
        slice(c.leaves[z], c.leaves[z + 1]),
    )
    first, second, third = p.stop - p.start, q.stop - q.start, r.stop - r.start
    # The longest list is the one that is looked up.
    if third >= first and third >= second:
        low, high = _leaves(a.parts[p], b.parts[q], c.parts[r], a.counts[p], b.counts[q], c.counts[r], full)
    elif second >= first:
        low, high = _leaves(a.parts[p], c.parts[r], b.parts[q], a.counts[p], c.counts[r], b.counts[q], full)
    else:
        low, high = _leaves(b.parts[q], c.parts[r], a.parts[p], b.counts[q], c.counts[r], a.counts[p], full)
    total[0] += low
    total[1] += high + np.uint64(total[0] < low)
    return int(first * second * third // max(first, second, third))


@compiled
def join(
    firsts: Index,
    seconds: Index,
    second_starts: Starts,
    a: Tree,
    b: Tree,
    c: Tree,
    b_place: Index,
    c_place: Index,
    full: np.uint64,
    at: Starts,
    total: Words,
    work: int,
) -> None:
    """Sum the products of the counts of three groups that make a whole.

    Args:
        firsts: int32 (triples, 3): of the first part, see `thirds`.
        seconds: the same of the second part.
        second_starts: where in `seconds` the triples of each of the first band's sets start.
        a: the groups of a band.
        b: of another.
        c: of the last.
        b_place: room, -1 for each second set of b, and left so.
        c_place: the same of c.
        full: all bits of a part.
        at: int64 (2,): the triple of the first part at work, and how many of its nodes of a are done.
        total: uint64 (2,): low and high word of the sum.
        work: stop after about so many steps.
    """
    while at[0] < len(firsts) and work > 0:
        first = firsts[at[0]]
        _enter(b, first[1], b_place, True)
        _enter(c, first[2], c_place, True)
        work -= b.starts[first[1] + 1] - b.starts[first[1]] + c.starts[first[2] + 1] - c.starts[first[2]]
        node = a.starts[first[0]] + at[1]
        while node < a.starts[first[0] + 1] and work > 0:
            here = a.nodes[node]
            for triple in range(second_starts[here], second_starts[here + 1]):
                other = b_place[seconds[triple, 1]]
                if other < 0:
                    continue
                third = c_place[seconds[triple, 2]]
                if third >= 0:
                    work -= _below(a, b, c, node, other, third, full, total)
            work -= second_starts[here + 1] - second_starts[here]
            node += 1
        _enter(b, first[1], b_place, False)
        _enter(c, first[2], c_place, False)
        at[1] = node - a.starts[first[0]]
        if node == a.starts[first[0] + 1]:
            at[0] += 1
            at[1] = 0
