"""Zipper line: all pairs of cells at the same distance from the middle have the same sum, as has the middle cell."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import EqualSums, Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two sums differ."""
    return len({sum(values[cell] for cell in part) for part in _parts(c)}) > 1


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the equality of the sums."""
    if len(_parts(c)) > 1:
        yield EqualSums(_parts(c))


def _parts(c: BoundConstraint) -> tuple[tuple[int, ...], ...]:
    cells, half = c.cells, len(c.cells) // 2
    pairs = list(zip(cells[:half], reversed(cells), strict=False))
    return (*pairs, (cells[half],)) if len(cells) % 2 else tuple(pairs)
