"""Palindrome: the line reads the same from both ends."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether it does not."""
    held = [values[cell] for cell in here.cells]
    return held != held[::-1]


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each cell and its mirror image."""
    pairs = [(here.cells[at], here.cells[-1 - at]) for at in range(len(here.cells) // 2)]
    yield from pair_relations([pair for pair in pairs if pair[0] != pair[1]], here.n, lambda a, b: a == b)
