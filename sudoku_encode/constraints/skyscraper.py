"""Skyscrapers: the clue is the number of cells that are greater than all cells before them."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the number of visible cells is wrong."""
    line = [values[cell] for cell in c.cells]
    return sum(value > max(line[:at], default=0) for at, value in enumerate(line)) != c.number(0)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton that counts the visible cells."""
    yield automaton(c.cells, c.n, *steps(c.number(0)))


def steps(total: int) -> Steps[tuple[int, int]]:
    """Return steps that count values greater than all before; a state is (greatest value, count)."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int]:
        greatest, seen = state
        return (value, seen + 1) if value > greatest else state

    return Steps((0, 0), step, lambda state: state[1] == total)


def impossible(c: BoundConstraint) -> str:
    """Return why the number of visible cells is impossible."""
    most = min(len(c.cells), c.n)
    return "" if 1 <= c.number(0) <= most else f"{c.number(0)} cells cannot be seen: expected 1 to {most}"
