"""A regular expression of one's own, which the values along the line match."""

import re
from collections.abc import Iterator

from sudoku_encode.constraints.expression_automata import SYMBOLS, is_done, steps
from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether Python's regular expressions find no match."""
    text = "".join(SYMBOLS[values[cell] - 1] for cell in here.cells)
    return re.fullmatch(here.constraint.expression, text) is None


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton."""
    first, step = steps(here.constraint.expression, here.n)
    yield automaton(here.cells, here.n, first, step, is_done)


def unfit(here: Placed) -> str:
    """Refuse what is no regular expression, and boards with more values than there are symbols."""
    if here.n > len(SYMBOLS):
        return f"there are symbols for {len(SYMBOLS)} values, and {here.board.name} has {here.n}"
    try:
        for _ in lower(here):
            pass
    except FormatError as error:
        return error.message
    return ""
