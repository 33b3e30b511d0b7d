"""Count distinct: the first cell equals the number of different values in the other cells."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the first cell differs from the number of different values."""
    (control,), others = c.lists
    return len({values[cell] for cell in others}) != values[control]


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton that collects the set of values, and reads the first cell last."""
    (control,), others = c.lists
    yield automaton([*others, control], c.n, *steps(len(others)))


def steps(n_others: int) -> Steps[tuple[int, int]]:
    """Return steps that read the values and then their number; a state is (cells read, set of values as bits)."""
    end = (-1, 0)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        read, used = state
        if read < n_others:
            return read + 1, used | 1 << value
        return end if used.bit_count() == value else None

    return Steps((0, 0), step, lambda state: state == end)


def unfit(c: BoundConstraint) -> str:
    """Return why the board has too many values for an automaton of reasonable size."""
    return f"at most {_MAX_VALUES} values, but {c.board.name} has {c.n}" if c.n > _MAX_VALUES else ""


_MAX_VALUES = 12
