"""Cells that hold one of some values, as a given or pencilmarks of an alternative say."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Allowed, Primitive, values_that
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether a cell holds another value."""
    return any(values[cell] not in here.numbers for cell in here.cells)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield what each cell may hold."""
    for cell in here.cells:
        yield Allowed(cell, values_that(here.n, lambda value: value in here.numbers))


def unfit(here: Placed) -> str:
    """Refuse what is no value of the board."""
    wrong = next((number for number in here.numbers if not 1 <= number <= here.n), None)
    return "" if wrong is None else f"{wrong} is no value from 1 to {here.n}"
