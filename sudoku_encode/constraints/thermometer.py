"""Thermometer: from the bulb on, each cell is greater than the one before."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, neighbouring, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether a cell is not greater than the one before."""
    return any(values[first] >= values[second] for first, second in neighbouring(here.cells))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    yield from pair_relations(neighbouring(here.cells), here.n, lambda a, b: a < b)
