"""From a picture to shapes: where the squares of a board go, and what is in each cell."""

from collections.abc import Iterator, Sequence
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np

from sudoku_encode.render.borders import around, between
from sudoku_encode.render.constraint_areas import SUM_SIZE
from sudoku_encode.render.constraint_layout import Plan, below, clues_of, constraint_shapes, corners_of, planned
from sudoku_encode.render.extra_rules import overlays
from sudoku_encode.render.picture import Picture, raster
from sudoku_encode.render.shapes import LOOKS, Box, Circle, Lines, Point, Scene, Shape, Text
from sudoku_encode.render.site import BOLD_WIDTH, DIGIT_WIDTH, LETTER_WIDTH, centred
from sudoku_encode.render.text import Layer, layers

# In sides of a cell: between two layers, above a layer for its label, above the board for a title.
_GAP, _LABEL, _TITLE = 1.0, 0.8, 1.2
_LEAST_OPACITY = 0.15


class Square(NamedTuple):
    """A layer, where its upper left corner is, and the size of the label above it."""

    layer: Layer
    x: float
    y: float
    label_size: float


def scene(picture: Picture) -> Scene:
    """Return the shapes of a picture.

    Raises:
        GeometryError: an axis of a square or a surface, which have no layers.
    """
    found = layers(picture.board, picture.axis)
    plan = planned(picture, found)
    squares = placed(found, plan, picture.title)
    width = max(square.x + square.layer.cells.shape[1] + plan.margins.right for square in squares)
    height = max(square.y + square.layer.cells.shape[0] + plan.margins.bottom for square in squares)
    shapes = [shape for at, square in enumerate(squares) for shape in _square(picture, plan, at, square)]
    written, height = below(plan, height, width)
    if picture.title:
        size = min(0.7, width / (BOLD_WIDTH * len(picture.title)))
        shapes.append(Text("title", width / 2, 0.7, size, picture.title))
    order = {kind: at for at, kind in enumerate(LOOKS)}
    return Scene(width, height, tuple(sorted([*shapes, *written], key=lambda shape: order[shape.kind])))


def placed(found: Sequence[Layer], plan: Plan, title: str) -> list[Square]:
    """Return where the layers of a board go: a cube's in rows, about as many as columns; with room for their clues."""
    across = ceil(sqrt(len(found))) if len(found) > 3 else len(found)
    top, label = _TITLE if title else 0.0, _LABEL if len(found) > 1 else 0.0
    left, above, right, bottom = plan.margins
    rows, columns = found[0].cells.shape
    size = min(0.45, (columns + _GAP / 2) / (LETTER_WIDTH * max(len(layer.title) for layer in found) + 0.01))
    return [
        Square(
            layer,
            left + at % across * (columns + left + right + _GAP),
            top + label + above + at // across * (rows + label + above + bottom + _GAP),
            size,
        )
        for at, layer in enumerate(found)
    ]


def _square(picture: Picture, plan: Plan, at: int, square: Square) -> Iterator[Shape]:
    """Yield the shapes of a square."""
    layer, x, y, label_size = square
    corners = corners_of(layer, x, y)
    if layer.title:
        label_y = y - plan.margins.top - 0.25
        yield Text("label", x + layer.cells.shape[1] / 2, label_y, label_size, layer.title)
    yield from overlays(picture.board, corners)
    yield from _areas(picture, corners)
    yield from constraint_shapes(picture, plan, at, corners)
    yield from clues_of(plan, at, x, y)
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
    """Yield what stands in a cell."""
    x, y = corner
    given, value = int(picture.givens[cell]), int(picture.values[cell])
    if given or value:
        text = str(given or value)
        size = min(0.66, 0.86 / (BOLD_WIDTH * len(text)))
        middle = (x + 0.5, y + 0.5)
        if cell in picture.differs:
            # The other value stands at its lower right.
            size, middle = 0.72 * size, (x + 0.41, y + 0.43)
        yield centred("given" if given else "solution", *middle, size, text)
    elif picture.candidates is not None:
        yield from _small_digits(picture, cell, corner)
    if picture.others is not None and cell in picture.differs and picture.others[cell]:
        text = str(int(picture.others[cell]))
        yield Text("other", x + 0.87 - 0.28 * DIGIT_WIDTH * len(text) / 2, y + 0.86, 0.28, text)


def _small_digits(picture: Picture, cell: int, corner: Point) -> Iterator[Shape]:
    """Yield the candidates of a cell, each in its place of a raster."""
    assert picture.candidates is not None
    rows, columns = raster(picture.board)
    left, top, width, height = _room(picture, cell)
    across, down = width / columns, height / rows
    size = min(0.82 * down, 0.9 * across / (DIGIT_WIDTH * len(str(picture.board.n_values))), 0.3)
    for at in np.flatnonzero(picture.candidates[cell]).tolist():
        x = corner[0] + left + (at % columns + 0.5) * across
        y = corner[1] + top + (at // columns + 0.5) * down
        kind = _kind(picture, cell, at + 1)
        opacity, says = 1.0, ""
        if picture.shares is not None:
            share = int(picture.shares[cell, at])
            opacity = round(_LEAST_OPACITY + (1 - _LEAST_OPACITY) * share / picture.total, 3)
            says = f"{at + 1}: {share} of {picture.total}"
        yield centred(kind, x, y, size, str(at + 1), opacity, says)
        half = 0.5 * size * DIGIT_WIDTH * len(str(at + 1)) + 0.02
        if kind == "removed":
            yield Lines("strike", (((x - half, y), (x + half, y)),))
        elif kind == "placed":
            yield Circle("placed-ring", x, y, min(max(half + 0.02, 0.45 * size), 0.5 * max(across, down)))


def _room(picture: Picture, cell: int) -> tuple[float, float, float, float]:
    """Return where small digits go in a cell: left, top, width and height, beside what constraints have there."""
    if not picture.constraints:
        return 0.04, 0.04, 0.92, 0.92
    # Dots are on the sides, cages within them, and the sum of a cage at the upper left.
    top = 0.07 + SUM_SIZE if cell in _summed(picture) else 0.12
    return 0.12, top, 0.76, 0.88 - top


def _summed(picture: Picture) -> set[int]:
    """Return the cells that may have the sum of a cage in their corner."""
    # Cells are numbered row by row, and the first one has the sum.
    summed = (one for one in picture.constraints if one.kind in ("cage", "sum") and one.numbers)
    return {min(constraint.cells[0]) for constraint in summed}


def _kind(picture: Picture, cell: int, value: int) -> str:
    """Return the class of a candidate: what a step does with it, where there is a step."""
    marks, one = picture.marks, (cell, value)
    if marks is None:
        return "candidate"
    if one in marks.places:
        return "placed"
    return "removed" if one in marks.removes else "pattern" if one in marks.pattern else "candidate"
