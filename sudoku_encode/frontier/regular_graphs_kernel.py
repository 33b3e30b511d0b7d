"""The loops of `regular_graphs`, compiled."""

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays, inlined, ones

# Odd numbers whose bits look random, which mix those of a word by multiplication.
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_TRIPLE = np.uint64(3)
_SHIFTS = np.array([31, 29, 32], np.uint64)
# What is added to the colour of one vertex, so that it differs from those that looked like it.
_MARK = np.uint64(0x51ED270B)
# How often colours are refined at first, and after a vertex is marked.
_FIRST_ROUNDS, _ROUNDS = 3, 2


@compiled_with_arrays
def _cycles(rows: Int64s) -> int:
    """Return how many cycles a graph has in which every row has two values, and every value two rows."""
    found, left = 0, (1 << len(rows)) - 1
    for start in range(len(rows)):
        if not left >> start & 1:
            continue
        found += 1
        row, value = start, rows[start] & -rows[start]
        while left >> row & 1:
            left ^= 1 << row
            value ^= rows[row]
            for other in range(len(rows)):
                if other != row and rows[other] & value:
                    row = other
                    break
    return found


@compiled_with_arrays
def factorizations(graph: Int64s, left: Int64s, used: Int64s, at: Int64s, work: int) -> bool:
    """Count in how many ways the edges of a bipartite graph fall into perfect matchings; say whether that is all.

    Each row is an array for each number of matchings that are left to choose, its `degree` being the first.

    Args:
        graph: int64 (degree + 1, n): for each row of what is left of the graph its values, a bit each.
        left: int64 (degree + 1, n): for each row the values still to be tried for the matching at work, a bit each.
        used: int64 (degree + 1, n): for each row the values that the matching has above it, a bit each.
        at: int64 (degree + 3,): the row that the matching has come to; then the number of matchings left to choose,
            and how many ways were found.
        work: stop after this many steps, each of which adds a row to a matching or takes one back.
    """
    degree, n = len(graph) - 1, graph.shape[1]
    level, total = at[degree + 1], at[degree + 2]
    while level <= degree and work > 0:
        work -= 1
        if level == 2:
            # Each cycle falls into two matchings.
            total += 1 << (_cycles(graph[2]) - 1)
            level += 1
            continue
        row = at[level]
        if not left[level, row]:
            at[level] -= 1
            if row == 0:
                level += 1
            continue
        bit = left[level, row] & -left[level, row]
        left[level, row] ^= bit
        graph[level - 1, row] = graph[level, row] ^ bit
        if row < n - 1:
            used[level, row + 1] = used[level, row] | bit
            left[level, row + 1] = graph[level, row + 1] & ~used[level, row + 1]
            at[level] = row + 1
        else:
            level -= 1
            at[level] = 0
            # The order of the matchings does not count: each takes the lowest value of the first row.
            left[level, 0] = graph[level, 0] & -graph[level, 0]
    at[degree + 1], at[degree + 2] = level, total
    return bool(level > degree)


@inlined
def _mixed(word: np.uint64) -> np.uint64:
    """Return a word whose bits depend on all bits of the one given."""
    word = (word ^ (word >> _SHIFTS[0])) * _FIRST_FACTOR
    word = (word ^ (word >> _SHIFTS[1])) * _SECOND_FACTOR
    last: np.uint64 = word ^ (word >> _SHIFTS[2])
    return last


@compiled_with_arrays
def _recolour(own: Uint64s, other: Uint64s, edges: Int64s, shared: Int64s, new: Uint64s) -> None:
    """Give each vertex of a side a colour by those of its side, how much it shares with each, and its neighbours.

    Args:
        own: uint64 (n,): the colours of the side.
        other: uint64 (n,): the colours of the other side.
        edges: int64 (n,): for each vertex its neighbours, a bit each.
        shared: int64 (n, n): how many neighbours two vertices of the side have in common.
        new: uint64 (n,): where the colours go.
    """
    n = len(own)
    for vertex in range(n):
        beside, across = np.uint64(0), np.uint64(0)
        for one in range(n):
            if one != vertex:
                beside += _mixed(own[one] + np.uint64(shared[vertex, one]) * _FIRST_FACTOR)
            if edges[vertex] >> one & 1:
                across += _mixed(other[one])
        new[vertex] = _mixed(own[vertex] * _TRIPLE + beside) + _mixed(across * _SECOND_FACTOR)


@compiled_with_arrays
def _refine(edges: Int64s, shared: Int64s, colours: Uint64s, spare: Uint64s, rounds: int) -> None:
    """Refine the colours of both sides; arrays are as in `_recolour`, with an axis of two sides before."""
    for _ in range(rounds):
        _recolour(colours[0], colours[1], edges[0], shared[0], spare[0])
        _recolour(colours[1], spare[0], edges[1], shared[1], spare[1])
        colours[:] = spare


@compiled_with_arrays
def _first_of_a_tie(colours: Uint64s) -> int:
    """Return a vertex whose colour is the least of those that several have; -1 where all differ."""
    best = -1
    for vertex in range(len(colours)):
        for other in range(len(colours)):
            if other != vertex and colours[other] == colours[vertex]:
                if best < 0 or colours[vertex] < colours[best]:
                    best = vertex
                break
    return best


@compiled_with_arrays
def write_form(graph: Int64s, form: Int64s) -> None:
    """Write the graph with both sides in another order, mostly the same one for graphs that differ in order only.

    The order is by colours, which a vertex gets from what is around it. Where colours tie, any vertex of the tie is
    marked and the others are coloured anew. So two graphs with one form are always isomorphic, and isomorphic ones
    nearly always have one form: not where vertices of a tie are no images of each other.

    Args:
        graph: int64 (n,): for each row its values, a bit each.
        form: int64 (n,): the same.
    """
    n = len(graph)
    edges, shared = np.zeros((2, n), np.int64), np.zeros((2, n, n), np.int64)
    edges[0] = graph
    for row in range(n):
        for value in range(n):
            edges[1, value] |= (graph[row] >> value & 1) << row
    for side in range(2):
        for one in range(n):
            for other in range(one):
                shared[side, one, other] = shared[side, other, one] = ones(edges[side, one] & edges[side, other])
    colours, spare = np.zeros((2, n), np.uint64), np.empty((2, n), np.uint64)
    _refine(edges, shared, colours, spare, _FIRST_ROUNDS)
    for side in range(2):
        tied = _first_of_a_tie(colours[side])
        while tied >= 0:
            colours[side, tied] += _MARK
            _refine(edges, shared, colours, spare, _ROUNDS)
            tied = _first_of_a_tie(colours[side])
    rows, values = np.argsort(colours[0]), np.argsort(colours[1])
    for place in range(n):
        form[place] = 0
        for bit in range(n):
            form[place] |= (graph[rows[place]] >> values[bit] & 1) << bit


@compiled_with_arrays
def rests(graph: Int64s, left: Int64s, used: Int64s, at: Int64s, out: Int64s) -> int:
    """Write what perfect matchings leave of a graph, in the order of `write_form`; return how many are written.

    Only matchings with the lowest value of the first row are taken.

    Args:
        graph: int64 (n,): for each row its values, a bit each.
        left: int64 (n,): for each row the values still to be tried, a bit each; changed.
        used: int64 (n,): for each row the values that the matching has above it, a bit each; changed.
        at: int64 (1,): the row that the matching has come to; -1 when all is done; changed.
        out: int64 (room, n).
    """
    n, found, row = len(graph), 0, at[0]
    rest = np.zeros(n, np.int64)
    for above in range(row):
        rest[above] = graph[above] ^ (used[above] ^ used[above + 1])
    while row >= 0 and found < len(out):
        if not left[row]:
            row -= 1
            continue
        bit = left[row] & -left[row]
        left[row] ^= bit
        rest[row] = graph[row] ^ bit
        if row < n - 1:
            used[row + 1] = used[row] | bit
            left[row + 1] = graph[row + 1] & ~used[row + 1]
            row += 1
        else:
            write_form(rest, out[found])
            found += 1
    at[0] = row
    return found
