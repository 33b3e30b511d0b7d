"""The search tree over the blanks of a cube, level by level, and its pictures.

Each level of the tree is a blank. Every open branch is extended by every candidate of that blank that breaks no rule on
that branch; a branch that cannot be extended gets an END. The branches open after the last level are the solutions.

Source: Jana, Mallik, Maji & Pal 2021, A novel search tree-based 3D Sudoku solver; Jana et al. 2023, section III-A,
    Fig. 11 and lines 18 to 62 of Algorithm 1, where the same tree is printed.
Differs: a level is one array of branches, each with its own nodes, not a linked list with one node for each candidate;
    a branch is its own row of the path-matrix. A branch ends when no candidate fits, not when the first one does not.
    Beyond a budget of memory the tree is grown depth first, a part of a level at a time. `jana2023_v1_printed` has the
    linked list as it is printed, which loses both solutions of the paper's Table 3.
    In the pictures a line leads from a node to each of its children; in the paper (Figs. 11 and 12) NEXT leads to the
    first child, and DOWN from one child to the next.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import MethodError, StoppedError
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
    """The levels of a search tree, and its width at each."""

    board: Geometry
    cells: Intps  # (levels,): the blank of each level
    candidates: Candidates  # (levels, n_values)
    earlier: tuple[Intps, ...]  # for each level the levels before it whose blanks are peers
    opened: Int64s  # (levels,): branches open after each level, as far as the tree is grown
    ended: Int64s  # (levels,): branches that end at each level

    @staticmethod
    def of(board: Geometry, cells: Intps, candidates: Candidates) -> "Tree":
        """Return the tree over cells, in this order, with the candidates of each (levels, n_values), not grown yet."""
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

        The memory of the branches stays, roughly, within `max_bytes` at any time.
        """
        self.opened[:] = self.ended[:] = 0
        n_levels = len(self.cells)
        # Bytes of a branch: itself, its copy in the next level, and the arrays in between.
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
            # When a level is split, the rest waits and takes memory; each level has at most one rest.
            free_bytes = max_bytes - n_levels * sum(len(rest) for _, rest in waiting)
            room = max(least, free_bytes // (2 * branch_bytes))
            if children[-1] > room and len(branches) > 1:
                split = max(1, int(np.searchsorted(children, room, side="right")))
                waiting.append((level, branches[split:].copy()))
                branches, fits = branches[:split], fits[:split]
            extended = self._extend(level, branches, fits)
            if len(extended):
                waiting.append((level + 1, extended))

    def _fits(self, level: int, branches: Grids) -> Bools:
        """Return which candidates of a level break no rule on which branch, bool (branches, n_values)."""
        fits = np.zeros((self.board.n_values, len(branches)), bool)
        values_held = np.ascontiguousarray(branches[:, self.earlier[level]].T)
        for value in np.flatnonzero(self.candidates[level]):
            fits[value] = ~(values_held == value + 1).any(axis=0)
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
        """Yield a step for each level: its blank and candidates, the open and ended branches, and a bar."""
        names = [cell_text(self.board, cell) for cell in self.cells.tolist()]
        values = [(np.flatnonzero(row) + 1).tolist() for row in self.candidates]
        lists = [" ".join(map(str, row)) for row in values]
        widest = max(1, int(self.opened.max(initial=0)))
        wide, width = max(map(len, ["blank", *names])), max(map(len, ["candidates", *lists]))
        head = f"level  {'blank':<{wide}}  {'candidates':<{width}} {'open':>9} {'END':>9}"
        yield Step("The tree has a level for each blank. A branch ends where no candidate of the blank fits.", row=head)
        for level, cell in enumerate(self.cells.tolist()):
            opened, ended = int(self.opened[level]), int(self.ended[level])
            bar = "#" * -(-40 * opened // widest)
            row = f"{level + 1:>5}  {names[level]:<{wide}}  {lists[level]:<{width}}"
            branches = f"{opened:,} {'branch' if opened == 1 else 'branches'} open, {ended:,} ended"
            yield Step(
                f"level {level + 1}, {names[level]}, candidates {lists[level] or 'none'}: {branches}",
                "branch",
                "search tree",
                because=(cell,),
                data={"level": level + 1, "candidates": values[level], "open": opened, "end": ended},
                row=f"{row} {opened:>9} {ended:>9}  {bar}".rstrip(),
            )


def dead_level(tree: Tree, givens: Grids, name: Callable[[int], str]) -> DeadEnd:
    """Return the blank without a candidate, or the level at which the last branches of a grown tree end."""
    board = tree.board
    candidates = givens[:, None] == np.arange(1, board.n_values + 1)
    candidates[tree.cells] = tree.candidates
    level = int(np.argmax(tree.opened == 0))
    cell, earlier = int(tree.cells[level]), tree.cells[tree.earlier[level]].tolist()
    if not tree.candidates.any(axis=1).all():
        return dead_end(board, candidates, name)
    values = " ".join(map(str, (np.flatnonzero(tree.candidates[level]) + 1).tolist()))
    text = f"every branch ends at level {level + 1} at the latest: there {name(cell)} may hold {values}"
    return DeadEnd(f"{text}, which blanks of earlier levels hold", (cell, *earlier))


def candidates(puzzle: Puzzle) -> Candidates:
    """Return the candidates of each blank, bool (blanks, n_values): the values that no given of a peer has."""
    board = puzzle.geometry
    allowed = puzzle.candidates.copy()
    for first, second in (board.edges.T, board.edges.T[::-1]):
        given = puzzle.givens[second]
        allowed[first[given > 0], given[given > 0].astype(np.intp) - 1] = False
    return allowed[puzzle.blanks]


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is not supported, or an empty string: it must be a cube."""
    return "" if board.is_cube else "it supports only cubes"


def filled_grids(puzzle: Puzzle, tree: Tree, tick: Callable[[], None], max_bytes: int) -> Iterator[Grids]:
    """Grow a tree over all blanks and yield its branches as solutions, in batches (m, n_cells) of a few megabytes."""
    size = max(1, _BATCH_BYTES // puzzle.geometry.n_cells)
    for branches in tree.grow(tick, max_bytes):
        for start in range(0, len(branches), size):
            tick()
            part = branches[start : start + size]
            grids = np.tile(puzzle.givens, (len(part), 1))
            grids[:, tree.cells] = part
            yield grids


def plan(puzzle: Puzzle) -> Tree:
    """Return the tree over the blanks in scan order: x, then y, then z."""
    return Tree.of(puzzle.geometry, puzzle.blanks, candidates(puzzle))


def solutions(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES) -> Iterator[Grids]:
    """Yield all solutions of a cube in batches, in the order of their values.

    Beyond `max_bytes`, roughly, for the memory of the tree the search is depth first.
    """
    if puzzle.clash is None:
        yield from filled_grids(puzzle, plan(puzzle), tick, max_bytes)


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the width of the tree at each level, the tree itself if it is small, and the solutions."""
    yield from explain_tree(plan(puzzle), puzzle.givens, tick)


def explain_tree(tree: Tree, givens: Grids, tick: Callable[[], None]) -> Iterator[Step]:
    """Grow a tree over all blanks and yield its levels and solutions, also if it is stopped early."""
    n_solutions, stopped = 0, None
    listed_branches = [np.empty((0, len(tree.cells)), np.uint8)]
    try:
        for branches in tree.grow(tick):
            listed_branches.append(branches[: max(0, MAX_LISTED_SOLUTIONS - n_solutions)].copy())
            n_solutions += len(branches)
    except StoppedError as reason:
        stopped = reason
    yield from tree.levels()
    n_nodes = int(tree.opened.sum() + tree.ended.sum())
    if not stopped and 0 < len(tree.cells) <= MAX_LISTED_LEVELS and n_nodes <= MAX_LISTED_NODES:
        nodes = tree_nodes(tree.candidates, tree.earlier)
        yield draw_tree(tree.board, tree.cells, nodes)
    yield from show_solutions(tree.board, tree.cells, np.concatenate(listed_branches), givens)
    if not n_solutions and not stopped:
        why, cells = dead_level(tree, givens, partial(index_text, tree.board))
        yield Step(f"no solution: {why}", "end", "search tree", cells, data=NONE)
        return
    is_single = n_solutions == 1
    open_branches = f"{n_solutions} branch{'' if is_single else 'es'} open after the last level"
    yield Step(
        f"{'at least ' if stopped else ''}{open_branches}: the solution{'' if is_single else 's'}",
        "end",
        data={"solutions": n_solutions, "complete": not stopped},
    )
    if stopped:
        raise stopped


# The steps of `explain`, with cells, trees and solutions as the papers write them.

# A tree is drawn up to this many levels and rows; a larger one does not fit on a page.
MAX_DRAWN_LEVELS, MAX_DRAWN_ROWS = 24, 60
# A tree is listed as data up to this many nodes and levels; each level is a level of recursion.
MAX_LISTED_NODES, MAX_LISTED_LEVELS = 5_000, 500
# The most solutions to print side by side, and to print as grids in the form of Table 1.
MAX_COLUMNS, MAX_GRIDS = 8, 4
# The most solutions to list as data.
MAX_LISTED_SOLUTIONS = 100
END = "END"


class Node(NamedTuple):
    """A node of a drawn tree."""

    level: int  # from 0
    parent: int  # the number of its parent, -1 below the head
    value: int  # the candidate, or 0 for END


def index_text(board: Geometry, cell: int) -> str:
    """Return the name of a cell as in Fig. 8: `032` for x = 0, y = 3, z = 2; `[10,3,2]` if a number has two digits."""
    numbers = [str(number) for number in np.unravel_index(cell, board.shape)]
    return "".join(numbers) if max(board.shape) <= 10 else f"[{','.join(numbers)}]"


def cell_text(board: Geometry, cell: int) -> str:
    """Return the name of a cell as in the papers, and as in this project.

    >>> from sudoku_encode import board
    >>> named(board("9x9x9"), 29)
    '032 = x0y3z2'
    """
    return f"{index_text(board, cell)} = {board.cell_name(cell)}"


def tree_nodes(candidates: Candidates, earlier: Sequence[Intps]) -> list[Node]:
    """Return the nodes of a small tree, parents first, and below a parent in the order of their values; see `Tree`."""
    listed: list[Node] = []
    values = [(np.flatnonzero(row) + 1).tolist() for row in candidates]

    def below(parent: int, branch: tuple[int, ...]) -> None:
        level = len(branch)
        if level == len(values):
            return
        values_above = {branch[before] for before in earlier[level].tolist()}
        fits = [value for value in values[level] if value not in values_above]
        for value in fits or [0]:
            listed.append(Node(level, parent, value))
            if value:
                below(len(listed) - 1, (*branch, value))

    below(-1, ())
    return listed


def draw_tree(board: Geometry, cells: Intps, listed: list[Node]) -> Step:
    """Return a tree as a step, drawn if it is small as in Figs. 11 and 12: NEXT to the right, DOWN below."""
    names = [index_text(board, cell) for cell in cells.tolist()]
    lines = list(_lines(names, listed)) if len(names) <= MAX_DRAWN_LEVELS else []
    if len(lines) > MAX_DRAWN_ROWS:
        lines = []
    if lines:
        lines.insert(0, "the tree: NEXT is to the right, DOWN is below")
    data = {"index": names, "nodes": [[node.level, node.parent, node.value or END] for node in listed]}
    return Step("\n".join(lines), "branch", "search tree", data=data)


def _lines(names: list[str], listed: list[Node]) -> Iterator[str]:
    width = max(4, *(len(name) + 1 for name in names))
    yield "".join(f"{name:<{width}}" for name in names).rstrip()
    row, leaves = "", 0
    for number, node in enumerate(listed):
        if node.level * width < len(row):
            yield row.rstrip(" >")
            row = ""
        row = row.ljust(node.level * width) + (f"{node.value or END} >").ljust(width)
        is_last = node.level == len(names) - 1 and node.value
        if is_last:
            leaves += 1
            yield f"{row.rstrip(' >')}  solution {leaves}"
            row = ""
        elif number == len(listed) - 1:
            yield row.rstrip(" >")


def show_solutions(board: Geometry, cells: Intps, branches: Grids, givens: Grids) -> Iterator[Step]:
    """Yield the first solutions side by side as in Table 3, and their grids as in Table 1.

    `cells` are the blanks in the order of the table, and `branches` their values in each solution, uint8 (m, blanks).
    """
    if len(branches):
        names = [index_text(board, cell) for cell in cells.tolist()]
        heads = ["Index", *(f"Solution {number}" for number in range(1, len(branches) + 1))]
        width = max(map(len, ["Index", *names]))
        lines = [heads[0].ljust(width) + "".join(f"  {head}" for head in heads[1:])]
        for name, row in zip(names, branches.T.tolist(), strict=True):
            values = (f"  {value:<{len(head)}}" for value, head in zip(row, heads[1:], strict=True))
            lines.append((name.ljust(width) + "".join(values)).rstrip())
        shown = len(branches) <= MAX_COLUMNS and len(names) <= MAX_DRAWN_LEVELS
        data = {"index": names, "solutions": branches.tolist()}
        yield Step("\n".join(lines) if shown and names else "", "note", "solutions", data=data)
    for number, branch in enumerate(branches, start=1):
        grid = givens.copy()
        grid[cells] = branch
        text = f"solution {number}\n{cube_text(board, grid)}" if len(branches) <= MAX_GRIDS else ""
        yield Step(text, "grid", "solution", data={"grid": grid.reshape(board.shape).tolist()})


def cube_text(board: Geometry, grid: Grids) -> str:
    """Return a cube in the form of Table 1: a line per x, a group per y, digits along z; 0 is a blank."""
    gap = "" if board.n_values < 10 else " "
    width = len(str(board.n_values))
    cube = grid.reshape(board.shape).tolist()
    groups = ((gap.join(f"{value:>{width}}" for value in line) for line in plane) for plane in cube)
    return "\n".join(("  " if gap else " ").join(plane) for plane in groups)


# The tree as DOT and SVG, with the branches that are solutions in yellow: Jana et al. 2023, Figs. 11 and 12.

# Sizes in the picture, in pixels: width of a level, height of a row, width and height of a node, margin.
_LEVEL, _ROW, _WIDE, _HIGH, _MARGIN = 56, 30, 34, 20, 40
_STYLE = (
    "text{font:11px sans-serif;text-anchor:middle}.h{fill:#666}path{fill:none;stroke:#888}"
    "rect.n{fill:#fff;stroke:#35689b}rect.s{fill:#ffe680;stroke:#b8860b}rect.e{fill:#eee;stroke:#bbb}"
)


def draw(puzzle: Puzzle, tick: Callable[[], None], form: str) -> Iterator[str]:
    """Yield the lines of a file, `dot` or `svg`, with the search tree over the blanks of a cube in scan order: Fig. 11.

    Raises:
        MethodError: two givens clash, so there is no tree; or the tree is too large for a picture.
    """
    require_no_clash(puzzle)
    yield from picture_lines(plan(puzzle), tick, form)


def require_no_clash(puzzle: Puzzle) -> None:
    """Raise MethodError if two givens of a puzzle clash."""
    if puzzle.clash is not None:
        raise MethodError("two givens clash: there is no tree")


def picture_lines(tree: Tree, tick: Callable[[], None], form: str) -> Iterator[str]:
    """Yield the lines of a file with a search tree, in the form `dot` or `svg`."""
    names = [index_text(tree.board, cell) for cell in tree.cells.tolist()]
    listed = _listed_nodes(tree, tick)
    yield from {"dot": dot, "svg": svg}[form](names, listed)


def _listed_nodes(tree: Tree, tick: Callable[[], None]) -> list[Node]:
    """Return the nodes of a tree, after growing it level by level to check that they are few."""
    levels = len(tree.cells)
    if levels > MAX_LISTED_LEVELS:
        raise MethodError(f"the tree has {levels} levels; up to {MAX_LISTED_LEVELS} are drawn")

    def check() -> None:
        tick()
        if tree.opened.sum() + tree.ended.sum() > MAX_LISTED_NODES:
            raise MethodError(f"the tree has more than {MAX_LISTED_NODES:,} nodes, which is more than are drawn")

    for _ in tree.grow(check):
        check()
    check()
    return tree_nodes(tree.candidates, tree.earlier)


def dot(names: list[str], listed: list[Node]) -> Iterator[str]:
    """Yield a tree for Graphviz, a line at a time: each node with its blank and value, solutions filled in yellow."""
    solved = _on_solutions(len(names), listed)
    yield "digraph tree {"
    yield "  rankdir=LR;"
    yield "  node [shape=box];"
    yield '  head [label="head"];'
    for number, node in enumerate(listed):
        yellow = ", style=filled, fillcolor=yellow" if number in solved else ""
        shape = "" if node.value else ", shape=plaintext"
        text = f"{names[node.level]}: {node.value}" if node.value else END
        yield f'  n{number} [label="{text}"{shape}{yellow}];'
    for number, node in enumerate(listed):
        yield f"  {'head' if node.parent < 0 else f'n{node.parent}'} -> n{number};"
    yield "}"


def svg(names: list[str], listed: list[Node]) -> Iterator[str]:
    """Yield a picture of a tree, a line at a time: a column for each blank, its candidates below each other."""
    rows = _rows(listed)
    solved = _on_solutions(len(names), listed)
    width = _LEVEL * (len(names) + 1) + 2 * _MARGIN
    height = _ROW * (max(rows, default=0) + 1) + 2 * _MARGIN
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    yield f"<style>{_STYLE}</style>"
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
    yield f'<text x="{width // 2}" y="{height - 10}">yellow: on a branch that is a solution</text>'
    for level, name in enumerate(["head", *names]):
        yield f'<text class="h" x="{_MARGIN + level * _LEVEL}" y="{_MARGIN - 20}">{name}</text>'
    places = [
        (_MARGIN + (node.level + 1) * _LEVEL, _MARGIN + row * _ROW) for node, row in zip(listed, rows, strict=True)
    ]
    for node, (x, y) in zip(listed, places, strict=True):
        from_x, from_y = places[node.parent] if node.parent >= 0 else (_MARGIN, _MARGIN)
        bend = from_x + (_LEVEL - 6) // 2 + 3
        yield f'<path d="M{from_x} {from_y}H{bend}V{y}H{x}"/>'
    yield _box("n", _MARGIN, _MARGIN, "")
    for number, (node, (x, y)) in enumerate(zip(listed, places, strict=True)):
        yield _box("e" if not node.value else "s" if number in solved else "n", x, y, str(node.value or END))
    yield "</svg>"


def _box(kind: str, x: int, y: int, text: str) -> str:
    box = f'x="{x - _WIDE // 2}" y="{y - _HIGH // 2}" width="{_WIDE}" height="{_HIGH}" rx="3"'
    return f'<rect class="{kind}" {box}/><text x="{x}" y="{y + 4}">{text}</text>'


def _rows(listed: list[Node]) -> list[int]:
    """Return the row of each node: a first child is in the row of its parent, any other child in a new row."""
    rows: list[int] = []
    row, before = 0, -1
    for number, node in enumerate(listed):
        row += node.parent != before
        rows.append(row)
        before = number
    return rows


def _on_solutions(levels: int, listed: list[Node]) -> set[int]:
    """Return the numbers of the nodes on a branch that reaches a value of the last blank."""
    solved: set[int] = set()
    for number, node in enumerate(listed):
        ancestor = number if node.level == levels - 1 and node.value else -1
        while ancestor >= 0 and ancestor not in solved:
            solved.add(ancestor)
            ancestor = listed[ancestor].parent
    return solved
