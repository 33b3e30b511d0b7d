"""Nabner: any two values on the line differ by at least 2."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two differ by less."""
    return any(abs(values[a] - values[b]) < 2 for a, b in combinations(here.cells, 2))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each pair."""
    yield from pair_relations(combinations(here.cells, 2), here.n, lambda a, b: abs(a - b) >= 2)
