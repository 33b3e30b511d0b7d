"""Little killer: the cells of a diagonal add up to the clue beside it; values may repeat."""

from collections.abc import Iterator

from sudoku_encode.constraints import sum as sum_of_cells
from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import BoundConstraint, Values
from sudoku_encode.puzzles.neighbours import is_diagonal


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the sum is wrong."""
    return sum(values[cell] for cell in c.cells) != c.number(0)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the sum."""
    yield total(c.cells, c.number(0))


def unfit(c: BoundConstraint) -> str:
    """Return why the cells are not a diagonal."""
    if is_diagonal(c.board, c.cells):
        return ""
    return "the cells are not on a diagonal; `sum` takes any cells"


def impossible(c: BoundConstraint) -> str:
    """Return why no values have the sum."""
    return sum_of_cells.impossible(c)
