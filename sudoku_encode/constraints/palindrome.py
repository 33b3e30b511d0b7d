"""Palindrome: the line reads the same from both ends."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, relation
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether it does not."""
    held = [values[cell] for cell in here.cells]
    return held != held[::-1]


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each cell and its mirror image."""
    for at in range(len(here.cells) // 2):
        first, second = here.cells[at], here.cells[-1 - at]
        if first != second:
            yield relation(first, second, here.n, lambda a, b: a == b)
