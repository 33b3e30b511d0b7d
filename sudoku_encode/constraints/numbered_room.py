"""Numbered room: the X-th cell holds a value, where X is the first cell."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether it holds another, or there is none."""
    held = [values[cell] for cell in here.cells]
    return held[0] > len(held) or held[held[0] - 1] != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a clause for each X."""
    first = here.cells[0]
    for x in range(1, here.n + 1):
        there = ((here.cells[x - 1], here.number(0)),) if x <= len(here.cells) else ()
        yield Clause(((first, -x), *there))


def unfit(here: Placed) -> str:
    """Refuse a value that the board does not have."""
    return "" if 1 <= here.number(0) <= here.n else f"{here.number(0)} is no value from 1 to {here.n}"
