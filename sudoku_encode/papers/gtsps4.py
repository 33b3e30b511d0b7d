"""GTSPS, version 4.1: all solutions at once, from a graph of permutations.

G has a vertex for each valid permutation and an edge for each two that match, of adjacent minigrids. Vertices of too
low a degree are deleted, then those whose neighbours cannot be completed. Every induced rook's graph that is left, one
vertex of each minigrid, is a solution.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), sections 4.1 and 4.3.
Differs: four is the degree in a 3 x 3 rook's graph; here it is as many as a minigrid has adjacent ones. A vertex of
    that degree may have all its neighbours in one minigrid, and one with a neighbour everywhere may be in no solution:
    no deletion is more than a filter. "Structural adjacency" is read as a neighbour in each adjacent minigrid, and a
    clique with its row and with its column of minigrids. Permutations with the same digits in each row (column) have
    the same neighbours along it, so all this is done once for each such set, not for each permutation. How to find the
    induced graphs, about which the text says little, is our choice. As printed, step 5 repeats "until a vertex in G is
    found with degree three or less"; it must be until none is found. Six edges that the list of 104 gives as {8?, 9c}
    are {8?, 9e}, which may be the scan's fault.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import gtsps
from sudoku_encode.papers.gtsps import Minigrid, Tally, unsupported_reason
from sudoku_encode.papers.gtsps4_lines import Kept, Line, degrees, delete_low_degrees, delete_unsupported
from sudoku_encode.puzzles.arrays import Int64s, Intps
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

__all__ = [
    "DEGREE",
    "MAX_SHOWN_NAMES",
    "STEPS",
    "STRUCTURE",
    "Graph",
    "Line",
    "graph",
    "left_minigrids",
    "narrowest",
    "rooks_graphs",
    "shown",
    "solutions",
    "unsupported_reason",
]

DEGREE, STRUCTURE = 1, 2
STEPS = ("", "degree", "structure")
# How many names `explain` lists of a kind.
MAX_SHOWN_NAMES = 40
# Pairs of vertices to look at for edges, edges to list, and pairs of sets of digits to compare.
_MAX_PAIRS, _MAX_EDGES, _MAX_COMPARED_PAIRS = 2**29, 2**22, 2**28


@dataclass(frozen=True, eq=False)
class Graph:
    """G, and what was deleted from it.

    Attributes:
        shape: rows and columns of minigrids.
        minigrids: in reading order; their permutations are the vertices, in this order.
        lines: the rows of minigrids, then their columns.
        deleted: uint8 (vertices,): 0 for a vertex that is left, DEGREE or STRUCTURE for the step that deleted it.
    """

    shape: tuple[int, int]
    minigrids: tuple[Minigrid, ...]
    lines: tuple[Line, ...]
    deleted: NDArray[np.uint8]

    @property
    def rows(self) -> tuple[Line, ...]:
        """The rows of minigrids."""
        return self.lines[: self.shape[0]]

    @property
    def columns(self) -> tuple[Line, ...]:
        """The columns of minigrids."""
        return self.lines[self.shape[0] :]

    @cached_property
    def starts(self) -> Intps:
        """The number of the first vertex of each minigrid, and how many vertices there are."""
        return np.cumsum([0, *(len(one.permutations) for one in self.minigrids)])

    @cached_property
    def names(self) -> list[str]:
        """The vertices as the paper names them: 1a, 1b, ..., and 1aa after 1z."""
        return [self.name(vertex) for vertex in range(len(self.deleted))]

    def name(self, vertex: int) -> str:
        """Name one vertex."""
        number = int(np.searchsorted(self.starts, vertex, side="right")) - 1
        return f"{number + 1}{_letters(vertex - int(self.starts[number]))}"

    @cached_property
    def edges(self) -> Int64s:
        """Every edge of G, before any deletion, int64 (edges, 2), smaller vertex first, ascending.

        Raises:
            StoppedError: they are too many to look for, or to list.
        """
        sizes = np.diff(self.starts)
        pairs = sum(int(sizes[list(line.numbers)].sum()) ** 2 for line in self.lines)
        if pairs > _MAX_PAIRS or self.n_edges(0, lambda: None) > _MAX_EDGES:
            raise StoppedError(f"too many edges to list: G has {len(self.deleted)} vertices")
        found = [np.empty((0, 2), np.int64)]
        for line in self.lines:
            for one, other in combinations(range(len(line.numbers)), 2):
                joined = line.match[one, other][line.of[one][:, None], line.of[other]]
                found.append(np.argwhere(joined) + self.starts[[line.numbers[one], line.numbers[other]]])
        edges = np.concatenate(found)
        return edges[np.lexsort(edges.T[::-1])]

    def n_edges(self, after: int, tick: Callable[[], None]) -> int:
        """Count the edges between the vertices that no step up to this one deleted, without listing them."""
        return sum(int(each.sum()) for each in degrees(self.lines, self.kept(after), tick)) // 2

    def kept(self, after: int) -> Kept:
        """For each minigrid which permutations no step up to this one deleted: 0, DEGREE or STRUCTURE."""
        left = (self.deleted == 0) | (self.deleted > after)
        return np.split(left, self.starts[1:-1])


def graph(puzzle: Puzzle, tick: Callable[[], None]) -> Graph:
    """Make G for a puzzle that is not refused and has no clash, and delete from it what can be in no solution.

    Raises:
        StoppedError: there are too many permutations to list, or to compare.
    """
    some = gtsps.minigrids(puzzle, tick)
    shape = gtsps.layout(puzzle.geometry)
    places = np.arange(len(some)).reshape(shape)
    lines: tuple[Line, ...] = ()
    for numbers, in_rows in [(row, True) for row in places] + [(column, False) for column in places.T]:
        lines += (Line.along(some, numbers, in_rows, tick),)
    kept = [np.ones(len(one.permutations), bool) for one in some]
    if sum(line.n_pairs for line in lines) > _MAX_COMPARED_PAIRS:
        raise StoppedError(
            f"too many permutations: G has {sum(map(len, kept))} vertices, which differ too much to compare"
        )
    deleted = np.zeros(sum(map(len, kept)), np.uint8)
    for step, delete in ((DEGREE, delete_low_degrees), (STRUCTURE, delete_unsupported)):
        delete(lines, kept, tick)
        deleted[~np.concatenate(kept) & (deleted == 0)] = step
    return Graph(shape, some, lines, deleted)


def _letters(at: int) -> str:
    """Number from a to z, then from aa on."""
    text = ""
    while at >= 0:
        at, letter = divmod(at, 26)
        text, at = chr(ord("a") + letter) + text, at - 1
    return text


def solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions in batches.

    Args:
        puzzle: a square that is not refused.
        tick: see the package.

    Raises:
        StoppedError: there are too many permutations to list.
    """
    if puzzle.clash is None and not gtsps.without_permutation(puzzle):
        yield from rooks_graphs(graph(puzzle, tick), tick)


def left_minigrids(made: Graph) -> list[Minigrid]:
    """Return the minigrids with the permutations that are left."""
    return [
        Minigrid(one.number, one.cells, one.blank, one.permutations[kept], one.rows[kept], one.columns[kept])
        for one, kept in zip(made.minigrids, made.kept(STRUCTURE), strict=True)
    ]


def rooks_graphs(
    made: Graph, tick: Callable[[], None], tally: Tally | None = None, order: Sequence[int] | None = None
) -> Iterator[Grids]:
    """Find every induced subgraph with one vertex of each minigrid, all of them joined along the lines.

    Args:
        made: the graph.
        tick: see the package.
        tally: what to count in, for each minigrid in the order.
        order: of the minigrids, numbered from 0; by default the one that is expected to leave the fewest comes next.
    """
    left = left_minigrids(made)
    ordered = [left[number] for number in order or narrowest(made, tick)]
    for chosen in gtsps.matching(gtsps.levels(ordered, made.shape), tick, tally):
        yield gtsps.grids(ordered, chosen)


def narrowest(made: Graph, tick: Callable[[], None]) -> list[int]:
    """Order the minigrids so that, were edges independent, each next one would leave the fewest subgraphs."""
    kept = made.kept(STRUCTURE)
    n_left = np.array([np.count_nonzero(one) for one in kept], float)
    chance = np.ones((len(kept), len(kept)))
    for line in made.lines:
        counts = line.counts(kept)
        for (one, other), match in line.match.items():
            tick()
            pairs = counts[one].sum() * counts[other].sum()
            edges = counts[one] @ (match @ counts[other])
            chance[line.numbers[one], line.numbers[other]] = int(edges) / max(1, int(pairs))
    order: list[int] = []
    while len(order) < len(kept):
        order.append(min(set(range(len(kept))) - set(order), key=lambda number: n_left[number]))
        n_left *= chance[order[-1]]
    return order


def shown(some: Sequence[str]) -> str:
    """Join some names, the first MAX_SHOWN_NAMES of them where there are more."""
    return " ".join(some[:MAX_SHOWN_NAMES]) + (" ..." if len(some) > MAX_SHOWN_NAMES else "")
