"""Hidden skyscraper: the first cell that is not greater than all cells before it holds the value."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the first hidden cell holds another value, or no cell is hidden."""
    line = [values[cell] for cell in c.cells]
    hidden = (value for at, value in enumerate(line) if any(before >= value for before in line[:at]))
    return next(hidden, None) != c.number(0)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton whose state is the greatest value so far, until a cell is hidden."""

    def step(greatest: int, value: int) -> int | None:
        if greatest == _SEEN or value <= greatest:
            return _SEEN if greatest == _SEEN or value == c.number(0) else None
        return value

    yield automaton(c.cells, c.n, 0, step, lambda greatest: greatest == _SEEN)


def unfit(c: BoundConstraint) -> str:
    """Return why the number is not a value of the board."""
    return "" if 1 <= c.number(0) <= c.n else f"not a value: {c.number(0)} (1 to {c.n})"


_SEEN = -1
