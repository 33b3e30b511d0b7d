"""Dutch flatmates: above each middle value there is a 1, or below it the largest value, or both."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether one has neither."""
    columns = here.board.shape[1]
    for cell, value in enumerate(values):
        above, below = cell - columns, cell + columns
        has_above = above >= 0 and values[above] == 1
        has_below = below < len(values) and values[below] == here.n
        if value == _middle(here) and not (has_above or has_below):
            return True
    return False


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a clause for each cell."""
    columns = here.board.shape[1]
    for cell in range(here.board.n_cells):
        mates = [(cell - columns, 1), (cell + columns, here.n)]
        yield Clause(((cell, -_middle(here)), *(mate for mate in mates if 0 <= mate[0] < here.board.n_cells)))


def scope(here: Placed) -> Iterator[int]:
    """Yield all cells."""
    yield from range(here.board.n_cells)


def unfit(here: Placed) -> str:
    """Refuse boards whose values have no middle."""
    return "" if here.n % 2 else f"values from 1 to {here.n} have no middle"


def _middle(here: Placed) -> int:
    return (here.n + 1) // 2
