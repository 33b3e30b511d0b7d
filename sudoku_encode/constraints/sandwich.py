"""Sandwich: the cells between the 1 and the largest value of the board (9 on 9x9) add up to the number."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the sum is wrong, or one of the two values is not there exactly once."""
    line = [values[cell] for cell in c.cells]
    if line.count(1) != 1 or line.count(c.n) != 1:
        return True
    first, last = sorted((line.index(1), line.index(c.n)))
    return sum(line[first + 1 : last]) != c.number(0)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton that adds the values between the two crusts."""
    yield automaton(c.cells, c.n, *steps((1, c.n), c.number(0)))


def steps(crusts: tuple[int, int], total: int) -> Steps[tuple[int, int]]:
    """Return steps that accept values with the total between two crusts; a state is (first crust, sum since)."""
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


def impossible(c: BoundConstraint) -> str:
    """Return why no values between the two have the sum."""
    size = max(len(c.cells) - 2, 0)
    most = size * (c.n - 1)
    if c.differ(c.cells):
        most = sum(range(c.n - 1, 1, -1)[:size])
    return "" if 0 <= c.number(0) <= most else f"impossible sum {c.number(0)}: expected 0 to {most}"
