"""Counting circles: of the cells as many hold a value as the value says, or none."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Allowed, Primitive, automaton, values_that
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether another number of cells hold a value."""
    held = [values[cell] for cell in here.cells]
    return any(held.count(value) != value for value in held)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield for each value an automaton that counts it; what is greater than the number of cells is out."""
    most = min(len(here.cells), here.n)
    for cell in here.cells:
        yield Allowed(cell, values_that(most, lambda value: True))
    for counted in range(1, most + 1):
        yield _counter(here, counted)


def _counter(here: Placed, counted: int) -> Primitive:
    def step(seen: int, value: int) -> int | None:
        after = seen + (value == counted)
        return after if after <= counted else None

    return automaton(here.cells, here.n, 0, step, lambda seen: seen in (0, counted))
