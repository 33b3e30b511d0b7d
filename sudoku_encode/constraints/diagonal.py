"""Diagonal: the cells of each long diagonal differ: of both, of the rising one (1), or of the falling one (-1)."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells of a diagonal are equal."""
    return common.has_equal_cells(values, _diagonals(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit for each diagonal."""
    return common.group_units(_diagonals(c), "diagonal")


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the diagonals."""
    return common.group_cells(_diagonals(c))


def unfit(c: BoundConstraint) -> str:
    """Return why the board is not a square, or the number not 1 or -1."""
    shape = c.board.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        return f"it needs as many rows as columns, unlike {c.board.name}"
    number = c.number(1)
    return "" if number in (1, -1) else f"not a diagonal: {number} (1 rises to the right, -1 falls)"


def _diagonals(c: BoundConstraint) -> list[tuple[int, ...]]:
    side = c.board.shape[0]
    both = {
        1: tuple(row * side + side - 1 - row for row in range(side)),
        -1: tuple(row * side + row for row in range(side)),
    }
    return [both[number] for number in c.numbers or both]
