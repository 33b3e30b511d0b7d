"""A deterministic automaton of one's own, which reads the values along the line.

Each word is a state, numbered from 0; it begins in the first one. `12>1,3>0` goes to state 1 by the values 1 and 2, and
stays or comes back to state 0 by 3; other values are not allowed there. `.` is every value. The line may end in the
states whose words begin with `!`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sudoku_encode.constraints.expression_automata import SYMBOLS
from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraint import Placed, Values

MAX_CHARACTERS = 200_000
MAX_STATES = 10_000
_MOVE = re.compile(r"([1-9A-Z]+|\.)>(\d{1,4})", re.ASCII)


class State(NamedTuple):
    """A state.

    Attributes:
        moves: for each value that is allowed the number of the next state.
        is_end: whether the line may end there.
    """

    moves: dict[int, int]
    is_end: bool


def violated(here: Placed, values: Values) -> bool:
    """Say whether a value is not allowed, or the line ends in another state."""
    states = _states(here.constraint.expression, here.n)
    at = 0
    for cell in here.cells:
        if values[cell] not in states[at].moves:
            return True
        at = states[at].moves[values[cell]]
    return not states[at].is_end


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield the automaton for lines of that length."""
    states = _states(here.constraint.expression, here.n)
    yield automaton(here.cells, here.n, 0, lambda at, value: states[at].moves.get(value), lambda at: states[at].is_end)


def unfit(here: Placed) -> str:
    """Refuse what is no automaton, and boards with more values than there are symbols."""
    if here.n > len(SYMBOLS):
        return f"there are symbols for {len(SYMBOLS)} values, and {here.board.name} has {here.n}"
    try:
        _states(here.constraint.expression, here.n)
    except FormatError as error:
        return error.message
    return ""


@lru_cache(maxsize=256)
def _states(text: str, n: int) -> tuple[State, ...]:
    words = text.split()
    if len(text) > MAX_CHARACTERS or len(words) > MAX_STATES:
        raise FormatError(f"an automaton of more than {MAX_STATES:,} states or {MAX_CHARACTERS:,} characters")
    return tuple(State(_moves(word, n, len(words)), word.startswith("!")) for word in words)


def _moves(word: str, n: int, n_states: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for part in word.removeprefix("!").split(",") if word != "!" else []:
        match = _MOVE.fullmatch(part)
        if match is None:
            raise FormatError(f"{short(part, 20)!r} is no move; write values, > and a state, such as 12>1")
        symbols, to = SYMBOLS[:n] if match[1] == "." else match[1], int(match[2])
        if wrong := next((symbol for symbol in symbols if symbol not in SYMBOLS[:n]), ""):
            raise FormatError(f"{wrong!r} is no value; they go from 1 to {SYMBOLS[n - 1]}")
        if to >= n_states:
            raise FormatError(f"{part!r} goes to state {to}, and the last one is {n_states - 1}")
        for symbol in symbols:
            if found.setdefault(SYMBOLS.index(symbol) + 1, to) != to:
                raise FormatError(f"{short(word, 20)!r} goes to two states by {symbol}; one is right")
    return found
