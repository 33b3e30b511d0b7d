"""Pairs: each two consecutive cells of the line hold an allowed pair of values, from a table that you write.

Each word of the table is a value and all values that may follow it: `134 25` allows 13, 14 and 25.
"""

from collections.abc import Iterator

from sudoku_encode.constraints.expression_automata import SYMBOLS
from sudoku_encode.constraints.primitives import Primitive, consecutive_pairs, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two consecutive cells hold a pair that is not allowed."""
    allowed = _allowed(c)
    return any((values[a], values[b]) not in allowed for a, b in consecutive_pairs(c.cells))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    allowed = _allowed(c)
    yield from pair_relations(consecutive_pairs(c.cells), c.n, lambda a, b: (a, b) in allowed)


def unfit(c: BoundConstraint) -> str:
    """Return why a word is not a list of pairs."""
    for word in c.constraint.expression.split():
        if len(word) < 2:
            return f"{word!r} is not a pair; expected a value and all that may follow it, such as 134"
        wrong = next((symbol for symbol in word if symbol not in SYMBOLS[: c.n]), None)
        if wrong is not None:
            return f"not a value: {wrong!r} (1 to {SYMBOLS[: c.n][-1]})"
    return ""


def _allowed(c: BoundConstraint) -> set[tuple[int, int]]:
    words = c.constraint.expression.split()
    return {(SYMBOLS.index(word[0]) + 1, SYMBOLS.index(second) + 1) for word in words for second in word[1:]}
