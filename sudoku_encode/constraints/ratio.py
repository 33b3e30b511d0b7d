"""Black dot: one of the two cells is the number (default 2) times the other."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, relation
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether neither cell is the number times the other."""
    first, second = (values[cell] for cell in c.cells)
    return first != c.number(2) * second and second != c.number(2) * first


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the relation of the two cells."""
    k = c.number(2)
    first, second = c.cells
    yield relation(first, second, c.n, lambda a, b: a == k * b or b == k * a)


def impossible(c: BoundConstraint) -> str:
    """Return why no two values have the ratio."""
    if not 1 <= c.number(2) <= c.n:
        return f"no value from 1 to {c.n} is {c.number(2)} times another"
    return ""
