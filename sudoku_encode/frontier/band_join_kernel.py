"""The compiled loops of `band_join`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.problem import Tree
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays


@compiled_with_arrays
def write_column_sets(
    states: NDArray[Any], values: Int64s, slots: Int64s, per_part: int, out: Uint64s, start: int, end: int
) -> None:
    """Write the values in each part of the columns, for the groups from `start` to `end`."""
    # `states`: (groups, n_values): for each value the bits of the columns that hold it. `values`: the value at each
    # place of a state. `slots`: for each column its bit. `per_part`: how many columns make a part. `out`: uint64
    # (groups, 3): bit `column of the part * n_values + value`.
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
    """Find which sets of three bands complete each other, for a range of sets of the first; return their number."""
    # `first`, `second`, `third`: uint64: the distinct sets that each band puts into one part of the columns, ascending.
    # `full`: the word with all bits of a part. `out`: int32 (room, 3): takes the numbers of the sets of each triple
    # that do not meet and are full together; triples that do not fit in are counted only.
    n_triples = 0
    for a in range(start, end):
        for b in range(len(second)):
            if first[a] & second[b]:
                continue
            lacking = full ^ first[a] ^ second[b]
            c = np.searchsorted(third, lacking)
            if c < len(third) and third[c] == lacking:
                if n_triples < len(out):
                    out[n_triples, 0], out[n_triples, 1], out[n_triples, 2] = a, b, c
                n_triples += 1
    return n_triples


@subroutine_with_arrays
def _leaves(
    parts: Uint64s,
    others: Uint64s,
    lacking: Uint64s,
    counts: Uint64s,
    other_counts: Uint64s,
    lacking_counts: Uint64s,
    full: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Sum the products of counts over third parts that complete each other; return the low and the high word."""
    # `parts`, `others`, `lacking`: uint64: the third parts below a node of each band, with their counts; `lacking` is
    # ascending, and searched for the missing part of two others. `full`: the word with all bits of a part.
    low = high = np.uint64(0)
    for a in range(len(parts)):
        for b in range(len(others)):
            if parts[a] & others[b]:
                continue
            missing = full ^ parts[a] ^ others[b]
            bottom, top = 0, len(lacking)
            while bottom < top:
                middle = (bottom + top) >> 1
                if lacking[middle] < missing:
                    bottom = middle + 1
                else:
                    top = middle
            if bottom < len(lacking) and lacking[bottom] == missing:
                term = counts[a] * other_counts[b] * lacking_counts[bottom]
                low += term
                if low < term:
                    high += np.uint64(1)
    return low, high


@subroutine_with_arrays
def _enter(tree: Tree, first: int, place: Int32s, entered: bool) -> None:
    """Write the node of each second part below a first one, or take that back."""
    for node in range(tree.starts[first], tree.starts[first + 1]):
        place[tree.nodes[node]] = node if entered else -1


@subroutine_with_arrays
def _below(a: Tree, b: Tree, c: Tree, x: int, y: int, z: int, full: np.uint64, total: Uint64s) -> int:
    """Add the products below three nodes to the total; return how many pairs were visited."""
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
    progress: Int64s,
    total: Uint64s,
    work: int,
) -> None:
    """Sum the products of the counts of three groups that complete each other."""
    # `a`, `b`, `c`: the groups of the three bands. `firsts`: int32 (triples, 3): which first parts of them complete
    # each other, by their numbers, see `find_triples`. `seconds`: int32 (triples, 3): the same of second parts,
    # ascending. `second_starts`: int64 (distinct second parts of a + 1,): where the triples of each of them start in
    # `seconds`. `b_place`, `c_place`: int32 (distinct second parts of b and of c,): work space, filled with -1 before
    # and after. `full`: the word with all bits of a part. `progress`: int64 (2,): the current triple in `firsts`, and
    # how many nodes of a below it are done; changed. `total`: uint64 (2,): low and high word of the sum so far;
    # changed. `work`: stop after about this many steps: nodes entered, and pairs of parts visited.
    while progress[0] < len(firsts) and work > 0:
        first = firsts[progress[0]]
        _enter(b, first[1], b_place, True)
        _enter(c, first[2], c_place, True)
        work -= b.starts[first[1] + 1] - b.starts[first[1]] + c.starts[first[2] + 1] - c.starts[first[2]]
        node = a.starts[first[0]] + progress[1]
        while node < a.starts[first[0] + 1] and work > 0:
            second = a.nodes[node]
            for triple in range(second_starts[second], second_starts[second + 1]):
                other = b_place[seconds[triple, 1]]
                if other < 0:
                    continue
                third = c_place[seconds[triple, 2]]
                if third >= 0:
                    work -= _below(a, b, c, node, other, third, full, total)
            work -= second_starts[second + 1] - second_starts[second]
            node += 1
        _enter(b, first[1], b_place, False)
        _enter(c, first[2], c_place, False)
        progress[1] = node - a.starts[first[0]]
        if node == a.starts[first[0] + 1]:
            progress[0] += 1
            progress[1] = 0
