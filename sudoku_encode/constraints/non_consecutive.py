"""Non-consecutive: neighbours do not differ by 1, but those that a `difference` marks."""

from collections.abc import Iterator

from sudoku_encode.constraints import negatives
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values

_MARKS = ("difference",)


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
    return abs(a - b) == 1
