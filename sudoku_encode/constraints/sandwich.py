"""Sandwich: the cells between the smallest and the largest value of the board add up to a number."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether they add up to something else, or one of the two is missing."""
    held = [values[cell] for cell in here.cells]
    if held.count(1) != 1 or held.count(here.n) != 1:
        return True
    first, last = sorted((held.index(1), held.index(here.n)))
    return sum(held[first + 1 : last]) != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton: before, the crust that was first and the sum since, after."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        crust, amount = state
        if value not in (1, here.n):
            amount += value if crust > 0 else 0
            return (crust, amount) if amount <= here.number(0) else None
        if crust == 0:
            return value, 0
        return (_AFTER, 0) if crust not in (value, _AFTER) and amount == here.number(0) else None

    yield automaton(here.cells, here.n, (0, 0), step, lambda state: state[0] == _AFTER)


def impossible(here: Placed) -> str:
    """Refuse a sum that no values between the two have."""
    size = max(len(here.cells) - 2, 0)
    most = size * (here.n - 1)
    if here.differ(here.cells):
        most = sum(range(here.n - 1, 1, -1)[:size])
    return "" if 0 <= here.number(0) <= most else f"the sum is 0 to {most}, never {here.number(0)}"


_AFTER = -1
