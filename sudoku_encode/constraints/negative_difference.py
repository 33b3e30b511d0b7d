"""Negative difference: neighbours without a dot do not differ by any of the numbers (default 1)."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values

_MARKS = ("difference", "ratio")


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two neighbours without a dot have such a difference."""
    return common.has_forbidden_pair(c, values, _MARKS, _is_bad)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each unmarked pair of neighbours."""
    return common.unmarked_relations(c, _MARKS, _is_bad)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the unmarked pairs."""
    return common.unmarked_cells(c, _MARKS)


def _is_bad(c: BoundConstraint, a: int, b: int) -> bool:
    return abs(a - b) in (c.numbers or (1,))


def unfit(c: BoundConstraint) -> str:
    """Return why no two values have one of the differences."""
    wrong = next((number for number in c.numbers if not 0 <= number < c.n), None)
    return "" if wrong is None else f"values from 1 to {c.n} differ by 0 to {c.n - 1}, never by {wrong}"
