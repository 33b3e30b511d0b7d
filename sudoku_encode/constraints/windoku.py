"""Windoku: the cells of each window differ; windows are as large as boxes, with a line of cells around each."""

from collections.abc import Iterator

from sudoku_encode.constraints import different
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two cells of a window are equal."""
    return different.is_wrong(values, _windows(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit for each."""
    return different.units(_windows(here), "windoku")


def scope(here: Placed) -> Iterator[int]:
    """Return their cells."""
    return different.cells(_windows(here))


def unfit(here: Placed) -> str:
    """Refuse boards whose boxes are not rectangles."""
    return "" if here.board.box else f"it needs boxes that are rectangles, which {here.board.name} does not have"


def _windows(here: Placed) -> list[tuple[int, ...]]:
    height, width = here.board.box or (1, 1)
    rows, columns = here.board.shape
    return [
        tuple(row * columns + column for row in range(top, top + height) for column in range(left, left + width))
        for top in range(1, rows - height, height + 1)
        for left in range(1, columns - width, width + 1)
    ]
