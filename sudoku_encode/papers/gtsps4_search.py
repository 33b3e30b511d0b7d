"""The search of GTSPS 4.1 among the vertices that are left, shown: how wide it is, and its branches where they are few.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), section 4.1, which asks for every induced rook's graph.
Differs: the text does not say how they are found; this is the search of `gtsps4.rooks_graphs`, minigrid by minigrid.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sudoku_encode.papers import gtsps
from sudoku_encode.papers.gtsps import Tally
from sudoku_encode.papers.gtsps4 import STRUCTURE, Graph, left_minigrids
from sudoku_encode.puzzles.dead_ends import NONE
from sudoku_encode.puzzles.step import Step

# Up to this many branches, given up or complete, are shown one by one.
MAX_BRANCHES = 40


def widths(made: Graph, order: Sequence[int], tally: Tally) -> Iterator[Step]:
    """Yield for each minigrid, in the order of the search, its vertices, and the branches that came there and ended."""
    yield Step("search among what is left: minigrid  vertices  branches  dead ends", rule="search")
    kept = made.kept(STRUCTURE)
    for number, matched, failed in zip(order, tally.matched, tally.n_dead_ends, strict=True):
        label, left = made.minigrids[number].label, int(np.count_nonzero(kept[number]))
        data = {"minigrid": number + 1, "kept": left, "matched": matched, "dead ends": failed}
        yield Step(f"{label:>35}  {left:>8}  {matched:>8}  {failed:>9}", "branch", "search", data=data)


def branches(made: Graph, order: Sequence[int], tally: Tally, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield each branch of a search that has ended, in the order of a depth-first search, where they are few."""
    if tally.matched[-1] + sum(tally.n_dead_ends) > MAX_BRANCHES:
        return
    left = left_minigrids(made)
    ordered = [left[number] for number in order]
    levels = gtsps.levels(ordered, made.shape)
    vertices = [np.flatnonzero(made.kept(STRUCTURE)[number]) + made.starts[number] for number in order]
    ends: list[tuple[int, ...]] = []
    for depth in range(len(levels), 0, -1):
        longer = {branch[:depth] for branch in ends}
        for batch in gtsps.matching(levels[:depth], tick):
            ends += [branch for branch in map(tuple, batch.tolist()) if branch not in longer]
    for branch in sorted(ends):
        names = [made.name(int(own[at])) for own, at in zip(vertices, branch, strict=False)]
        text, data = " ".join(names), {"vertices": names, "complete": len(branch) == len(order)}
        cells = tuple(cell for one in ordered[: len(branch)] for cell in one.cells[one.blank].tolist())
        if len(branch) == len(order):
            yield Step(f"branch {text}: a rook's graph", "branch", "search", data=data)
        else:
            label = ordered[len(branch)].label
            yield Step(
                f"branch {text}: no vertex of {label} joined to all, given up", "branch", "search", cells, data=data
            )


def none(made: Graph, order: Sequence[int], tally: Tally) -> Step:
    """Return the end of a search that found nothing."""
    one = made.minigrids[order[max(at for at, failed in enumerate(tally.n_dead_ends) if failed)]]
    text = f"no solution: no rook's graph: every branch is given up, at {one.label} at the latest"
    return Step(text, "end", "search", tuple(one.cells[one.blank].tolist()), data=NONE)
