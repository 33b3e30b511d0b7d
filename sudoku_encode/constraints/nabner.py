"""Nabner: any two cells of the line differ by at least 2."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells differ by less than 2."""
    return any(abs(values[a] - values[b]) < 2 for a, b in combinations(c.cells, 2))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each pair of cells."""
    yield from pair_relations(combinations(c.cells, 2), c.n, lambda a, b: abs(a - b) >= 2)
