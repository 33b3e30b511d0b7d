"""Kinds that count with values, where these begin at 0: automata that read a value one less than it is here.

Source: sigh/Interactive-Sudoku-Solver, js/solver/handlers.js: what a 0 is for `Skyscraper`, `Lunchbox` and others.
"""

from collections.abc import Callable, Iterator

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.iss_automata import automaton
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry

_Found = Iterator[Constraint]


def x_sum(board: Geometry, one: Constraint) -> _Found:
    """Yield that the first X cells, of which the first is X and above 0, add up to the sum."""

    def step(state: tuple[int, int] | None, place: int) -> tuple[int, int] | None:
        value = place - 1
        left, amount = (value, one.numbers[0]) if state is None else state
        if left == 0:
            return state
        left, amount = left - 1, amount - value
        return (left, amount) if (amount == 0 if left == 0 else amount >= 0) else None

    start: tuple[int, int] | None = None
    yield automaton(one.cells[0], board.n_values, start, step, lambda state: state == (0, 0))


def skyscraper(board: Geometry, one: Constraint) -> _Found:
    """Yield how many cells are seen, those that are larger than all before; a 0 is never seen."""

    def step(state: tuple[int, int], place: int) -> tuple[int, int]:
        highest, seen = state
        return (place, seen + 1) if place > highest else state

    yield automaton(one.cells[0], board.n_values, (1, 0), step, lambda state: state[1] == one.numbers[0])


def sandwich(board: Geometry, one: Constraint) -> _Found:
    """Yield that between the smallest and the largest value of the board there is the sum."""
    crusts = (1, board.n_values)
    after = (-1, 0)

    def step(state: tuple[int, int], place: int) -> tuple[int, int] | None:
        crust, amount = state
        if place not in crusts:
            amount += place - 1 if crust > 0 else 0
            return (crust, amount) if amount <= one.numbers[0] else None
        if crust == 0:
            return place, 0
        return after if crust not in (place, -1) and amount == one.numbers[0] else None

    yield automaton(one.cells[0], board.n_values, (0, 0), step, lambda state: state == after)


# The smallest and the largest so far, whether that is the order in which they came, the sum between them, and the sum
# after both.
_Box = tuple[int, int, bool, int, int]


def lunchbox(board: Geometry, one: Constraint) -> _Found:
    """Yield that cells differ, and that between the smallest and the largest of them there is the sum."""
    if len(one.cells[0]) > 1:
        yield Constraint("extra-region", one.cells)

    def step(state: _Box | None, place: int) -> _Box | None:
        value = place - 1
        if state is None:
            return value, value, True, 0, 0
        low, high, is_rising, between, after = state
        if low < value < high:
            return low, high, is_rising, between, after + value
        if value in (low, high):
            return None
        if low == high:
            return min(low, value), max(high, value), value > low, 0, 0
        # A new end comes after both: what lies between begins after the end that stays.
        passed = (high if is_rising else low) + between if (value > high) == is_rising else 0
        return min(low, value), max(high, value), value > high, passed + after, 0

    start: _Box | None = None
    yield automaton(
        one.cells[0], board.n_values, start, step, lambda state: state is not None and state[3] == one.numbers[0]
    )


def rellik_cage(board: Geometry, one: Constraint) -> _Found:
    """Yield that cells differ, and that no set of them adds up to the number."""
    if len(one.cells[0]) > 1:
        yield Constraint("extra-region", one.cells)
    banned = one.numbers[0]

    def step(sums: int, place: int) -> int | None:
        after = (sums | sums << place - 1) & (1 << banned + 1) - 1
        return None if after >> banned or (banned == 0 and place == 1) else after

    yield automaton(one.cells[0], board.n_values, 1, step, lambda sums: True)


def count_distinct(board: Geometry, one: Constraint) -> _Found:
    """Yield that the first cell says how many different values the others hold; it is read last."""
    (control,), others = one.cells
    end = (-1, 0)

    def step(state: tuple[int, int], place: int) -> tuple[int, int] | None:
        read, held = state
        if read < len(others):
            return read + 1, held | 1 << place
        return end if held.bit_count() == place - 1 else None

    yield automaton((*others, control), board.n_values, (0, 0), step, lambda state: state == end)


def line_of_sums(board: Geometry, one: Constraint) -> _Found:
    """Yield that a line, or a loop, can be cut into pieces of the sum."""
    amount = one.numbers[0]
    if amount < 1:
        raise FormatError(f"the sum of a piece is {amount}, below 1")
    is_loop = one.kind == "sum-loop"
    # The sum so far, by its remainder; where cuts may be by that remainder, since a cell is not cut; and whether there
    # is more than 0: a loop of 0 alone has no piece.
    start = (0, (1 << amount) - 1 if is_loop else 1, not is_loop)

    def step(state: tuple[int, int, bool], place: int) -> tuple[int, int, bool] | None:
        total, cuts, is_some = state
        for part in range(1, place - 1):
            cuts &= ~(1 << (total + part) % amount)
        return ((total + place - 1) % amount, cuts, is_some or place > 1) if cuts else None

    yield automaton(one.cells[0], board.n_values, start, step, lambda state: state[0] == 0 and state[2])


TRANSLATIONS: dict[str, Callable[[Geometry, Constraint], _Found]] = {
    "x-sum": x_sum,
    "skyscraper": skyscraper,
    "sandwich": sandwich,
    "lunchbox": lunchbox,
    "rellik-cage": rellik_cage,
    "count-distinct": count_distinct,
    "sum-line": line_of_sums,
    "sum-loop": line_of_sums,
}
