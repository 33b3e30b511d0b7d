"""Dutch flatmates: above each middle value there is a 1, or below it the largest value, or both."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values
from sudoku_encode.puzzles.neighbours import cell_at, place_of


def violated(here: Placed, values: Values) -> bool:
    """Say whether one has neither."""
    return any(
        values[cell] == _middle(here) and not any(values[mate] == value for mate, value in _mates(here, cell))
        for cell in range(here.board.n_cells)
    )


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a clause for each cell."""
    for cell in range(here.board.n_cells):
        yield Clause(((cell, -_middle(here)), *_mates(here, cell)))


def scope(here: Placed) -> Iterator[int]:
    """Yield all cells."""
    yield from range(here.board.n_cells)


def unfit(here: Placed) -> str:
    """Refuse boards whose values have no middle."""
    return "" if here.n % 2 else f"values from 1 to {here.n} have no middle"


def _middle(here: Placed) -> int:
    return (here.n + 1) // 2


def _mates(here: Placed, cell: int) -> list[tuple[int, int]]:
    """Return the cells above and below, each with the value that it may have."""
    row, column = place_of(here.board, cell)
    beside = [(cell_at(here.board, (row - 1, column)), 1), (cell_at(here.board, (row + 1, column)), here.n)]
    return [(mate, value) for mate, value in beside if mate is not None]
