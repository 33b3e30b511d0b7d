"""Zipper line: cells as far from its middle add up to the same, and to the cell in the middle if there is one."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import EqualSums, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two sums differ."""
    return len({sum(values[cell] for cell in part) for part in _parts(here)}) > 1


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield that they are equal."""
    if len(_parts(here)) > 1:
        yield EqualSums(_parts(here))


def _parts(here: Placed) -> tuple[tuple[int, ...], ...]:
    cells, half = here.cells, len(here.cells) // 2
    pairs = [(cells[at], cells[-1 - at]) for at in range(half)]
    return (*pairs, (cells[half],)) if len(cells) % 2 else tuple(pairs)
