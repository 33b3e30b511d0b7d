"""Sum line: the line can be cut into pieces that each add up to the sum."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether it cannot: a piece ends as soon as it has the sum, since all values are above 0."""
    amount = 0
    for cell in here.cells:
        amount += values[cell]
        if amount > here.number(0):
            return True
        amount %= here.number(0)
    return amount != 0


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton that knows the sum of the piece so far."""

    def step(amount: int, value: int) -> int | None:
        after = amount + value
        return after % here.number(0) if after <= here.number(0) else None

    yield automaton(here.cells, here.n, 0, step, lambda amount: amount == 0)


def unfit(here: Placed) -> str:
    """Refuse a sum that no piece has."""
    return "" if here.number(0) >= 1 else f"the sum is {here.number(0)}, below 1"


def impossible(here: Placed) -> str:
    """Refuse a sum that the whole line does not have."""
    most = len(here.cells) * here.n
    if here.number(0) > most:
        return f"{len(here.cells)} cells add up to {most} at most, never to {here.number(0)}"
    return ""
