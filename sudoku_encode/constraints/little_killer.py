"""Little killer: the cells of a diagonal add up to the clue beside it; they may be equal."""

from collections.abc import Iterator

from sudoku_encode.constraints import sum as sum_of_cells
from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import Placed, Values
from sudoku_encode.puzzles.neighbours import is_diagonal


def violated(here: Placed, values: Values) -> bool:
    """Say whether they add up to something else."""
    return sum(values[cell] for cell in here.cells) != here.number(0)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield the sum."""
    yield total(here.cells, here.number(0))


def unfit(here: Placed) -> str:
    """Refuse cells that are no diagonal."""
    if is_diagonal(here.board, here.cells):
        return ""
    return "its cells are not along a diagonal; `sum` takes any cells"


def impossible(here: Placed) -> str:
    """Refuse a sum that no values have."""
    return sum_of_cells.impossible(here)
