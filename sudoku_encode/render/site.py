"""The place of a constraint in a picture: plane geometry for its drawing, and clues beside the grid."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import NamedTuple

from sudoku_encode.puzzles.constraints.constraint import Constraint, Picture
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.render.shapes import Box, Circle, Lines, Point, Shape, Text

# The height of digits above the baseline, in sizes of the font, as in Helvetica and Vera.
DIGIT_HEIGHT = 0.72
# The width of a digit, of a bold one, and of a letter on average, in sizes of the font, as in Vera, a wide font.
DIGIT_WIDTH, BOLD_WIDTH, LETTER_WIDTH = 0.64, 0.7, 0.62
# The number of corners of the round end of a pill.
_ROUND = 12


class Site(NamedTuple):
    """A constraint whose cells are all on one square of a picture."""

    board: Geometry  # of the puzzle
    constraint: Constraint  # the constraint to draw
    corners: Mapping[int, Point]  # the upper left corner of each cell of the square
    others: tuple[Constraint, ...] = ()  # all constraints of the puzzle

    def middles(self, cells: Iterable[int]) -> list[Point]:
        """Return the middles of some cells."""
        return [(self.corners[cell][0] + 0.5, self.corners[cell][1] + 0.5) for cell in cells]

    @property
    def picture(self) -> Picture:
        """How the kind of the constraint is drawn."""
        return picture_of(self.constraint)

    def number(self, default: int) -> int:
        """Return the first number, or a default if the constraint has no number."""
        return self.constraint.numbers[0] if self.constraint.numbers else default


def picture_of(constraint: Constraint) -> Picture:
    """Return how the kind of a constraint is drawn, if it is."""
    picture = CONSTRAINTS[constraint.kind].picture
    assert picture is not None
    return picture


def beside(corner: Point, right: float, down: float) -> Point:
    """Return a point a step away, rounded, so that equal points compare equal however they were computed."""
    return round(corner[0] + right, 6), round(corner[1] + down, 6)


def centred(kind: str, x: float, y: float, size: float, text: str, opacity: float = 1.0, says: str = "") -> Text:
    """Return a text of digits around a point."""
    return Text(kind, x, y + size * DIGIT_HEIGHT / 2, size, text, opacity, says)


def towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at a distance from one point in the direction of another."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    part = distance / length if length else 0.0
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def are_adjacent(first: Point, second: Point) -> bool:
    """Return whether cells with these middles share a side or a corner."""
    return max(abs(first[0] - second[0]), abs(first[1] - second[1])) < 1.5


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
    """Return the outline of some points on a straight line: a circle around one, a pill around several."""
    (x, y), (to_x, to_y) = points[0], points[-1]
    length = hypot(to_x - x, to_y - y)
    if not length:
        return Circle(kind, x, y, radius)
    right, down = (to_x - x) / length, (to_y - y) / length
    ends = []
    for (end_x, end_y), sign in (((x, y), -1), ((to_x, to_y), 1)):
        for step in range(_ROUND + 1):
            angle = pi * (step / _ROUND - 0.5)
            along, aside = sign * radius * cos(angle), sign * radius * sin(angle)
            ends.append((end_x + along * right - aside * down, end_y + along * down + aside * right))
    return polygon(kind, ends)


def are_straight(points: Sequence[Point]) -> bool:
    """Return whether all points are the same step from the one before."""
    return len({(to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(points)}) < 2


def outlines(corners: Iterable[Point], inset: float) -> list[list[Point]]:
    """Return the outlines of cells, given by their upper left corners, as closed lines from corner to corner.

    They are inside the cells, at a distance from their sides. The first begins at the upper left corner of the first
    cell, row by row, and goes clockwise.
    """
    cells = {beside(corner, 0, 0) for corner in corners}
    following: dict[Point, Point] = {}
    for x, y in cells:
        for right, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            # The side to the left of this direction.
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
    """Return closed lines by their corners, from segments that follow each other."""
    loops = []
    start = beside(first, inset, inset)
    while following:
        points, position = list[Point](), start
        while position in following:
            points.append(position)
            position = following.pop(position)
        turns = zip([points[-1], *points], points, [*points[1:], points[0]], strict=False)
        loops.append([point for before, point, after in turns if not _is_level(before, point, after)])
        start = min(following, default=start)
    return loops


def _is_level(before: Point, point: Point, after: Point) -> bool:
    """Return whether a line along sides of cells goes straight on at a point."""
    return before[0] == point[0] == after[0] or before[1] == point[1] == after[1]


# Clues beside the grid.

ALONG_SIDES = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
DIAGONAL_STEPS = ((1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0))


class Clue(NamedTuple):
    """A number beside the grid."""

    kind: str  # of the constraint
    sign: str  # which frame it has where there are clues of several kinds; empty for none
    corner: Point  # the upper left corner of its place, which is as large as a cell
    step: Point  # from there to the first cell of its line
    text: str  # the number
    share: tuple[int, int] = (0, 1)  # its index and the number of clues in its place; they are below each other


def clue_of_line(site: Site, steps: Iterable[Point]) -> Clue | None:
    """Return the clue of a line in one of some directions; None if the cells are not a whole line."""
    corners = [site.corners[cell] for cell in site.constraint.cells[0]]
    filled = set(site.corners.values())
    (x, y), (to_x, to_y) = corners[0], corners[-1]
    if len(corners) > 1:
        step = corners[1][0] - x, corners[1][1] - y
        if step not in steps or not are_straight(corners):
            return None
        steps = (step,)
    for right, down in steps:
        # A whole line has no cell before the first or after the last.
        before, after = (x - right, y - down), (to_x + right, to_y + down)
        if before not in filled and after not in filled:
            number = " ".join(site.constraint.words)
            return Clue(site.constraint.kind, site.picture.sign, before, (right, down), number)
    return None


def apart(clues: Iterable[Clue]) -> Iterator[Clue]:
    """Yield clues moved so that none hides another.

    Those of diagonals share their place, since their arrows begin there; those of a row or a column move outwards.
    """
    places: dict[Point, list[Clue]] = {}
    for clue in clues:
        places.setdefault(clue.corner, []).append(clue)
    for (x, y), group in places.items():
        diagonal = [clue for clue in group if clue.step in DIAGONAL_STEPS]
        yield from (clue._replace(share=(number, len(diagonal))) for number, clue in enumerate(diagonal))
        along = (clue for clue in group if clue.step not in DIAGONAL_STEPS)
        for distance, clue in enumerate(along, start=1 if diagonal else 0):
            yield clue._replace(corner=(x - distance * clue.step[0], y - distance * clue.step[1]))


def clue_shapes(clue: Clue, framed: bool) -> Iterator[Shape]:
    """Yield the shapes of a clue, after `apart`; framed if each kind beside rows and columns has its own frame."""
    number, n_clues = clue.share
    (corner_x, corner_y), (right, down) = clue.corner, clue.step
    x, y = corner_x + 0.5, corner_y + (number + 0.5) / n_clues
    size = min(0.4, 0.8 / n_clues, (0.55 if framed else 0.7) / (BOLD_WIDTH * len(clue.text)))
    if clue.step not in DIAGONAL_STEPS:
        yield centred("clue", x, y, size, clue.text)
        if framed:
            yield from frame(clue.sign, x, y, 0.36)
        return
    # Room for the arrow, which is in the corner of the place.
    yield centred("clue", x - 0.08 * right, y - (0.06 * down if n_clues == 1 else 0), size, clue.text)
    start, tip = ((corner_x + 0.5 + part * right, corner_y + 0.5 + part * down) for part in (0.27, 0.46))
    yield Lines("clue-arrow", ((start, tip),))
    yield head("clue-arrow", start, tip, 0.11)


def frame(sign: str, x: float, y: float, radius: float) -> Iterator[Shape]:
    """Yield the frame of a clue: a circle, a square, two uprights, two levels or a house; nothing for no sign."""
    if sign == "circle":
        yield Circle("clue-frame", x, y, radius)
    elif sign == "square":
        yield Box("clue-frame", x - 0.85 * radius, y - 0.85 * radius, 1.7 * radius, 1.7 * radius)
    elif sign == "uprights":
        sides = (x - 0.85 * radius, x + 0.85 * radius)
        yield Lines("clue-frame", tuple(((side, y - 0.85 * radius), (side, y + 0.85 * radius)) for side in sides))
    elif sign == "levels":
        sides = (y - 0.85 * radius, y + 0.85 * radius)
        yield Lines("clue-frame", tuple(((x - 0.85 * radius, side), (x + 0.85 * radius, side)) for side in sides))
    elif sign == "house":
        wide = 0.85 * radius
        walls = [(x - wide, y + wide), (x - wide, y - 0.4 * radius), (x, y - 1.1 * radius)]
        yield polygon("clue-frame", [*walls, (x + wide, y - 0.4 * radius), (x + wide, y + wide)])
