"""Windoku: the cells of each window differ; windows have the size of boxes and a line of cells between them."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells of a window are equal."""
    return common.has_equal_cells(values, _windows(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit for each window."""
    return common.group_units(_windows(c), "windoku")


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the windows."""
    return common.group_cells(_windows(c))


def unfit(c: BoundConstraint) -> str:
    """Return why the board has no rectangular boxes."""
    return "" if c.board.box else f"it needs rectangular boxes, unlike {c.board.name}"


def _windows(c: BoundConstraint) -> list[tuple[int, ...]]:
    height, width = c.board.box or (1, 1)
    rows, columns = c.board.shape
    return [
        tuple(
            row * columns + column
            for row in range(first_row, first_row + height)
            for column in range(first_column, first_column + width)
        )
        for first_row in range(1, rows - height, height + 1)
        for first_column in range(1, columns - width, width + 1)
    ]
