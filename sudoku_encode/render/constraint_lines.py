"""How constraints along lines, between two cells, and around a corner are drawn."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, hypot

from sudoku_encode.render.shapes import Circle, Lines, Point, Shape
from sudoku_encode.render.site import (
    BOLD_WIDTH,
    Site,
    are_adjacent,
    are_straight,
    centred,
    head,
    outlines,
    polygon,
    rounded,
    towards,
)

# The radius of a circle around a digit, and of a diamond.
_CIRCLE, _DIAMOND = 0.38, 0.46


def line(site: Site) -> Iterator[Shape]:
    """Yield a line through each list of cells, with the look of its kind."""
    for cells in site.constraint.cells:
        yield Lines(site.constraint.kind, (_through(site.middles(cells)),))


def loop(site: Site) -> Iterator[Shape]:
    """Yield a closed line."""
    points = site.middles(site.constraint.cells[0])
    yield Lines(site.constraint.kind, (_through([*points, points[0]]),))


def directed(site: Site) -> Iterator[Shape]:
    """Yield a line with a head at its end, since its direction matters."""
    yield from line(site)
    points = site.middles(site.constraint.cells[0])
    if len(points) > 1:
        yield head("line-head", points[-2], points[-1], 0.2)


def thermometer(site: Site, bulb: str = "bulb", radius: float = _CIRCLE) -> Iterator[Shape]:
    """Yield a tube with a bulb at its first cell."""
    yield from line(site)
    yield Circle(bulb, *site.middles(site.constraint.cells[0])[0], radius)


def arrow(site: Site) -> Iterator[Shape]:
    """Yield a circle or a pill around the sum, and an arrow from there."""
    circle, stem = map(site.middles, site.constraint.cells)
    if are_straight(circle) and _distance(circle[0], circle[-1]) <= len(circle) - 1:
        yield rounded("arrow-circle", circle, _CIRCLE)
    else:
        # The cells of the number turn a corner, or are apart.
        corners = [site.corners[cell] for cell in site.constraint.cells[0]]
        yield from (polygon("arrow-circle", loop) for loop in outlines(corners, 0.5 - _CIRCLE))
    nearest = min(circle, key=lambda point: hypot(point[0] - stem[0][0], point[1] - stem[0][1]))
    points = (towards(nearest, stem[0], _CIRCLE), *stem)
    yield Lines("arrow", (points,))
    yield head("arrow", points[-2], points[-1], 0.2)


def double_arrow(site: Site) -> Iterator[Shape]:
    """Yield a line with circles at its ends, and a head from each of them."""
    points = site.middles(site.constraint.cells[0])
    yield from _with_ends("double-arrow", points, _CIRCLE)
    for end, inner in ((points[0], points[1]), (points[-1], points[-2])):
        yield head("double-arrow", end, towards(end, inner, 0.62 * max(1.0, _distance(end, inner))), 0.15)
        yield Circle("line-end", *end, _CIRCLE)


def between(site: Site) -> Iterator[Shape]:
    """Yield a line with circles at its ends."""
    points = site.middles(site.constraint.cells[0])
    yield from _with_ends("between", points, _CIRCLE)
    yield from (Circle("line-end", *end, _CIRCLE) for end in (points[0], points[-1]))


def lockout(site: Site) -> Iterator[Shape]:
    """Yield a line with diamonds at its ends."""
    points = site.middles(site.constraint.cells[0])
    # A line that leaves along a diagonal leaves through the middle of a side.
    yield from _with_ends("lockout", points, _DIAMOND, diamonds=True)
    for x, y in (points[0], points[-1]):
        corners = [(x - _DIAMOND, y), (x, y - _DIAMOND), (x + _DIAMOND, y), (x, y + _DIAMOND)]
        yield polygon("lockout-end", corners)


def _with_ends(kind: str, points: list[Point], radius: float, diamonds: bool = False) -> Iterator[Shape]:
    """Yield a line with room for the shapes around its first and its last cell."""

    def cut(end: Point, inner: Point) -> Point:
        is_level = end[0] == inner[0] or end[1] == inner[1]
        return towards(end, inner, radius * 0.5**0.5 if diamonds and not is_level else radius)

    yield Lines(kind, ((cut(points[0], points[1]), *points[1:-1], cut(points[-1], points[-2])),))


def _through(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return a line through points; a short one through a single point."""
    if len(points) > 1:
        return tuple(points)
    (x, y) = points[0]
    return (x - 0.18, y), (x + 0.18, y)


def _distance(first: Point, second: Point) -> float:
    """Return the number of king moves between two points."""
    return max(abs(first[0] - second[0]), abs(first[1] - second[1]))


# Constraints of two cells, or of those around a corner.

_DOT, _NUMBERED_DOT = 0.135, 0.17
_NAMES = {10: "X", 5: "V"}


def pair_sum(site: Site) -> Iterator[Shape]:
    """Yield an X for 10, a V for 5, and else the sum."""
    (x, y), links = _place(site)
    text = _NAMES.get(site.number(0), str(site.number(0)))
    size = 0.32 if len(text) == 1 else 0.24
    yield from links
    yield Circle("pair-sum", x, y, _NUMBERED_DOT)
    yield centred("pair-number", x, y, size, text)


def greater(site: Site) -> Iterator[Shape]:
    """Yield a sign between each cell and the next, whose tip is at the smaller one."""
    for first, second in pairwise(site.middles(site.constraint.cells[0])):
        middle = _between(first, second)
        tip, back = towards(middle, second, 0.08), towards(middle, first, 0.08)
        side = (tip[1] - back[1]) * 0.85, (back[0] - tip[0]) * 0.85
        if not are_adjacent(first, second):
            yield Lines("link", ((first, second),))
        ends = [(back[0] + sign * side[0], back[1] + sign * side[1]) for sign in (1, -1)]
        yield Lines("sign", ((ends[0], tip, ends[1]),))


def quadruple(site: Site) -> Iterator[Shape]:
    """Yield a circle in the middle of the cells, with the values; lines lead to cells that are not around it."""
    points = site.middles(site.constraint.cells[0])
    x, y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    if any(max(abs(at_x - x), abs(at_y - y)) > 0.51 for at_x, at_y in points) or len(points) < 4:
        yield from (Lines("link", (((x, y), point),)) for point in points)
    words = [str(value) for value in sorted(site.constraint.numbers)]
    across = len(words) if len(words) < 3 else ceil(len(words) / 2) if len(words) < 7 else 3
    rows = [words[start : start + across] for start in range(0, len(words), across)]
    size = 0.24 if len(words) < 3 else 0.21
    gap = max(map(len, words)) * BOLD_WIDTH * size + 0.02
    width, height = across * gap, len(rows) * size
    yield Circle("quadruple", x, y, max(0.22, 0.5 * (width**2 + height**2) ** 0.5 * 0.95))
    for number, row in enumerate(rows):
        for place, word in enumerate(row):
            right, down = place - (len(row) - 1) / 2, number - (len(rows) - 1) / 2
            yield centred("dark-number", x + right * gap, y + down * size, size, word)


def dot(site: Site, number_kind: str, usual: int) -> Iterator[Shape]:
    """Yield a dot with the look of its drawing, and the number where it is not the usual one."""
    (x, y), links = _place(site)
    number = site.number(usual)
    yield from links
    yield Circle(site.picture.draw, x, y, _DOT if number == usual else _NUMBERED_DOT)
    if number != usual:
        text = str(number)
        yield centred(number_kind, x, y, min(0.24, 0.3 / (BOLD_WIDTH * len(text))), text)


def _place(site: Site) -> tuple[Point, list[Shape]]:
    """Return the place of a sign between two cells, and a line between them unless they are neighbours."""
    first, second = site.middles(site.constraint.cells[0])
    links: list[Shape] = [] if are_adjacent(first, second) else [Lines("link", ((first, second),))]
    return _between(first, second), links


def _between(first: Point, second: Point) -> Point:
    """Return the middle between neighbours; for other cells the point where the line between them leaves the first."""
    right, down = second[0] - first[0], second[1] - first[1]
    steps = max(abs(right), abs(down))
    return first[0] + right / steps / 2, first[1] + down / steps / 2
