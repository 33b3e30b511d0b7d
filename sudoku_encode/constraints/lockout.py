"""Lockout line: its ends differ by at least a number, 4 where none is given, and no other cell lies between them.

Nor is one equal to an end.
"""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether one lies there, or the ends are too near."""
    first, *middle, last = (values[cell] for cell in here.cells)
    inside = any(min(first, last) <= value <= max(first, last) for value in middle)
    return inside or abs(first - last) < here.number(4)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton that reads the ends first."""
    first, *middle, last = here.cells

    def step(ends: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if len(ends) == 2:
            return None if ends[0] <= value <= ends[1] else ends
        after = tuple(sorted((*ends, value)))
        return after if len(after) < 2 or after[1] - after[0] >= here.number(4) else None

    start: tuple[int, ...] = ()
    yield automaton([first, last, *middle], here.n, start, step, lambda ends: True)


def unfit(here: Placed) -> str:
    """Refuse a number that is no difference."""
    return "" if here.number(4) >= 0 else f"the difference is {here.number(4)}, below 0"


def impossible(here: Placed) -> str:
    """Refuse a difference that no values have."""
    if here.number(4) >= here.n:
        return f"values from 1 to {here.n} differ by at most {here.n - 1}, never by {here.number(4)}"
    return ""
