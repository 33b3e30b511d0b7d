"""Parity line: the cells of the line are alternately odd and even."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, consecutive_pairs, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two consecutive cells are both odd or both even."""
    return any(a % 2 == b % 2 for a, b in _neighbours(c, values))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    yield from pair_relations(consecutive_pairs(c.cells), c.n, lambda a, b: a % 2 != b % 2)


def _neighbours(c: BoundConstraint, values: Values) -> list[tuple[int, int]]:
    return consecutive_pairs(values[cell] for cell in c.cells)
