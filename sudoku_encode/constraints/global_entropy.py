"""Global entropy: each 2x2 square contains a low, a middle and a high value."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values, rank


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether a square lacks a low, middle or high value."""
    return common.lacks_class(c, values, _class)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a clause for each square and each of the three classes."""
    return common.square_clauses(c, _class)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Yield all cells."""
    yield from range(c.board.n_cells)


def _class(c: BoundConstraint, value: int) -> int:
    return rank(value, c.n)
