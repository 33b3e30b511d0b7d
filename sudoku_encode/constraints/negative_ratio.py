"""Negative ratio: of neighbours without a dot, neither is any of the numbers (default 2) times the other."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values

_MARKS = ("ratio", "difference")


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two neighbours without a dot have such a ratio."""
    return common.has_forbidden_pair(c, values, _MARKS, _is_bad)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each unmarked pair of neighbours."""
    return common.unmarked_relations(c, _MARKS, _is_bad)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the unmarked pairs."""
    return common.unmarked_cells(c, _MARKS)


def _is_bad(c: BoundConstraint, a: int, b: int) -> bool:
    return any(a == k * b or b == k * a for k in c.numbers or (2,))


def unfit(c: BoundConstraint) -> str:
    """Return why no two values have one of the ratios."""
    wrong = next((number for number in c.numbers if not 1 <= number <= c.n), None)
    return "" if wrong is None else f"no value from 1 to {c.n} is {wrong} times another"
