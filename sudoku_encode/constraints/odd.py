"""Odd cells."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Allowed, Primitive, values_that
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether one is not odd."""
    return any(values[cell] % 2 != 1 for cell in here.cells)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield what each cell may hold."""
    for cell in here.cells:
        yield Allowed(cell, values_that(here.n, lambda value: value % 2 == 1))
