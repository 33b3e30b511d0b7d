"""The regions of a grid that is drawn with lines between them: boxes of any shape, and jigsaws."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from sudoku_encode.formats.lines import Row, Segment
from sudoku_encode.formats.region_maps import SIDES, default_regions, jigsaw_board
from sudoku_encode.puzzles.geometry import Geometry

_WALL = "-=+|"


def drawn_board(rows: Sequence[Row], segment: Segment) -> Geometry | None:
    """Return the board whose regions are drawn around the rows of a grid; None where they are the usual ones, or none.

    A grid with lines around each cell says nothing about its regions.
    """
    n = len(rows)
    columns = [[match.end() - 1 for match in re.finditer(r"[^\s|]+", row.text)] for row in rows]
    if n not in SIDES or any(line != columns[0] for line in columns) or len(columns[0]) != n:
        return None
    beside = [_has_bar(segment.drawing.get(row.line, ""), columns[0]) for row in rows]
    below = [_has_wall(segment.drawing, upper.line, lower.line, columns[0]) for upper, lower in pairwise(rows)]
    regions = _regions(beside, below)
    # Bars between all cells of a row say nothing either.
    lines = ([cell % n for cell in range(n * n)], [cell // n for cell in range(n * n)], default_regions(n))
    if any(regions.count(region) != n for region in set(regions)) or regions in lines:
        return None
    board = jigsaw_board(n, list(map(str, regions)), segment.setting)
    where = f"the lines drawn in the grid of line {rows[0].line}"
    segment.setting.remarks.add(f"{where} are read as its regions: {board.name}; `# board: {n}x{n}` says other ones")
    return board


def _has_bar(line: str, columns: Sequence[int]) -> list[bool]:
    """Return whether there is a bar between each cell of a line and the next."""
    return ["|" in line[left:right] for left, right in pairwise(columns)]


def _has_wall(drawing: Mapping[int, str], upper: int, lower: int, columns: Sequence[int]) -> list[bool]:
    """Return whether a line is drawn below each cell of a row, between the lines of the text of two rows."""
    between = [drawing[line] for line in range(upper + 1, lower) if line in drawing]
    return [any(line[column : column + 1] in _WALL and column < len(line) for line in between) for column in columns]


def _regions(beside: list[list[bool]], below: list[list[bool]]) -> list[int]:
    """Return the number of the region of each cell, in the order of their first cells."""
    n = len(beside)
    regions = [-1] * (n * n)
    for start in range(n * n):
        if regions[start] >= 0:
            continue
        number, todo = max(regions) + 1, [start]
        while todo:
            row, column = divmod(todo.pop(), n)
            if regions[row * n + column] >= 0:
                continue
            regions[row * n + column] = number
            todo += [row * n + column + 1] if column < n - 1 and not beside[row][column] else []
            todo += [row * n + column - 1] if column and not beside[row][column - 1] else []
            todo += [(row + 1) * n + column] if row < n - 1 and not below[row][column] else []
            todo += [(row - 1) * n + column] if row and not below[row - 1][column] else []
    return regions
