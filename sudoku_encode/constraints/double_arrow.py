"""Double arrow: the two ends of the line add up to the sum of the cells between them."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the sums differ."""
    first, *middle, last = (values[cell] for cell in c.cells)
    return first + last != sum(middle)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a sum."""
    yield total(c.cells, 0, [1, *[-1] * (len(c.cells) - 2), 1])
