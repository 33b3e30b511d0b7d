"""How the papers of Jana et al. write cells, grids, trees and solutions: for `explain`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids
from sudoku_encode.puzzles.step import Step

# A tree is drawn up to this many levels and rows; what is beyond has no place on a page.
MAX_DRAWN_LEVELS, MAX_DRAWN_ROWS = 24, 60
# A tree is listed as data up to this many nodes and levels; each level is one of recursion.
MAX_LISTED_NODES, MAX_LISTED_LEVELS = 5_000, 500
# Solutions that are put side by side, and those whose grids are printed as Table 1 prints one.
MAX_COLUMNS, MAX_GRIDS = 8, 4
# Solutions that are listed as data.
MAX_LISTED_SOLUTIONS = 100
END = "END"


class Node(NamedTuple):
    """A node of a drawn tree.

    Attributes:
        level: from 0.
        parent: the number of its parent, -1 below the head.
        value: the candidate, or 0 for an END.
    """

    level: int
    parent: int
    value: int


def index(board: Geometry, cell: int) -> str:
    """Name a cell as Fig. 8 does: `032` for x = 0, y = 3, z = 2; `[10,3,2]` where a digit does not do."""
    at = [str(number) for number in np.unravel_index(cell, board.shape)]
    return "".join(at) if max(board.shape) <= 10 else f"[{','.join(at)}]"


def named(board: Geometry, cell: int) -> str:
    """Name a cell as the papers do, and as this project does.

    >>> from sudoku_encode import board
    >>> named(board("9x9x9"), 29)
    '032 = x0y3z2'
    """
    return f"{index(board, cell)} = {board.cell_name(cell)}"


def nodes(candidates: Candidates, earlier: Sequence[Intps]) -> list[Node]:
    """Return the nodes of a small tree, parents first, and below a parent in the order of their values.

    Args:
        candidates: bool (levels, n_values).
        earlier: for each level the levels before it whose blanks are peers.
    """
    listed: list[Node] = []
    values = [(np.flatnonzero(row) + 1).tolist() for row in candidates]

    def below(parent: int, branch: tuple[int, ...]) -> None:
        level = len(branch)
        if level == len(values):
            return
        held = {branch[before] for before in earlier[level].tolist()}
        fits = [value for value in values[level] if value not in held]
        for value in fits or [0]:
            listed.append(Node(level, parent, value))
            if value:
                below(len(listed) - 1, (*branch, value))

    below(-1, ())
    return listed


def drawn(board: Geometry, cells: Intps, listed: list[Node]) -> Step:
    """Draw a tree with a level for each cell, if it is small, as Figs. 11 and 12 do: NEXT to the right, DOWN below."""
    names = [index(board, cell) for cell in cells.tolist()]
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


def solved(board: Geometry, cells: Intps, branches: Grids, givens: Grids) -> Iterator[Step]:
    """Yield the first solutions side by side as in Table 3, and their grids as in Table 1.

    Args:
        board: the cube.
        cells: its blanks, in the order in which the table has them, intp (blanks,).
        branches: the values of the blanks in each solution, uint8 (m, blanks).
        givens: of the puzzle, uint8 (n_cells,).
    """
    if len(branches):
        names = [index(board, cell) for cell in cells.tolist()]
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
        text = f"solution {number}\n{grid_text(board, grid)}" if len(branches) <= MAX_GRIDS else ""
        yield Step(text, "grid", "solution", data={"grid": grid.reshape(board.shape).tolist()})


def grid_text(board: Geometry, grid: Grids) -> str:
    """Write a cube as Table 1 does: a line per x, a group per y, digits along z; 0 is a blank."""
    gap = "" if board.n_values < 10 else " "
    width = len(str(board.n_values))
    cube = grid.reshape(board.shape).tolist()
    groups = ((gap.join(f"{value:>{width}}" for value in line) for line in plane) for plane in cube)
    return "\n".join(("  " if gap else " ").join(plane) for plane in groups)
