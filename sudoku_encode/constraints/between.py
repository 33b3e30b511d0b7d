"""Between line: the cells between its ends lie strictly between their values."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether one does not."""
    first, *middle, last = (values[cell] for cell in here.cells)
    return any(not min(first, last) < value < max(first, last) for value in middle)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton that reads the ends first."""
    first, *middle, last = here.cells

    def step(ends: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if len(ends) < 2:
            return tuple(sorted((*ends, value)))
        return ends if ends[0] < value < ends[1] else None

    if middle:
        start: tuple[int, ...] = ()
        yield automaton([first, last, *middle], here.n, start, step, lambda ends: True)
