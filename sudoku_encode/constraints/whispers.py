"""Whispers: consecutive cells of the line differ by at least the number.

The default is half of the largest value, rounded up: 5 on a 9x9 board (German whispers); 4 gives Dutch whispers.
"""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, consecutive_pairs, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two consecutive cells differ by less."""
    return any(abs(values[a] - values[b]) < gap(c) for a, b in consecutive_pairs(c.cells))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    yield from pair_relations(consecutive_pairs(c.cells), c.n, lambda a, b: abs(a - b) >= gap(c))


def gap(c: BoundConstraint) -> int:
    """Return the least difference."""
    return c.number((c.n + 1) // 2)


def unfit(c: BoundConstraint) -> str:
    """Return why the number is not a difference."""
    return "" if gap(c) >= 0 else f"the difference is {gap(c)}, below 0"


def impossible(c: BoundConstraint) -> str:
    """Return why no two values have the difference."""
    if gap(c) >= c.n:
        return f"values from 1 to {c.n} differ by at most {c.n - 1}, never by {gap(c)}"
    return ""
