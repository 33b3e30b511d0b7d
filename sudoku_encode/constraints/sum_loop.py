"""Sum loop: a closed line (the last cell is next to the first) can be cut into segments that each add up to the sum."""

from collections.abc import Iterator
from typing import NamedTuple

from sudoku_encode.constraints import sum_line
from sudoku_encode.constraints.primitives import Primitive, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether it cannot be cut so, wherever the first cut is."""
    line = [values[cell] for cell in c.cells]
    return not any(_is_cut(line[cut:] + line[:cut], c.number(0)) for cut in range(len(line)))


def _is_cut(line: list[int], total: int) -> bool:
    amount = 0
    for value in line:
        amount += value
        if amount > total:
            return False
        amount %= total
    return amount == 0


class _State(NamedTuple):
    """The state after some cells.

    Attributes:
        before: the sum, of the segment in which the loop is opened, before the opening: a guess, 0, 1, 2, ...
        read: number of cells read with this guess.
        amount: sum of the current segment; -1 once a segment was too large.
    """

    before: int
    read: int
    amount: int


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton that reads the loop once for each guess of the sum before the opening.

    Trying all guesses at once would take thousands of states.
    """
    total, size = c.number(0), len(c.cells)
    end = _State(total, 0, 0)

    def step(state: _State, value: int) -> _State | None:
        if state == end:
            return end
        amount = state.amount if state.amount < 0 else state.amount + value
        amount = -1 if amount > total else amount % total if amount > 0 else amount
        if state.read + 1 < size:
            return _State(state.before, state.read + 1, amount)
        if amount == state.before:
            return end
        return _State(state.before + 1, 0, state.before + 1) if state.before + 1 < total else None

    yield automaton(c.cells * total, c.n, _State(0, 0, 0), step, lambda state: state == end)


def unfit(c: BoundConstraint) -> str:
    """Return why no segment has the sum, or why its automaton would have too many states."""
    if not 1 <= c.number(0) <= _MAX_SUM:
        return f"the sum is {c.number(0)}; expected 1 to {_MAX_SUM}"
    return ""


def impossible(c: BoundConstraint) -> str:
    """Return why the whole loop is below the sum."""
    return sum_line.impossible(c)


_MAX_SUM = 60
