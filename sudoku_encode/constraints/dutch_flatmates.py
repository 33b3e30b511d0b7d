"""Dutch flatmates: each middle value (5 on 9x9) has a 1 directly above it or the largest value directly below it."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values
from sudoku_encode.puzzles.neighbours import cell_at, place_of


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether a middle value has neither."""
    return any(
        values[cell] == _middle(c) and not any(values[mate] == value for mate, value in _mates(c, cell))
        for cell in range(c.board.n_cells)
    )


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a clause for each cell."""
    for cell in range(c.board.n_cells):
        yield Clause(((cell, -_middle(c)), *_mates(c, cell)))


def scope(c: BoundConstraint) -> Iterator[int]:
    """Yield all cells."""
    yield from range(c.board.n_cells)


def unfit(c: BoundConstraint) -> str:
    """Return why the values of the board have no middle."""
    return "" if c.n % 2 else f"values from 1 to {c.n} have no middle"


def _middle(c: BoundConstraint) -> int:
    return (c.n + 1) // 2


def _mates(c: BoundConstraint, cell: int) -> list[tuple[int, int]]:
    """Return the cells above and below, each with the value that it should hold."""
    row, column = place_of(c.board, cell)
    beside = [(cell_at(c.board, (row - 1, column)), 1), (cell_at(c.board, (row + 1, column)), c.n)]
    return [(mate, value) for mate, value in beside if mate is not None]
