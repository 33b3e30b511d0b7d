"""Row indexer: if the cell in row r holds v, then the cell in row v of its column holds r."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether an indexer cell points to the wrong row."""
    return common.is_wrong_index(c, values, _line)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield clauses; see `common.index_clauses`."""
    return common.index_clauses(c, _line)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the indexed lines."""
    return common.line_cells(c, _line)


def unfit(c: BoundConstraint) -> str:
    """Return why the board does not have as many rows as values."""
    return common.line_count_reason(c, 0)


def _line(c: BoundConstraint, cell: int) -> list[int]:
    columns = c.board.shape[1]
    return list(range(cell % columns, c.board.n_cells, columns))
