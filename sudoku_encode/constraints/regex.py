"""Regex: the values along the line match a regular expression that you write."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from sudoku_encode.constraints.expression_automata import SYMBOLS, Derivatives, matches
from sudoku_encode.constraints.primitives import Automaton, Primitive, automaton
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the expression does not match the values."""
    return not matches(c.constraint.expression, c.n, [values[cell] for cell in c.cells])


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the automaton of the expression."""
    lowered = _lowered(c.constraint.expression, c.n, len(c.cells))
    yield replace(lowered, cells=c.cells) if isinstance(lowered, Automaton) else lowered


def unfit(c: BoundConstraint) -> str:
    """Return why the text is not a regular expression, or why the board has more values than there are symbols."""
    if c.n > len(SYMBOLS):
        return f"there are symbols for {len(SYMBOLS)} values, but {c.board.name} has {c.n}"
    try:
        for _ in lower(c):
            pass
    except FormatError as error:
        return error.message
    return ""


# Needed when a puzzle is read and again at each use of it.
@lru_cache(maxsize=64)
def _lowered(text: str, n: int, length: int) -> Primitive:
    """Return the automaton over the cells from 0 to a length."""
    states = Derivatives(text, n, length)
    return automaton(range(length), n, 0, states.step, states.is_done)
