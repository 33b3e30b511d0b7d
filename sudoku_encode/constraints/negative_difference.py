"""Neighbours without a dot do not differ by any of some numbers, 1 where none is given."""

from collections.abc import Iterator

from sudoku_encode.constraints import negatives
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values

_MARKS = ("difference", "ratio")


def violated(here: Placed, values: Values) -> bool:
    """Say whether two of them do."""
    return negatives.is_wrong(here, values, _MARKS, _is_bad)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each pair."""
    return negatives.relations(here, _MARKS, _is_bad)


def scope(here: Placed) -> Iterator[int]:
    """Return the cells of the pairs."""
    return negatives.cells(here, _MARKS)


def _is_bad(here: Placed, a: int, b: int) -> bool:
    return abs(a - b) in (here.numbers or (1,))


def unfit(here: Placed) -> str:
    """Refuse a difference that no values have."""
    wrong = next((number for number in here.numbers if not 0 <= number < here.n), None)
    return "" if wrong is None else f"values from 1 to {here.n} differ by 0 to {here.n - 1}, never by {wrong}"
