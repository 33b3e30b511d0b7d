"""Disjoint groups: cells in the same place of their boxes differ."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Unit
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two cells of a group are equal."""
    return any(len({values[cell] for cell in cells}) < len(cells) for cells in _groups(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit for each."""
    for cells in _groups(here):
        yield Unit(cells, "disjoint-groups")


def scope(here: Placed) -> Iterator[int]:
    """Yield their cells."""
    for cells in _groups(here):
        yield from cells


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
