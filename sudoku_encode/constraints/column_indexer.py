"""Column indexer: a cell of column c with value v says that c is in column v of its row."""

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
    """Refuse boards on which a value may be that of no column."""
    return indexing.unfit(here, 1)


def _line(here: Placed, cell: int) -> list[int]:
    n = here.n
    return list(range(cell // n * n, cell // n * n + n))
