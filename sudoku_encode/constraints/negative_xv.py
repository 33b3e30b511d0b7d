"""Neighbours without an X or a V add up to none of some numbers, 5 and 10 where none is given."""

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
    return a + b in (here.numbers or (5, 10))


def _pairs(here: Placed) -> list[tuple[int, int]]:
    marked = here.marked("xv")
    return [pair for pair in here.neighbours if pair not in marked]


def unfit(here: Placed) -> str:
    """Refuse a sum that no values have."""
    wrong = next((number for number in here.numbers if not 2 <= number <= 2 * here.n), None)
    return "" if wrong is None else f"two values from 1 to {here.n} add up to 2 to {2 * here.n}, never to {wrong}"
