"""GTSPS, version 4.2: all solutions at once, from cliques of permutations.

The graph G* contracts cliques of G, the graph of `gtsps4`. A super-vertex of G* is a clique along a row of minigrids:
a permutation for each of these, all of which match. An edge joins two super-vertices that match along the columns.
Every cycle through all rows of minigrids is a solution.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), sections 4.2 and 4.3.
Differs: the paper makes super-vertices along rows and along columns of minigrids, finds each solution twice, and halves
    the number of cycles; `solutions` and `count` use only the rows, and `cycles` counts both, as the paper does. G is
    taken after all deletions, not only after those by degree. For its example the paper lists 35 of the 40
    super-vertices: <3e-6a-9f> is missing, and so are four with 3b, which it deletes by hand later. With more than three
    rows of minigrids a "cycle" is a clique of as many super-vertices.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import prod

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import gtsps
from sudoku_encode.papers.grid_text import grid_text, solution_text
from sudoku_encode.papers.gtsps import Level, unsupported_reason
from sudoku_encode.papers.gtsps4 import (
    DEGREE,
    MAX_SHOWN_NAMES,
    STRUCTURE,
    Graph,
    Line,
    build_graph,
    distinct_masks,
    shorten_names,
)
from sudoku_encode.papers.gtsps4_steps import empty_graph_step, permutation_steps, remaining_step
from sudoku_encode.puzzles.arrays import Int32s, Uint64s
from sudoku_encode.puzzles.dead_ends import NONE
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step

__all__ = ["count", "cycles", "explain", "names", "solutions", "super_edges", "super_vertices", "unsupported_reason"]

MAX_SUPER_VERTICES = 2**22
# `explain` lists at most this many super-vertices, edges of G* and cycles as data.
MAX_LISTED = 20_000


def solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions in batches.

    Raises:
        StoppedError: there are too many permutations, or super-vertices, to list.
    """
    if puzzle.clash is not None or gtsps.no_permutation_step(puzzle):
        return
    graph = build_graph(puzzle, tick)
    rows = [(line, super_vertices(graph, line, tick)) for line in graph.rows]
    rows.sort(key=lambda row: len(row[1]))
    ordered = [graph.minigrids[number] for line, _ in rows for number in line.numbers]
    starts = graph.starts[[minigrid.number for minigrid in ordered]]
    for chosen in gtsps.matching([crossing(graph, line, row) for line, row in rows], tick):
        vertices = np.hstack([row[which] for (_, row), which in zip(rows, chosen.T, strict=True)])
        yield gtsps.grids(ordered, (vertices - starts).astype(np.int32))


def count(puzzle: Puzzle, tick: Callable[[], None]) -> int:
    """Count the solutions without listing them.

    Super-vertices with the same digits in each column are counted together. Those of the last row of minigrids are
    looked up by their digits: each of its columns must hold exactly the digits that are missing above it.

    Raises:
        StoppedError: there are too many permutations, or super-vertices, to list.
    """
    if puzzle.clash is not None or gtsps.no_permutation_step(puzzle):
        return 0
    graph = build_graph(puzzle, tick)
    return _n_cliques(graph, graph.rows, tick, STRUCTURE)


def cycles(graph: Graph, tick: Callable[[], None], after: int = STRUCTURE) -> int:
    """Count the cycles of G* as the paper does: those through all rows of minigrids, and those through all columns.

    G is taken after a step of deletion: 0 (before any), DEGREE or STRUCTURE.
    """
    return sum(_n_cliques(graph, lines, tick, after) for lines in (graph.rows, graph.columns))


def _n_cliques(graph: Graph, lines: tuple[Line, ...], tick: Callable[[], None], after: int) -> int:
    """Count the cliques of G* with one super-vertex of each line."""
    # `multiplicities`: for each line, how many of its super-vertices have each mask.
    levels, multiplicities = [], []
    for line in lines:
        level = crossing(graph, line, super_vertices(graph, line, tick, after))
        masks, mask_numbers = distinct_masks(level.masks)
        levels.append(Level(masks, level.slots))
        # Python integers: products may exceed 64 bits.
        multiplicities.append(np.bincount(mask_numbers, minlength=len(masks)).astype(object))
    by_digits = {mask.tobytes(): number for mask, number in zip(levels[-1].masks, multiplicities[-1], strict=True)}
    n_cliques = 0
    for chosen in gtsps.matching(levels[:-1], tick):
        missing_digits = np.tile(_all_digits(graph, lines[-1]), (len(chosen), 1))
        for level, choices in zip(levels[:-1], chosen.T, strict=True):
            missing_digits ^= level.masks[choices]
        for choices, mask in zip(chosen, missing_digits, strict=True):
            if n_last := by_digits.get(mask.tobytes()):
                factors = (numbers[choice] for numbers, choice in zip(multiplicities[:-1], choices, strict=True))
                n_cliques += n_last * prod(factors)
    return n_cliques


def super_vertices(graph: Graph, line: Line, tick: Callable[[], None], after: int = STRUCTURE) -> Int32s:
    """List the super-vertices along a row or column of minigrids: the cliques of one permutation of each minigrid.

    G is taken after a step of deletion as for `cycles`. The result is int32 (m, minigrids), the vertices in each
    clique.

    Raises:
        StoppedError: there are more than MAX_SUPER_VERTICES.
    """
    masks, in_rows = graph.remaining(after), line in graph.rows
    vertices = [np.flatnonzero(masks[number]) for number in line.numbers]
    box_masks = [
        graph.minigrids[number].rows if in_rows else graph.minigrids[number].columns for number in line.numbers
    ]
    levels = [Level(mask[own], np.arange(mask.shape[1])) for mask, own in zip(box_masks, vertices, strict=True)]
    batches, n_listed = [np.empty((0, len(levels)), np.int32)], 0
    for batch in gtsps.matching(levels, tick):
        batches.append(batch)
        n_listed += len(batch)
        if n_listed > MAX_SUPER_VERTICES:
            labels = " ".join(graph.minigrids[number].label for number in line.numbers)
            raise StoppedError(
                f"too many super-vertices: {labels} have at least {n_listed}; the limit is {MAX_SUPER_VERTICES}"
            )
    chosen = np.concatenate(batches)
    for place, number in enumerate(line.numbers):
        chosen[:, place] = vertices[place][chosen[:, place]] + graph.starts[number]
    return chosen


def crossing(graph: Graph, line: Line, chosen: Int32s) -> Level:
    """Return the digits that super-vertices along a line of minigrids put into each line of cells that crosses it."""
    by_columns = line in graph.rows
    box_masks = []
    for place, number in enumerate(line.numbers):
        minigrid = graph.minigrids[number]
        box_masks.append((minigrid.columns if by_columns else minigrid.rows)[chosen[:, place] - graph.starts[number]])
    masks = np.hstack(box_masks)
    return Level(masks, np.arange(masks.shape[1]))


def _all_digits(graph: Graph, line: Line) -> Uint64s:
    """Return the masks of all digits in each line of cells that crosses a line of minigrids."""
    minigrid = graph.minigrids[0]
    n = len(minigrid.cells)
    words = (minigrid.columns if line in graph.rows else minigrid.rows).shape[1]
    bits = n * n // len(line.numbers)
    each = [min(64, bits - 64 * word) for word in range(words)]
    return np.array([2**used - 1 for used in each] * len(line.numbers), np.uint64)


def super_edges(graph: Graph, tick: Callable[[], None], after: int = STRUCTURE) -> tuple[int, int]:
    """Count the edges of G* between super-vertices along rows of minigrids, and between those along columns."""
    counts = []
    for lines in (graph.rows, graph.columns):
        levels = [crossing(graph, line, super_vertices(graph, line, tick, after)) for line in lines]
        counts.append(sum(len(batch) for pair in combinations(levels, 2) for batch in gtsps.matching(pair, tick)))
    return counts[0], counts[1]


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the steps of the algorithm: the permutations and G; then super-vertices, G* and cycles; then a solution.

    Super-vertices, G* and cycles come twice: after the deletions by degree, as in the paper, and after all deletions.
    """
    if end := gtsps.no_permutation_step(puzzle):
        yield end
        return
    yield gtsps.clues_step(puzzle)
    graph = build_graph(puzzle, tick)
    yield from permutation_steps(graph)
    if end := empty_graph_step(graph, tick):
        yield end
        return
    for after, title in ((DEGREE, "low degrees"), (STRUCTURE, "all deletions")):
        yield remaining_step(graph, graph.remaining(after), "G", f"after {title}", tick, MAX_LISTED)
        line_vertices = [(line, super_vertices(graph, line, tick, after)) for line in graph.lines]
        for line, chosen in line_vertices:
            labels = " ".join(graph.minigrids[number].label for number in line.numbers)
            listed = shorten_names(names(graph, chosen[: MAX_SHOWN_NAMES + 1]))
            text = f"{labels}, super-vertices: {len(chosen)}: {listed}".rstrip(": ")
            data = {"super-vertices": names(graph, chosen[:MAX_LISTED])}
            yield Step(text, "vertices", "super-vertices", data=data)
        yield from _contracted_steps(graph, line_vertices, tick)
    n_cycles = cycles(graph, tick)
    if not n_cycles:
        yield _no_cycle_step(graph, line_vertices)
        return
    first = next((batch for batch in solutions(puzzle, tick) if len(batch)), None)
    if first is not None:
        grid = first[0].tolist()
        text = f"{solution_text(n_cycles // 2)}:\n{grid_text(puzzle.geometry, grid)}"
        yield Step(text, "grid", "solution", data={"grid": grid})
    text = f"cycles, of rows and of columns: {n_cycles}; solutions: {n_cycles // 2}"
    yield Step(text, "end", data={"cycles": n_cycles, "solutions": n_cycles // 2, "complete": True})


def _no_cycle_step(graph: Graph, line_vertices: list[tuple[Line, Int32s]]) -> Step:
    """Return the last step if there is no cycle: a line has no super-vertex, or no super-vertices match."""
    empty = next((line for line, chosen in line_vertices if not len(chosen)), None)
    numbers = range(len(graph.minigrids)) if empty is None else empty.numbers
    labels = " ".join(graph.minigrids[number].label for number in numbers)
    why = "no cycle goes through all rows of minigrids" if empty is None else f"{labels} have no super-vertex"
    cells = tuple(cell for number in numbers for cell in graph.minigrids[number].blank_cells)
    return Step(f"no solution: {why}", "end", "cycle", cells, data=NONE)


def _contracted_steps(
    graph: Graph, line_vertices: list[tuple[Line, Int32s]], tick: Callable[[], None]
) -> Iterator[Step]:
    """Yield the edges of G*, its super-vertices without an edge, and some of its cycles."""
    edges: list[tuple[str, ...]] = []
    cycles_found: list[tuple[str, ...]] = []
    isolated: list[str] = []
    n_edges = n_isolated = 0
    for lines in (graph.rows, graph.columns):
        vertices_of_lines = [chosen for line, chosen in line_vertices if line in lines]
        levels = [crossing(graph, line, chosen) for line, chosen in line_vertices if line in lines]
        joined = [np.zeros(len(chosen), bool) for chosen in vertices_of_lines]
        for first, second in combinations(range(len(lines)), 2):
            for batch in gtsps.matching([levels[first], levels[second]], tick):
                n_edges += len(batch)
                joined[first][batch[:, 0]] = joined[second][batch[:, 1]] = True
                listed = batch[: max(0, MAX_LISTED - len(edges))]
                pairs = (
                    names(graph, vertices_of_lines[first][listed[:, 0]]),
                    names(graph, vertices_of_lines[second][listed[:, 1]]),
                )
                edges += list(zip(*pairs, strict=True))
        for chosen, has_edge in zip(vertices_of_lines, joined, strict=True):
            n_isolated += int(np.count_nonzero(~has_edge))
            isolated += names(graph, chosen[~has_edge][: max(0, MAX_LISTED - len(isolated))])
        # The cycles of the first batch are enough to show some.
        for batch in gtsps.matching(levels, tick):
            cycle_names = [
                names(graph, chosen[choices])
                for chosen, choices in zip(vertices_of_lines, batch[:MAX_LISTED].T, strict=True)
            ]
            cycles_found += list(zip(*cycle_names, strict=True))
            break
    total = sum(len(chosen) for _, chosen in line_vertices)
    listed_edges = shorten_names(["-".join(pair) for pair in edges[: MAX_SHOWN_NAMES + 1]])
    data = {"edges": [list(pair) for pair in edges]}
    yield Step(f"G*: {total} super-vertices, {n_edges} edges: {listed_edges}".rstrip(": "), "vertices", "G*", data=data)
    text = f"without an edge: {n_isolated}: {shorten_names(isolated[: MAX_SHOWN_NAMES + 1])}".rstrip(": ")
    yield Step(text, "vertices", "isolated", data={"isolated": isolated})
    for cycle in cycles_found[:MAX_SHOWN_NAMES]:
        vertices = sorted({name for super_vertex in cycle for name in super_vertex.strip("<>").split("-")})
        members = {"super-vertices": list(cycle), "vertices": vertices}
        yield Step(f"a cycle: {' '.join(cycle)}", "vertices", "cycle", data=members)
    if len(cycles_found) > MAX_SHOWN_NAMES:
        yield Step("and more cycles")


def names(graph: Graph, chosen: Int32s) -> list[str]:
    """Return the names of super-vertices as the paper writes them, such as <1a-2b-3e>."""
    return [f"<{'-'.join(graph.name(vertex) for vertex in vertices)}>" for vertices in chosen.tolist()]
