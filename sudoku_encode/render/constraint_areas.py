"""How rules and constraints on sets of cells are drawn: extra rules, fills and signs in cells, and cages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot

from sudoku_encode.puzzles import square_rules
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.parsing import bind
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.render.shapes import Box, Circle, Lines, Point, Shape, Text
from sudoku_encode.render.site import (
    BOLD_WIDTH,
    DIGIT_HEIGHT,
    DIGIT_WIDTH,
    Site,
    beside,
    centred,
    outlines,
    picture_of,
    polygon,
)

# Extra rules: a rule without a row of OVERLAYS is visible in the borders, or is not drawn.


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
    """Yield the drawings of the extra rules of a board whose cells have these upper left corners."""
    for rule in board.rules:
        if rule.name in OVERLAYS:
            for unit in rule.units.tolist():
                yield from OVERLAYS[rule.name]([corners[cell] for cell in unit])


# How far the outlines of extra regions are from the sides of their cells, so that those of neighbours stay apart.
_REGION = 0.04
_VALUES = 0.2
_SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


def diagonals(site: Site) -> Iterator[Shape]:
    """Yield a line along each diagonal of a square board that the constraint is about."""
    both = square_rules.diagonals(site.board.shape[0])
    for number in site.constraint.numbers or both:
        yield from along([site.corners[cell] for cell in both[number]])


def windows(site: Site) -> Iterator[Shape]:
    """Yield a fill of the cells of all windows."""
    cells = bind(site.constraint, site.board, site.others).scope_cells
    yield from area([site.corners[cell] for cell in cells])


def odd(site: Site) -> Iterator[Shape]:
    """Yield a grey circle in each cell."""
    yield from (Circle("odd", *middle, 0.38) for middle in site.middles(site.constraint.cells[0]))


def even(site: Site) -> Iterator[Shape]:
    """Yield a grey square in each cell."""
    yield from (Box("even", x + 0.14, y + 0.14, 0.72, 0.72) for x, y in _corners(site))


def extreme(site: Site) -> Iterator[Shape]:
    """Yield a fill of each cell, and on the sides to other cells a sign whose tip points to the smaller cell.

    Between two marked cells there is no sign, since the constraint does not compare them.
    """
    alike = {
        cell
        for other in (site.constraint, *site.others)
        if other.kind == site.constraint.kind
        for cell in other.cells[0]
    }
    cell_at = {corner: cell for cell, corner in site.corners.items()}
    # From the middle of the cell to the tip and to the back of a sign.
    tip, back = (0.34, 0.43) if site.picture.sign == "inwards" else (0.43, 0.34)
    for cell in site.constraint.cells[0]:
        x, y = site.corners[cell]
        yield Box("extreme", x, y, 1, 1)
        for right, down in _SIDES:
            other = cell_at.get(beside((x, y), right, down))
            if other is None or other in alike:
                continue
            at_x, at_y = x + 0.5, y + 0.5
            ends = [
                (at_x + right * back + sign * down * 0.09, at_y + down * back + sign * right * 0.09) for sign in (1, -1)
            ]
            yield Lines("sign", ((ends[0], (at_x + right * tip, at_y + down * tip), ends[1]),))


def extra_region(site: Site) -> Iterator[Shape]:
    """Yield a fill of the cells and a line around them."""
    yield from (Box("extra-region", x, y, 1, 1) for x, y in _corners(site))
    yield from (polygon("region-outline", loop) for loop in outlines(_corners(site), _REGION))


def clone(site: Site) -> Iterator[Shape]:
    """Yield a fill of both lists of cells, and a line around each."""
    for cells in site.constraint.cells:
        corners = [site.corners[cell] for cell in cells]
        yield from (Box("clone", *corner, 1, 1) for corner in dict.fromkeys(corners))
        yield from (polygon("clone-outline", loop) for loop in outlines(corners, _REGION))


def have_different_shapes(site: Site) -> bool:
    """Return whether the lists of a clone are not copies of each other, so that equal cells are not obvious."""
    first, second = ([site.corners[cell] for cell in cells] for cells in site.constraint.cells)
    steps = {beside(to, -x, -y) for (x, y), to in zip(first, second, strict=True)}
    return len(steps) > 1


def values(site: Site) -> Iterator[Shape]:
    """Yield in each cell its allowed values."""
    text = _value_text(site)
    for x, y in _corners(site):
        yield centred("cell-values", x + 0.5, y + 0.82, _VALUES, text)


def are_many_values(site: Site) -> bool:
    """Return whether the values are wider than a cell."""
    return len(_value_text(site)) * DIGIT_WIDTH * _VALUES > 1


def _value_text(site: Site) -> str:
    return ("" if site.board.n_values < 10 else " ").join(map(str, site.constraint.numbers))


def counting_circles(site: Site) -> Iterator[Shape]:
    """Yield a circle in each cell."""
    yield from (Circle("counting-circles", *middle, 0.43) for middle in site.middles(site.constraint.cells[0]))


def indexer(site: Site) -> Iterator[Shape]:
    """Yield a fill of each cell, and lines along the row or the column that it refers to; along both for a box."""
    for x, y in _corners(site):
        yield from indexer_cell(site.constraint.kind, site.picture.sign, x, y)


def indexer_cell(kind: str, sign: str, x: float, y: float, side: float = 1.0) -> Iterator[Shape]:
    """Yield a cell of an indexer, by its upper left corner; `sign` says which lines it has: level, upright or both."""
    yield Box(kind, x, y, side, side)
    for part in (0.12, 0.88):
        if sign != "upright":
            yield Lines("indexer-lines", (((x, y + part * side), (x + side, y + part * side)),))
        if sign != "level":
            yield Lines("indexer-lines", (((x + part * side, y), (x + part * side, y + side)),))


def _corners(site: Site) -> list[Point]:
    return [site.corners[cell] for cell in site.constraint.cells[0]]


# Cages of all kinds, and lists of cells: a line around their cells.

# The drawings with a text in the corner of their first cell.
_CAGES = ("cage", "weighted-sum")
SUM_SIZE = 0.24
# How far lines are from the sides of their cells, so that those of neighbours stay apart; if cages share cells, the
# line of a later one is further in.
_CAGE, _FURTHER, _SAME, _COUNTED = 0.07, 0.045, 0.04, 0.15
# How much of a cell the text in its corner fills at most.
_TEXT_WIDTH = 0.74
_COEFFICIENT = 0.2


def is_cage(constraint: Constraint) -> bool:
    """Return whether a constraint is drawn as a cage, with a text in its corner."""
    picture = CONSTRAINTS[constraint.kind].picture
    return picture is not None and picture.draw in _CAGES


def corner_text(constraint: Constraint) -> str:
    """Return the text in the corner of a cage; empty for no text."""
    return picture_of(constraint).corner(constraint.words)


def cage(site: Site) -> Iterator[Shape]:
    """Yield a dashed line around the cells, with a text in place of its upper left corner."""
    corners = [site.corners[cell] for cell in site.constraint.cells[0]]
    kind, text = site.constraint.kind, corner_text(site.constraint)
    within = sum(not set(other.cells[0]).isdisjoint(site.constraint.cells[0]) for other in _cages_before(site))
    first, *others = outlines(corners, _CAGE + _FURTHER * min(within, 3))
    if text and not _is_corner_taken(site):
        x, y = beside(min(corners, key=_in_rows), _CAGE, _CAGE)
        size = min(SUM_SIZE, _TEXT_WIDTH / (BOLD_WIDTH * len(text)))
        yield from marked(x, y, size, text, site.picture.sign)
        after, below = (x + _width(text, size) + 0.04, first[0][1]), (first[0][0], y + size + 0.03)
        yield Lines(kind, ((after, *first[1:], below),))
    else:
        yield polygon(kind, first)
    yield from (polygon(kind, loop) for loop in others)
    yield from _links(corners)


def marked(x: float, y: float, size: float, text: str, sign: str) -> Iterator[Shape]:
    """Yield the text in the upper left corner of a cage, with the sign of its kind: a frame, a strike, or none."""
    width = _width(text, size)
    low = y + 0.03 + size * DIGIT_HEIGHT
    yield Text("cage-sum", x - 0.01, low, size, text, begins=True)
    if sign == "frame":
        yield Box("sum-frame", x - 0.04, y - 0.01, width + 0.04, low - y + 0.05)
    elif sign == "strike":
        yield Lines("sum-strike", (((x - 0.03, low + 0.02), (x + width + 0.04, y + 0.01)),))


def weighted_sum(site: Site) -> Iterator[Shape]:
    """Yield a line around the cells, the sum in its corner, and in each cell its coefficient where it is not 1."""
    yield from cage(site)
    for cell, times in zip(
        site.constraint.cells[0], site.constraint.numbers[-len(site.constraint.cells[0]) :], strict=True
    ):
        if times != 1:
            (x, y), text = site.corners[cell], f"x{times}"
            x_of_text = x + 0.89 - DIGIT_WIDTH * _COEFFICIENT * len(text)
            yield Text("coefficient", x_of_text, y + 0.88, _COEFFICIENT, text, begins=True)


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


def is_unclear(site: Site) -> bool:
    """Return whether the numbers of a cage are missing, hard to read, or could belong to another cage."""
    constraint = site.constraint
    if constraint.kind == "look-and-say" and len(constraint.numbers) > 6:
        return True
    has_coefficients = site.picture.draw == "weighted-sum"
    others = [other for other in site.others if other.kind == constraint.kind and other != constraint]
    return bool(corner_text(constraint) and _is_corner_taken(site)) or (
        has_coefficients and any(set(other.cells[0]) & set(constraint.cells[0]) for other in others)
    )


def _is_corner_taken(site: Site) -> bool:
    """Return whether another cage has its text in the first cell, which has room for one."""
    # Cells are numbered row by row.
    first = min(site.constraint.cells[0])
    return any(corner_text(other) and min(other.cells[0]) == first for other in _cages_before(site))


def _cages_before(site: Site) -> list[Constraint]:
    """Return the cages that come before this one in the puzzle."""
    before = site.others[: site.others.index(site.constraint)] if site.constraint in site.others else ()
    return [other for other in before if is_cage(other)]


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
    """Return the sets of cells connected by sides; the one with the first cell, row by row, comes first."""
    remaining, parts = set(corners), list[list[Point]]()
    while remaining:
        part = [min(remaining, key=_in_rows)]
        remaining.remove(part[0])
        for corner in part:
            for step in _SIDES:
                if (other := beside(corner, *step)) in remaining:
                    remaining.remove(other)
                    part.append(other)
        parts.append(part)
    return parts
