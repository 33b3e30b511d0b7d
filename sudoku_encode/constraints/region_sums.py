"""Region sum line: each segment of the line within one box has the same sum."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import EqualSums, Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two segments have different sums."""
    return len({sum(values[cell] for cell in part) for part in parts(c)}) > 1


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the equality of the sums."""
    if len(parts(c)) > 1:
        yield EqualSums(parts(c))


def parts(c: BoundConstraint) -> tuple[tuple[int, ...], ...]:
    """Return the segments of the line, cut where it passes from one box to another."""
    box_of = c.boxes
    cuts = [i for i in range(1, len(c.cells)) if box_of[c.cells[i]] != box_of[c.cells[i - 1]]]
    return tuple(c.cells[start:end] for start, end in zip([0, *cuts], [*cuts, len(c.cells)], strict=True))
