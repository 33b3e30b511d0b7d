"""The automata and clauses that stand for primitives which only the search reads as they are."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sudoku_encode.puzzles.constraints.primitives import (
    Clause,
    Count,
    CutLine,
    EachClass,
    EqualWhere,
    Expandable,
    IndexedLine,
    Primitive,
    SameCounts,
    Steps,
    SumBetween,
    Visible,
    automaton,
    values_in,
)

# Of values, and of sums of pieces: the search has a bit of a word for each.
_MOST_BITS = 62


def unless_wide(primitive: SumBetween | Visible | CutLine, n: int) -> Iterator[Primitive]:
    """Yield a primitive, or its automata if the search has none but them for so many values, or so large sums.

    Raises:
        FormatError: an automaton has too many transitions.
    """
    if n > _MOST_BITS or (isinstance(primitive, CutLine) and primitive.total >= _MOST_BITS):
        yield from parts_of(primitive, n)
    else:
        yield primitive


def parts_of(primitive: Expandable, n: int) -> Iterator[Primitive]:
    """Yield the automata or the clauses of a primitive, or the empty clause where it never holds.

    Raises:
        FormatError: an automaton has too many transitions.
    """
    match primitive:
        case Count(cells, value, numbers):
            yield automaton(cells, n, *_count_steps(value, numbers))
        case SameCounts((first, *others)):
            for part in others:
                for value in range(1, n + 1):
                    yield automaton((*first, *part), n, *_difference_steps(len(first), value))
        case SumBetween(cells, ends, least, most):
            steps: Steps[Any] = sandwich_steps(ends, least, most) if ends else lunchbox_steps(least, most)
            yield automaton(cells, n, *steps)
        case Visible(cells, least, most):
            yield automaton(cells, n, *visible_steps(least, most))
        case CutLine(cells, total, is_loop) if is_loop:
            yield automaton(cells * total, n, *_loop_steps(total, len(cells)))
        case CutLine(cells, total):
            yield automaton(cells, n, *_line_steps(total))
        case EachClass() | IndexedLine():
            yield from _clauses(primitive)
        case EqualWhere(cell, pairs, where):
            # The second cell of a pair differs from the first.
            values = [value for value in range(1, n + 1) if value != where]
            yield from (
                Clause(((pair[0], -where), (pair[1], -value), (cell, value))) for pair in pairs for value in values
            )


def _clauses(primitive: EachClass | IndexedLine) -> Iterator[Clause]:
    """Yield a clause for each class; or two for each value: the cell has it if and only if that cell has the place."""
    if isinstance(primitive, EachClass):
        for values in primitive.classes:
            yield Clause(tuple((cell, value) for cell in primitive.cells for value in values_in(values)))
        return
    place, cell = primitive.place, primitive.cells[primitive.place - 1]
    for value, other in enumerate(primitive.cells, 1):
        if value != place:
            yield Clause(((cell, -value), (other, place)))
            yield Clause(((cell, value), (other, -place)))


def _count_steps(counted: int, numbers: int) -> Steps[int]:
    """Return steps that count a value; a state is how often it came."""
    most = numbers.bit_length() - 1

    def step(seen: int, value: int) -> int | None:
        after = seen + (value == counted)
        return after if after <= most else None

    return Steps(0, step, lambda seen: bool(numbers >> seen & 1))


def _difference_steps(size: int, counted: int) -> Steps[tuple[int, int]]:
    """Return steps that count a value in so many cells and in those after them; a state is (cells read, difference)."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int]:
        read, more = state
        return read + 1, more + (value == counted) * (1 if read < size else -1)

    return Steps((0, 0), step, lambda state: state[1] == 0)


# The smallest and the largest value so far, whether the smallest came first, the sum between them, the sum after both.
_LunchState = tuple[int, int, bool, int, int]


def lunchbox_steps(least: int, most: int | None = None) -> Steps[_LunchState | None]:
    """Return steps that accept different values with a sum between the smallest and the largest."""
    most = least if most is None else most
    # Sums above the most stay above it for as long as they count, so they need not be told apart.
    above = most + 1

    def step(state: _LunchState | None, value: int) -> _LunchState | None:
        if state is None:
            return value, value, True, 0, 0
        low, high, is_rising, between, after = state
        if low < value < high:
            return low, high, is_rising, between, min(after + value, above)
        if value in (low, high):
            return None
        if low == high:
            return min(low, value), max(high, value), value > low, 0, 0
        # The value is a new end, so the sum between starts after the end that stays.
        passed = (high if is_rising else low) + between if (value > high) == is_rising else 0
        between = min(passed + after, above)
        return min(low, value), max(high, value), value > high, between, 0

    return Steps(None, step, lambda state: state is not None and least <= state[3] <= most)


def sandwich_steps(ends: tuple[int, int], least: int, most: int | None = None) -> Steps[tuple[int, int]]:
    """Return steps that accept values with a sum between two ends; a state is (first end, sum since)."""
    before, after, most = (-1, 0), (-2, 0), least if most is None else most

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        end, so_far = state
        if value not in ends:
            so_far += value if end in ends else 0
            return (end, so_far) if so_far <= most else None
        if state == before:
            return value, 0
        return after if end not in (value, after[0]) and least <= so_far <= most else None

    return Steps(before, step, lambda state: state == after)


def visible_steps(least: int, most: int | None = None) -> Steps[tuple[int, int]]:
    """Return steps that count values greater than all before; a state is (greatest value, count)."""
    most = least if most is None else most

    def step(state: tuple[int, int], value: int) -> tuple[int, int]:
        greatest, seen = state
        return (value, seen + 1) if value > greatest else state

    return Steps((0, 0), step, lambda state: least <= state[1] <= most)


def _line_steps(total: int) -> Steps[int]:
    """Return steps over a line that is cut into pieces; a state is the sum of the current piece."""

    def step(amount: int, value: int) -> int | None:
        after = amount + value
        return after % total if after <= total else None

    return Steps(0, step, lambda amount: amount == 0)


class _LoopState(NamedTuple):
    """The state of the automaton of a loop after some cells."""

    before: int  # the sum, of the piece in which the loop is opened, before the opening: a guess, 0, 1, 2, ...
    read: int  # number of cells read with this guess
    amount: int  # sum of the current piece; -1 once a piece was too large


def _loop_steps(total: int, size: int) -> Steps[_LoopState]:
    """Return steps that read a loop once for each guess; trying all at once would take thousands of states."""
    end = _LoopState(total, 0, 0)

    def step(state: _LoopState, value: int) -> _LoopState | None:
        if state == end:
            return end
        amount = state.amount if state.amount < 0 else state.amount + value
        amount = -1 if amount > total else amount % total if amount > 0 else amount
        if state.read + 1 < size:
            return _LoopState(state.before, state.read + 1, amount)
        if amount == state.before:
            return end
        return _LoopState(state.before + 1, 0, state.before + 1) if state.before + 1 < total else None

    return Steps(_LoopState(0, 0, 0), step, lambda state: state == end)
