"""Modular line: any m consecutive cells have different remainders modulo m (default 3)."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells less than m steps apart have the same remainder."""
    return any(_class(c, values[a]) == _class(c, values[b]) for a, b in _pairs(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a relation for each pair of cells less than m steps apart."""
    yield from pair_relations(_pairs(c), c.n, lambda a, b: _class(c, a) != _class(c, b))


def _pairs(c: BoundConstraint) -> list[tuple[int, int]]:
    size = c.number(3)
    return [(cell, other) for start, cell in enumerate(c.cells, 1) for other in c.cells[start : start + size - 1]]


def _class(c: BoundConstraint, value: int) -> int:
    return value % c.number(3)


def unfit(c: BoundConstraint) -> str:
    """Return why the number is not a modulus."""
    return "" if 2 <= c.number(3) <= c.n else f"not a modulus: {c.number(3)} (2 to {c.n})"
