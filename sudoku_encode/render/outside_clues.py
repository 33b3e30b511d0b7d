"""Clues beside the grid: where they are, how several of one place share it, and what tells their kinds apart."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sudoku_encode.render.shapes import Box, Circle, Lines, Point, Shape
from sudoku_encode.render.site import BOLD_WIDTH, Site, are_straight, centred, head, polygon

_ALONG_SIDES = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
_DIAGONAL = ((1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0))


class Clue(NamedTuple):
    """A number beside the grid.

    Attributes:
        kind: of the constraint.
        corner: the upper left corner of its place, which is as large as a cell.
        step: from there to the first cell that it is about.
        text: the number.
        share: which of how many clues in its place it is; they are below each other.
    """

    kind: str
    corner: Point
    step: Point
    text: str
    share: tuple[int, int] = (0, 1)


def edge_clue(site: Site) -> Clue | None:
    """Return the clue of a row or a column; None where the cells are no whole one."""
    return _clue(site, _ALONG_SIDES)


def diagonal_clue(site: Site) -> Clue | None:
    """Return the clue of a diagonal; None where the cells are no whole one."""
    return _clue(site, _DIAGONAL)


def _clue(site: Site, steps: Iterable[Point]) -> Clue | None:
    corners = [site.corners[cell] for cell in site.constraint.cells[0]]
    filled = set(site.corners.values())
    (x, y), (to_x, to_y) = corners[0], corners[-1]
    if len(corners) > 1:
        step = corners[1][0] - x, corners[1][1] - y
        if step not in steps or not are_straight(corners):
            return None
        steps = (step,)
    for right, down in steps:
        # The next cell after the last would be in the line too, so there must be none.
        before, after = (x - right, y - down), (to_x + right, to_y + down)
        if before not in filled and after not in filled:
            return Clue(site.constraint.kind, before, (right, down), str(site.constraint.numbers[0]))
    return None


def apart(clues: Iterable[Clue]) -> Iterator[Clue]:
    """Yield clues so that none hides another.

    Those of diagonals share their place, since their arrows begin there; those of a row or a column go further out.
    """
    places: dict[Point, list[Clue]] = {}
    for clue in clues:
        places.setdefault(clue.corner, []).append(clue)
    for (x, y), some in places.items():
        diagonal = [clue for clue in some if clue.step in _DIAGONAL]
        yield from (clue._replace(share=(at, len(diagonal))) for at, clue in enumerate(diagonal))
        along = (clue for clue in some if clue.step not in _DIAGONAL)
        for out, clue in enumerate(along, start=1 if diagonal else 0):
            yield clue._replace(corner=(x - out * clue.step[0], y - out * clue.step[1]))


def clue_shapes(clue: Clue, framed: bool) -> Iterator[Shape]:
    """Yield the shapes of a clue.

    Args:
        clue: its place is free.
        framed: whether each kind beside rows and columns has a frame of its own.
    """
    at, of = clue.share
    (left, top), (right, down) = clue.corner, clue.step
    x, y = left + 0.5, top + (at + 0.5) / of
    size = min(0.4, 0.8 / of, (0.55 if framed else 0.7) / (BOLD_WIDTH * len(clue.text)))
    if clue.step not in _DIAGONAL:
        yield centred("clue", x, y, size, clue.text)
        if framed:
            yield from frame(clue.kind, x, y, 0.36)
        return
    # Room for the arrow, which is in the corner of the place.
    yield centred("clue", x - 0.08 * right, y - (0.06 * down if of == 1 else 0), size, clue.text)
    start, tip = ((left + 0.5 + part * right, top + 0.5 + part * down) for part in (0.27, 0.46))
    yield Lines("clue-arrow", ((start, tip),))
    yield head("clue-arrow", start, tip, 0.11)


def frame(kind: str, x: float, y: float, radius: float) -> Iterator[Shape]:
    """Yield what is around the clues of a kind, where there are several kinds."""
    if kind == "x-sum":
        yield Circle("clue-frame", x, y, radius)
    elif kind == "skyscraper":
        yield Box("clue-frame", x - 0.85 * radius, y - 0.85 * radius, 1.7 * radius, 1.7 * radius)
    elif kind == "numbered-room":
        wide = 0.85 * radius
        walls = [(x - wide, y + wide), (x - wide, y - 0.4 * radius), (x, y - 1.1 * radius)]
        yield polygon("clue-frame", [*walls, (x + wide, y - 0.4 * radius), (x + wide, y + wide)])
