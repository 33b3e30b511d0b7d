"""Disjoint groups: cells in the same place of their boxes differ."""

from collections.abc import Iterator

from sudoku_encode.constraints import different
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two cells of a group are equal."""
    return different.is_wrong(values, _groups(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit for each."""
    return different.units(_groups(here), "disjoint-groups")


def scope(here: Placed) -> Iterator[int]:
    """Return their cells."""
    return different.cells(_groups(here))


def unfit(here: Placed) -> str:
    """Refuse boards whose boxes are not rectangles."""
    return "" if here.board.box else f"it needs boxes that are rectangles, which {here.board.name} does not have"


def _groups(here: Placed) -> list[tuple[int, ...]]:
    height, width = here.board.box or (1, 1)
    rows, columns = here.board.shape
    return [
        tuple(row * columns + column for row in range(top, rows, height) for column in range(left, columns, width))
        for top in range(height)
        for left in range(width)
    ]
