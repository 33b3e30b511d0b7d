"""Neighbours without a dot do not differ by any of some numbers, 1 where none is given."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, relation
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two of them do."""
    return any(_is_bad(here, values[a], values[b]) for a, b in _pairs(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each pair."""
    for first, second in _pairs(here):
        yield relation(first, second, here.n, lambda a, b: not _is_bad(here, a, b))


def scope(here: Placed) -> Iterator[int]:
    """Yield the cells of the pairs."""
    for pair in _pairs(here):
        yield from pair


def _is_bad(here: Placed, a: int, b: int) -> bool:
    return abs(a - b) in (here.numbers or (1,))


def _pairs(here: Placed) -> list[tuple[int, int]]:
    marked = here.marked("difference", "ratio")
    return [pair for pair in here.neighbours if pair not in marked]


def unfit(here: Placed) -> str:
    """Refuse a difference that no values have."""
    wrong = next((number for number in here.numbers if not 0 <= number < here.n), None)
    return "" if wrong is None else f"values from 1 to {here.n} differ by 0 to {here.n - 1}, never by {wrong}"
