"""Lunchbox: the cells all differ, and those between the smallest and the largest of them add up to a number."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, Unit, automaton
from sudoku_encode.puzzles.constraint import Placed, Values

# The smallest and the largest so far, whether that is the order in which they came, the sum between them, and the sum
# after both.
State = tuple[int, int, bool, int, int]


def violated(here: Placed, values: Values) -> bool:
    """Say whether two cells are equal, or they add up to something else."""
    held = [values[cell] for cell in here.cells]
    first, last = sorted((held.index(min(held)), held.index(max(held))))
    return len(set(held)) < len(held) or sum(held[first + 1 : last]) != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit, and an automaton that knows the smallest and the largest so far, and two sums."""
    yield Unit(here.cells, "lunchbox")
    yield automaton(here.cells, here.n, *steps(here.number(0)))


def steps(total: int) -> Steps[State | None]:
    """Read different values of which those between the smallest and the largest add up to a total."""

    def step(state: State | None, value: int) -> State | None:
        if state is None:
            return value, value, True, 0, 0
        low, high, is_rising, between, after = state
        if low < value < high:
            return low, high, is_rising, between, after + value
        if value in (low, high):
            return None
        if low == high:
            return min(low, value), max(high, value), value > low, 0, 0
        # A new end comes after both: what lies between begins after the end that stays.
        passed = (high if is_rising else low) + between if (value > high) == is_rising else 0
        between = passed + after
        return min(low, value), max(high, value), value > high, between, 0

    return Steps(None, step, lambda state: state is not None and state[3] == total)


def unfit(here: Placed) -> str:
    """Refuse more cells than an automaton should read."""
    # Its automaton has 12,000 transitions for 9 cells of 9 values, and 365,000 for those of 16 values.
    most = 9 if here.n <= 9 else 6
    return (
        f"at most {most} cells with {here.n} values, and {len(here.cells)} are here" if len(here.cells) > most else ""
    )


def impossible(here: Placed) -> str:
    """Refuse a sum that no values between the smallest and the largest have."""
    most = sum(range(here.n - 1, 1, -1)[: max(len(here.cells) - 2, 0)])
    return "" if 0 <= here.number(0) <= most else f"the sum is 0 to {most}, never {here.number(0)}"
