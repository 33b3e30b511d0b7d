"""Region sum line: its cells add up to the same in each box that it passes, each time that it does."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import EqualSums, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two parts have different sums."""
    return len({sum(values[cell] for cell in part) for part in parts(here)}) > 1


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield that the parts are equal."""
    if len(parts(here)) > 1:
        yield EqualSums(parts(here))


def parts(here: Placed) -> tuple[tuple[int, ...], ...]:
    """Cut the line where it goes from a box to another."""
    box_of = here.boxes
    cuts = [at for at in range(1, len(here.cells)) if box_of[here.cells[at]] != box_of[here.cells[at - 1]]]
    return tuple(here.cells[start:end] for start, end in zip([0, *cuts], [*cuts, len(here.cells)], strict=True))
