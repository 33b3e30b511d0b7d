"""X and V: two cells add up to 10, or to 5."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, relation
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether they add up to something else."""
    return sum(values[cell] for cell in here.cells) != here.number(10)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation."""
    first, second = here.cells
    yield relation(first, second, here.n, lambda a, b: a + b == here.number(10))


def impossible(here: Placed) -> str:
    """Refuse a sum that no values have."""
    if not 2 <= here.number(10) <= 2 * here.n:
        return f"two values from 1 to {here.n} add up to 2 to {2 * here.n}, never to {here.number(10)}"
    return ""
