"""Hidden skyscraper: the first cell that is not greater than all before it holds the value."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether it holds another value, or there is no such cell."""
    held = [values[cell] for cell in here.cells]
    hidden = (value for at, value in enumerate(held) if any(before >= value for before in held[:at]))
    return next(hidden, None) != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton that knows the greatest value, until one is hidden."""

    def step(greatest: int, value: int) -> int | None:
        if greatest == _SEEN or value <= greatest:
            return _SEEN if greatest == _SEEN or value == here.number(0) else None
        return value

    yield automaton(here.cells, here.n, 0, step, lambda greatest: greatest == _SEEN)


def unfit(here: Placed) -> str:
    """Refuse a value that the board does not have."""
    return "" if 1 <= here.number(0) <= here.n else f"{here.number(0)} is no value from 1 to {here.n}"


_SEEN = -1
