"""Slingshot: the second cell says in which of the cells that follow it the value of the first is, too."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Allowed, Clause, Primitive, values_that
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether there is no such cell, or it holds another value."""
    first, second, *others = (values[cell] for cell in here.cells)
    return second > len(others) or others[second - 1] != first


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield for each place and value that both cells hold it or none of them, if the second cell is that place."""
    first, second, *others = here.cells
    yield Allowed(second, values_that(min(len(others), here.n), lambda place: True))
    for place, other in enumerate(others[: here.n], 1):
        for value in range(1, here.n + 1):
            yield Clause(((second, -place), (first, -value), (other, value)))
            yield Clause(((second, -place), (first, value), (other, -value)))
