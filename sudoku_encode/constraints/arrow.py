"""Arrow: the number in the circle is the sum of the cells along the arrow.

The circle may have two or three cells, the digits of the number from left to right (a pill).
"""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether the number is not the sum."""
    circle, line = here.lists
    number = 0
    for cell in circle:
        number = 10 * number + values[cell]
    return number != sum(values[cell] for cell in line)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a sum."""
    circle, line = here.lists
    powers = [-(10**power) for power in range(len(circle) - 1, -1, -1)]
    yield total([*line, *circle], 0, [1] * len(line) + powers)
