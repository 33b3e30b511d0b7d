"""GTSPS, version 4.1, shown at work: the graph, each deletion, the search, and the solutions, as the text has them.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), section 4.1, Figures 4.2 to 4.7.
Differs: see `gtsps4` and `gtsps4_deletions`.
"""

from collections.abc import Callable, Iterator

import numpy as np

from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.papers import gtsps4_search
from sudoku_encode.papers.grid_text import grid_text
from sudoku_encode.papers.gtsps import Minigrid, Tally, clues, without_permutation
from sudoku_encode.papers.gtsps4 import (
    MAX_SHOWN_NAMES,
    Graph,
    graph,
    narrowest,
    rooks_graphs,
    shown,
    solutions,
    unsupported_reason,
)
from sudoku_encode.papers.gtsps4_deletions import Deletion, by_degree, by_structure
from sudoku_encode.papers.gtsps4_lines import Kept, degrees
from sudoku_encode.puzzles.dead_ends import NONE
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Candidate, Step

__all__ = ["explain", "none_left", "permutations_shown", "solutions", "supported", "unsupported_reason"]

# Edges that are listed as data, and headers of linked lists that are printed.
MAX_EDGES, MAX_HEADERS = 20_000, MAX_SHOWN_NAMES


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the permutations, G and its linked lists, each deletion, what it leaves, the search, and the solutions."""
    if end := without_permutation(puzzle):
        yield end
        return
    yield clues(puzzle)
    made = graph(puzzle, tick)
    kept: Kept = [np.ones(len(one.permutations), bool) for one in made.minigrids]
    yield from permutations_shown(made)
    yield _candidates(puzzle, made, kept)
    yield _linked_lists(made, tick)
    for deletions, title in ((by_degree, "after low degrees"), (by_structure, "after all deletions")):
        before = supported(puzzle, made, kept)
        for one_deletion in deletions(made, kept, tick):
            after = supported(puzzle, made, kept)
            yield _step(made, one_deletion, before & ~after)
            before = after
        yield _left(made, kept, title, tick)
    if end := none_left(made, tick):
        yield end
    else:
        yield from _searched(puzzle.geometry, made, tick)


def permutations_shown(made: Graph) -> Iterator[Step]:
    """Yield the valid permutations of each minigrid, by the names of their vertices."""
    for one in made.minigrids:
        some = enumerate(one.texts(MAX_SHOWN_NAMES + 1), start=int(made.starts[one.number]))
        listed = shown([f"{made.name(vertex)}={text}" for vertex, text in some])
        text = f"{one.label}, valid permutations: {len(one.permutations)}: {listed}".rstrip("=: ")
        data = {"minigrid": one.number + 1, "cells": one.cells[one.blank].tolist(), "permutations": one.texts()}
        yield Step(text, "vertices", "valid permutations", data=data)


def none_left(made: Graph, tick: Callable[[], None]) -> Step | None:
    """Return the end of an explanation where the deletions leave nothing, with the first minigrid that lost all."""
    if (made.deleted == 0).any():
        return None
    kept: Kept = [np.ones(len(one.permutations), bool) for one in made.minigrids]
    for deletions in (by_degree, by_structure):
        for _ in deletions(made, kept, tick):
            for one, own in zip(made.minigrids, kept, strict=True):
                if not own.any():
                    text = f"no solution: the deletions leave no vertex, first none of {one.label}"
                    return Step(text, "end", "deletions", tuple(one.cells[one.blank].tolist()), data=NONE)
    raise InternalError("the deletions in steps leave a vertex where those at once leave none")


def _left(made: Graph, kept: Kept, title: str, tick: Callable[[], None]) -> Step:
    """Return what is left of G: Figs. 4.5 and 4.6."""
    stays = np.concatenate(kept)
    names = [made.name(vertex) for vertex in np.flatnonzero(stays).tolist()]
    n_edges = sum(int(each.sum()) for each in degrees(made.lines, kept, tick)) // 2
    edges = made.edges if made.n_edges(0, tick) <= MAX_EDGES else np.empty((0, 2), np.int64)
    pairs = [[made.names[one], made.names[other]] for one, other in edges[stays[edges].all(axis=1)].tolist()]
    text = f"left {title}: {len(names)} vertices, {n_edges} edges"
    return Step(text, "vertices", title, data={"left": names, "edges": pairs})


def supported(puzzle: Puzzle, made: Graph, kept: Kept) -> Candidates:
    """Say which values some vertex that is kept has in each cell, bool (n_cells, n_values)."""
    found = np.zeros((puzzle.geometry.n_cells, puzzle.geometry.n_values), bool)
    for one, own in zip(made.minigrids, kept, strict=True):
        _mark(found, one, one.permutations[own])
    return found


def _mark(found: Candidates, one: Minigrid, permutations: Grids) -> None:
    for at, cell in enumerate(one.cells.tolist()):
        found[cell, np.unique(permutations[:, at]).astype(np.intp) - 1] = True


def _candidates(puzzle: Puzzle, made: Graph, kept: Kept) -> Step:
    some = [(np.flatnonzero(row) + 1).tolist() for row in supported(puzzle, made, kept)]
    return Step("", "candidates", "valid permutations", data={"candidates": some})


def _linked_lists(made: Graph, tick: Callable[[], None]) -> Step:
    """Return G with its linked lists, those of Fig. 4.4, if they are not too long."""
    n_edges = made.n_edges(0, tick)
    text = f"G: {len(made.deleted)} vertices, {n_edges} edges"
    if n_edges > MAX_EDGES:
        return Step(text, "vertices", "edges")
    near: dict[str, list[str]] = {name: [] for name in made.names}
    for one, other in made.edges.tolist():
        near[made.names[one]].append(made.names[other])
        near[made.names[other]].append(made.names[one])
    if len(near) <= MAX_HEADERS:
        text += f"; its linked lists have {len(near)} headers and {2 * n_edges} nodes:"
        text += "".join(f"\n  {name}: {' '.join(some)}" for name, some in near.items())
    edges = [[made.names[one], made.names[other]] for one, other in made.edges.tolist()]
    return Step(text, "vertices", "edges", data={"linked lists": near, "edges": edges})


def _step(made: Graph, deletion: Deletion, gone: Candidates) -> Step:
    """Return a deletion as a step; what no vertex has any more goes from the candidates."""
    names = [made.name(vertex) for vertex in deletion.vertices]
    least = sum(made.shape) - 2
    few = deletion.degrees
    if deletion.rule == "degree":
        listed = shown([f"{name} ({degree})" for name, degree in zip(names, few, strict=True)])
    else:
        listed = shown(names)
    low = [f"{name} {degree}" for name, degree in zip(names, few, strict=True) if degree < least]
    more = f"; by now of a degree below {least}: {shown(low)}" if low and deletion.rule != "degree" else ""
    cells = [cell for vertex in deletion.reasons for cell in _cells(made, vertex)]
    removes: list[Candidate] = [(cell, value + 1) for cell, value in np.argwhere(gone).tolist()]
    return Step(
        f"{deletion.why}, deleted: {len(names)}: {listed}{more}",
        "vertices",
        deletion.rule,
        because=tuple(cells),
        removes=tuple(removes),
        data={
            "deleted": names,
            "degrees": list(few),
            "reasons": [made.name(vertex) for vertex in deletion.reasons],
        },
    )


def _cells(made: Graph, vertex: int) -> list[int]:
    number = int(np.searchsorted(made.starts, vertex, side="right")) - 1
    one = made.minigrids[number]
    return [int(cell) for cell in one.cells[one.blank]]


def _searched(board: Geometry, made: Graph, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the first solution, the search, and how many there are, also when it is stopped before its end."""
    order, tally = narrowest(made, tick), Tally.of(len(made.minigrids))
    found, stopped = 0, None
    try:
        for batch in rooks_graphs(made, tick, tally, order):
            if not found and len(batch):
                yield Step(grid_text(board, batch[0].tolist()), "grid", "solution", data={"grid": batch[0].tolist()})
            found += len(batch)
    except StoppedError as reason:
        stopped = reason
    if np.count_nonzero(made.deleted == 0) > len(made.minigrids):
        yield from gtsps4_search.widths(made, order, tally)
        if not stopped:
            yield from gtsps4_search.branches(made, order, tally, tick)
    if not found and not stopped:
        yield gtsps4_search.none(made, order, tally)
        return
    title = f"induced rook's graphs of {made.shape[0]} x {made.shape[1]} vertices, the solutions"
    text = f"{title}: {'at least ' if stopped else ''}{found}"
    yield Step(text, "end", data={"solutions": found, "complete": not stopped})
    if stopped:
        raise stopped
