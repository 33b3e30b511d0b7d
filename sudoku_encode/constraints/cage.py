"""Killer cage: the cells all differ, and add up to the sum if one is given."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Unit, total
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells are equal or the sum is wrong."""
    cell_values = [values[cell] for cell in c.cells]
    return len(set(cell_values)) < len(cell_values) or sum(cell_values) != c.number(sum(cell_values))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit, and the sum if one is given."""
    yield Unit(c.cells, "cage")
    if c.numbers:
        yield total(c.cells, c.number(0), distinct=True)


def impossible(c: BoundConstraint) -> str:
    """Return why no set of different values has the sum."""
    k = len(c.cells)
    least, most = k * (k + 1) // 2, k * (2 * c.n + 1 - k) // 2
    if c.numbers and k <= c.n and not least <= c.number(0) <= most:
        return f"{k} different values add up to {least} to {most}, never to {c.number(0)}"
    return ""
