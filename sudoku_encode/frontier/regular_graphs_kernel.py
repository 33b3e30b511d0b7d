"""The compiled loops of `latin` on regular bipartite graphs: matchings and forms of graphs."""

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.run.compiling import bit_count, compiled_with_arrays, inlined, subroutine_with_arrays

# Odd numbers whose bits look random, which mix those of a word by multiplication.
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_TRIPLE = np.uint64(3)
_SHIFTS = np.array([31, 29, 32], np.uint64)
# A number that is added to the colour of a vertex, so that it differs from vertices of the same colour.
_MARK = np.uint64(0x51ED270B)
# How often colours are refined at first, and after a vertex is marked.
_FIRST_ROUNDS, _ROUNDS = 3, 2


@subroutine_with_arrays
def _cycles(rows: Int64s) -> int:
    """Return how many cycles a graph has in which every row has two values, and every value two rows."""
    n_cycles, unvisited = 0, (1 << len(rows)) - 1
    for start in range(len(rows)):
        if not unvisited >> start & 1:
            continue
        n_cycles += 1
        row, value = start, rows[start] & -rows[start]
        while unvisited >> row & 1:
            unvisited ^= 1 << row
            value ^= rows[row]
            for other in range(len(rows)):
                if other != row and rows[other] & value:
                    row = other
                    break
    return n_cycles


@compiled_with_arrays
def factorizations(graph: Int64s, untried: Int64s, used: Int64s, progress: Int64s, work: int) -> bool:
    """Count in how many ways a graph's edges fall into perfect matchings; return whether the count is complete."""
    # All arrays but `progress` have a row for each number of matchings still to choose, up to the graph's `degree`, and
    # each is int64 (degree + 1, n). `graph`: for each row of the remaining graph its values, a bit each. `untried`: for
    # each row the values still to be tried for the current matching. `used`: for each row the values that the matching
    # has above it. `progress`: int64 (degree + 3,): the row that each matching has reached; then the number of
    # matchings still to choose, and the count. `work`: stop after this many steps, each of which adds a row to a
    # matching or takes one back.
    degree, n = len(graph) - 1, graph.shape[1]
    level, total = progress[degree + 1], progress[degree + 2]
    while level <= degree and work > 0:
        work -= 1
        if level == 2:
            # Each cycle falls into two matchings.
            total += 1 << (_cycles(graph[2]) - 1)
            level += 1
            continue
        row = progress[level]
        if not untried[level, row]:
            progress[level] -= 1
            if row == 0:
                level += 1
            continue
        bit = untried[level, row] & -untried[level, row]
        untried[level, row] ^= bit
        graph[level - 1, row] = graph[level, row] ^ bit
        if row < n - 1:
            used[level, row + 1] = used[level, row] | bit
            untried[level, row + 1] = graph[level, row + 1] & ~used[level, row + 1]
            progress[level] = row + 1
        else:
            level -= 1
            progress[level] = 0
            # The order of the matchings does not count: each takes the lowest value of the first row.
            untried[level, 0] = graph[level, 0] & -graph[level, 0]
    progress[degree + 1], progress[degree + 2] = level, total
    return bool(level > degree)


@inlined
def _mixed(word: np.uint64) -> np.uint64:
    """Return a word whose bits depend on all bits of the given word."""
    word = (word ^ (word >> _SHIFTS[0])) * _FIRST_FACTOR
    word = (word ^ (word >> _SHIFTS[1])) * _SECOND_FACTOR
    last: np.uint64 = word ^ (word >> _SHIFTS[2])
    return last


@subroutine_with_arrays
def _recolour(own: Uint64s, other: Uint64s, edges: Int64s, shared: Int64s, new: Uint64s) -> None:
    """Give each vertex of a side a colour by the colours and common neighbours of its side, and by its neighbours."""
    # `own`, `other`: uint64 (n,): the colours of the side, and of the other side. `edges`: int64 (n,): for each vertex
    # its neighbours, a bit each. `shared`: int64 (n, n): how many neighbours two vertices of the side have in common.
    # `new`: uint64 (n,): takes the colours.
    n = len(own)
    for vertex in range(n):
        beside, across = np.uint64(0), np.uint64(0)
        for neighbour in range(n):
            if neighbour != vertex:
                beside += _mixed(own[neighbour] + np.uint64(shared[vertex, neighbour]) * _FIRST_FACTOR)
            if edges[vertex] >> neighbour & 1:
                across += _mixed(other[neighbour])
        new[vertex] = _mixed(own[vertex] * _TRIPLE + beside) + _mixed(across * _SECOND_FACTOR)


@subroutine_with_arrays
def _refine(edges: Int64s, shared: Int64s, colours: Uint64s, spare: Uint64s, rounds: int) -> None:
    """Refine the colours of both sides; arrays are as in `_recolour`, with an axis of two sides before."""
    for _ in range(rounds):
        _recolour(colours[0], colours[1], edges[0], shared[0], spare[0])
        _recolour(colours[1], spare[0], edges[1], shared[1], spare[1])
        # Not `colours[:] = spare`, nor `np.argsort` below: numba would compile much code of its own for them.
        for side in range(2):
            for vertex in range(colours.shape[1]):
                colours[side, vertex] = spare[side, vertex]


@subroutine_with_arrays
def _first_of_a_tie(colours: Uint64s) -> int:
    """Return a vertex of the least colour that several vertices have; -1 if all colours differ."""
    best = -1
    for vertex in range(len(colours)):
        for other in range(len(colours)):
            if other != vertex and colours[other] == colours[vertex]:
                if best < 0 or colours[vertex] < colours[best]:
                    best = vertex
                break
    return best


@subroutine_with_arrays
def _order(colours: Uint64s) -> Int64s:
    """Return the vertices by their colours, int64 (n,), the least first."""
    order = np.empty(len(colours), np.int64)
    for vertex in range(len(colours)):
        place = vertex
        while place > 0 and colours[order[place - 1]] > colours[vertex]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = vertex
    return order


@compiled_with_arrays
def write_form(graph: Int64s, form: Int64s) -> None:
    """Write the graph with both sides in another order, mostly the same for graphs that differ in order only."""
    # The order is by colours, which a vertex gets from its surroundings. Where colours tie, any vertex of the tie is
    # marked and the others are coloured again. So two graphs with one form are always isomorphic, and isomorphic graphs
    # nearly always have one form: not where vertices of a tie are not images of each other. `graph`, `form`: int64
    # (n,): for each row its values, a bit each.
    n = len(graph)
    edges, shared = np.zeros((2, n), np.int64), np.zeros((2, n, n), np.int64)
    for row in range(n):
        edges[0, row] = graph[row]
        for value in range(n):
            edges[1, value] |= (graph[row] >> value & 1) << row
    for side in range(2):
        for vertex in range(n):
            for other in range(vertex):
                shared[side, vertex, other] = shared[side, other, vertex] = bit_count(
                    edges[side, vertex] & edges[side, other]
                )
    colours, spare = np.zeros((2, n), np.uint64), np.empty((2, n), np.uint64)
    _refine(edges, shared, colours, spare, _FIRST_ROUNDS)
    for side in range(2):
        tied = _first_of_a_tie(colours[side])
        while tied >= 0:
            colours[side, tied] += _MARK
            _refine(edges, shared, colours, spare, _ROUNDS)
            tied = _first_of_a_tie(colours[side])
    rows, values = _order(colours[0]), _order(colours[1])
    for place in range(n):
        form[place] = 0
        for bit in range(n):
            form[place] |= (graph[rows[place]] >> values[bit] & 1) << bit


@compiled_with_arrays
def rests(graph: Int64s, untried: Int64s, used: Int64s, progress: Int64s, out: Int64s) -> int:
    """Write the graphs that perfect matchings leave of a graph, as `write_form` does; return how many are written."""
    # Only matchings with the lowest value of the first row are used. `graph`: int64 (n,): for each row its values, a
    # bit each. `untried`: int64 (n,): for each row the values still to be tried. `used`: int64 (n,): for each row the
    # values that the matching has above it. `progress`: int64 (1,): the row that the matching has reached; -1 when all
    # is done. These three are changed. `out`: int64 (room, n).
    n, n_rests, row = len(graph), 0, progress[0]
    rest = np.zeros(n, np.int64)
    for above in range(row):
        rest[above] = graph[above] ^ (used[above] ^ used[above + 1])
    while row >= 0 and n_rests < len(out):
        if not untried[row]:
            row -= 1
            continue
        bit = untried[row] & -untried[row]
        untried[row] ^= bit
        rest[row] = graph[row] ^ bit
        if row < n - 1:
            used[row + 1] = used[row] | bit
            untried[row + 1] = graph[row + 1] & ~used[row + 1]
            row += 1
        else:
            write_form(rest, out[n_rests])
            n_rests += 1
    progress[0] = row
    return n_rests
