"""Of neighbours without a dot none is a number, 2 where none is given, times the other."""

from collections.abc import Iterator

from sudoku_encode.constraints import negatives
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values

_MARKS = ("ratio", "difference")


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
    return any(a == k * b or b == k * a for k in here.numbers or (2,))


def unfit(here: Placed) -> str:
    """Refuse a ratio that no values have."""
    wrong = next((number for number in here.numbers if not 1 <= number <= here.n), None)
    return "" if wrong is None else f"of values from 1 to {here.n} none is {wrong} times another"
