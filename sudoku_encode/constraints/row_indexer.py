"""Row indexer: a cell of row r with value v says that r is in row v of its column."""

from collections.abc import Iterator

from sudoku_encode.constraints import indexing
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether a cell says what is not so."""
    return indexing.is_wrong(here, values, _line)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield clauses; see `indexing.equivalences`."""
    return indexing.equivalences(here, _line)


def scope(here: Placed) -> Iterator[int]:
    """Return the cells of their lines."""
    return indexing.lines(here, _line)


def unfit(here: Placed) -> str:
    """Refuse boards on which a value may be that of no row."""
    return indexing.unfit(here, 0)


def _line(here: Placed, cell: int) -> list[int]:
    columns = here.board.shape[1]
    return list(range(cell % columns, here.board.n_cells, columns))
