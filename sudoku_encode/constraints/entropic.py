"""Entropic line: any three consecutive cells hold a low, a middle and a high value."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values, rank


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells at most two steps apart are both low, both middle or both high."""
    return any(_class(c, values[a]) == _class(c, values[b]) for a, b in _pairs(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each pair of cells at most two steps apart."""
    yield from pair_relations(_pairs(c), c.n, lambda a, b: _class(c, a) != _class(c, b))


def _pairs(c: BoundConstraint) -> list[tuple[int, int]]:
    size = 3
    return [(cell, other) for start, cell in enumerate(c.cells, 1) for other in c.cells[start : start + size - 1]]


def _class(c: BoundConstraint, value: int) -> int:
    return rank(value, c.n)
