"""Sum line: the line can be cut into segments that each add up to the sum."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether it cannot be cut so; a segment ends when it has the sum, since all values are above 0."""
    amount = 0
    for cell in c.cells:
        amount += values[cell]
        if amount > c.number(0):
            return True
        amount %= c.number(0)
    return amount != 0


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton whose state is the sum of the current segment."""

    def step(amount: int, value: int) -> int | None:
        after = amount + value
        return after % c.number(0) if after <= c.number(0) else None

    yield automaton(c.cells, c.n, 0, step, lambda amount: amount == 0)


def unfit(c: BoundConstraint) -> str:
    """Return why no segment has the sum."""
    return "" if c.number(0) >= 1 else f"the sum is {c.number(0)}; expected 1 or more"


def impossible(c: BoundConstraint) -> str:
    """Return why the whole line is below the sum."""
    most = len(c.cells) * c.n
    if c.number(0) > most:
        return f"{len(c.cells)} cells add up to {most} at most, never to {c.number(0)}"
    return ""
