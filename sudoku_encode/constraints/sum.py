"""Sum: the cells add up to a number; they may be equal."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether they add up to something else."""
    return sum(values[cell] for cell in here.cells) != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield the sum."""
    yield total(here.cells, here.number(0))


def impossible(here: Placed) -> str:
    """Refuse a sum that no values have."""
    k = len(here.cells)
    if not k <= here.number(0) <= k * here.n:
        return f"{k} values from 1 to {here.n} add up to {k} to {k * here.n}, never to {here.number(0)}"
    return ""
