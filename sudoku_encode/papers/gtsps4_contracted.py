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
from sudoku_encode.papers.gtsps4 import DEGREE, MAX_SHOWN_NAMES, STRUCTURE, Graph, graph, shown
from sudoku_encode.papers.gtsps4_lines import Line, different
from sudoku_encode.papers.gtsps4_steps import none_left, permutations_shown
from sudoku_encode.puzzles.arrays import Int32s, Uint64s
from sudoku_encode.puzzles.dead_ends import NONE
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step

__all__ = ["count", "cycles", "explain", "names", "solutions", "super_edges", "super_vertices", "unsupported_reason"]

MAX_SUPER_VERTICES = 2**22
# Of super-vertices, edges of G* and cycles that `explain` lists as data.
MAX_LISTED = 20_000


def solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions in batches.

    Args:
        puzzle: a square that is not refused.
        tick: see the package.

    Raises:
        StoppedError: there are too many permutations, or super-vertices, to list.
    """
    if puzzle.clash is not None or gtsps.without_permutation(puzzle):
        return
    made = graph(puzzle, tick)
    rows = [(line, super_vertices(made, line, tick)) for line in made.rows]
    rows.sort(key=lambda row: len(row[1]))
    some = [made.minigrids[number] for line, _ in rows for number in line.numbers]
    starts = made.starts[[one.number for one in some]]
    for chosen in gtsps.matching([crossing(made, line, row) for line, row in rows], tick):
        vertices = np.hstack([row[which] for (_, row), which in zip(rows, chosen.T, strict=True)])
        yield gtsps.grids(some, (vertices - starts).astype(np.int32))


def count(puzzle: Puzzle, tick: Callable[[], None]) -> int:
    """Count the solutions without listing them.

    Super-vertices that hold the same digits in each column are one, with their number, and the last row of minigrids is
    looked up: each of its columns must hold just the digits that the columns above lack.

    Raises:
        StoppedError: there are too many permutations, or super-vertices, to list.
    """
    if puzzle.clash is not None or gtsps.without_permutation(puzzle):
        return 0
    made = graph(puzzle, tick)
    return _n_cliques(made, made.rows, tick, STRUCTURE)


def cycles(made: Graph, tick: Callable[[], None], after: int = STRUCTURE) -> int:
    """Count the cycles of G* as the paper does: those of row and those of column super-vertices."""
    return sum(_n_cliques(made, lines, tick, after) for lines in (made.rows, made.columns))


def _n_cliques(made: Graph, lines: tuple[Line, ...], tick: Callable[[], None], after: int) -> int:
    """Count the cliques of one super-vertex of each line."""
    some, copies = [], []
    for line in lines:
        level = crossing(made, line, super_vertices(made, line, tick, after))
        masks, of = different(level.masks)
        some.append(Level(masks, level.slots))
        # Python's integers, since their products need not fit into 64 bits.
        copies.append(np.bincount(of, minlength=len(masks)).astype(object))
    last = {mask.tobytes(): number for mask, number in zip(some[-1].masks, copies[-1], strict=True)}
    found = 0
    for chosen in gtsps.matching(some[:-1], tick):
        lacking = np.tile(_whole(made, lines[-1]), (len(chosen), 1))
        for level, which in zip(some[:-1], chosen.T, strict=True):
            lacking ^= level.masks[which]
        for at, mask in enumerate(lacking):
            if ways := last.get(mask.tobytes()):
                found += ways * prod(own[which] for own, which in zip(copies[:-1], chosen[at], strict=True))
    return found


def super_vertices(made: Graph, line: Line, tick: Callable[[], None], after: int = STRUCTURE) -> Int32s:
    """List the cliques along a row or column of minigrids, one permutation of each, int32 (m, minigrids), as vertices.

    Args:
        made: the graph.
        line: one of its lines.
        tick: see the package.
        after: the step after which the graph is taken: 0, DEGREE or STRUCTURE.

    Raises:
        StoppedError: there are more than MAX_SUPER_VERTICES.
    """
    kept, in_rows = made.kept(after), line in made.rows
    vertices = [np.flatnonzero(kept[number]) for number in line.numbers]
    masks = [made.minigrids[number].rows if in_rows else made.minigrids[number].columns for number in line.numbers]
    some = [Level(mask[own], np.arange(mask.shape[1])) for mask, own in zip(masks, vertices, strict=True)]
    found, n_found = [np.empty((0, len(some)), np.int32)], 0
    for batch in gtsps.matching(some, tick):
        found.append(batch)
        n_found += len(batch)
        if n_found > MAX_SUPER_VERTICES:
            labels = " ".join(made.minigrids[number].label for number in line.numbers)
            raise StoppedError(f"too many super-vertices: {labels} have at least {n_found}")
    chosen = np.concatenate(found)
    for at, number in enumerate(line.numbers):
        chosen[:, at] = vertices[at][chosen[:, at]] + made.starts[number]
    return chosen


def crossing(made: Graph, line: Line, chosen: Int32s) -> Level:
    """Return the digits that super-vertices along a line take in each of the lines of cells that cross it."""
    down = line in made.rows
    parts = []
    for at, number in enumerate(line.numbers):
        one = made.minigrids[number]
        parts.append((one.columns if down else one.rows)[chosen[:, at] - made.starts[number]])
    masks = np.hstack(parts)
    return Level(masks, np.arange(masks.shape[1]))


def _whole(made: Graph, line: Line) -> Uint64s:
    """Every digit in each line of cells that crosses a line of minigrids."""
    one = made.minigrids[0]
    n = len(one.cells)
    words = (one.columns if line in made.rows else one.rows).shape[1]
    bits = n * n // len(line.numbers)
    each = [min(64, bits - 64 * word) for word in range(words)]
    return np.array([2**used - 1 for used in each] * len(line.numbers), np.uint64)


def super_edges(made: Graph, tick: Callable[[], None], after: int = STRUCTURE) -> tuple[int, int]:
    """Count the edges of G*: those between rows, and those between columns of minigrids."""
    found = []
    for lines in (made.rows, made.columns):
        some = [crossing(made, line, super_vertices(made, line, tick, after)) for line in lines]
        found.append(sum(len(batch) for pair in combinations(some, 2) for batch in gtsps.matching(pair, tick)))
    return found[0], found[1]


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the permutations; after the deletions by degree and after all the super-vertices, G* and its cycles."""
    if end := gtsps.without_permutation(puzzle):
        yield end
        return
    yield gtsps.clues(puzzle)
    made = graph(puzzle, tick)
    yield from permutations_shown(made)
    if end := none_left(made, tick):
        yield end
        return
    for after, title in ((DEGREE, "low degrees"), (STRUCTURE, "all deletions")):
        yield _left(made, after, title, tick)
        rows = [(line, super_vertices(made, line, tick, after)) for line in made.lines]
        for line, found in rows:
            labels = " ".join(made.minigrids[number].label for number in line.numbers)
            listed = shown(names(made, found[: MAX_SHOWN_NAMES + 1]))
            text = f"{labels}, super-vertices: {len(found)}: {listed}".rstrip(": ")
            data = {"super-vertices": names(made, found[:MAX_LISTED])}
            yield Step(text, "vertices", "super-vertices", data=data)
        yield from _star(made, rows, tick)
    found_cycles = cycles(made, tick)
    if not found_cycles:
        yield _none(made, rows)
        return
    first = next((batch for batch in solutions(puzzle, tick) if len(batch)), None)
    if first is not None:
        grid = first[0].tolist()
        yield Step(grid_text(puzzle.geometry, grid), "grid", "solution", data={"grid": grid})
    text = f"cycles, of rows and of columns: {found_cycles}; solutions: {found_cycles // 2}"
    yield Step(text, "end", data={"cycles": found_cycles, "solutions": found_cycles // 2, "complete": True})


def _left(made: Graph, after: int, title: str, tick: Callable[[], None]) -> Step:
    """Return what a step of deletion leaves of G."""
    stays = np.concatenate(made.kept(after))
    n_edges = made.n_edges(after, tick)
    edges = made.edges if made.n_edges(0, tick) <= MAX_LISTED else np.empty((0, 2), np.int64)
    pairs = [[made.names[one], made.names[other]] for one, other in edges[stays[edges].all(axis=1)].tolist()]
    text = f"G after {title}: {np.count_nonzero(stays)} vertices, {n_edges} edges"
    names = [made.name(vertex) for vertex in np.flatnonzero(stays)[:MAX_LISTED].tolist()]
    return Step(text, "vertices", f"after {title}", data={"left": names, "edges": pairs})


def _none(made: Graph, rows: list[tuple[Line, Int32s]]) -> Step:
    """Return the end where there is no cycle: a line without a super-vertex, or nothing that matches along the rest."""
    empty = next((line for line, found in rows if not len(found)), None)
    numbers = range(len(made.minigrids)) if empty is None else empty.numbers
    labels = " ".join(made.minigrids[number].label for number in numbers)
    why = "no cycle goes through all rows of minigrids" if empty is None else f"{labels} have no super-vertex"
    cells = tuple(cell for number in numbers for cell in _blanks(made, number))
    return Step(f"no solution: {why}", "end", "cycle", cells, data=NONE)


def _blanks(made: Graph, number: int) -> list[int]:
    one = made.minigrids[number]
    return [int(cell) for cell in one.cells[one.blank]]


def _star(made: Graph, rows: list[tuple[Line, Int32s]], tick: Callable[[], None]) -> Iterator[Step]:
    """Yield G*: its edges, the super-vertices without any, and its cycles, as far as they are to be listed."""
    edges: list[tuple[str, ...]] = []
    cycles_found: list[tuple[str, ...]] = []
    alone: list[str] = []
    n_edges = n_alone = 0
    for lines in (made.rows, made.columns):
        some = [found for line, found in rows if line in lines]
        levels = [crossing(made, line, found) for line, found in rows if line in lines]
        joined = [np.zeros(len(found), bool) for found in some]
        for one, other in combinations(range(len(lines)), 2):
            for batch in gtsps.matching([levels[one], levels[other]], tick):
                n_edges += len(batch)
                joined[one][batch[:, 0]] = joined[other][batch[:, 1]] = True
                listed = batch[: max(0, MAX_LISTED - len(edges))]
                pairs = names(made, some[one][listed[:, 0]]), names(made, some[other][listed[:, 1]])
                edges += list(zip(*pairs, strict=True))
        for found, has in zip(some, joined, strict=True):
            n_alone += int(np.count_nonzero(~has))
            alone += names(made, found[~has][: max(0, MAX_LISTED - len(alone))])
        for batch in gtsps.matching(levels, tick):
            parts = [names(made, found[which]) for found, which in zip(some, batch[:MAX_LISTED].T, strict=True)]
            cycles_found += list(zip(*parts, strict=True))
            break
    total = sum(len(found) for _, found in rows)
    listed_edges = shown(["-".join(pair) for pair in edges[: MAX_SHOWN_NAMES + 1]])
    data = {"edges": [list(pair) for pair in edges]}
    yield Step(f"G*: {total} super-vertices, {n_edges} edges: {listed_edges}".rstrip(": "), "vertices", "G*", data=data)
    text = f"without an edge: {n_alone}: {shown(alone[: MAX_SHOWN_NAMES + 1])}".rstrip(": ")
    yield Step(text, "vertices", "isolated", data={"isolated": alone})
    for cycle in cycles_found[:MAX_SHOWN_NAMES]:
        vertices = sorted({name for one in cycle for name in one.strip("<>").split("-")})
        held = {"super-vertices": list(cycle), "vertices": vertices}
        yield Step(f"a cycle: {' '.join(cycle)}", "vertices", "cycle", data=held)
    if len(cycles_found) > MAX_SHOWN_NAMES:
        yield Step("and more cycles")


def names(made: Graph, chosen: Int32s) -> list[str]:
    """Name super-vertices as the paper does: <1a-2b-3e>."""
    return [f"<{'-'.join(made.name(vertex) for vertex in vertices)}>" for vertices in chosen.tolist()]
