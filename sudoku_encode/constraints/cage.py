"""Killer cage: its cells all differ, and add up to its sum where it has one."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Unit, total
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two cells are equal, or they add up to something else."""
    held = [values[cell] for cell in here.cells]
    return len(set(held)) < len(held) or sum(held) != here.number(sum(held))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit, and the sum."""
    yield Unit(here.cells, "cage")
    if here.numbers:
        yield total(here.cells, here.number(0), distinct=True)


def impossible(here: Placed) -> str:
    """Refuse a sum that no different values have."""
    k = len(here.cells)
    least, most = k * (k + 1) // 2, k * (2 * here.n + 1 - k) // 2
    if here.numbers and k <= here.n and not least <= here.number(0) <= most:
        return f"{k} different values add up to {least} to {most}, never to {here.number(0)}"
    return ""
