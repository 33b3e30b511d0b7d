"""The regions of a grid that is drawn with lines between them: boxes of any shape, and jigsaws."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isqrt

from sudoku_encode.formats.lines import Row, Segment
from sudoku_encode.formats.region_maps import SIDES, default_regions, jigsaw_board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.shapes import default_box

_WALL = "-=+|"


def drawn_board(rows: Sequence[Row], segment: Segment) -> Geometry | None:
    """Return the board whose regions are drawn around the rows of a grid; None where they are the usual ones, or none.

    Lines say the regions; bars, spaces, empty lines or lines between some of the rows alone say the sides of boxes.
    """
    n = len(rows)
    if n not in SIDES:
        return None
    regions = _walled_regions(rows, segment) or _spaced_regions(rows, segment)
    if not regions or regions == default_regions(n):
        return None
    board = jigsaw_board(n, list(map(str, regions)), segment.setting)
    where = f"the borders or gaps in the grid of line {rows[0].line}"
    segment.setting.remarks.add(
        f"{where} are read as its regions: {board.name}; to choose other ones, write `# board: {n}x{n}`"
    )
    return board


def _walled_regions(rows: Sequence[Row], segment: Segment) -> list[int]:
    """Return the region of each cell by the lines between; an empty list where these are not n regions of n cells."""
    n = len(rows)
    columns = [[match.end() - 1 for match in re.finditer(r"[^\s|]+", row.text)] for row in rows]
    if not segment.drawing or any(line != columns[0] for line in columns) or len(columns[0]) != n:
        return []
    beside = [_has_bar(segment.drawing.get(row.line, ""), columns[0]) for row in rows]
    below = [_has_wall(segment.drawing, upper.line, lower.line, columns[0]) for upper, lower in pairwise(rows)]
    regions = _regions(beside, below)
    # Bars between all cells of a row say nothing.
    lines = ([cell % n for cell in range(n * n)], [cell // n for cell in range(n * n)])
    return [] if any(regions.count(region) != n for region in set(regions)) or regions in lines else regions


def _spaced_regions(rows: Sequence[Row], segment: Segment) -> list[int]:
    """Return the region of each cell by groups of rows or of columns; an empty list where they do not tell boxes."""
    n = len(rows)
    if default_box(n) is None or isqrt(n) ** 2 == n:
        return []
    widths = {_group_width(segment.drawing.get(row.line, row.text), n) for row in rows}
    gaps = [upper for upper, (row, after) in enumerate(pairwise(rows), 1) if after.line - row.line > 1]
    heights = {height for height in range(2, n) if n % height == 0 and gaps == list(range(height, n, height))}
    wide = widths.pop() if len(widths) == 1 else 0
    high = heights.pop() if len(heights) == 1 else n // wide if wide else 0
    wide = wide or (n // high if high else 0)
    if not wide or wide * high != n:
        return []
    return [(cell // n // high) * (n // wide) + cell % n // wide for cell in range(n * n)]


def _group_width(text: str, n: int) -> int:
    """Return how many cells are in each group of a row, between bars or else spaces; 0 where these are not groups."""
    parts = text.strip().strip("|").split("|") if "|" in text else text.split()
    cells = [part.split() for part in parts]
    # A group may have spaces between its cells.
    sizes = {len(group) if len(group) > 1 else len("".join(group)) for group in cells}
    width = sizes.pop() if len(sizes) == 1 else 0
    return width if 1 < width < n and width * len(cells) == n else 0


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
