"""Equality cage: the cells all differ; as many are odd as even, and as many low as high; none is the middle value."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Unit, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two are equal, one is the middle value, or there are more of one sort."""
    held = [values[cell] for cell in here.cells]
    odd = sum(value % 2 for value in held)
    low = sum(2 * value < here.n + 1 for value in held)
    high = sum(2 * value > here.n + 1 for value in held)
    return len(set(held)) < len(held) or 2 * odd != len(held) or low != high or low + high != len(held)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit, and an automaton that counts how many more are odd, and how many more are high."""
    yield Unit(here.cells, "equality-cage")

    def step(more: tuple[int, int], value: int) -> tuple[int, int] | None:
        side = (2 * value > here.n + 1) - (2 * value < here.n + 1)
        return (more[0] + (1 if value % 2 else -1), more[1] + side) if side else None

    yield automaton(here.cells, here.n, (0, 0), step, lambda more: more == (0, 0))
