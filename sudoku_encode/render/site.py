"""Where a constraint is in a picture, and the plane geometry that its drawing needs."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import NamedTuple

from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.render.shapes import Circle, Lines, Point, Text

# A text's digits reach this far above the line on which it stands, in sizes of its font: so in Helvetica and Vera.
DIGIT_HEIGHT = 0.72
# How wide a digit is, one in bold, and a letter on average, in sizes of the font; as in Vera, which is a wide one.
DIGIT_WIDTH, BOLD_WIDTH, LETTER_WIDTH = 0.64, 0.7, 0.62
# How many corners the round end of a pill has.
_ROUND = 12


class Site(NamedTuple):
    """A constraint all of whose cells are on one square of a picture.

    Attributes:
        board: of the puzzle.
        constraint: what is drawn.
        corners: the upper left corner of each cell of the square.
        others: all constraints of the puzzle.
    """

    board: Geometry
    constraint: Constraint
    corners: Mapping[int, Point]
    others: tuple[Constraint, ...] = ()

    def middles(self, cells: Iterable[int]) -> list[Point]:
        """Return the middles of some cells."""
        return [(self.corners[cell][0] + 0.5, self.corners[cell][1] + 0.5) for cell in cells]

    def number(self, default: int) -> int:
        """Return the first number, or what it is where none is given."""
        return self.constraint.numbers[0] if self.constraint.numbers else default


def beside(corner: Point, right: float, down: float) -> Point:
    """Return a point that is a step away, rounded, so that the same point is equal whatever way led to it."""
    return round(corner[0] + right, 6), round(corner[1] + down, 6)


def centred(kind: str, x: float, y: float, size: float, text: str, opacity: float = 1.0, says: str = "") -> Text:
    """Return a text of digits around a point."""
    return Text(kind, x, y + size * DIGIT_HEIGHT / 2, size, text, opacity, says)


def towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point that is this far from one point on the way to another."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    part = distance / length if length else 0.0
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def are_adjacent(one: Point, other: Point) -> bool:
    """Say whether cells with these middles share a side or a corner."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) < 1.5


def head(kind: str, before: Point, tip: Point, size: float) -> Lines:
    """Return the head of an arrow: two strokes that meet at its tip."""
    back = towards(tip, before, size)
    across = (tip[1] - back[1]) * 0.6, (back[0] - tip[0]) * 0.6
    ends = (back[0] + across[0], back[1] + across[1]), (back[0] - across[0], back[1] - across[1])
    return Lines(kind, ((ends[0], tip, ends[1]),))


def polygon(kind: str, points: Sequence[Point]) -> Lines:
    """Return a closed line."""
    return Lines(kind, ((*points, points[0]),))


def rounded(kind: str, points: Sequence[Point], radius: float) -> Lines | Circle:
    """Return what is around some points of a straight line: a circle of one, a pill of several."""
    (x, y), (to_x, to_y) = points[0], points[-1]
    length = hypot(to_x - x, to_y - y)
    if not length:
        return Circle(kind, x, y, radius)
    right, down = (to_x - x) / length, (to_y - y) / length
    ends = []
    for (at_x, at_y), sign in (((x, y), -1), ((to_x, to_y), 1)):
        for step in range(_ROUND + 1):
            angle = pi * (step / _ROUND - 0.5)
            along, aside = sign * radius * cos(angle), sign * radius * sin(angle)
            ends.append((at_x + along * right - aside * down, at_y + along * down + aside * right))
    return polygon(kind, ends)


def are_straight(points: Sequence[Point]) -> bool:
    """Say whether each point is the same step from the one before."""
    return len({(to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(points)}) < 2


def outlines(corners: Iterable[Point], inset: float) -> list[list[Point]]:
    """Return the lines around cells by their upper left corners, each from corner to corner.

    They are within the cells, this far from their sides. The first begins at the upper left corner of the first cell,
    row by row, and goes round clockwise.
    """
    cells = {beside(corner, 0, 0) for corner in corners}
    following: dict[Point, Point] = {}
    for x, y in cells:
        for right, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            # The side on the left of one who goes this way.
            out_x, out_y = down, -right
            if beside((x, y), out_x, out_y) in cells:
                continue
            ends = []
            for sign in (-1, 1):
                ahead = beside((x, y), sign * right, sign * down)
                is_bay = beside(ahead, out_x, out_y) in cells
                along = 0.5 - inset if ahead not in cells else 0.5 + inset if is_bay else 0.5
                end_x = 0.5 + out_x * (0.5 - inset) + sign * right * along
                end_y = 0.5 + out_y * (0.5 - inset) + sign * down * along
                ends.append(beside((x, y), end_x, end_y))
            following[ends[0]] = ends[1]
    return _loops(following, min(cells, key=lambda cell: (cell[1], cell[0])), inset)


def _loops(following: dict[Point, Point], first: Point, inset: float) -> list[list[Point]]:
    """Return closed lines of pieces that follow each other, by their corners."""
    found = []
    start = beside(first, inset, inset)
    while following:
        points, at = list[Point](), start
        while at in following:
            points.append(at)
            at = following.pop(at)
        turns = zip([points[-1], *points], points, [*points[1:], points[0]], strict=False)
        found.append([point for before, point, after in turns if not _is_level(before, point, after)])
        start = min(following, default=start)
    return found


def _is_level(before: Point, point: Point, after: Point) -> bool:
    """Say whether a line that goes along sides of cells goes straight on at a point."""
    return before[0] == point[0] == after[0] or before[1] == point[1] == after[1]
