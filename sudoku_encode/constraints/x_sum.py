"""X-sum: the first X cells add up to a number, where X is the first of them."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether they add up to something else, or there are fewer."""
    held = [values[cell] for cell in here.cells]
    return held[0] > len(held) or sum(held[: held[0]]) != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton of what is left to add."""
    yield automaton(here.cells, here.n, *steps(here.number(0)))


def steps(total: int) -> Steps[tuple[int, int]]:
    """Read values whose first, above 0, says how many add up to a total: how many are left, and what of the total."""
    begin = (-1, total)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        left, rest = (value, total) if state == begin else state
        if left == 0:
            return state if state != begin else None
        left, rest = left - 1, rest - value
        return (left, rest) if (rest == 0 if left == 0 else rest >= 0) else None

    return Steps(begin, step, lambda state: state == (0, 0))


def impossible(here: Placed) -> str:
    """Refuse a sum that the first cells never have."""
    longest = min(here.n, len(here.cells))
    most = longest + (longest - 1) * here.n
    if here.differ(here.cells):
        most = max(
            x + sum([value for value in range(here.n, 0, -1) if value != x][: x - 1]) for x in range(1, longest + 1)
        )
    return "" if 1 <= here.number(0) <= most else f"the sum is 1 to {most}, never {here.number(0)}"
