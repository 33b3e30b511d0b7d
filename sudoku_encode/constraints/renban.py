"""Renban: the cells hold a set of consecutive values, in any order."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Primitive, Unit, automaton, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells are equal or the values are not consecutive."""
    line = sorted(values[cell] for cell in c.cells)
    return line != list(range(line[0], line[0] + len(line)))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit, and an automaton whose state is the set of values so far; for long lines, pair relations."""
    yield Unit(c.cells, "renban")
    k = len(c.cells)

    def step(used: int, value: int) -> int | None:
        after = used | 1 << value
        low, high = (after & -after).bit_length(), after.bit_length()
        return after if after != used and high - low < k else None

    if k > _MAX_CELLS:
        yield from pair_relations(combinations(c.cells, 2), c.n, lambda a, b: 0 < abs(a - b) < k)
    elif k > 1:
        yield automaton(c.cells, c.n, 0, step, lambda used: True)


# On longer lines the automaton has too many states; pairs mean the same but propagate less.
_MAX_CELLS = 6
