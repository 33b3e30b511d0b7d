"""GTSPS, version 4.1: all solutions at once, from a graph of permutations.

G has a vertex for each valid permutation and an edge for each two that match, of adjacent minigrids. Vertices of too
low a degree are deleted, then those whose neighbours cannot be completed. Every induced rook's graph that is left, one
vertex of each minigrid, is a solution.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), sections 4.1 and 4.3.
Differs: four is the degree in a 3 x 3 rook's graph; here it is as many as a minigrid has adjacent ones. A vertex of
    that degree may have all its neighbours in one minigrid, and one with a neighbour everywhere may be in no solution:
    every deletion is only a filter. "Structural adjacency" is read as a neighbour in each adjacent minigrid, and a
    clique with its row and with its column of minigrids. Permutations with the same digits in each row (column) have
    the same neighbours along it, and there are far fewer such sets of digits than permutations, so all this is done
    once for each set. The search for the induced graphs, about which the text says little, is this program's. As
    printed, step 5 repeats "until a vertex in G is found with degree three or less"; it must be until none is found.
    Six edges that the list of 104 gives as {8?, 9c} are {8?, 9e}, which may be the scan's fault.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import gtsps
from sudoku_encode.papers.gtsps import Level, Minigrid, Tally, unsupported_reason
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps, Uint64s
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

# Rows and columns of minigrids: matching permutations, and the deletion of vertices (section 4.1, step 5 of 4.3).

# One mask for each minigrid: which of its permutations are still vertices.
VertexMasks = list[Bools]

# The most cliques of a line to list; an empty line of a 9x9 board has 94,080.
_MAX_CLIQUES = 2**17


@dataclass(frozen=True, eq=False)
class Line:
    """A row or a column of minigrids."""

    numbers: tuple[int, ...]  # its minigrids, numbered from 0
    # For each minigrid, uint64 (sets, words): its different sets of digits of each row (column).
    masks: tuple[Uint64s, ...]
    of: tuple[Intps, ...]  # for each minigrid, intp (m,): the set of digits of each permutation

    @staticmethod
    def along(minigrids: Sequence[Minigrid], numbers: Intps, in_rows: bool, tick: Callable[[], None]) -> "Line":
        """Return the line through the minigrids `numbers`."""
        sets = []
        for number in numbers:
            tick()
            sets.append(distinct_masks(minigrids[number].rows if in_rows else minigrids[number].columns))
        return Line(tuple(numbers.tolist()), tuple(masks for masks, _ in sets), tuple(of for _, of in sets))

    @property
    def n_pairs(self) -> int:
        """The number of pairs of sets of digits to compare."""
        return sum(len(one) * len(other) for one, other in combinations(self.masks, 2))

    @cached_property
    def match(self) -> dict[tuple[int, int], Bools]:
        """For each two minigrids, by their places in the line, which sets of digits match: bool (sets, sets)."""
        matches: dict[tuple[int, int], Bools] = {}
        for first, second in combinations(range(len(self.numbers)), 2):
            apart = np.ones((len(self.masks[first]), len(self.masks[second])), bool)
            # A word at a time, so that a large board needs no array of all words of all pairs.
            for first_words, second_words in zip(self.masks[first].T, self.masks[second].T, strict=True):
                apart &= (first_words[:, None] & second_words) == 0
            matches[first, second], matches[second, first] = apart, apart.T
        return matches

    def counts(self, masks: VertexMasks) -> list[Int64s]:
        """Count, for each minigrid and set of digits, the remaining permutations with that set."""
        return [
            np.bincount(of[masks[number]], minlength=len(sets)).astype(np.int64)
            for number, sets, of in zip(self.numbers, self.masks, self.of, strict=True)
        ]


def distinct_masks(masks: Uint64s) -> tuple[Uint64s, Intps]:
    """Return the different masks, and for each mask the number of its equal among them."""
    order = np.lexsort(masks.T)
    ascending = masks[order]
    new = np.ones(len(masks), bool)
    new[1:] = (ascending[1:] != ascending[:-1]).any(axis=1)
    of = np.empty(len(masks), np.intp)
    of[order] = np.cumsum(new) - 1
    return ascending[new], of


def degrees(lines: tuple[Line, ...], masks: VertexMasks, tick: Callable[[], None]) -> list[Int64s]:
    """Return, for each minigrid, the degrees of its vertices in the remaining graph; 0 for deleted vertices."""
    sums = [np.zeros(len(one), np.int64) for one in masks]
    for line in lines:
        counts = line.counts(masks)
        for place, number in enumerate(line.numbers):
            along = np.zeros(len(line.masks[place]), np.int64)
            for neighbour in range(len(line.numbers)):
                if neighbour != place:
                    tick()
                    along += line.match[place, neighbour] @ counts[neighbour]
            sums[number] += along[line.of[place]]
    return [np.where(one, degree, 0) for one, degree in zip(masks, sums, strict=True)]


def delete_low_degrees(lines: tuple[Line, ...], masks: VertexMasks, tick: Callable[[], None]) -> None:
    """Delete, until all have enough, vertices with fewer neighbours than adjacent minigrids: step 5."""
    least = sum(len(line.numbers) - 1 for line in lines if 0 in line.numbers)
    low = True
    while low:
        tick()
        low = False
        for mask, low_mask in zip(masks, low_degree_masks(degrees(lines, masks, tick), masks, least), strict=True):
            mask[low_mask] = False
            low |= bool(low_mask.any())


def low_degree_masks(each: list[Int64s], masks: VertexMasks, least: int) -> VertexMasks:
    """Return which remaining vertices have a degree below `least`."""
    return [one & (degree < least) for one, degree in zip(masks, each, strict=True)]


def delete_unsupported(lines: tuple[Line, ...], masks: VertexMasks, tick: Callable[[], None]) -> None:
    """Delete vertices without a neighbour in an adjacent minigrid, then vertices without a clique in their line."""
    delete_without_neighbour(lines, masks, tick)
    delete_without_clique(lines, masks, tick)


def delete_without_neighbour(lines: tuple[Line, ...], masks: VertexMasks, tick: Callable[[], None]) -> None:
    """Delete every vertex without a neighbour in some adjacent minigrid."""
    _until_nothing_changes(lines, masks, tick, [_with_neighbours(line) for line in lines])


def delete_without_clique(lines: tuple[Line, ...], masks: VertexMasks, tick: Callable[[], None]) -> None:
    """Delete every vertex without a clique in its row or column of minigrids, unless there are too many to list."""
    _until_nothing_changes(lines, masks, tick, [_in_cliques(line, masks, tick) for line in lines])


# A function from the sets of digits in use, for each minigrid of a line, to those of them that are supported.
Support = Callable[[list[Bools]], list[Bools]]


def _until_nothing_changes(
    lines: tuple[Line, ...], masks: VertexMasks, tick: Callable[[], None], support: list[Support]
) -> None:
    waiting = set(range(len(lines)))
    while waiting:
        tick()
        line = lines[index := waiting.pop()]
        supported = support[index]([count > 0 for count in line.counts(masks)])
        for number, of, sets in zip(line.numbers, line.of, supported, strict=True):
            if (deleted := masks[number] & ~sets[of]).any():
                masks[number] &= ~deleted
                waiting |= {other for other, crossing in enumerate(lines) if number in crossing.numbers}


def _with_neighbours(line: Line) -> Support:
    def supported(used: list[Bools]) -> list[Bools]:
        supported_sets = [sets.copy() for sets in used]
        for (first, second), match in line.match.items():
            supported_sets[first] &= match[:, used[second]].any(axis=1)
        return supported_sets

    return supported


def _in_cliques(line: Line, masks: VertexMasks, tick: Callable[[], None]) -> Support:
    """Return the support by cliques of the line (a set of digits of each minigrid); all sets, if there are too many."""
    used = [np.flatnonzero(count) for count in line.counts(masks)]
    slots = np.arange(line.masks[0].shape[1])
    levels = [Level(own_masks[sets], slots) for own_masks, sets in zip(line.masks, used, strict=True)]
    listed, n_cliques = [np.empty((0, len(used)), np.int32)], 0
    for batch in gtsps.matching(levels, tick):
        listed.append(batch)
        n_cliques += len(batch)
        if n_cliques > _MAX_CLIQUES:
            return lambda used: used
    cliques = np.column_stack([sets[which] for sets, which in zip(used, np.concatenate(listed).T, strict=True)])

    def supported(used: list[Bools]) -> list[Bools]:
        whole = np.logical_and.reduce([sets[which] for sets, which in zip(used, cliques.T, strict=True)])
        supported_sets = [np.zeros(len(sets), bool) for sets in used]
        for sets, which in zip(supported_sets, cliques[whole].T, strict=True):
            sets[which] = True
        return supported_sets

    return supported


__all__ = ["build_graph", "solutions", "unsupported_reason"]

DEGREE, STRUCTURE = 1, 2
STEPS = ("", "degree", "structure")
# `explain` lists at most this many names of a kind.
MAX_SHOWN_NAMES = 40
# The most pairs of vertices to search for edges, edges to list, and pairs of sets of digits to compare.
_MAX_PAIRS, _MAX_EDGES, _MAX_COMPARED_PAIRS = 2**29, 2**22, 2**28


@dataclass(frozen=True, eq=False)
class Graph:
    """G, with the deleted vertices marked."""

    shape: tuple[int, int]  # rows and columns of minigrids
    minigrids: tuple[Minigrid, ...]  # in reading order; their permutations are the vertices, in this order
    lines: tuple[Line, ...]  # the rows of minigrids, then their columns
    # uint8 (vertices,): 0 for a remaining vertex, DEGREE or STRUCTURE for the step that deleted it.
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
        """The number of the first vertex of each minigrid, then the number of vertices."""
        return np.cumsum([0, *(len(one.permutations) for one in self.minigrids)])

    @cached_property
    def names(self) -> list[str]:
        """The vertices as the paper names them: 1a, 1b, ..., and 1aa after 1z."""
        return [self.name(vertex) for vertex in range(len(self.deleted))]

    def name(self, vertex: int) -> str:
        """Return the name of a vertex."""
        number = int(np.searchsorted(self.starts, vertex, side="right")) - 1
        return f"{number + 1}{_letters(vertex - int(self.starts[number]))}"

    @cached_property
    def edges(self) -> Int64s:
        """Every edge of G, before any deletion, int64 (edges, 2), smaller vertex first, ascending.

        Raises:
            StoppedError: there are too many to find, or to list.
        """
        sizes = np.diff(self.starts)
        pairs = sum(int(sizes[list(line.numbers)].sum()) ** 2 for line in self.lines)
        if pairs > _MAX_PAIRS or self.n_edges(0, lambda: None) > _MAX_EDGES:
            raise StoppedError(f"too many edges to list: G has {len(self.deleted)} vertices")
        batches = [np.empty((0, 2), np.int64)]
        for line in self.lines:
            for first, second in combinations(range(len(line.numbers)), 2):
                joined = line.match[first, second][line.of[first][:, None], line.of[second]]
                batches.append(np.argwhere(joined) + self.starts[[line.numbers[first], line.numbers[second]]])
        edges = np.concatenate(batches)
        return edges[np.lexsort(edges.T[::-1])]

    def n_edges(self, after: int, tick: Callable[[], None]) -> int:
        """Count the edges between the vertices that no step up to `after` deleted, without listing them."""
        return sum(int(each.sum()) for each in degrees(self.lines, self.remaining(after), tick)) // 2

    def remaining(self, after: int) -> VertexMasks:
        """Return, for each minigrid, which permutations no step up to `after` (0, DEGREE or STRUCTURE) deleted."""
        present = (self.deleted == 0) | (self.deleted > after)
        return np.split(present, self.starts[1:-1])


def build_graph(puzzle: Puzzle, tick: Callable[[], None]) -> Graph:
    """Build G for a supported puzzle without a clash, and delete vertices that are in no solution.

    Raises:
        StoppedError: there are too many permutations to list, or to compare.
    """
    minigrids = gtsps.minigrids(puzzle, tick)
    shape = gtsps.layout(puzzle.geometry)
    places = np.arange(len(minigrids)).reshape(shape)
    lines: tuple[Line, ...] = ()
    for numbers, in_rows in [(row, True) for row in places] + [(column, False) for column in places.T]:
        lines += (Line.along(minigrids, numbers, in_rows, tick),)
    masks = [np.ones(len(one.permutations), bool) for one in minigrids]
    if sum(line.n_pairs for line in lines) > _MAX_COMPARED_PAIRS:
        raise StoppedError(
            f"too many permutations: G has {sum(map(len, masks))} vertices, which differ too much to be compared"
        )
    deleted = np.zeros(sum(map(len, masks)), np.uint8)
    for step, delete in ((DEGREE, delete_low_degrees), (STRUCTURE, delete_unsupported)):
        delete(lines, masks, tick)
        deleted[~np.concatenate(masks) & (deleted == 0)] = step
    return Graph(shape, minigrids, lines, deleted)


def _letters(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ... for 0, 1, ..."""
    text = ""
    while number >= 0:
        number, letter = divmod(number, 26)
        text, number = chr(ord("a") + letter) + text, number - 1
    return text


def solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions in batches.

    Raises:
        StoppedError: there are too many permutations to list.
    """
    if puzzle.clash is None and not gtsps.no_permutation_step(puzzle):
        yield from rooks_graphs(build_graph(puzzle, tick), tick)


def remaining_minigrids(graph: Graph) -> list[Minigrid]:
    """Return the minigrids with the permutations that no step deleted."""
    return [
        Minigrid(one.number, one.cells, one.blank, one.permutations[kept], one.rows[kept], one.columns[kept])
        for one, kept in zip(graph.minigrids, graph.remaining(STRUCTURE), strict=True)
    ]


def rooks_graphs(
    graph: Graph, tick: Callable[[], None], tally: Tally | None = None, order: Sequence[int] | None = None
) -> Iterator[Grids]:
    """Yield every induced subgraph with one vertex of each minigrid, joined along the lines, in batches of grids.

    The order of the minigrids, numbered from 0, is `narrowest_order` by default; `tally` counts for each of them in it.
    """
    remaining = remaining_minigrids(graph)
    ordered = [remaining[number] for number in order or narrowest_order(graph, tick)]
    for chosen in gtsps.matching(gtsps.levels(ordered, graph.shape), tick, tally):
        yield gtsps.grids(ordered, chosen)


def narrowest_order(graph: Graph, tick: Callable[[], None]) -> list[int]:
    """Return the order in which each next minigrid would leave the fewest subgraphs if edges were independent."""
    masks = graph.remaining(STRUCTURE)
    n_left = np.array([np.count_nonzero(first) for first in masks], float)
    chance = np.ones((len(masks), len(masks)))
    for line in graph.lines:
        counts = line.counts(masks)
        for (first, second), match in line.match.items():
            tick()
            pairs = counts[first].sum() * counts[second].sum()
            edges = counts[first] @ (match @ counts[second])
            chance[line.numbers[first], line.numbers[second]] = int(edges) / max(1, int(pairs))
    order: list[int] = []
    while len(order) < len(masks):
        order.append(min(set(range(len(masks))) - set(order), key=lambda number: n_left[number]))
        n_left *= chance[order[-1]]
    return order


def shorten_names(names: Sequence[str]) -> str:
    """Join names by spaces, at most the first MAX_SHOWN_NAMES of them."""
    return " ".join(names[:MAX_SHOWN_NAMES]) + (" ..." if len(names) > MAX_SHOWN_NAMES else "")
