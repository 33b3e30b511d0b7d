"""Parity line: neighbours on the line are odd and even in turn."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, neighbouring, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two neighbours are both odd or both even."""
    return any(a % 2 == b % 2 for a, b in _neighbours(here, values))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    yield from pair_relations(neighbouring(here.cells), here.n, lambda a, b: a % 2 != b % 2)


def _neighbours(here: Placed, values: Values) -> list[tuple[int, int]]:
    return neighbouring(values[cell] for cell in here.cells)
