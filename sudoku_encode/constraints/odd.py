"""Odd: each cell holds an odd value."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Domain, Primitive, values_that
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether a cell holds an even value."""
    return any(values[cell] % 2 != 1 for cell in c.cells)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the domain of each cell."""
    for cell in c.cells:
        yield Domain(cell, values_that(c.n, lambda value: value % 2 == 1))
