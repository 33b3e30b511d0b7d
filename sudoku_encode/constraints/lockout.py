"""Lockout line: the ends differ by at least the number (default 4), and no other cell is between or equal to them."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the ends are too close, or another cell is not outside their range."""
    first, *middle, last = (values[cell] for cell in c.cells)
    inside = any(min(first, last) <= value <= max(first, last) for value in middle)
    return inside or abs(first - last) < c.number(4)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton that reads the two ends first."""
    first, *middle, last = c.cells

    def step(ends: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if len(ends) == 2:
            return None if ends[0] <= value <= ends[1] else ends
        after = tuple(sorted((*ends, value)))
        return after if len(after) < 2 or after[1] - after[0] >= c.number(4) else None

    start: tuple[int, ...] = ()
    yield automaton([first, last, *middle], c.n, start, step, lambda ends: True)


def unfit(c: BoundConstraint) -> str:
    """Return why the number is not a difference."""
    return "" if c.number(4) >= 0 else f"the difference is {c.number(4)}, below 0"


def impossible(c: BoundConstraint) -> str:
    """Return why no two values have the difference."""
    if c.number(4) >= c.n:
        return f"values from 1 to {c.n} differ by at most {c.n - 1}, never by {c.number(4)}"
    return ""
