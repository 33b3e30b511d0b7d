"""Diagonal: the cells of the long diagonals differ: of both, of the rising one (1), or of the falling one (-1)."""

from collections.abc import Iterator

from sudoku_encode.constraints import different
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two cells of a diagonal are equal."""
    return different.is_wrong(values, _diagonals(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit for each."""
    return different.units(_diagonals(here), "diagonal")


def scope(here: Placed) -> Iterator[int]:
    """Return their cells."""
    return different.cells(_diagonals(here))


def unfit(here: Placed) -> str:
    """Refuse boards that are no squares, and other numbers."""
    shape = here.board.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        return f"it needs as many rows as columns, which {here.board.name} does not have"
    number = here.number(1)
    return "" if number in (1, -1) else f"1 is the diagonal that rises to the right, -1 the other; {number} is none"


def _diagonals(here: Placed) -> list[tuple[int, ...]]:
    side = here.board.shape[0]
    both = {
        1: tuple(at * side + side - 1 - at for at in range(side)),
        -1: tuple(at * side + at for at in range(side)),
    }
    return [both[number] for number in here.numbers or both]
