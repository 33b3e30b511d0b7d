"""Plane diagonals: the cells of each long diagonal of each plane of a cube differ."""

from collections.abc import Iterator
from itertools import product

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells of a diagonal are equal."""
    return common.has_equal_cells(values, _diagonals(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit for each diagonal."""
    return common.group_units(_diagonals(c), "plane-diagonals")


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the diagonals."""
    return common.group_cells(_diagonals(c))


def unfit(c: BoundConstraint) -> str:
    """Return why the board is not a cube."""
    return "" if c.board.is_cube else f"it needs a cube, not {c.board.name}"


def _diagonals(c: BoundConstraint) -> list[tuple[int, ...]]:
    cells, last = c.board.cells_by_coordinates, c.n - 1
    diagonals = []
    for axis, plane, falls in product(range(3), range(c.n), (False, True)):
        places = [[step, last - step if falls else step] for step in range(c.n)]
        diagonals.append(tuple(cells[*place[:axis], plane, *place[axis:]] for place in places))
    return diagonals
