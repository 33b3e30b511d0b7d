"""How constraints of sets of cells are drawn that have fills and signs in their cells, or lines across the board."""

from collections.abc import Iterator

from sudoku_encode.puzzles.constraint import Placed, cells_of
from sudoku_encode.render.extra_rules import along, area
from sudoku_encode.render.shapes import Box, Circle, Lines, Point, Shape
from sudoku_encode.render.site import DIGIT_WIDTH, Site, beside, centred, outlines, polygon

# How far the outlines of extra regions are from the sides of their cells: those of neighbours stay apart.
_REGION = 0.04
_VALUES = 0.2
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def diagonals(site: Site) -> Iterator[Shape]:
    """Yield a line along each diagonal of a square board that the constraint is about."""
    side = site.board.shape[0]
    steps = {1: (side - 1, side - 1), -1: (0, side + 1)}
    for number in site.constraint.numbers or steps:
        first, step = steps[number]
        yield from along([site.corners[first + at * step] for at in range(side)])


def windows(site: Site) -> Iterator[Shape]:
    """Yield a fill of the cells of all windows."""
    cells = cells_of(Placed(site.board, site.constraint, site.others))
    yield from area([site.corners[cell] for cell in cells])


def odd(site: Site) -> Iterator[Shape]:
    """Yield a grey circle in each cell."""
    yield from (Circle("odd", *middle, 0.38) for middle in site.middles(site.constraint.cells[0]))


def even(site: Site) -> Iterator[Shape]:
    """Yield a grey square in each cell."""
    yield from (Box("even", x + 0.14, y + 0.14, 0.72, 0.72) for x, y in _corners(site))


def extreme(site: Site) -> Iterator[Shape]:
    """Yield a fill of each cell, and on the sides of greater and smaller neighbours a sign whose tip is at the smaller.

    There is none between two cells that are marked alike, since nothing is said of them.
    """
    kind = site.constraint.kind
    alike = {cell for other in (site.constraint, *site.others) if other.kind == kind for cell in other.cells[0]}
    cell_at = {corner: cell for cell, corner in site.corners.items()}
    # From the middle of the cell to the tip and to the back of a sign.
    tip, back = (0.34, 0.43) if kind == "minimum" else (0.43, 0.34)
    for cell in site.constraint.cells[0]:
        x, y = site.corners[cell]
        yield Box("extreme", x, y, 1, 1)
        for right, down in _STEPS:
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


def are_of_other_shape(site: Site) -> bool:
    """Say whether the lists of a clone are no copies of each other, so that one does not see which cells are equal."""
    first, second = ([site.corners[cell] for cell in cells] for cells in site.constraint.cells)
    steps = {beside(to, -x, -y) for (x, y), to in zip(first, second, strict=True)}
    return len(steps) > 1


def values(site: Site) -> Iterator[Shape]:
    """Yield in each cell the values of which it holds one."""
    text = _value_text(site)
    for x, y in _corners(site):
        yield centred("cell-values", x + 0.5, y + 0.82, _VALUES, text)


def are_many_values(site: Site) -> bool:
    """Say whether values are wider than a cell."""
    return len(_value_text(site)) * DIGIT_WIDTH * _VALUES > 1


def _value_text(site: Site) -> str:
    return ("" if site.board.n_values < 10 else " ").join(map(str, site.constraint.numbers))


def is_in_cube(site: Site) -> bool:
    """Say whether cells have neighbours on other layers."""
    return site.board.is_cube


def counting_circles(site: Site) -> Iterator[Shape]:
    """Yield a circle in each cell."""
    yield from (Circle("counting-circles", *middle, 0.43) for middle in site.middles(site.constraint.cells[0]))


def indexer(site: Site) -> Iterator[Shape]:
    """Yield a fill of each cell, and lines along the row or the column that it speaks of; along both for a box."""
    for x, y in _corners(site):
        yield from indexer_cell(site.constraint.kind, x, y)


def indexer_cell(kind: str, x: float, y: float, side: float = 1.0) -> Iterator[Shape]:
    """Yield a cell of an indexer, by its upper left corner."""
    yield Box(kind, x, y, side, side)
    for part in (0.12, 0.88):
        if kind != "column-indexer":
            yield Lines("indexer-lines", (((x, y + part * side), (x + side, y + part * side)),))
        if kind != "row-indexer":
            yield Lines("indexer-lines", (((x + part * side, y), (x + part * side, y + side)),))


def _corners(site: Site) -> list[Point]:
    return [site.corners[cell] for cell in site.constraint.cells[0]]
