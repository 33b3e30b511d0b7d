"""Quadruple: the values are in the cells, each at least as often as it is named."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether a value is there too seldom."""
    held = [values[cell] for cell in here.cells]
    return any(held.count(value) < here.numbers.count(value) for value in here.numbers)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield for each value that k cells hold it: of any that are all but k - 1 of them, one does."""
    for value in dict.fromkeys(here.numbers):
        k = here.numbers.count(value)
        for some in combinations(here.cells, len(here.cells) - k + 1):
            yield Clause(tuple((cell, value) for cell in some))


def unfit(here: Placed) -> str:
    """Refuse values that the board does not have, and more than there are cells."""
    wrong = next((value for value in here.numbers if not 1 <= value <= here.n), None)
    if wrong is not None:
        return f"{wrong} is no value from 1 to {here.n}"
    if len(here.numbers) > len(here.cells):
        return f"{len(here.numbers)} values for {len(here.cells)} cells"
    return ""
