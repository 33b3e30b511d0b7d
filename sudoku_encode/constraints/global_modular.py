"""Each 2x2 square has values of each remainder by a number, 3 where none is given."""

from collections.abc import Iterator

from sudoku_encode.constraints import squares
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether a square lacks one of them."""
    return squares.is_wrong(here, values, _class)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a clause for each square and each of them."""
    return squares.clauses(here, _class)


def scope(here: Placed) -> Iterator[int]:
    """Yield all cells."""
    yield from range(here.board.n_cells)


def _class(here: Placed, value: int) -> int:
    return value % here.number(3)


def unfit(here: Placed) -> str:
    """Refuse a number that leaves more remainders than a square has cells, or is none to divide by."""
    most = min(here.n, 4)
    return "" if 2 <= here.number(3) <= most else f"remainders are by 2 to {most}, not by {here.number(3)}"
