"""Modular line: any m cells in a row on it have different remainders by m, 3 where no number is given."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two as near as that are of one kind."""
    return any(_class(here, values[a]) == _class(here, values[b]) for a, b in _pairs(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each pair as near as that."""
    yield from pair_relations(_pairs(here), here.n, lambda a, b: _class(here, a) != _class(here, b))


def _pairs(here: Placed) -> list[tuple[int, int]]:
    size = here.number(3)
    return [(here.cells[at], other) for at in range(len(here.cells)) for other in here.cells[at + 1 : at + size]]


def _class(here: Placed, value: int) -> int:
    return value % here.number(3)


def unfit(here: Placed) -> str:
    """Refuse a number that is none to divide by."""
    return "" if 2 <= here.number(3) <= here.n else f"remainders are by 2 to {here.n}, not by {here.number(3)}"
