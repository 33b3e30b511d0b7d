"""The steps of GTSPS, version 4.1, for `explain`: the graph, each deletion, the search and the solutions.

Vertices of too low a degree are deleted round by round. Then, since every solution contains the only vertex of a
minigrid, all vertices not joined to it are deleted; the minigrid that was the last to be reduced to one vertex comes
next. At the end `gtsps4.delete_unsupported` is applied, so that the remaining graph is the same as without steps.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), section 4.1, Figures 4.2 to 4.7.
Differs: see `gtsps4`. The text deletes 3f of its example for its degree; here it is deleted since it is not joined to
    9a, and its degree is printed too. When all vertices of a minigrid are deleted there is no solution, and the steps
    end. The text does not say how the induced rook's graphs are found; here by `gtsps4.rooks_graphs`, minigrid by
    minigrid.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.papers import gtsps
from sudoku_encode.papers.grid_text import grid_text, solution_text
from sudoku_encode.papers.gtsps import Minigrid, Tally, clues_step, no_permutation_step
from sudoku_encode.papers.gtsps4 import (
    MAX_SHOWN_NAMES,
    STRUCTURE,
    Graph,
    Line,
    VertexMasks,
    build_graph,
    degrees,
    delete_without_clique,
    delete_without_neighbour,
    low_degree_masks,
    narrowest_order,
    remaining_minigrids,
    rooks_graphs,
    shorten_names,
    solutions,
    unsupported_reason,
)
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.dead_ends import NONE
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Candidate, Step

# The deletions, step by step.


@dataclass(frozen=True, eq=False)
class Deletion:
    """Vertices deleted together."""

    rule: str  # the name of the rule
    why: str  # the reason in words, printed before the names of the vertices
    reasons: tuple[int, ...]  # the vertices that are the reason
    vertices: tuple[int, ...]  # the deleted vertices, ascending
    degrees: tuple[int, ...]  # their degrees before the deletion


def by_degree(graph: Graph, masks: VertexMasks, tick: Callable[[], None]) -> Iterator[Deletion]:
    """Delete from `masks`, round by round, the vertices with fewer neighbours than adjacent minigrids."""
    least = sum(graph.shape) - 2
    while True:
        tick()
        each = degrees(graph.lines, masks, tick)
        low_masks = low_degree_masks(each, masks, least)
        if not any(one.any() for one in low_masks):
            return
        yield _delete(graph, masks, low_masks, "degree", f"degree below {least}", (), tick)


def by_structure(graph: Graph, masks: VertexMasks, tick: Callable[[], None]) -> Iterator[Deletion]:
    """Delete from `masks` the vertices that the text deletes after those of low degree."""
    waiting = [number for number, one in enumerate(masks) if np.count_nonzero(one) == 1]
    while waiting and all(one.any() for one in masks):
        tick()
        number = waiting.pop(0)
        deleted, reasons, alone = _unjoined_vertices(graph, masks, number)
        if reasons:
            names = [f"{graph.name(vertex)} of {graph.minigrids[one].label}" for one, vertex in reasons.items()]
            why = f"only vertex of a minigrid: {', '.join(names)}; not joined to {'it' if len(names) == 1 else 'both'}"
            yield _delete(graph, masks, deleted, "one vertex left", why, tuple(reasons.values()), tick)
        if alone is not None:
            # The lines of the new minigrid come first, then the rest of this minigrid's lines.
            waiting = [alone, number, *waiting]
    for rule, delete, why in (
        ("no neighbour", delete_without_neighbour, "no neighbour in some adjacent minigrid"),
        ("no clique", delete_without_clique, "no clique with the row or the column of minigrids"),
    ):
        before = [one.copy() for one in masks]
        delete(graph.lines, masks, tick)
        deleted = [old & ~new for old, new in zip(before, masks, strict=True)]
        if any(one.any() for one in deleted):
            yield _delete(graph, before, deleted, rule, why, (), tick)


def _delete(
    graph: Graph,
    masks: VertexMasks,
    deleted: VertexMasks,
    rule: str,
    why: str,
    reasons: tuple[int, ...],
    tick: Callable[[], None],
) -> Deletion:
    """Delete vertices from `masks`, and return the deletion."""
    each = np.concatenate(degrees(graph.lines, masks, tick))
    vertices = np.flatnonzero(np.concatenate(deleted))
    for number, old in enumerate(deleted):
        masks[number] &= ~old
    return Deletion(rule, why, reasons, tuple(vertices.tolist()), tuple(each[vertices].tolist()))


def _unjoined_vertices(graph: Graph, masks: VertexMasks, number: int) -> tuple[VertexMasks, dict[int, int], int | None]:
    """Return the vertices not joined to a minigrid's only vertex, why, and the first minigrid left with one vertex."""
    # The reasons are minigrids with one vertex, each with that vertex. The first minigrid left with one ends the
    # search.
    unjoined = [np.zeros_like(one) for one in masks]
    reasons: dict[int, int] = {}
    for line in (line for line in graph.lines if number in line.numbers):
        single = {other: _only(masks[other]) for other in line.numbers if np.count_nonzero(masks[other]) == 1}
        for target in line.numbers:
            if target in single:
                continue
            lost = masks[target] & ~_joined(graph, line, number, single[number], target)
            causes = {number: int(graph.starts[number]) + single[number]} if lost.any() else {}
            for other, vertex in single.items():
                more = masks[target] & ~lost & ~_joined(graph, line, other, vertex, target)
                # Two reasons are combined only if they leave one vertex together.
                if other != number and more.any() and np.count_nonzero(masks[target] & ~lost & ~more) == 1:
                    lost, causes = lost | more, {**causes, number: int(graph.starts[number]) + single[number]}
                    causes[other] = int(graph.starts[other]) + vertex
            unjoined[target] |= lost
            reasons |= causes
            if lost.any() and np.count_nonzero(masks[target] & ~lost) == 1:
                return unjoined, reasons, target
    return unjoined, reasons, None


def _only(mask: Bools) -> int:
    return int(np.flatnonzero(mask)[0])


def _joined(graph: Graph, line: Line, number: int, vertex: int, target: int) -> Bools:
    """Return which permutations of the minigrid `target` match permutation `vertex` of `number` in the same line."""
    place, place_of_target = line.numbers.index(number), line.numbers.index(target)
    mask: Bools = line.match[place, place_of_target][line.of[place][vertex]][line.of[place_of_target]]
    return mask


# The search among the remaining vertices.

# Up to this many branches, given up or complete, are shown one by one.
MAX_BRANCHES = 40


def search_widths(graph: Graph, order: Sequence[int], tally: Tally) -> Iterator[Step]:
    """Yield, for each minigrid in the order of the search, its number of vertices, branches and dead ends."""
    text = "The search goes through the minigrids one by one, and extends each branch by every vertex that matches it."
    head = "search among what is left: minigrid  vertices  branches  dead ends"
    yield Step(text, rule="search", row=head)
    masks = graph.remaining(STRUCTURE)
    for number, matched, failed in zip(order, tally.matched, tally.n_dead_ends, strict=True):
        label, n_vertices = graph.minigrids[number].label, int(np.count_nonzero(masks[number]))
        data = {"minigrid": number + 1, "kept": n_vertices, "matched": matched, "dead ends": failed}
        text = (
            f"minigrid {number + 1}: {n_vertices:,} {'vertex' if n_vertices == 1 else 'vertices'} left,"
            f" {gtsps.counted_branches(matched, failed)}"
        )
        row = f"{label:>35}  {n_vertices:>8}  {matched:>8}  {failed:>9}"
        yield Step(text, "branch", "search", data=data, row=row)


def search_branches(graph: Graph, order: Sequence[int], tally: Tally, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield each branch of a finished search in depth-first order; nothing if there are more than MAX_BRANCHES."""
    if tally.matched[-1] + sum(tally.n_dead_ends) > MAX_BRANCHES:
        return
    remaining = remaining_minigrids(graph)
    ordered = [remaining[number] for number in order]
    levels = gtsps.levels(ordered, graph.shape)
    vertices = [np.flatnonzero(graph.remaining(STRUCTURE)[number]) + graph.starts[number] for number in order]
    ends: list[tuple[int, ...]] = []
    for depth in range(len(levels), 0, -1):
        longer = {branch[:depth] for branch in ends}
        for batch in gtsps.matching(levels[:depth], tick):
            ends += [branch for branch in map(tuple, batch.tolist()) if branch not in longer]
    for branch in sorted(ends):
        names = [graph.name(int(own[at])) for own, at in zip(vertices, branch, strict=False)]
        text, data = " ".join(names), {"vertices": names, "complete": len(branch) == len(order)}
        cells = tuple(cell for one in ordered[: len(branch)] for cell in one.blank_cells)
        if len(branch) == len(order):
            yield Step(f"branch {text}: a rook's graph", "branch", "search", data=data)
        else:
            label = ordered[len(branch)].label
            yield Step(
                f"branch {text}: no vertex of {label} is joined to all of them", "branch", "search", cells, data=data
            )


def no_rooks_graph(graph: Graph, order: Sequence[int], tally: Tally) -> Step:
    """Return the last step of a search without a solution."""
    minigrid = graph.minigrids[order[max(at for at, failed in enumerate(tally.n_dead_ends) if failed)]]
    text = f"no solution: no rook's graph: every branch is given up, at {minigrid.label} at the latest"
    return Step(text, "end", "search", minigrid.blank_cells, data=NONE)


__all__ = ["explain", "solutions", "unsupported_reason"]

# The most edges to list as data, and headers of linked lists to print.
MAX_EDGES, MAX_HEADERS = 20_000, MAX_SHOWN_NAMES


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the permutations, G, its linked lists, each deletion, the remaining graph, the search and the solutions."""
    if end := no_permutation_step(puzzle):
        yield end
        return
    yield clues_step(puzzle)
    graph = build_graph(puzzle, tick)
    masks: VertexMasks = [np.ones(len(one.permutations), bool) for one in graph.minigrids]
    yield from permutation_steps(graph)
    yield _candidates(puzzle, graph, masks)
    yield _linked_lists(graph, tick)
    for deletions, title in ((by_degree, "after low degrees"), (by_structure, "after all deletions")):
        before = supported_candidates(puzzle, graph, masks)
        for one_deletion in deletions(graph, masks, tick):
            after = supported_candidates(puzzle, graph, masks)
            yield _deletion_step(graph, one_deletion, before & ~after)
            before = after
        yield remaining_step(graph, masks, "left", title, tick)
    if end := empty_graph_step(graph, tick):
        yield end
    else:
        yield from _search_steps(puzzle.geometry, graph, tick)


def permutation_steps(graph: Graph) -> Iterator[Step]:
    """Yield the valid permutations of each minigrid, by the names of their vertices."""
    for minigrid in graph.minigrids:
        texts = enumerate(minigrid.texts(MAX_SHOWN_NAMES + 1), start=int(graph.starts[minigrid.number]))
        listed = shorten_names([f"{graph.name(vertex)}={text}" for vertex, text in texts])
        text = f"{minigrid.label}, valid permutations: {len(minigrid.permutations)}: {listed}".rstrip("=: ")
        data = {
            "minigrid": minigrid.number + 1,
            "cells": list(minigrid.blank_cells),
            "permutations": minigrid.texts(),
        }
        yield Step(text, "vertices", "valid permutations", data=data)


def empty_graph_step(graph: Graph, tick: Callable[[], None]) -> Step | None:
    """Return the last step if the deletions leave no vertex, with the first minigrid that lost all; else None."""
    if (graph.deleted == 0).any():
        return None
    masks: VertexMasks = [np.ones(len(minigrid.permutations), bool) for minigrid in graph.minigrids]
    for deletions in (by_degree, by_structure):
        for _ in deletions(graph, masks, tick):
            for minigrid, mask in zip(graph.minigrids, masks, strict=True):
                if not mask.any():
                    first = f"the first minigrid without one is {minigrid.label}"
                    text = f"no solution: the deletions leave no vertex; {first}"
                    return Step(text, "end", "deletions", minigrid.blank_cells, data=NONE)
    raise InternalError("the deletions in steps leave a vertex where those at once leave none")


def remaining_step(
    graph: Graph, masks: VertexMasks, head: str, title: str, tick: Callable[[], None], most: int | None = None
) -> Step:
    """Return the remaining graph, with at most so many vertices as data: Figs. 4.5 and 4.6."""
    stays = np.concatenate(masks)
    names = [graph.name(vertex) for vertex in np.flatnonzero(stays)[:most].tolist()]
    n_edges = sum(int(each.sum()) for each in degrees(graph.lines, masks, tick)) // 2
    edges = graph.edges if graph.n_edges(0, tick) <= MAX_EDGES else np.empty((0, 2), np.int64)
    pairs = [[graph.names[one], graph.names[other]] for one, other in edges[stays[edges].all(axis=1)].tolist()]
    text = f"{head} {title}: {np.count_nonzero(stays)} vertices, {n_edges} edges"
    return Step(text, "vertices", title, data={"left": names, "edges": pairs})


def supported_candidates(puzzle: Puzzle, graph: Graph, masks: VertexMasks) -> Candidates:
    """Return the values that a remaining vertex has in each cell, bool (n_cells, n_values)."""
    marks = np.zeros((puzzle.geometry.n_cells, puzzle.geometry.n_values), bool)
    for minigrid, mask in zip(graph.minigrids, masks, strict=True):
        _mark(marks, minigrid, minigrid.permutations[mask])
    return marks


def _mark(marks: Candidates, minigrid: Minigrid, permutations: Grids) -> None:
    for place, cell in enumerate(minigrid.cells.tolist()):
        marks[cell, np.unique(permutations[:, place]).astype(np.intp) - 1] = True


def _candidates(puzzle: Puzzle, graph: Graph, masks: VertexMasks) -> Step:
    values = [(np.flatnonzero(row) + 1).tolist() for row in supported_candidates(puzzle, graph, masks)]
    return Step("", "candidates", "valid permutations", data={"candidates": values})


def _linked_lists(graph: Graph, tick: Callable[[], None]) -> Step:
    """Return G, with its linked lists (Fig. 4.4) if they are not too long."""
    n_edges = graph.n_edges(0, tick)
    text = f"G: {len(graph.deleted)} vertices, {n_edges} edges"
    if n_edges > MAX_EDGES:
        return Step(text, "vertices", "edges")
    near: dict[str, list[str]] = {name: [] for name in graph.names}
    for first, second in graph.edges.tolist():
        near[graph.names[first]].append(graph.names[second])
        near[graph.names[second]].append(graph.names[first])
    if len(near) <= MAX_HEADERS:
        text += f"; its linked lists have {len(near)} headers and {2 * n_edges} nodes:"
        text += "".join(f"\n  {name}: {' '.join(some)}" for name, some in near.items())
    edges = [[graph.names[first], graph.names[second]] for first, second in graph.edges.tolist()]
    return Step(text, "vertices", "edges", data={"linked lists": near, "edges": edges})


def _deletion_step(graph: Graph, deletion: Deletion, lost: Candidates) -> Step:
    """Return a deletion as a step that removes the candidates `lost`, which no remaining vertex has."""
    names = [graph.name(vertex) for vertex in deletion.vertices]
    least = sum(graph.shape) - 2
    few = deletion.degrees
    if deletion.rule == "degree":
        listed = shorten_names([f"{name} ({degree})" for name, degree in zip(names, few, strict=True)])
    else:
        listed = shorten_names(names)
    low = [f"{name} {degree}" for name, degree in zip(names, few, strict=True) if degree < least]
    more = f"; already of degree below {least}: {shorten_names(low)}" if low and deletion.rule != "degree" else ""
    cells = [cell for vertex in deletion.reasons for cell in _cells(graph, vertex)]
    removes: list[Candidate] = [(cell, value + 1) for cell, value in np.argwhere(lost).tolist()]
    return Step(
        f"{deletion.why}, {len(names):,} deleted: {listed}{more}",
        "vertices",
        deletion.rule,
        because=tuple(cells),
        removes=tuple(removes),
        data={
            "deleted": names,
            "degrees": list(few),
            "reasons": [graph.name(vertex) for vertex in deletion.reasons],
        },
    )


def _cells(graph: Graph, vertex: int) -> tuple[int, ...]:
    return graph.minigrids[int(np.searchsorted(graph.starts, vertex, side="right")) - 1].blank_cells


def _search_steps(board: Geometry, graph: Graph, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the search, the first solution, and the number of solutions, also if the search is stopped early."""
    order, tally = narrowest_order(graph, tick), Tally.of(len(graph.minigrids))
    n_solutions, first, stopped = 0, list[int](), None
    try:
        for batch in rooks_graphs(graph, tick, tally, order):
            first = first or batch[:1].ravel().tolist()
            n_solutions += len(batch)
    except StoppedError as reason:
        stopped = reason
    if np.count_nonzero(graph.deleted == 0) > len(graph.minigrids):
        yield from search_widths(graph, order, tally)
        if not stopped:
            yield from search_branches(graph, order, tally, tick)
    if not n_solutions and not stopped:
        yield no_rooks_graph(graph, order, tally)
        return
    if first:
        text = f"{solution_text(n_solutions, bool(stopped))}:\n{grid_text(board, first)}"
        yield Step(text, "grid", "solution", data={"grid": first})
    title = f"induced rook's graphs of {graph.shape[0]} x {graph.shape[1]} vertices, the solutions"
    text = f"{title}: {'at least ' if stopped else ''}{n_solutions}"
    yield Step(text, "end", data={"solutions": n_solutions, "complete": not stopped})
    if stopped:
        raise stopped
