"""The search tree over the blanks of a cube, level by level.

Each level of the tree is a blank. Every open branch is extended by every candidate of that blank that breaks no rule on
that branch; a branch that cannot be extended gets an END. The branches open after the last level are the solutions.

Source: Jana, Mallik, Maji & Pal 2021, A novel search tree-based 3D Sudoku solver; Jana et al. 2023, section III-A,
    Fig. 11 and lines 18 to 62 of Algorithm 1, where the same tree is printed.
Differs: a level is one array of branches, each with its own nodes, not a linked list with one node for each candidate;
    a branch is its own row of the path-matrix. A branch ends when no candidate fits, not when the first one does not.
    Past a budget of memory the tree goes on depth first, a part of a level at a time. `jana2023_v1_printed` has the
    linked list as it is printed, which loses both solutions of the paper's Table 3.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import jana2021_drawing
from sudoku_encode.papers.jana2021_drawing import MAX_LISTED_LEVELS, MAX_LISTED_NODES, MAX_LISTED_SOLUTIONS
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.dead_ends import NONE, DeadEnd, dead_end
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Step

# About how much memory the branches of a tree may take.
MAX_BYTES = 2**28
_BATCH_BYTES = 2**22


@dataclass(frozen=True, eq=False)
class Tree:
    """The levels of a search tree, and how wide it was.

    Attributes:
        board: whose rules hold.
        cells: intp (levels,): the blank of each level.
        candidates: bool (levels, n_values).
        earlier: for each level the levels before it whose blanks are peers.
        opened: int64 (levels,): branches that were open after each level, as far as the tree has grown.
        ended: int64 (levels,): branches that got their END at each level.
    """

    board: Geometry
    cells: Intps
    candidates: Candidates
    earlier: tuple[Intps, ...]
    opened: Int64s
    ended: Int64s

    @staticmethod
    def of(board: Geometry, cells: Intps, candidates: Candidates) -> "Tree":
        """Plan a tree over some cells, in this order, with the candidates of each (levels, n_values)."""
        level = np.full(board.n_cells, -1, np.intp)
        level[cells] = np.arange(len(cells))
        ends = level[board.edges]
        ends = np.sort(ends[(ends >= 0).all(axis=1)], axis=1)
        ends = ends[np.argsort(ends[:, 1], kind="stable")]
        starts = np.searchsorted(ends[:, 1], np.arange(1, len(cells)))
        earlier = tuple(np.split(ends[:, 0], starts)) if len(cells) else ()
        return Tree(board, cells, candidates, earlier, np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64))

    def grow(self, tick: Callable[[], None], max_bytes: int = MAX_BYTES) -> Iterator[Grids]:
        """Yield the branches that are open after the last level, uint8 (m, levels), in the order of their values.

        Args:
            tick: called before each extension of a level.
            max_bytes: about as much memory as the branches may take at any time.
        """
        self.opened[:] = self.ended[:] = 0
        n_levels = len(self.cells)
        # Of a branch at work: itself, its copy in the next level, and what is looked at in between.
        branch_bytes = 4 * n_levels + 40
        least = max(1, max_bytes // (2 * (n_levels + 1) ** 2))
        waiting = [(0, np.zeros((1, n_levels), np.uint8))]
        while waiting:
            tick()
            level, branches = waiting.pop()
            if level == n_levels:
                yield branches
                continue
            fits = self._fits(level, branches)
            children = np.cumsum(np.count_nonzero(fits, axis=1))
            # Each time that a level is split, the rest waits and takes memory; each level has one rest at most.
            left = max_bytes - n_levels * sum(len(rest) for _, rest in waiting)
            room = max(least, left // (2 * branch_bytes))
            if children[-1] > room and len(branches) > 1:
                split = max(1, int(np.searchsorted(children, room, side="right")))
                waiting.append((level, branches[split:].copy()))
                branches, fits = branches[:split], fits[:split]
            extended = self._extend(level, branches, fits)
            if len(extended):
                waiting.append((level + 1, extended))

    def _fits(self, level: int, branches: Grids) -> Bools:
        """Say which candidates of a level break no rule on which branch, bool (branches, n_values)."""
        fits = np.zeros((self.board.n_values, len(branches)), bool)
        held = np.ascontiguousarray(branches[:, self.earlier[level]].T)
        for value in np.flatnonzero(self.candidates[level]):
            fits[value] = ~(held == value + 1).any(axis=0)
        return fits.T

    def _extend(self, level: int, branches: Grids, fits: Bools) -> Grids:
        parents, values = np.nonzero(fits)
        self.opened[level] += len(parents)
        self.ended[level] += np.count_nonzero(~fits.any(axis=1))
        if not np.array_equal(parents, np.arange(len(branches))):
            branches = branches[parents]
        branches[:, level] = values + 1
        return branches

    def levels(self) -> Iterator[Step]:
        """Yield a step for each level: its blank and candidates, its open and its ended branches, and a bar."""
        names = [jana2021_drawing.named(self.board, cell) for cell in self.cells.tolist()]
        values = [(np.flatnonzero(row) + 1).tolist() for row in self.candidates]
        lists = [" ".join(map(str, row)) for row in values]
        widest = max(1, int(self.opened.max(initial=0)))
        wide, width = max(map(len, ["blank", *names])), max(map(len, ["candidates", *lists]))
        yield Step(f"level  {'blank':<{wide}}  {'candidates':<{width}} {'open':>9} {'END':>9}")
        for level, cell in enumerate(self.cells.tolist()):
            opened, ended = int(self.opened[level]), int(self.ended[level])
            bar = "#" * -(-40 * opened // widest)
            row = f"{level + 1:>5}  {names[level]:<{wide}}  {lists[level]:<{width}}"
            yield Step(
                f"{row} {opened:>9} {ended:>9}  {bar}".rstrip(),
                "branch",
                "search tree",
                because=(cell,),
                data={"level": level + 1, "candidates": values[level], "open": opened, "end": ended},
            )


def dead_level(tree: Tree, givens: Grids, name: Callable[[int], str]) -> DeadEnd:
    """Say which blank has no candidate from the start, or at which level all branches of a grown tree have ended.

    Args:
        tree: no branch is open after its last level.
        givens: of the puzzle.
        name: how a cell is written.
    """
    board = tree.board
    left = givens[:, None] == np.arange(1, board.n_values + 1)
    left[tree.cells] = tree.candidates
    level = int(np.argmax(tree.opened == 0))
    cell, earlier = int(tree.cells[level]), tree.cells[tree.earlier[level]].tolist()
    if not tree.candidates.any(axis=1).all():
        return dead_end(board, left, name)
    some = " ".join(map(str, (np.flatnonzero(tree.candidates[level]) + 1).tolist()))
    text = f"every branch ends at level {level + 1} at the latest: there {name(cell)} may hold {some}"
    return DeadEnd(f"{text}, which blanks of earlier levels hold", (cell, *earlier))


def candidates(puzzle: Puzzle) -> Candidates:
    """Return what the givens leave to each blank, bool (blanks, n_values): the values that none of its peers has."""
    board = puzzle.geometry
    left = puzzle.candidates.copy()
    for one, other in (board.edges.T, board.edges.T[::-1]):
        given = puzzle.givens[other]
        left[one[given > 0], given[given > 0].astype(np.intp) - 1] = False
    return left[puzzle.blanks]


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is no cube, or an empty string."""
    return "" if board.is_cube else "it is for cubes"


def filled(puzzle: Puzzle, tree: Tree, tick: Callable[[], None], max_bytes: int) -> Iterator[Grids]:
    """Grow a tree over all blanks and put its branches into the puzzle, in batches (m, n_cells) of a few megabytes."""
    size = max(1, _BATCH_BYTES // puzzle.geometry.n_cells)
    for some in tree.grow(tick, max_bytes):
        for start in range(0, len(some), size):
            tick()
            part = some[start : start + size]
            grids = np.tile(puzzle.givens, (len(part), 1))
            grids[:, tree.cells] = part
            yield grids


def plan(puzzle: Puzzle) -> Tree:
    """Return the tree over the blanks in scan order: x, then y, then z."""
    return Tree.of(puzzle.geometry, puzzle.blanks, candidates(puzzle))


def solutions(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES) -> Iterator[Grids]:
    """Yield all solutions in batches, in the order of their values.

    Args:
        puzzle: a cube.
        tick: see the package.
        max_bytes: about as much memory as the tree may take; past it the search goes on depth first.
    """
    if puzzle.clash is None:
        yield from filled(puzzle, plan(puzzle), tick, max_bytes)


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the width of the tree at each level, the tree if it is small, and the solutions."""
    yield from grown(plan(puzzle), puzzle.givens, tick)


def grown(tree: Tree, givens: Grids, tick: Callable[[], None]) -> Iterator[Step]:
    """Grow a tree over all blanks and yield its levels, also when it is stopped before its end, and its solutions."""
    found, stopped = 0, None
    kept = [np.empty((0, len(tree.cells)), np.uint8)]
    try:
        for branches in tree.grow(tick):
            kept.append(branches[: max(0, MAX_LISTED_SOLUTIONS - found)].copy())
            found += len(branches)
    except StoppedError as reason:
        stopped = reason
    yield from tree.levels()
    n_nodes = int(tree.opened.sum() + tree.ended.sum())
    if not stopped and 0 < len(tree.cells) <= MAX_LISTED_LEVELS and n_nodes <= MAX_LISTED_NODES:
        listed = jana2021_drawing.nodes(tree.candidates, tree.earlier)
        yield jana2021_drawing.drawn(tree.board, tree.cells, listed)
    yield from jana2021_drawing.solved(tree.board, tree.cells, np.concatenate(kept), givens)
    if not found and not stopped:
        why, cells = dead_level(tree, givens, partial(jana2021_drawing.index, tree.board))
        yield Step(f"no solution: {why}", "end", "search tree", cells, data=NONE)
        return
    one = found == 1
    open_branches = f"{found} branch{'' if one else 'es'} open after the last level"
    yield Step(
        f"{'at least ' if stopped else ''}{open_branches}: the solution{'' if one else 's'}",
        "end",
        data={"solutions": found, "complete": not stopped},
    )
    if stopped:
        raise stopped
