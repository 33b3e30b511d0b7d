"""GTSPS, version 4.2: all solutions at once, from cliques of permutations.

A super-vertex of G* is a clique of G along a row of minigrids: one permutation of each, all of which match. An edge
joins two super-vertices that match along the columns. Every cycle through all rows of minigrids is a solution.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), sections 4.2 and 4.3.
Differs: to find solutions, the columns of minigrids are left out, since their super-vertices give each solution once
    more (the paper halves the number of cycles), and G is taken after all deletions, not only after those by degree.
    `cycles` counts the cycles of both kinds, as the paper has them. Of the super-vertices of its example the paper
    lists 35: it lacks <3e-6a-9f>, and four with 3b, which it deletes by hand later; there are 40. With more than three
    rows of minigrids a "cycle" is a clique of as many super-vertices.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import prod

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import gtsps
from sudoku_encode.papers.grid_text import grid_text
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
from sudoku_encode.papers.gtsps4_steps import empty_graph_step, permutation_steps
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

    Args:
        puzzle: on a board that `unsupported_reason` accepts.
        tick: see the package.

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

    Super-vertices with the same digits in each column are counted together, and the last row of minigrids is looked up:
    each of its columns must hold exactly the digits that are missing above it.

    Raises:
        StoppedError: there are too many permutations, or super-vertices, to list.
    """
    if puzzle.clash is not None or gtsps.no_permutation_step(puzzle):
        return 0
    graph = build_graph(puzzle, tick)
    return _n_cliques(graph, graph.rows, tick, STRUCTURE)


def cycles(graph: Graph, tick: Callable[[], None], after: int = STRUCTURE) -> int:
    """Count the cycles of G* as the paper does: of row super-vertices and of column super-vertices."""
    return sum(_n_cliques(graph, lines, tick, after) for lines in (graph.rows, graph.columns))


def _n_cliques(graph: Graph, lines: tuple[Line, ...], tick: Callable[[], None], after: int) -> int:
    """Count the cliques with one super-vertex of each line."""
    levels, copies = [], []
    for line in lines:
        level = crossing(graph, line, super_vertices(graph, line, tick, after))
        masks, of = distinct_masks(level.masks)
        levels.append(Level(masks, level.slots))
        # Python integers: products may exceed 64 bits.
        copies.append(np.bincount(of, minlength=len(masks)).astype(object))
    last = {mask.tobytes(): number for mask, number in zip(levels[-1].masks, copies[-1], strict=True)}
    n_cliques = 0
    for chosen in gtsps.matching(levels[:-1], tick):
        lacking = np.tile(_all_digits(graph, lines[-1]), (len(chosen), 1))
        for level, which in zip(levels[:-1], chosen.T, strict=True):
            lacking ^= level.masks[which]
        for place, mask in enumerate(lacking):
            if ways := last.get(mask.tobytes()):
                n_cliques += ways * prod(own[which] for own, which in zip(copies[:-1], chosen[place], strict=True))
    return n_cliques


def super_vertices(graph: Graph, line: Line, tick: Callable[[], None], after: int = STRUCTURE) -> Int32s:
    """List the cliques along a row or column of minigrids, one permutation of each, int32 (m, minigrids), as vertices.

    Args:
        graph: the graph.
        line: one of its lines.
        tick: see the package.
        after: the step after which the graph is taken: 0, DEGREE or STRUCTURE.

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
            raise StoppedError(f"too many super-vertices: {labels} have at least {n_listed}")
    chosen = np.concatenate(batches)
    for place, number in enumerate(line.numbers):
        chosen[:, place] = vertices[place][chosen[:, place]] + graph.starts[number]
    return chosen


def crossing(graph: Graph, line: Line, chosen: Int32s) -> Level:
    """Return the digits of super-vertices along a line in each line of cells that crosses it."""
    down = line in graph.rows
    parts = []
    for place, number in enumerate(line.numbers):
        minigrid = graph.minigrids[number]
        parts.append((minigrid.columns if down else minigrid.rows)[chosen[:, place] - graph.starts[number]])
    masks = np.hstack(parts)
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
    """Count the edges of G* between rows of minigrids, and between columns of minigrids."""
    counts = []
    for lines in (graph.rows, graph.columns):
        levels = [crossing(graph, line, super_vertices(graph, line, tick, after)) for line in lines]
        counts.append(sum(len(batch) for pair in combinations(levels, 2) for batch in gtsps.matching(pair, tick)))
    return counts[0], counts[1]


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the permutations; then, after the deletions by degree and after all, super-vertices, G* and cycles."""
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
        yield _graph_step(graph, after, title, tick)
        rows = [(line, super_vertices(graph, line, tick, after)) for line in graph.lines]
        for line, chosen in rows:
            labels = " ".join(graph.minigrids[number].label for number in line.numbers)
            listed = shorten_names(names(graph, chosen[: MAX_SHOWN_NAMES + 1]))
            text = f"{labels}, super-vertices: {len(chosen)}: {listed}".rstrip(": ")
            data = {"super-vertices": names(graph, chosen[:MAX_LISTED])}
            yield Step(text, "vertices", "super-vertices", data=data)
        yield from _contracted_steps(graph, rows, tick)
    n_cycles = cycles(graph, tick)
    if not n_cycles:
        yield _no_cycle_step(graph, rows)
        return
    first = next((batch for batch in solutions(puzzle, tick) if len(batch)), None)
    if first is not None:
        grid = first[0].tolist()
        yield Step(grid_text(puzzle.geometry, grid), "grid", "solution", data={"grid": grid})
    text = f"cycles, of rows and of columns: {n_cycles}; solutions: {n_cycles // 2}"
    yield Step(text, "end", data={"cycles": n_cycles, "solutions": n_cycles // 2, "complete": True})


def _graph_step(graph: Graph, after: int, title: str, tick: Callable[[], None]) -> Step:
    """Return the graph that remains after a step of deletion."""
    stays = np.concatenate(graph.remaining(after))
    n_edges = graph.n_edges(after, tick)
    edges = graph.edges if graph.n_edges(0, tick) <= MAX_LISTED else np.empty((0, 2), np.int64)
    pairs = [[graph.names[one], graph.names[other]] for one, other in edges[stays[edges].all(axis=1)].tolist()]
    text = f"G after {title}: {np.count_nonzero(stays)} vertices, {n_edges} edges"
    names = [graph.name(vertex) for vertex in np.flatnonzero(stays)[:MAX_LISTED].tolist()]
    return Step(text, "vertices", f"after {title}", data={"left": names, "edges": pairs})


def _no_cycle_step(graph: Graph, rows: list[tuple[Line, Int32s]]) -> Step:
    """Return the last step if there is no cycle: a line has no super-vertex, or no super-vertices match."""
    empty = next((line for line, found in rows if not len(found)), None)
    numbers = range(len(graph.minigrids)) if empty is None else empty.numbers
    labels = " ".join(graph.minigrids[number].label for number in numbers)
    why = "no cycle goes through all rows of minigrids" if empty is None else f"{labels} have no super-vertex"
    cells = tuple(cell for number in numbers for cell in _blanks(graph, number))
    return Step(f"no solution: {why}", "end", "cycle", cells, data=NONE)


def _blanks(graph: Graph, number: int) -> list[int]:
    minigrid = graph.minigrids[number]
    return [int(cell) for cell in minigrid.cells[minigrid.blank]]


def _contracted_steps(graph: Graph, rows: list[tuple[Line, Int32s]], tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the edges of G*, its super-vertices without an edge, and its cycles, as many as are listed."""
    edges: list[tuple[str, ...]] = []
    cycles_found: list[tuple[str, ...]] = []
    alone: list[str] = []
    n_edges = n_alone = 0
    for lines in (graph.rows, graph.columns):
        vertices_of_lines = [chosen for line, chosen in rows if line in lines]
        levels = [crossing(graph, line, chosen) for line, chosen in rows if line in lines]
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
        for chosen, has in zip(vertices_of_lines, joined, strict=True):
            n_alone += int(np.count_nonzero(~has))
            alone += names(graph, chosen[~has][: max(0, MAX_LISTED - len(alone))])
        for batch in gtsps.matching(levels, tick):
            parts = [
                names(graph, chosen[which])
                for chosen, which in zip(vertices_of_lines, batch[:MAX_LISTED].T, strict=True)
            ]
            cycles_found += list(zip(*parts, strict=True))
            break
    total = sum(len(chosen) for _, chosen in rows)
    listed_edges = shorten_names(["-".join(pair) for pair in edges[: MAX_SHOWN_NAMES + 1]])
    data = {"edges": [list(pair) for pair in edges]}
    yield Step(f"G*: {total} super-vertices, {n_edges} edges: {listed_edges}".rstrip(": "), "vertices", "G*", data=data)
    text = f"without an edge: {n_alone}: {shorten_names(alone[: MAX_SHOWN_NAMES + 1])}".rstrip(": ")
    yield Step(text, "vertices", "isolated", data={"isolated": alone})
    for cycle in cycles_found[:MAX_SHOWN_NAMES]:
        vertices = sorted({name for first in cycle for name in first.strip("<>").split("-")})
        members = {"super-vertices": list(cycle), "vertices": vertices}
        yield Step(f"a cycle: {' '.join(cycle)}", "vertices", "cycle", data=members)
    if len(cycles_found) > MAX_SHOWN_NAMES:
        yield Step("and more cycles")


def names(graph: Graph, chosen: Int32s) -> list[str]:
    """Return the names of super-vertices as in the paper: <1a-2b-3e>."""
    return [f"<{'-'.join(graph.name(vertex) for vertex in vertices)}>" for vertices in chosen.tolist()]
