"""Column indexer: if the cell in column c holds v, then the cell in column v of its row holds c."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether an indexer cell points to the wrong column."""
    return common.is_wrong_index(c, values, _line)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield clauses; see `common.index_clauses`."""
    return common.index_clauses(c, _line)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the indexed lines."""
    return common.line_cells(c, _line)


def unfit(c: BoundConstraint) -> str:
    """Return why the board does not have as many columns as values."""
    return common.line_count_reason(c, 1)


def _line(c: BoundConstraint, cell: int) -> list[int]:
    n = c.n
    return list(range(cell // n * n, cell // n * n + n))
