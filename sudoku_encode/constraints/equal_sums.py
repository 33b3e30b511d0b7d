"""Equal sums: all lists of cells have the same sum."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import EqualSums, Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two sums differ."""
    return len({sum(values[cell] for cell in cells) for cells in c.lists}) > 1


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the equality of the sums."""
    yield EqualSums(c.lists)
