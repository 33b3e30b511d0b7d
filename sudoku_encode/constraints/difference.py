"""White dot: two cells differ by a number, 1 where none is given."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, relation
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether they differ by something else."""
    first, second = here.cells
    return abs(values[first] - values[second]) != here.number(1)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation."""
    first, second = here.cells
    yield relation(first, second, here.n, lambda a, b: abs(a - b) == here.number(1))


def impossible(here: Placed) -> str:
    """Refuse a difference that no values have."""
    if not 0 <= here.number(1) < here.n:
        return f"values from 1 to {here.n} differ by 0 to {here.n - 1}, never by {here.number(1)}"
    return ""
