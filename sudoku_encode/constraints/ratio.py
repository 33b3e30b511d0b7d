"""Black dot: one of two cells is a number times the other, twice where none is given."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, relation
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether neither is the number times the other."""
    first, second = (values[cell] for cell in here.cells)
    return first != here.number(2) * second and second != here.number(2) * first


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation."""
    k = here.number(2)
    first, second = here.cells
    yield relation(first, second, here.n, lambda a, b: a == k * b or b == k * a)


def impossible(here: Placed) -> str:
    """Refuse a ratio that no values have."""
    if not 1 <= here.number(2) <= here.n:
        return f"of values from 1 to {here.n} none is {here.number(2)} times another"
    return ""
