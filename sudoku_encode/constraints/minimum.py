"""Minimum: each cell is smaller than its neighbours that are not minima themselves."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values
from sudoku_encode.puzzles.neighbours import around


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether a neighbour is not greater."""
    return any(not values[cell] < values[other] for cell, other in _pairs(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each cell and neighbour."""
    yield from pair_relations(_pairs(c), c.n, lambda a, b: a < b)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Yield the cells and their neighbours."""
    yield from c.cells
    for pair in _pairs(c):
        yield from pair


def _pairs(c: BoundConstraint) -> list[tuple[int, int]]:
    marked = {cell for other in (c.constraint, *c.others) if other.kind == "minimum" for cell in other.cells[0]}
    return [(cell, other) for cell in c.cells for other in around(c.board, cell) if other not in marked]
