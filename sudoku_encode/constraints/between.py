"""Between line: the cells between its ends lie strictly between their values."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether a cell between the ends is not strictly between their values."""
    first, *middle, last = (values[cell] for cell in c.cells)
    return any(not min(first, last) < value < max(first, last) for value in middle)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton that reads the two ends first."""
    first, *middle, last = c.cells

    def step(ends: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if len(ends) < 2:
            return tuple(sorted((*ends, value)))
        return ends if ends[0] < value < ends[1] else None

    if middle:
        start: tuple[int, ...] = ()
        yield automaton([first, last, *middle], c.n, start, step, lambda ends: True)
