"""Pairs of one's own: of neighbours on the line, the second holds a value that may follow that of the first.

The table of pairs is written in words, a symbol and all that may follow it: `134 25` allows 13, 14 and 25.
"""

from collections.abc import Iterator

from sudoku_encode.constraints.expression_automata import SYMBOLS
from sudoku_encode.constraints.primitives import Primitive, neighbouring, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether one does not."""
    allowed = _allowed(here)
    return any((values[a], values[b]) not in allowed for a, b in neighbouring(here.cells))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    allowed = _allowed(here)
    yield from pair_relations(neighbouring(here.cells), here.n, lambda a, b: (a, b) in allowed)


def unfit(here: Placed) -> str:
    """Refuse words with other symbols, and of one symbol."""
    for word in here.constraint.expression.split():
        if len(word) < 2:
            return f"{word!r} is no pair; write a value and all that may follow it, such as 134"
        wrong = next((symbol for symbol in word if symbol not in SYMBOLS[: here.n]), None)
        if wrong is not None:
            return f"{wrong!r} is no value; they go from 1 to {SYMBOLS[: here.n][-1]}"
    return ""


def _allowed(here: Placed) -> set[tuple[int, int]]:
    words = here.constraint.expression.split()
    return {(SYMBOLS.index(word[0]) + 1, SYMBOLS.index(second) + 1) for word in words for second in word[1:]}
