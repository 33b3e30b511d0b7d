"""Negative XV: neighbours without an X or a V do not add up to any of the numbers (default 5 and 10)."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values

_MARKS = ("xv",)


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two neighbours without an X or a V have such a sum."""
    return common.has_forbidden_pair(c, values, _MARKS, _is_bad)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each unmarked pair of neighbours."""
    return common.unmarked_relations(c, _MARKS, _is_bad)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the unmarked pairs."""
    return common.unmarked_cells(c, _MARKS)


def _is_bad(c: BoundConstraint, a: int, b: int) -> bool:
    return a + b in (c.numbers or (5, 10))


def unfit(c: BoundConstraint) -> str:
    """Return why no two values have one of the sums."""
    wrong = next((number for number in c.numbers if not 2 <= number <= 2 * c.n), None)
    return "" if wrong is None else f"two values from 1 to {c.n} add up to 2 to {2 * c.n}, never to {wrong}"
