"""Of neighbours without a dot none is a number, 2 where none is given, times the other."""

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
    return any(a == k * b or b == k * a for k in here.numbers or (2,))


def _pairs(here: Placed) -> list[tuple[int, int]]:
    marked = here.marked("ratio", "difference")
    return [pair for pair in here.neighbours if pair not in marked]


def unfit(here: Placed) -> str:
    """Refuse a ratio that no values have."""
    wrong = next((number for number in here.numbers if not 1 <= number <= here.n), None)
    return "" if wrong is None else f"of values from 1 to {here.n} none is {wrong} times another"
