"""Minimum: each cell is smaller than its neighbours that are not marked so too."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values
from sudoku_encode.puzzles.neighbours import around


def violated(here: Placed, values: Values) -> bool:
    """Say whether a neighbour is not greater."""
    return any(not values[cell] < values[other] for cell, other in _pairs(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each neighbour."""
    yield from pair_relations(_pairs(here), here.n, lambda a, b: a < b)


def scope(here: Placed) -> Iterator[int]:
    """Yield the cells and their neighbours."""
    yield from here.cells
    for pair in _pairs(here):
        yield from pair


def _pairs(here: Placed) -> list[tuple[int, int]]:
    marked = {cell for other in (here.constraint, *here.others) if other.kind == "minimum" for cell in other.cells[0]}
    return [(cell, other) for cell in here.cells for other in around(here.board, cell) if other not in marked]
