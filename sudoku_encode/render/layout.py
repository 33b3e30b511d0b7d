"""From a picture to shapes: the places of the squares of a board, and the contents of each cell."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.render import constraint_layout
from sudoku_encode.render.constraint_areas import SUM_SIZE, corner_text, is_cage, overlays
from sudoku_encode.render.picture import Picture, raster
from sudoku_encode.render.shapes import LOOKS, Box, Circle, Lines, Point, Scene, Shape, Text
from sudoku_encode.render.site import BOLD_WIDTH, DIGIT_WIDTH, LETTER_WIDTH, centred
from sudoku_encode.render.text import Layer, layers

# Lines along the sides of cells, joined if they continue straight.


def between(regions: NDArray[np.int32], x: float, y: float) -> Iterator[Lines]:
    """Yield the lines of a square at (x, y): `thick` where regions differ and around it, `thin` between other cells.

    `regions` is int32 (rows, columns): the number of the region of each cell; -1 for places without a cell.
    """
    outside = np.pad(regions, 1, constant_values=-1)
    # Whether the regions on both sides of a line differ: upright lines (rows, columns + 1), level ones transposed.
    upright = outside[1:-1, 1:] != outside[1:-1, :-1]
    level = (outside[1:, 1:-1] != outside[:-1, 1:-1]).T
    # Whether a line is beside a cell; nothing is drawn between places without a cell.
    is_cell = outside >= 0
    beside = (is_cell[1:-1, 1:] | is_cell[1:-1, :-1], (is_cell[1:, 1:-1] | is_cell[:-1, 1:-1]).T)
    for kind, differ in (("thin", False), ("thick", True)):
        upright_runs, level_runs = _runs((upright == differ) & beside[0]), _runs((level == differ) & beside[1])
        paths = [((x + line, y + start), (x + line, y + end)) for line, start, end in upright_runs]
        paths += [((x + start, y + line), (x + end, y + line)) for line, start, end in level_runs]
        if paths:
            yield Lines(kind, tuple(paths))


def around(kind: str, corners: Iterable[Point]) -> Iterator[Lines]:
    """Yield the outline of some cells, each by its upper left corner."""
    sides: set[tuple[Point, Point]] = set()
    for x, y in corners:
        square = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        ends = ((0, 1), (1, 2), (3, 2), (0, 3))
        # A side that two of the cells share is not on the outline.
        sides ^= {(square[start], square[end]) for start, end in ends}
    if sides:
        yield Lines(kind, tuple(_joined(sides)))


def _runs(marks: NDArray[np.bool_]) -> Iterator[tuple[int, int, int]]:
    """Yield each run of true values down a column: the column, its first row, and the row after its last."""
    steps = np.diff(np.pad(marks.astype(np.int8), ((1, 1), (0, 0))), axis=0).T
    for number, column in enumerate(steps):
        starts, ends = np.flatnonzero(column == 1), np.flatnonzero(column == -1)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            yield number, start, end


def _joined(sides: set[tuple[Point, Point]]) -> Iterator[tuple[Point, Point]]:
    """Yield sides of cells, joined if one continues straight into the next."""
    following = {(start, end[0] > start[0]): end for start, end in sides}
    for start, end in sorted(sides):
        level = end[0] > start[0]
        before = (start[0] - 1, start[1]) if level else (start[0], start[1] - 1)
        if (before, level) in following:
            continue
        last = end
        while (last, level) in following:
            last = following[last, level]
        yield start, last


# In sides of a cell: the gap between layers, the room for a label above a layer, and for a title above the board.
_GAP, _LABEL, _TITLE = 1.0, 0.8, 1.2
_LEAST_OPACITY = 0.15


class Square(NamedTuple):
    """A layer, the place of its upper left corner, and the size of the label above it."""

    layer: Layer
    x: float
    y: float
    label_size: float


def scene(picture: Picture) -> Scene:
    """Return the shapes of a picture.

    Raises:
        GeometryError: an axis for a square or a surface, which have no layers.
    """
    board_layers = layers(picture.board, picture.axis)
    plan = constraint_layout.plan_constraints(picture, board_layers)
    squares = place_squares(board_layers, plan, picture.title)
    width = max(square.x + square.layer.cells.shape[1] + plan.margins.right_width for square in squares)
    height = max(square.y + square.layer.cells.shape[0] + plan.margins.bottom_height for square in squares)
    shapes = [shape for number, square in enumerate(squares) for shape in _square(picture, plan, number, square)]
    written, height = constraint_layout.below(plan, height, width)
    if picture.title:
        size = min(0.7, width / (BOLD_WIDTH * len(picture.title)))
        shapes.append(Text("title", width / 2, 0.7, size, picture.title))
    order = {kind: number for number, kind in enumerate(LOOKS)}
    return Scene(width, height, tuple(sorted([*shapes, *written], key=lambda shape: order[shape.kind])))


def place_squares(board_layers: Sequence[Layer], plan: constraint_layout.Plan, title: str) -> list[Square]:
    """Return the places of the layers of a board, with room for clues; those of a cube form a near-square grid."""
    n_columns = ceil(sqrt(len(board_layers))) if len(board_layers) > 3 else len(board_layers)
    top, label = _TITLE if title else 0.0, _LABEL if len(board_layers) > 1 else 0.0
    left_margin, top_margin, right_margin, bottom_margin = plan.margins
    rows, columns = board_layers[0].cells.shape
    size = min(0.45, (columns + _GAP / 2) / (LETTER_WIDTH * max(len(layer.title) for layer in board_layers) + 0.01))
    return [
        Square(
            layer,
            left_margin + number % n_columns * (columns + left_margin + right_margin + _GAP),
            top + label + top_margin + number // n_columns * (rows + label + top_margin + bottom_margin + _GAP),
            size,
        )
        for number, layer in enumerate(board_layers)
    ]


def _square(picture: Picture, plan: constraint_layout.Plan, number: int, square: Square) -> Iterator[Shape]:
    """Yield the shapes of a square."""
    layer, x, y, label_size = square
    corners = constraint_layout.corners_of(layer, x, y)
    if layer.title:
        label_y = y - plan.margins.top_height - 0.25
        yield Text("label", x + layer.cells.shape[1] / 2, label_y, label_size, layer.title)
    yield from overlays(picture.board, corners)
    yield from _areas(picture, corners)
    yield from constraint_layout.constraint_shapes(picture, plan, number, corners)
    yield from constraint_layout.clues_of(plan, number, x, y)
    yield from between(layer.regions, x, y)
    for unit in picture.units:
        yield from around("unit-outline", [corners[cell] for cell in unit if cell in corners])
    for cell, corner in corners.items():
        yield from _cell(picture, cell, corner)


def _areas(picture: Picture, corners: dict[int, Point]) -> Iterator[Shape]:
    """Yield the fills and frames of highlighted cells."""
    about = () if picture.marks is None else picture.marks.cells
    in_units = {cell for unit in picture.units for cell in unit}
    for kind, cells in (("unit", in_units), ("reason", about), ("cell-highlighted", picture.cells)):
        for cell in sorted(cells):
            if cell in corners:
                yield Box(kind, *corners[cell], 1, 1)
    for cell in sorted(picture.differs):
        if cell in corners:
            x, y = corners[cell]
            yield Box("differs", x + 0.09, y + 0.09, 0.82, 0.82)


def _cell(picture: Picture, cell: int, corner: Point) -> Iterator[Shape]:
    """Yield the contents of a cell."""
    x, y = corner
    given, value = int(picture.givens[cell]), int(picture.values[cell])
    if given or value:
        text = picture.board.shown(given or value)
        size = min(0.66, 0.86 / (BOLD_WIDTH * len(text)))
        middle = (x + 0.5, y + 0.5)
        if cell in picture.differs:
            # The other value is at its lower right.
            size, middle = 0.72 * size, (x + 0.41, y + 0.43)
        yield centred("given" if given else "solution", *middle, size, text)
    elif picture.candidates is not None:
        yield from _small_digits(picture, cell, corner)
    if picture.others is not None and cell in picture.differs and picture.others[cell]:
        text = picture.board.shown(int(picture.others[cell]))
        yield Text("other", x + 0.87 - 0.28 * DIGIT_WIDTH * len(text) / 2, y + 0.86, 0.28, text)


def _small_digits(picture: Picture, cell: int, corner: Point) -> Iterator[Shape]:
    """Yield the candidates of a cell, each in its place of a raster."""
    assert picture.candidates is not None
    rows, columns = raster(picture.board)
    left_room, top, width, height = _room(picture, cell)
    across, down = width / columns, height / rows
    size = min(0.82 * down, 0.9 * across / (DIGIT_WIDTH * len(str(picture.board.last))), 0.3)
    for number in np.flatnonzero(picture.candidates[cell]).tolist():
        x = corner[0] + left_room + (number % columns + 0.5) * across
        y = corner[1] + top + (number // columns + 0.5) * down
        kind = _kind(picture, cell, number + 1)
        opacity, says, text = 1.0, "", picture.board.shown(number + 1)
        if picture.shares is not None:
            share = int(picture.shares[cell, number])
            opacity = round(_LEAST_OPACITY + (1 - _LEAST_OPACITY) * share / picture.total, 3)
            says = f"{text}: {share} of {picture.total}"
        yield centred(kind, x, y, size, text, opacity, says)
        half = 0.5 * size * DIGIT_WIDTH * len(text) + 0.02
        if kind == "removed":
            yield Lines("strike", (((x - half, y), (x + half, y)),))
        elif kind == "placed":
            yield Circle("placed-ring", x, y, min(max(half + 0.02, 0.45 * size), 0.5 * max(across, down)))


def _room(picture: Picture, cell: int) -> tuple[float, float, float, float]:
    """Return the place for small digits in a cell: left, top, width and height, next to the shapes of constraints."""
    if not picture.constraints:
        return 0.04, 0.04, 0.92, 0.92
    # Dots are on the sides, cages inside them, and the sum of a cage at the upper left.
    top = 0.07 + SUM_SIZE if cell in _summed(picture) else 0.12
    return 0.12, top, 0.76, 0.88 - top


def _summed(picture: Picture) -> set[int]:
    """Return the cells that may have the sum of a cage in their corner."""
    # Cells are numbered row by row, and the first one has the sum.
    return {
        min(constraint.cells[0])
        for constraint in picture.constraints
        if is_cage(constraint) and corner_text(constraint)
    }


def _kind(picture: Picture, cell: int, value: int) -> str:
    """Return the class of a candidate: its role in a step, if there is one."""
    marks, candidate = picture.marks, (cell, value)
    if marks is None:
        return "candidate"
    if candidate in marks.places:
        return "placed"
    return "removed" if candidate in marks.removes else "pattern" if candidate in marks.pattern else "candidate"
