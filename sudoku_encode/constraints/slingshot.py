"""Slingshot: if the second cell holds v, then the v-th cell after it equals the first cell."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Clause, Domain, Primitive, values_that
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether that cell does not exist or differs from the first."""
    first, second, *others = (values[cell] for cell in c.cells)
    return second > len(others) or others[second - 1] != first


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield two clauses for each place and value: if the second cell is that place, the two cells agree."""
    first, second, *others = c.cells
    yield Domain(second, values_that(min(len(others), c.n), lambda place: True))
    for place, other in enumerate(others[: c.n], 1):
        for value in range(1, c.n + 1):
            yield Clause(((second, -place), (first, -value), (other, value)))
            yield Clause(((second, -place), (first, value), (other, -value)))
