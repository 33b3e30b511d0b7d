"""Extra region: the cells all differ."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Unit
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two are equal."""
    return len({values[cell] for cell in here.cells}) < len(here.cells)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit."""
    yield Unit(here.cells, "extra-region")
