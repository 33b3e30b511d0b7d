"""Sum: the cells add up to the number; values may repeat."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the sum is wrong."""
    return sum(values[cell] for cell in c.cells) != c.number(0)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the sum."""
    yield total(c.cells, c.number(0))


def impossible(c: BoundConstraint) -> str:
    """Return why no values have the sum."""
    k = len(c.cells)
    if not k <= c.number(0) <= k * c.n:
        return f"{k} values from 1 to {c.n} add up to {k} to {k * c.n}, never to {c.number(0)}"
    return ""
