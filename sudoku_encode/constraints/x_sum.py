"""X-sum: the first X cells add up to a number, where X is the first of them."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether they add up to something else, or there are fewer."""
    held = [values[cell] for cell in here.cells]
    return held[0] > len(held) or sum(held[: held[0]]) != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton of how many cells are left to add, and what is left of the sum."""

    def step(state: tuple[int, int] | None, value: int) -> tuple[int, int] | None:
        left, amount = (value, here.number(0)) if state == _BEGIN else state or (0, 0)
        if left == 0:
            return 0, 0
        amount -= value
        return (left - 1, amount) if (amount == 0 if left == 1 else amount > 0) else None

    yield automaton(here.cells, here.n, _BEGIN, step, lambda state: state == (0, 0))


def impossible(here: Placed) -> str:
    """Refuse a sum that the first cells never have."""
    longest = min(here.n, len(here.cells))
    most = longest + (longest - 1) * here.n
    if here.differ(here.cells):
        most = max(
            x + sum([value for value in range(here.n, 0, -1) if value != x][: x - 1]) for x in range(1, longest + 1)
        )
    return "" if 1 <= here.number(0) <= most else f"the sum is 1 to {most}, never {here.number(0)}"


_BEGIN = (-1, 0)
