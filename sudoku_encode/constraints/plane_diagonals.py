"""Plane diagonals: the cells of both long diagonals of each plane of a cube differ."""

from collections.abc import Iterator
from itertools import product

from sudoku_encode.constraints import different
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two cells of a diagonal are equal."""
    return different.is_wrong(values, _diagonals(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit for each."""
    return different.units(_diagonals(here), "plane-diagonals")


def scope(here: Placed) -> Iterator[int]:
    """Return their cells."""
    return different.cells(_diagonals(here))


def unfit(here: Placed) -> str:
    """Refuse what is no cube."""
    return "" if here.board.is_cube else f"it needs a cube, which {here.board.name} is not"


def _diagonals(here: Placed) -> list[tuple[int, ...]]:
    cells, last = here.board.cells_by_coordinates, here.n - 1
    found = []
    for axis, plane, falls in product(range(3), range(here.n), (False, True)):
        places = [[at, last - at if falls else at] for at in range(here.n)]
        found.append(tuple(cells[*place[:axis], plane, *place[axis:]] for place in places))
    return found
