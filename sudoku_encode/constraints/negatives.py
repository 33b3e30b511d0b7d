"""What the negative constraints have in common: neighbours without a mark, which are not what the mark says."""

from collections.abc import Callable, Iterator

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values

# Of two values: whether two neighbours without a mark must not hold them.
Forbidden = Callable[[Placed, int, int], bool]


def is_wrong(here: Placed, values: Values, marks: tuple[str, ...], forbidden: Forbidden) -> bool:
    """Say whether two neighbours that no constraint of the kinds `marks` names hold what is forbidden."""
    return any(forbidden(here, values[a], values[b]) for a, b in _pairs(here, marks))


def relations(here: Placed, marks: tuple[str, ...], forbidden: Forbidden) -> Iterator[Primitive]:
    """Yield a relation for each such pair."""
    yield from pair_relations(_pairs(here, marks), here.n, lambda a, b: not forbidden(here, a, b))


def cells(here: Placed, marks: tuple[str, ...]) -> Iterator[int]:
    """Yield the cells of the pairs."""
    for pair in _pairs(here, marks):
        yield from pair


def _pairs(here: Placed, marks: tuple[str, ...]) -> list[tuple[int, int]]:
    marked = here.marked(*marks)
    return [pair for pair in here.neighbours if pair not in marked]
