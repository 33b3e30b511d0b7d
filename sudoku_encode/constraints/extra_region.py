"""Extra region: all cells differ."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Unit
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells are equal."""
    return len({values[cell] for cell in c.cells}) < len(c.cells)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit."""
    yield Unit(c.cells, "extra-region")
