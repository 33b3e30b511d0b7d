"""How rules that are not seen in the borders are drawn: a row of the table for each.

A rule without a row is not drawn.
"""

from collections.abc import Iterator, Mapping

from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.render.shapes import Box, Lines, Point, Shape


def along(corners: list[Point]) -> Iterator[Shape]:
    """Yield a line through the cells of a unit, from the outer corner of the first to that of the last."""
    (x, y), (to_x, to_y) = corners[0], corners[-1]
    steps = max(1, len(corners) - 1)
    half_x, half_y = (to_x - x) / steps / 2, (to_y - y) / steps / 2
    ends = ((x + 0.5 - half_x, y + 0.5 - half_y), (to_x + 0.5 + half_x, to_y + 0.5 + half_y))
    yield Lines("diagonal", (ends,))


def area(corners: list[Point]) -> Iterator[Shape]:
    """Yield a pale fill of the cells of a unit."""
    for x, y in corners:
        yield Box("window", x, y, 1, 1)


OVERLAYS = {"diagonal": along, "antidiagonal": along, "window": area}
"""By the name of a rule, how each of its units is drawn: from the upper left corners of its cells to shapes.

>>> len(list(OVERLAYS["window"]([(1, 1), (2, 1)])))
2
"""


def overlays(board: Geometry, corners: Mapping[int, Point]) -> Iterator[Shape]:
    """Yield what is drawn of the extra rules of a board whose cells have these upper left corners."""
    for rule in board.rules:
        if rule.name in OVERLAYS:
            for unit in rule.units.tolist():
                yield from OVERLAYS[rule.name]([corners[cell] for cell in unit])
