"""Equal sums: each list of cells adds up to the same."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import EqualSums, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two sums differ."""
    return len({sum(values[cell] for cell in cells) for cells in here.lists}) > 1


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield that they are equal."""
    yield EqualSums(here.lists)
