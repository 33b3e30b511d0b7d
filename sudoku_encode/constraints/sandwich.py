"""Sandwich: the cells between the smallest and the largest value of the board add up to a number."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether they add up to something else, or one of the two is missing."""
    held = [values[cell] for cell in here.cells]
    if held.count(1) != 1 or held.count(here.n) != 1:
        return True
    first, last = sorted((held.index(1), held.index(here.n)))
    return sum(held[first + 1 : last]) != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton between the smallest and the largest value."""
    yield automaton(here.cells, here.n, *steps((1, here.n), here.number(0)))


def steps(crusts: tuple[int, int], total: int) -> Steps[tuple[int, int]]:
    """Read values that add up to a total between two others: the first of these that came, and the sum since."""
    before, after = (-1, 0), (-2, 0)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        crust, amount = state
        if value not in crusts:
            amount += value if crust in crusts else 0
            return (crust, amount) if amount <= total else None
        if state == before:
            return value, 0
        return after if crust not in (value, after[0]) and amount == total else None

    return Steps(before, step, lambda state: state == after)


def impossible(here: Placed) -> str:
    """Refuse a sum that no values between the two have."""
    size = max(len(here.cells) - 2, 0)
    most = size * (here.n - 1)
    if here.differ(here.cells):
        most = sum(range(here.n - 1, 1, -1)[:size])
    return "" if 0 <= here.number(0) <= most else f"the sum is 0 to {most}, never {here.number(0)}"
