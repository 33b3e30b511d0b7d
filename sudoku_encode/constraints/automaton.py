"""Automaton: a deterministic finite automaton that you define accepts the values along the line.

Each word is a state; states are numbered from 0, and the first is the start. `12>1,3>0` goes to state 1 on the values 1
and 2 and to state 0 on 3; no other value is allowed in that state. `.` means every value. The line may end in the
states whose words begin with `!`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sudoku_encode.constraints.expression_automata import SYMBOLS
from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraint import BoundConstraint, Values

MAX_CHARACTERS = 200_000
MAX_STATES = 10_000
_MOVE = re.compile(r"([1-9A-Z]+|\.)>(\d{1,4})", re.ASCII)


class State(NamedTuple):
    """A state.

    Attributes:
        moves: the number of the next state, for each allowed value.
        is_end: whether the line may end there.
    """

    moves: dict[int, int]
    is_end: bool


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the automaton meets a value that is not allowed, or ends in a state that does not accept."""
    states = _states(c.constraint.expression, c.n)
    state = 0
    for cell in c.cells:
        if values[cell] not in states[state].moves:
            return True
        state = states[state].moves[values[cell]]
    return not states[state].is_end


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the automaton, unrolled over the cells of the line."""
    states = _states(c.constraint.expression, c.n)
    yield automaton(
        c.cells, c.n, 0, lambda state, value: states[state].moves.get(value), lambda state: states[state].is_end
    )


def unfit(c: BoundConstraint) -> str:
    """Return why the text is not an automaton, or why the board has more values than there are symbols."""
    if c.n > len(SYMBOLS):
        return f"there are symbols for {len(SYMBOLS)} values, but {c.board.name} has {c.n}"
    try:
        _states(c.constraint.expression, c.n)
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
    moves: dict[int, int] = {}
    for part in word.removeprefix("!").split(",") if word != "!" else []:
        match = _MOVE.fullmatch(part)
        if match is None:
            raise FormatError(f"{short(part, 20)!r} is not a transition: expected values, > and a state, such as 12>1")
        symbols, to = SYMBOLS[:n] if match[1] == "." else match[1], int(match[2])
        if wrong := next((symbol for symbol in symbols if symbol not in SYMBOLS[:n]), ""):
            raise FormatError(f"not a value: {wrong!r} (1 to {SYMBOLS[n - 1]})")
        if to >= n_states:
            raise FormatError(f"{part!r} goes to state {to}, but the last state is {n_states - 1}")
        for symbol in symbols:
            if moves.setdefault(SYMBOLS.index(symbol) + 1, to) != to:
                raise FormatError(f"{short(word, 20)!r} has two transitions on {symbol}; at most one is allowed")
    return moves
