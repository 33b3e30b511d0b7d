"""Lunchbox: the cells all differ, and the cells between the smallest and the largest add up to the number."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, Unit, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values

# The smallest and the largest value so far, whether the smallest came first, the sum between them, the sum after both.
State = tuple[int, int, bool, int, int]


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells are equal or the sum is wrong."""
    cell_values = [values[cell] for cell in c.cells]
    first, last = sorted((cell_values.index(min(cell_values)), cell_values.index(max(cell_values))))
    return len(set(cell_values)) < len(cell_values) or sum(cell_values[first + 1 : last]) != c.number(0)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit, and an automaton over `State`."""
    yield Unit(c.cells, "lunchbox")
    yield automaton(c.cells, c.n, *steps(c.number(0)))


def steps(total: int) -> Steps[State | None]:
    """Return steps that accept different values with the total between the smallest and the largest."""

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
        # The value is a new end, so the sum between starts after the end that stays.
        passed = (high if is_rising else low) + between if (value > high) == is_rising else 0
        between = passed + after
        return min(low, value), max(high, value), value > high, between, 0

    return Steps(None, step, lambda state: state is not None and state[3] == total)


def unfit(c: BoundConstraint) -> str:
    """Return why there are too many cells for an automaton."""
    # Its automaton has 12,000 transitions for 9 cells of 9 values, and 365,000 for those of 16 values.
    most = 9 if c.n <= 9 else 6
    return f"at most {most} cells with {c.n} values, but it has {len(c.cells)}" if len(c.cells) > most else ""


def impossible(c: BoundConstraint) -> str:
    """Return why no values between the smallest and the largest have the sum."""
    most = sum(range(c.n - 1, 1, -1)[: max(len(c.cells) - 2, 0)])
    return "" if 0 <= c.number(0) <= most else f"impossible sum {c.number(0)}: expected 0 to {most}"
