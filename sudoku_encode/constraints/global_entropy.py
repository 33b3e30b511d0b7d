"""Global entropy: each 2x2 square has a low, a middle and a high value."""

from collections.abc import Iterator

from sudoku_encode.constraints import squares
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values
from sudoku_encode.puzzles.ranks import rank


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
    return rank(value, here.n)
