"""Clone: each cell of the first list equals the cell at the same place of the second list."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether a cell differs from its clone."""
    return any(values[a] != values[b] for a, b in zip(*c.lists, strict=True))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an equality for each cell and its clone."""
    pairs = [(first, second) for first, second in zip(*c.lists, strict=True) if first != second]
    yield from pair_relations(pairs, c.n, lambda a, b: a == b)


def unfit(c: BoundConstraint) -> str:
    """Return why the lists cannot be clones: they differ in length."""
    first, second = map(len, c.lists)
    return "" if first == second else f"{first} cells and {second} clones; expected as many clones as cells"
