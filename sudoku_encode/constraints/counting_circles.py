"""Counting circles: a value that is in a circle is in exactly as many circles as the value says."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Domain, Primitive, automaton, values_that
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether some value in the circles has the wrong number of circles."""
    cell_values = [values[cell] for cell in c.cells]
    return any(cell_values.count(value) != value for value in cell_values)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton for each value that counts it; values above the number of cells are excluded."""
    most = min(len(c.cells), c.n)
    for cell in c.cells:
        yield Domain(cell, values_that(most, lambda value: True))
    for counted in range(1, most + 1):
        yield _counter(c, counted)


def _counter(c: BoundConstraint, counted: int) -> Primitive:
    def step(seen: int, value: int) -> int | None:
        after = seen + (value == counted)
        return after if after <= counted else None

    return automaton(c.cells, c.n, 0, step, lambda seen: seen in (0, counted))
