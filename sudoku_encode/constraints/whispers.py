"""Whispers: neighbours on the line differ by at least a number.

Without a number that is half of the values, 5 on the 9x9 board (German whispers); 4 makes Dutch ones.
"""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, neighbouring, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two neighbours differ by less."""
    return any(abs(values[a] - values[b]) < gap(here) for a, b in neighbouring(here.cells))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    yield from pair_relations(neighbouring(here.cells), here.n, lambda a, b: abs(a - b) >= gap(here))


def gap(here: Placed) -> int:
    """Return by how much they differ at least."""
    return here.number((here.n + 1) // 2)


def unfit(here: Placed) -> str:
    """Refuse a number that is no difference."""
    return "" if gap(here) >= 0 else f"the difference is {gap(here)}, below 0"


def impossible(here: Placed) -> str:
    """Refuse a difference that no values have."""
    if gap(here) >= here.n:
        return f"values from 1 to {here.n} differ by at most {here.n - 1}, never by {gap(here)}"
    return ""
