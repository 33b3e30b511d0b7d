"""Double arrow: the two ends of the line add up to as much as the cells between them."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether the sums differ."""
    first, *middle, last = (values[cell] for cell in here.cells)
    return first + last != sum(middle)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a sum."""
    yield total(here.cells, 0, [1, *[-1] * (len(here.cells) - 2), 1])
