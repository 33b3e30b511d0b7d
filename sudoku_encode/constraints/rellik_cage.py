"""Rellik cage: the cells all differ, and no subset of them adds up to the number."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Primitive, Steps, Unit, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells are equal or a subset has the sum."""
    cell_values = [values[cell] for cell in c.cells]
    sets = (chosen for size in range(1, len(cell_values) + 1) for chosen in combinations(cell_values, size))
    return len(set(cell_values)) < len(cell_values) or any(sum(chosen) == c.number(0) for chosen in sets)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit, and an automaton whose state is the set of sums so far."""
    yield Unit(c.cells, "rellik-cage")
    yield automaton(c.cells, c.n, *steps(c.number(0)))


def steps(banned: int) -> Steps[int]:
    """Return steps that accept values without a subset of the banned sum; bit s of a state is the sum s."""

    def step(sums: int, value: int) -> int | None:
        after = (sums | sums << value) & (1 << banned + 1) - 1
        return None if after >> banned or value == banned else after

    return Steps(1, step, lambda sums: True)


def unfit(c: BoundConstraint) -> str:
    """Return why the number is not a sum, or why there are too many cells for an automaton."""
    if c.number(0) < 1:
        return f"the number is {c.number(0)}; expected 1 or more"
    # Its automaton has 32,000 transitions for 9 cells of 9 values, and 67,000 for 6 of 16 values.
    most = 9 if c.n <= 9 else 6
    return f"at most {most} cells with {c.n} values, but it has {len(c.cells)}" if len(c.cells) > most else ""
