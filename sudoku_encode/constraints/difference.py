"""White dot: two cells differ by the number (default 1)."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, relation
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the difference is wrong."""
    first, second = c.cells
    return abs(values[first] - values[second]) != c.number(1)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the relation of the two cells."""
    first, second = c.cells
    yield relation(first, second, c.n, lambda a, b: abs(a - b) == c.number(1))


def impossible(c: BoundConstraint) -> str:
    """Return why no two values have the difference."""
    if not 0 <= c.number(1) < c.n:
        return f"values from 1 to {c.n} differ by 0 to {c.n - 1}, never by {c.number(1)}"
    return ""
