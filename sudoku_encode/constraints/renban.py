"""Renban: the values are consecutive and differ, in any order."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Primitive, Unit, automaton, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two are equal, or they are not consecutive."""
    held = sorted(values[cell] for cell in here.cells)
    return held != list(range(held[0], held[0] + len(held)))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit, and an automaton that knows which values were there, from the smallest on."""
    yield Unit(here.cells, "renban")
    k = len(here.cells)

    def step(held: int, value: int) -> int | None:
        after = held | 1 << value
        low, high = (after & -after).bit_length(), after.bit_length()
        return after if after != held and high - low < k else None

    if k > _MAX_CELLS:
        yield from pair_relations(combinations(here.cells, 2), here.n, lambda a, b: 0 < abs(a - b) < k)
    elif k > 1:
        yield automaton(here.cells, here.n, 0, step, lambda held: True)


# On longer lines the automaton has too many states; pairs say the same, and propagate less.
_MAX_CELLS = 6
