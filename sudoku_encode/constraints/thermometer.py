"""Thermometer: from the bulb on, each cell is greater than the one before."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, consecutive_pairs, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether a cell is not greater than the one before."""
    return any(values[first] >= values[second] for first, second in consecutive_pairs(c.cells))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    yield from pair_relations(consecutive_pairs(c.cells), c.n, lambda a, b: a < b)
