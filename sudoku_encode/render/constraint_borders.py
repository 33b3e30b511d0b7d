"""How constraints of two cells, or of those around a corner, are drawn: on the line or the corner between them."""

from collections.abc import Iterator
from itertools import pairwise
from math import ceil

from sudoku_encode.render.shapes import Circle, Lines, Point, Shape
from sudoku_encode.render.site import BOLD_WIDTH, Site, are_adjacent, centred, towards

_DOT, _NUMBERED_DOT = 0.135, 0.17
_NAMES = {10: "X", 5: "V"}


def white_dot(site: Site) -> Iterator[Shape]:
    """Yield a white dot, with the difference where it is not 1."""
    yield from _dot(site, "white-dot", "dark-number", site.number(1), 1)


def black_dot(site: Site) -> Iterator[Shape]:
    """Yield a black dot, with the ratio where it is not 2."""
    yield from _dot(site, "black-dot", "light-number", site.number(2), 2)


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
    for one, other in pairwise(site.middles(site.constraint.cells[0])):
        middle = _between(one, other)
        tip, back = towards(middle, other, 0.08), towards(middle, one, 0.08)
        side = (tip[1] - back[1]) * 0.85, (back[0] - tip[0]) * 0.85
        if not are_adjacent(one, other):
            yield Lines("link", ((one, other),))
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
    rows = [words[at : at + across] for at in range(0, len(words), across)]
    size = 0.24 if len(words) < 3 else 0.21
    gap = max(map(len, words)) * BOLD_WIDTH * size + 0.02
    width, height = across * gap, len(rows) * size
    yield Circle("quadruple", x, y, max(0.22, 0.5 * (width**2 + height**2) ** 0.5 * 0.95))
    for at, row in enumerate(rows):
        for place, word in enumerate(row):
            right, down = place - (len(row) - 1) / 2, at - (len(rows) - 1) / 2
            yield centred("dark-number", x + right * gap, y + down * size, size, word)


def _dot(site: Site, kind: str, number_kind: str, number: int, usual: int) -> Iterator[Shape]:
    (x, y), links = _place(site)
    yield from links
    yield Circle(kind, x, y, _DOT if number == usual else _NUMBERED_DOT)
    if number != usual:
        text = str(number)
        yield centred(number_kind, x, y, min(0.24, 0.3 / (BOLD_WIDTH * len(text))), text)


def _place(site: Site) -> tuple[Point, list[Shape]]:
    """Return where a sign of two cells is, and a line between them where they are no neighbours."""
    one, other = site.middles(site.constraint.cells[0])
    links: list[Shape] = [] if are_adjacent(one, other) else [Lines("link", ((one, other),))]
    return _between(one, other), links


def _between(one: Point, other: Point) -> Point:
    """Return the middle between neighbours; else where the line between two cells leaves the first."""
    right, down = other[0] - one[0], other[1] - one[1]
    steps = max(abs(right), abs(down))
    return one[0] + right / steps / 2, one[1] + down / steps / 2
