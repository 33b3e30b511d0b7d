"""Non-consecutive: neighbours do not differ by 1, except those marked by a `difference`."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values

_MARKS = ("difference",)


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two unmarked neighbours differ by 1."""
    return common.has_forbidden_pair(c, values, _MARKS, _is_bad)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each unmarked pair of neighbours."""
    return common.unmarked_relations(c, _MARKS, _is_bad)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the unmarked pairs."""
    return common.unmarked_cells(c, _MARKS)


def _is_bad(c: BoundConstraint, a: int, b: int) -> bool:
    return abs(a - b) == 1
