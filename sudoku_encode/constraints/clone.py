"""Clone: the cells of two lists are equal one by one."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether a cell and its clone differ."""
    return any(values[a] != values[b] for a, b in zip(*here.lists, strict=True))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each cell and its clone."""
    pairs = [(first, second) for first, second in zip(*here.lists, strict=True) if first != second]
    yield from pair_relations(pairs, here.n, lambda a, b: a == b)


def unfit(here: Placed) -> str:
    """Refuse lists of different lengths."""
    first, second = map(len, here.lists)
    return "" if first == second else f"{first} cells and {second} clones; there must be as many of both"
