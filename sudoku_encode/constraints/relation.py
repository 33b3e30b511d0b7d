"""A relation of one's own: of neighbours on the line, a and b, an expression is true."""

from collections.abc import Iterator

from sudoku_encode.constraints.expressions import table
from sudoku_encode.constraints.primitives import Primitive, neighbouring, pair_relations
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether it is false of two neighbours."""
    allowed = table(here.constraint.expression, here.n)
    return any(not allowed[values[a] - 1][values[b] - 1] for a, b in neighbouring(here.cells))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each cell and the next."""
    allowed = table(here.constraint.expression, here.n)
    yield from pair_relations(neighbouring(here.cells), here.n, lambda a, b: allowed[a - 1][b - 1])


def unfit(here: Placed) -> str:
    """Refuse what is no expression."""
    try:
        table(here.constraint.expression, here.n)
    except FormatError as error:
        return error.message
    return ""
