"""A regular expression of one's own, which the values along the line match."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from sudoku_encode.constraints.expression_automata import SYMBOLS, Derivatives, matches
from sudoku_encode.constraints.primitives import Automaton, Primitive, automaton
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Check whether the expression does not match the values."""
    return not matches(here.constraint.expression, here.n, [values[cell] for cell in here.cells])


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton."""
    lowered = _lowered(here.constraint.expression, here.n, len(here.cells))
    yield replace(lowered, cells=here.cells) if isinstance(lowered, Automaton) else lowered


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


# It is asked for when a puzzle is read and at each use of it.
@lru_cache(maxsize=64)
def _lowered(text: str, n: int, length: int) -> Primitive:
    """Return the automaton over the cells from 0 to a length."""
    states = Derivatives(text, n, length)
    return automaton(range(length), n, 0, states.step, states.is_done)
