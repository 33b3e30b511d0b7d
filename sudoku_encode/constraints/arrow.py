"""Arrow: the number in the circle is the sum of the cells along the arrow.

The circle may have two or three cells, the digits of the number from left to right (a pill).
"""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the number in the circle differs from the sum."""
    circle, line = c.lists
    number = 0
    for cell in circle:
        number = 10 * number + values[cell]
    return number != sum(values[cell] for cell in line)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the sum of the line less the number in the circle."""
    circle, line = c.lists
    powers = [-(10**power) for power in range(len(circle) - 1, -1, -1)]
    yield total([*line, *circle], 0, [1] * len(line) + powers)
