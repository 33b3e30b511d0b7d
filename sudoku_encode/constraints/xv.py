"""X and V: the two cells add up to 10 (X) or to 5 (V)."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, relation
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the sum is wrong."""
    return sum(values[cell] for cell in c.cells) != c.number(10)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the relation of the two cells."""
    first, second = c.cells
    yield relation(first, second, c.n, lambda a, b: a + b == c.number(10))


def impossible(c: BoundConstraint) -> str:
    """Return why no two values have the sum."""
    if not 2 <= c.number(10) <= 2 * c.n:
        return f"two values from 1 to {c.n} add up to 2 to {2 * c.n}, never to {c.number(10)}"
    return ""
