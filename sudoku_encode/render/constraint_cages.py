"""How constraints are drawn that have a line around their cells: cages of all kinds, and lists of cells."""

from collections.abc import Iterable, Iterator, Sequence
from math import hypot

from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.render.shapes import Box, Circle, Lines, Point, Shape, Text
from sudoku_encode.render.site import BOLD_WIDTH, DIGIT_HEIGHT, DIGIT_WIDTH, Site, beside, outlines, polygon

# Their numbers are in the corner of their first cell.
CAGES = ("cage", "sum", "weighted-sum", "lunchbox", "rellik-cage", "equality-cage", "look-and-say")
SUM_SIZE = 0.24
# How far lines are from the sides of their cells: those of neighbours stay apart, and where cages share cells that of a
# later one is further in.
_CAGE, _FURTHER, _SAME, _COUNTED = 0.07, 0.045, 0.04, 0.15
# How much of a cell the text in its corner fills at most.
_TEXT_WIDTH = 0.74
_COEFFICIENT = 0.2
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def corner_text(constraint: Constraint) -> str:
    """Return what is written in the corner of a cage; empty for nothing."""
    numbers = constraint.numbers
    if constraint.kind == "equality-cage":
        return "="
    if constraint.kind == "weighted-sum":
        return str(numbers[0])
    if constraint.kind == "look-and-say":
        between = ":" if max(numbers) > 9 else ""
        return " ".join(f"{times}{between}{value}" for times, value in zip(numbers[::2], numbers[1::2], strict=True))
    return "".join(map(str, numbers))


def cage(site: Site) -> Iterator[Shape]:
    """Yield a dashed line around the cells, with what is written where its upper left corner would be."""
    corners = [site.corners[cell] for cell in site.constraint.cells[0]]
    kind, text = site.constraint.kind, corner_text(site.constraint)
    within = sum(not set(other.cells[0]).isdisjoint(site.constraint.cells[0]) for other in _cages_before(site))
    first, *others = outlines(corners, _CAGE + _FURTHER * min(within, 3))
    if text and not _is_corner_taken(site):
        x, y = beside(min(corners, key=_in_rows), _CAGE, _CAGE)
        size = min(SUM_SIZE, _TEXT_WIDTH / (BOLD_WIDTH * len(text)))
        yield from marked(kind, x, y, size, text)
        after, below = (x + _width(text, size) + 0.04, first[0][1]), (first[0][0], y + size + 0.03)
        yield Lines(kind, ((after, *first[1:], below),))
    else:
        yield polygon(kind, first)
    yield from (polygon(kind, loop) for loop in others)
    yield from _links(corners)


def marked(kind: str, x: float, y: float, size: float, text: str) -> Iterator[Shape]:
    """Yield the text in the upper left corner of a cage, with what tells its kind."""
    width = _width(text, size)
    low = y + 0.03 + size * DIGIT_HEIGHT
    yield Text("cage-sum", x - 0.01, low, size, text, begins=True)
    if kind == "lunchbox":
        yield Box("sum-frame", x - 0.04, y - 0.01, width + 0.04, low - y + 0.05)
    elif kind == "rellik-cage":
        yield Lines("sum-strike", (((x - 0.03, low + 0.02), (x + width + 0.04, y + 0.01)),))


def weighted_sum(site: Site) -> Iterator[Shape]:
    """Yield a line around the cells, the sum in its corner, and in each cell its coefficient where it is not 1."""
    yield from cage(site)
    for cell, times in zip(site.constraint.cells[0], site.constraint.numbers[1:], strict=True):
        if times != 1:
            (x, y), text = site.corners[cell], f"x{times}"
            left = x + 0.89 - DIGIT_WIDTH * _COEFFICIENT * len(text)
            yield Text("coefficient", left, y + 0.88, _COEFFICIENT, text, begins=True)


def same_values(site: Site) -> Iterator[Shape]:
    """Yield a line around each list of cells."""
    for cells in site.constraint.cells:
        yield from _around(site.constraint.kind, [site.corners[cell] for cell in cells], _SAME)


def count_distinct(site: Site) -> Iterator[Shape]:
    """Yield a circle around the number, a line around the cells that it counts, and a thin line between both."""
    (counter,), counted = site.constraint.cells
    yield from _around(site.constraint.kind, [site.corners[cell] for cell in counted], _COUNTED)
    x, y = site.middles([counter])[0]
    yield Circle("count-circle", x, y, 0.38)
    if counter not in counted:
        nearest = min(site.middles(counted), key=lambda point: hypot(point[0] - x, point[1] - y))
        yield Lines("link", (((x, y), nearest),))


def is_not_all_said(site: Site) -> bool:
    """Say whether a cage's numbers are not in the picture, are hard to read there, or could be those of another."""
    one = site.constraint
    if one.kind == "look-and-say" and len(one.numbers) > 6:
        return True
    others = [other for other in site.others if other.kind == one.kind == "weighted-sum" and other != one]
    return bool(corner_text(one) and _is_corner_taken(site)) or any(
        set(other.cells[0]) & set(one.cells[0]) for other in others
    )


def _is_corner_taken(site: Site) -> bool:
    """Say whether another cage has its text in the first cell, where only one has room."""
    # Cells are numbered row by row.
    first = min(site.constraint.cells[0])
    return any(corner_text(other) and min(other.cells[0]) == first for other in _cages_before(site))


def _cages_before(site: Site) -> list[Constraint]:
    """Return the cages that come before this one in the puzzle."""
    before = site.others[: site.others.index(site.constraint)] if site.constraint in site.others else ()
    return [other for other in before if other.kind in CAGES]


def _width(text: str, size: float) -> float:
    return len(text) * BOLD_WIDTH * size


def _around(kind: str, corners: Sequence[Point], inset: float) -> Iterator[Shape]:
    yield from (polygon(kind, loop) for loop in outlines(corners, inset))
    yield from _links(corners)


def _links(corners: Sequence[Point]) -> Iterator[Shape]:
    """Yield thin lines between parts of a cage that are apart."""
    others = _parts(corners)[1:]
    if others:
        ends = [min(corners, key=_in_rows), *(min(part, key=_in_rows) for part in others)]
        yield Lines("link", (tuple((x + 0.5, y + 0.5) for x, y in ends),))


def _in_rows(corner: Point) -> Point:
    return corner[1], corner[0]


def _parts(corners: Iterable[Point]) -> list[list[Point]]:
    """Return sets of cells that hang together by their sides, that of the first cell row by row first."""
    left, parts = set(corners), list[list[Point]]()
    while left:
        part = [min(left, key=_in_rows)]
        left.remove(part[0])
        for corner in part:
            for step in _STEPS:
                if (other := beside(corner, *step)) in left:
                    left.remove(other)
                    part.append(other)
        parts.append(part)
    return parts
