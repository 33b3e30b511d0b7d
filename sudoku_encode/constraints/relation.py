"""Relation: an expression that you write is true for each two consecutive cells a and b of the line."""

from collections.abc import Iterator

from sudoku_encode.constraints.expressions import table
from sudoku_encode.constraints.primitives import Primitive, consecutive_pairs, pair_relations
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the expression is false for two consecutive cells."""
    allowed = table(c.constraint.expression, c.n)
    return any(not allowed[values[a] - 1][values[b] - 1] for a, b in consecutive_pairs(c.cells))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    allowed = table(c.constraint.expression, c.n)
    yield from pair_relations(consecutive_pairs(c.cells), c.n, lambda a, b: allowed[a - 1][b - 1])


def unfit(c: BoundConstraint) -> str:
    """Return why the text is not an expression."""
    try:
        table(c.constraint.expression, c.n)
    except FormatError as error:
        return error.message
    return ""
