"""Skyscrapers: as many cells as the clue says are greater than all before them."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether another number of cells are seen."""
    held = [values[cell] for cell in here.cells]
    return sum(value > max(held[:at], default=0) for at, value in enumerate(held)) != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton of the cells that are seen."""
    yield automaton(here.cells, here.n, *steps(here.number(0)))


def steps(total: int) -> Steps[tuple[int, int]]:
    """Read values of which a number are greater than all before, and than 0: the greatest, and how many there were."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int]:
        greatest, seen = state
        return (value, seen + 1) if value > greatest else state

    return Steps((0, 0), step, lambda state: state[1] == total)


def impossible(here: Placed) -> str:
    """Refuse more cells than there are."""
    most = min(len(here.cells), here.n)
    return "" if 1 <= here.number(0) <= most else f"1 to {most} cells can be seen, never {here.number(0)}"
