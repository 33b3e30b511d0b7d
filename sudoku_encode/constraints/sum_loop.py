"""Sum loop: a closed line, whose last cell is beside the first, can be cut into pieces that each add up to the sum."""

from collections.abc import Iterator
from typing import NamedTuple

from sudoku_encode.constraints import sum_line
from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether it cannot, wherever the first cut is."""
    held = [values[cell] for cell in here.cells]
    return not any(_is_cut(held[at:] + held[:at], here.number(0)) for at in range(len(held)))


def _is_cut(held: list[int], wanted: int) -> bool:
    amount = 0
    for value in held:
        amount += value
        if amount > wanted:
            return False
        amount %= wanted
    return amount == 0


class _State(NamedTuple):
    """What is known after some cells.

    Attributes:
        before: what the piece that the loop is opened in has behind its opening, which is tried: 0, 1, 2, ...
        read: how many cells were read since then.
        amount: the sum of the piece so far; -1 where one was too large.
    """

    before: int
    read: int
    amount: int


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield an automaton that reads the loop again and again, each time with another sum behind its opening.

    To try all of them at once would take thousands of states.
    """
    wanted, size = here.number(0), len(here.cells)
    found = _State(wanted, 0, 0)

    def step(state: _State, value: int) -> _State | None:
        if state == found:
            return found
        amount = state.amount if state.amount < 0 else state.amount + value
        amount = -1 if amount > wanted else amount % wanted if amount > 0 else amount
        if state.read + 1 < size:
            return _State(state.before, state.read + 1, amount)
        if amount == state.before:
            return found
        return _State(state.before + 1, 0, state.before + 1) if state.before + 1 < wanted else None

    yield automaton(here.cells * wanted, here.n, _State(0, 0, 0), step, lambda state: state == found)


def unfit(here: Placed) -> str:
    """Refuse a sum that no piece has, or that makes an automaton of many states."""
    if not 1 <= here.number(0) <= _MAX_SUM:
        return f"the sum is {here.number(0)}, and should be 1 to {_MAX_SUM}"
    return ""


def impossible(here: Placed) -> str:
    """Refuse a sum that the whole loop does not have."""
    return sum_line.impossible(here)


_MAX_SUM = 60
