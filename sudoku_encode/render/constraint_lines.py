"""How constraints along lines are drawn: through the middles of their cells, below the digits."""

from collections.abc import Iterator, Sequence
from math import hypot

from sudoku_encode.render.shapes import Circle, Lines, Point, Shape
from sudoku_encode.render.site import Site, are_straight, head, outlines, polygon, rounded, towards

# The radius of a circle around a digit, and of a diamond.
_CIRCLE, _DIAMOND = 0.38, 0.46


def line(site: Site) -> Iterator[Shape]:
    """Yield a line through each list of cells, which looks as its kind does."""
    for cells in site.constraint.cells:
        yield Lines(site.constraint.kind, (_through(site.middles(cells)),))


def loop(site: Site) -> Iterator[Shape]:
    """Yield a line that goes on from its last cell to the first."""
    points = site.middles(site.constraint.cells[0])
    yield Lines(site.constraint.kind, (_through([*points, points[0]]),))


def directed(site: Site) -> Iterator[Shape]:
    """Yield a line with a head at its end, since it is read from its beginning."""
    yield from line(site)
    points = site.middles(site.constraint.cells[0])
    if len(points) > 1:
        yield head("line-head", points[-2], points[-1], 0.2)


def thermometer(site: Site) -> Iterator[Shape]:
    """Yield a tube with a bulb at its first cell."""
    points = site.middles(site.constraint.cells[0])
    yield Lines("thermometer", (_through(points),))
    yield Circle("bulb", *points[0], _CIRCLE)


def slow_thermometer(site: Site) -> Iterator[Shape]:
    """Yield a tube with a hollow bulb at its first cell."""
    points = site.middles(site.constraint.cells[0])
    yield Lines("slow-thermometer", (_through(points),))
    yield Circle("slow-bulb", *points[0], 0.33)


def arrow(site: Site) -> Iterator[Shape]:
    """Yield a circle or a pill around the sum, and an arrow from there."""
    circle, stem = map(site.middles, site.constraint.cells)
    if are_straight(circle) and _distance(circle[0], circle[-1]) <= len(circle) - 1:
        yield rounded("arrow-circle", circle, _CIRCLE)
    else:
        # Cells of a number that turns a corner, or that are apart.
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
    """Yield a line that leaves room for what is around its first and its last cell."""

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


def _distance(one: Point, other: Point) -> float:
    """Return how many steps of a king it is from one to the other."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
