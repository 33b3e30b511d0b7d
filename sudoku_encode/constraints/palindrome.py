"""Palindrome: the line reads the same from both ends."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the line reads differently from its two ends."""
    line = [values[cell] for cell in c.cells]
    return line != line[::-1]


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an equality for each cell and its mirror image."""
    pairs = list(zip(c.cells[: len(c.cells) // 2], reversed(c.cells), strict=False))
    yield from pair_relations([pair for pair in pairs if pair[0] != pair[1]], c.n, lambda a, b: a == b)
