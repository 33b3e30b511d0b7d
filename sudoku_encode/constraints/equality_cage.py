"""Equality cage: all cells differ; half are odd and half even; half are low and half high; none is the middle value."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Unit, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells are equal, a cell holds the middle value, or the numbers differ."""
    cell_values = [values[cell] for cell in c.cells]
    odd = sum(value % 2 for value in cell_values)
    low = sum(2 * value < c.n + 1 for value in cell_values)
    high = sum(2 * value > c.n + 1 for value in cell_values)
    return (
        len(set(cell_values)) < len(cell_values)
        or 2 * odd != len(cell_values)
        or low != high
        or low + high != len(cell_values)
    )


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit, and an automaton that counts odd less even values, and high less low values."""
    yield Unit(c.cells, "equality-cage")

    def step(more: tuple[int, int], value: int) -> tuple[int, int] | None:
        side = (2 * value > c.n + 1) - (2 * value < c.n + 1)
        return (more[0] + (1 if value % 2 else -1), more[1] + side) if side else None

    yield automaton(c.cells, c.n, (0, 0), step, lambda more: more == (0, 0))
