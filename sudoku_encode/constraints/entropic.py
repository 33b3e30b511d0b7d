"""Entropic line: any three cells in a row on it are a low, a middle and a high value."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values
from sudoku_encode.puzzles.ranks import rank


def violated(here: Placed, values: Values) -> bool:
    """Say whether two as near as that are of one kind."""
    return any(_class(here, values[a]) == _class(here, values[b]) for a, b in _pairs(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each pair as near as that."""
    yield from pair_relations(_pairs(here), here.n, lambda a, b: _class(here, a) != _class(here, b))


def _pairs(here: Placed) -> list[tuple[int, int]]:
    size = 3
    return [(here.cells[at], other) for at in range(len(here.cells)) for other in here.cells[at + 1 : at + size]]


def _class(here: Placed, value: int) -> int:
    return rank(value, here.n)
