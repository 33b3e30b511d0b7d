"""Values: each cell holds one of the numbers, like a given or pencilmarks, for use in an alternative."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Domain, Primitive, values_that
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether a cell holds another value."""
    return any(values[cell] not in c.numbers for cell in c.cells)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the domain of each cell."""
    for cell in c.cells:
        yield Domain(cell, values_that(c.n, lambda value: value in c.numbers))


def unfit(c: BoundConstraint) -> str:
    """Return why a number is not a value of the board."""
    wrong = next((number for number in c.numbers if not 1 <= number <= c.n), None)
    return "" if wrong is None else f"not a value: {wrong} (1 to {c.n})"
