"""The loops of `band_join`, compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.band_join_state import Tree
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays


@compiled_with_arrays
def write_column_sets(
    states: NDArray[Any], values: Int64s, slots: Int64s, per_part: int, out: Uint64s, start: int, end: int
) -> None:
    """Write what each part of the columns holds, for a range of groups.

    Args:
        states: (groups, n_values): for each value the bits of the columns that hold it.
        values: which value is where in a state.
        slots: for each column its bit.
        per_part: how many columns make a part.
        out: uint64 (groups, 3): bit `column of the part * n_values + value`.
        start: the first group.
        end: the group after the last.
    """
    n = states.shape[1]
    for group in range(start, end):
        for column in range(n):
            mask = np.uint64(0)
            for place in range(n):
                if states[group, place] >> slots[column] & 1:
                    mask |= np.uint64(1) << np.uint64(values[place])
            out[group, column // per_part] |= mask << np.uint64(column % per_part * n)


@compiled_with_arrays
def find_triples(
    first: Uint64s, second: Uint64s, third: Uint64s, full: np.uint64, out: Int32s, start: int, end: int
) -> int:
    """Find which sets of three bands make a whole, for a range of sets of the first band.

    Args:
        first: uint64: the distinct sets that a band puts into one part of the columns, ascending.
        second: uint64: those of the second band.
        third: uint64: those of the third band.
        full: the word with all bits of a part.
        out: int32 (room, 3): where each triple of sets that do not meet and together are full is in the three.
        start: the first set of `first` to look at.
        end: the one after the last.

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


@compiled_with_arrays
def _leaves(
    parts: Uint64s,
    others: Uint64s,
    lacking: Uint64s,
    counts: Uint64s,
    other_counts: Uint64s,
    lacking_counts: Uint64s,
    full: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Sum the products of counts over one third part of each list that make a whole; return low and high word.

    Args:
        parts: uint64: the third parts below a node of one band.
        others: uint64: those below a node of another band.
        lacking: uint64: those below a node of the last band, ascending: in it is looked up what the two leave.
        counts: uint64: of `parts`.
        other_counts: uint64: of `others`.
        lacking_counts: uint64: of `lacking`.
        full: the word with all bits of a part.
    """
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


@compiled_with_arrays
def _enter(tree: Tree, first: int, place: Int32s, entered: bool) -> None:
    """Write for each second part below a first one which node it is, or take that back."""
    for node in range(tree.starts[first], tree.starts[first + 1]):
        place[tree.nodes[node]] = node if entered else -1


@compiled_with_arrays
def _below(a: Tree, b: Tree, c: Tree, x: int, y: int, z: int, full: np.uint64, total: Uint64s) -> int:
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


@compiled_with_arrays
def join(
    firsts: Int32s,
    seconds: Int32s,
    second_starts: Int64s,
    a: Tree,
    b: Tree,
    c: Tree,
    b_place: Int32s,
    c_place: Int32s,
    full: np.uint64,
    at: Int64s,
    total: Uint64s,
    work: int,
) -> None:
    """Sum the products of the counts of three groups that make a whole.

    Args:
        firsts: int32 (triples, 3): which first parts of a, b and c make a whole, by their numbers, see `find_triples`.
        seconds: int32 (triples, 3): which second parts do, ascending.
        second_starts: int64 (distinct second parts of a + 1,): where in `seconds` the triples of each of them start.
        a: the groups of the first band.
        b: the groups of the second band.
        c: the groups of the third band.
        b_place: int32 (distinct second parts of b,): work space, filled with -1 before and after.
        c_place: int32 (distinct second parts of c,): work space, filled with -1 before and after.
        full: the word with all bits of a part.
        at: int64 (2,): the triple in `firsts` at work, and how many nodes of a below it are done; changed.
        total: uint64 (2,): low and high word of the sum so far; changed.
        work: stop after about this many steps: nodes entered, and pairs of parts looked at.
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
