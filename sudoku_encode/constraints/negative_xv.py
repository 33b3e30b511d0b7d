"""Neighbours without an X or a V add up to none of some numbers, 5 and 10 where none is given."""

from collections.abc import Iterator

from sudoku_encode.constraints import negatives
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values

_MARKS = ("xv",)


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
    return a + b in (here.numbers or (5, 10))


def unfit(here: Placed) -> str:
    """Refuse a sum that no values have."""
    wrong = next((number for number in here.numbers if not 2 <= number <= 2 * here.n), None)
    return "" if wrong is None else f"two values from 1 to {here.n} add up to 2 to {2 * here.n}, never to {wrong}"
