"""Automorphisms and canonical labels of coloured graphs.

Colours are refined until vertices of one colour have the same colours around them; then a vertex gets a colour of its
own, and so on, until all colours differ. The choices form a tree, whose leaves number the vertices. Two leaves that
give the same graph differ by an automorphism; branches that known automorphisms map to each other are visited once. The
leaf with the greatest graph is the canonical one.

Everything that decides the way through the tree is the same for two numberings of one graph, on every machine: a
canonical form may be stored. The libraries nauty and bliss do the same faster; both come to Python under the GPL.

Source: McKay & Piperno 2014; Junttila & Kaski 2007.
Differs: colours are refined in whole rounds by a hash of the colours around each vertex, not cell by cell; at each
    node the automorphism that moves the fewest vertices is tried, which mostly makes the way to the leaf unnecessary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b

import numpy as np

from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps, Uint64s


@dataclass(frozen=True, eq=False)
class Graph:
    """A graph with coloured vertices, without loops.

    Attributes:
        colours: for each vertex its colour, from 0 without a gap.
        edges: the pairs of neighbours (edges, 2), each once, in any order.
        n_visible: how many vertices count: those of the first colours. The others describe how these belong together.
    """

    colours: Intps
    edges: Intps
    n_visible: int

    @cached_property
    def n(self) -> int:
        """The number of vertices."""
        return len(self.colours)

    @cached_property
    def codes(self) -> Int64s:
        """A number for each edge, ascending."""
        return self.codes_under(np.arange(self.n))

    def codes_under(self, labels: Intps) -> Int64s:
        """Return the numbers of the edges, ascending, if the vertices are numbered by labels."""
        ends = labels[self.edges].astype(np.int64)
        codes: Int64s = np.sort(ends.min(axis=1, initial=self.n) * self.n + ends.max(axis=1, initial=0))
        return codes

    def is_kept_by(self, move: Intps) -> bool:
        """Check whether a permutation of the vertices maps colours to themselves and edges to edges."""
        return np.array_equal(self.colours[move], self.colours) and np.array_equal(self.codes_under(move), self.codes)

    @cached_property
    def _neighbours(self) -> tuple[Intps, Intps]:
        """The neighbours of all vertices, one vertex after the other, and where those of each vertex begin."""
        both = np.concatenate([self.edges, self.edges[:, ::-1]])
        order = np.argsort(both[:, 0], kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(both[:, 0], minlength=self.n))])
        return both[order, 1], starts

    def refined(self, colours: Intps) -> tuple[Intps, bytes]:
        """Return a finer colouring, and a digest that is the same for every numbering of the vertices.

        A colour is the number of vertices with smaller ones.
        """
        near, starts = self._neighbours
        digest = blake2b(digest_size=16)
        n_colours = 0
        while True:
            sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(_scattered(colours)[near])])
            around = sums[starts[1:]] - sums[starts[:-1]]
            order = np.lexsort((around, colours))
            own, around = colours[order], around[order]
            is_first: Bools = np.ones(self.n, bool)
            is_first[1:] = (own[1:] != own[:-1]) | (around[1:] != around[:-1])
            firsts = np.flatnonzero(is_first)
            digest.update(firsts.astype("<i8").tobytes() + around[firsts].astype("<u8").tobytes())
            colours = np.empty(self.n, np.intp)
            colours[order] = firsts[np.cumsum(is_first) - 1]
            if len(firsts) in (n_colours, self.n):
                return colours, digest.digest()
            n_colours = len(firsts)


def _scattered(colours: Intps) -> Uint64s:
    """Return a random-looking number for each colour, always the same (the function splitmix64)."""
    mixed = (colours.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


@dataclass(frozen=True, eq=False)
class Labelling:
    """The result of a search.

    Attributes:
        labels: the canonical number of each vertex.
        codes: the edges under these numbers: graphs of the same colours are isomorphic where these are equal.
        generators: automorphisms that generate all others.
        order: the number of ways in which automorphisms move the vertices that count.
    """

    labels: Intps
    codes: Int64s
    generators: list[Intps]
    order: int


def label(graph: Graph, tick: Callable[[], None]) -> Labelling:
    """Return canonical labels of a graph, and its automorphisms; `tick` may end the search by an error."""
    search = _Search(graph, tick)
    sizes = np.bincount(graph.colours)
    root, digest = graph.refined((np.cumsum(sizes) - sizes)[graph.colours])
    search.explore(_Path([], [root], [digest]), True, 0)
    assert search.first is not None
    assert search.best is not None
    order, moves = 1, search.generators
    for vertex in search.first.vertices:
        if vertex < graph.n_visible:
            orbits = orbits_under(moves, graph.n)
            order *= int(np.count_nonzero(orbits == orbits[vertex]))
        moves = [move for move in moves if move[vertex] == vertex]
    labels = search.best.colourings[-1]
    return Labelling(labels, graph.codes_under(labels), search.generators, order)


def orbits_under(moves: Sequence[Intps], n: int) -> Intps:
    """Return for each of n points the least point to which products of permutations map it."""
    least = np.arange(n)
    while True:
        before = least
        for move in moves:
            least = np.minimum(least, least[move])
            # The other way round, too: then few rounds are enough.
            least[move] = np.minimum(least[move], least)
        least = least[least]
        if np.array_equal(before, least):
            return least


@dataclass(frozen=True, eq=False)
class _Path:
    """The way from the root of the tree to a node."""

    vertices: list[int]  # the vertices that got colours of their own
    colourings: list[Intps]  # of the root and of each node after it
    digests: list[bytes]  # of these

    def copy(self) -> "_Path":
        return _Path(self.vertices[:], self.colourings[:], self.digests[:])

    def fork(self, other: "_Path") -> int:
        """Return how many first vertices two paths share."""
        pairs = zip(self.vertices, other.vertices, strict=False)
        return next((level for level, (own, theirs) in enumerate(pairs) if own != theirs), len(self.vertices))


@dataclass(eq=False)
class _Search:
    """The search through the tree."""

    graph: Graph
    tick: Callable[[], None]
    generators: list[Intps] = field(default_factory=list)
    first: _Path | None = None
    best: _Path | None = None  # to the leaf with the greatest digests, and then the greatest edges

    def explore(self, path: _Path, like_first: bool, against_best: int) -> int:
        """Visit the nodes below a path, and return the level at which the search goes on: that of the path or less.

        Args:
            path: the way to the node; it is longer during the call.
            like_first: whether its digests are those of the first path.
            against_best: 1 if its digests are greater than those of the best path, 0 if they are equal, else -1.
        """
        self.tick()
        level, colours = len(path.vertices), path.colourings[-1]
        cell = self._target(colours)
        if not len(cell):
            self._end(path, against_best)
            return level
        visited, n_known, orbits = set[int](), -1, np.arange(0)
        for vertex in cell.tolist():
            if n_known != len(self.generators):
                # Automorphisms that fix the path map the branches of this node to each other.
                fixing = [move for move in self.generators if all(move[each] == each for each in path.vertices)]
                orbits, n_known = orbits_under(fixing, self.graph.n), len(self.generators)
                visited = {int(orbits[each]) for each in visited}
            if int(orbits[vertex]) in visited:
                continue
            visited.add(int(orbits[vertex]))
            single = colours.copy()
            single[cell] += 1
            single[vertex] -= 1
            finer, digest = self.graph.refined(single)
            path.vertices.append(vertex)
            path.colourings.append(finer)
            path.digests.append(digest)
            best = self.best
            back = self._descend(path, like_first, against_best)
            if self.best is not best:
                # The new best path goes through this node.
                against_best = 0
            del path.vertices[level:], path.colourings[level + 1 :], path.digests[level + 1 :]
            if back < level:
                return back
        return level

    def _descend(self, path: _Path, like_first: bool, against_best: int) -> int:
        """Visit a new node, unless an automorphism or its digest makes that unnecessary; see `explore`."""
        level = len(path.vertices)
        if self.first is None or self.best is None:
            return self.explore(path, True, 0)
        like_first = like_first and path.digests[level] == self.first.digests[level]
        if not against_best:
            best, own = self.best.digests[level], path.digests[level]
            against_best = (own > best) - (own < best)
        for is_alike, other in ((like_first, self.first), (not against_best, self.best)):
            move = _move_between(other.colourings[level], path.colourings[level]) if is_alike else None
            if move is not None and self.graph.is_kept_by(move):
                self.generators.append(move)
                return path.fork(other)
        return self.explore(path, like_first, against_best) if like_first or against_best >= 0 else level

    def _target(self, colours: Intps) -> Intps:
        """Return the first of the smallest sets of vertices of one colour that are to be told apart, if any."""
        sizes = np.bincount(colours, minlength=self.graph.n)
        several = np.flatnonzero(sizes > 1)
        if not len(several):
            return several
        # Vertices that count come first.
        several = (
            several[: np.searchsorted(several, self.graph.n_visible)] if several[0] < self.graph.n_visible else several
        )
        return np.flatnonzero(colours == several[np.argmin(sizes[several])])

    def _end(self, path: _Path, against_best: int) -> None:
        """Take a leaf as the best one, if it is."""
        if self.best is None:
            self.first = self.best = path.copy()
            return
        if not against_best:
            own, best = (self.graph.codes_under(each.colourings[-1]).tolist() for each in (path, self.best))
            against_best = (own > best) - (own < best)
        if against_best > 0:
            self.best = path.copy()


def _move_between(colours: Intps, others: Intps) -> Intps | None:
    """Return the permutation that maps a colouring to another, and of those with several choices moves few vertices."""
    differ = np.flatnonzero(colours != others)
    before, after = (differ[np.argsort(each[differ], kind="stable")] for each in (colours, others))
    if not np.array_equal(colours[before], others[after]):
        return None
    move = np.arange(len(colours))
    move[before] = after
    return move
