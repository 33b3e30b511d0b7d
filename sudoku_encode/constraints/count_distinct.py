"""Count distinct: the first cell says how many different values the others hold."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether there is another number of them."""
    (control,), others = here.lists
    return len({values[cell] for cell in others}) != values[control]


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton that knows which values there were, and reads the first cell last."""
    (control,), others = here.lists
    yield automaton([*others, control], here.n, *steps(len(others)))


def steps(n_others: int) -> Steps[tuple[int, int]]:
    """Read some values, and then how many different ones there were: how many are read, and which there were."""
    end = (-1, 0)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        read, held = state
        if read < n_others:
            return read + 1, held | 1 << value
        return end if held.bit_count() == value else None

    return Steps((0, 0), step, lambda state: state == end)


def unfit(here: Placed) -> str:
    """Refuse boards with more values than an automaton of reasonable size takes."""
    return f"up to {_MAX_VALUES} values, and {here.board.name} has {here.n}" if here.n > _MAX_VALUES else ""


_MAX_VALUES = 12
