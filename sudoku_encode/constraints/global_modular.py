"""Global modular: each 2x2 square contains every remainder modulo the number (default 3)."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether a square lacks a remainder."""
    return common.lacks_class(c, values, _class)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a clause for each square and remainder."""
    return common.square_clauses(c, _class)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Yield all cells."""
    yield from range(c.board.n_cells)


def _class(c: BoundConstraint, value: int) -> int:
    return value % c.number(3)


def unfit(c: BoundConstraint) -> str:
    """Return why the number is not a modulus, or has more remainders than a square has cells."""
    most = min(c.n, 4)
    return "" if 2 <= c.number(3) <= most else f"not a modulus: {c.number(3)} (2 to {most})"
