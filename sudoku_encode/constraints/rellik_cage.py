"""Rellik cage: the cells all differ, and no set of them adds up to the number."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Primitive, Steps, Unit, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two cells are equal, or some set of them adds up to it."""
    held = [values[cell] for cell in here.cells]
    sets = (chosen for size in range(1, len(held) + 1) for chosen in combinations(held, size))
    return len(set(held)) < len(held) or any(sum(chosen) == here.number(0) for chosen in sets)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit, and an automaton that knows which sums there are."""
    yield Unit(here.cells, "rellik-cage")
    yield automaton(here.cells, here.n, *steps(here.number(0)))


def steps(banned: int) -> Steps[int]:
    """Read values no set of which adds up to a number: bit s of a state for the sum s, up to that number."""

    def step(sums: int, value: int) -> int | None:
        after = (sums | sums << value) & (1 << banned + 1) - 1
        return None if after >> banned or value == banned else after

    return Steps(1, step, lambda sums: True)


def unfit(here: Placed) -> str:
    """Refuse a number that is no sum, and more cells than an automaton should read."""
    if here.number(0) < 1:
        return f"the number is {here.number(0)}, below 1"
    # Its automaton has 32,000 transitions for 9 cells of 9 values, and 67,000 for 6 of 16 values.
    most = 9 if here.n <= 9 else 6
    return (
        f"at most {most} cells with {here.n} values, and {len(here.cells)} are here" if len(here.cells) > most else ""
    )
