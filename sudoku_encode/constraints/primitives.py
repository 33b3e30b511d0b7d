"""What constraints are made of: a few primitives, which are all that encoders and solvers see.

A set of values is an int with bit v - 1 set for value v.

Primitives are no tuples: tuples of two classes are equal where their fields are, and a sum would be taken for a clause.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeVar

from sudoku_encode.errors import FormatError

# An automaton of more takes seconds to make, and a gigabyte. A skyscraper of 36x36 takes 900,000.
MOST_TRANSITIONS = 3_000_000

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Unit:
    """The cells all differ.

    Attributes:
        cells: which.
        name: of the rule that it becomes on the board, such as `cage`.
    """

    cells: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """A cell holds one of some values.

    Attributes:
        cell: which.
        values: the set.
    """

    cell: int
    values: int


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one literal holds; none does where there is none, and then there is no solution.

    Attributes:
        literals: cells with values: (cell, 5) where it holds 5, (cell, -5) where it does not.
    """

    literals: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """Two cells hold one of some pairs of values.

    Attributes:
        first: a cell.
        second: another cell.
        allowed: for each value of the first, from 1, the set of values of the second.
    """

    first: int
    second: int
    allowed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """The values of the cells, each times its coefficient, add up to the total.

    Attributes:
        cells: each once.
        coefficients: none of them 0.
        total: may be below 0.
        distinct: whether some unit says that the cells all differ, so that their sets of values can be looked at.
    """

    cells: tuple[int, ...]
    coefficients: tuple[int, ...]
    total: int
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class EqualSums:
    """The cells of each part add up to the same.

    Attributes:
        parts: at least two; a cell may be in several, and several times in one.
    """

    parts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Automaton:
    """The values of the cells, one after another, take a deterministic automaton to its end.

    Attributes:
        cells: in the order in which they are read; a cell may come again.
        layers: for each cell the transitions (state, value, next state). States are numbered from 0 in each layer; 0 is
            the only one before the first cell and after the last. From every state the end can be reached.
    """

    cells: tuple[int, ...]
    layers: tuple[tuple[tuple[int, int, int], ...], ...]


Primitive = Unit | Allowed | Clause | Relation | Sum | EqualSums | Automaton


def primitive_cells(primitive: Primitive) -> tuple[int, ...]:
    """Return the cells of a primitive, each once, in the order in which they come first."""
    match primitive:
        case Allowed(cell, _):
            return (cell,)
        case Clause(literals):
            return tuple(dict.fromkeys(cell for cell, _ in literals))
        case Relation(first, second, _):
            return (first, second)
        case EqualSums(parts):
            return tuple(dict.fromkeys(cell for part in parts for cell in part))
    return tuple(dict.fromkeys(primitive.cells))


NEVER = Clause(())
"""What never holds."""


def values_that(n: int, holds: Callable[[int], bool]) -> int:
    """Return the set of values from 1 to n for which something holds."""
    return sum(1 << value - 1 for value in range(1, n + 1) if holds(value))


def values_in(values: int) -> Iterator[int]:
    """Yield the values of a set, ascending."""
    while values:
        low = values & -values
        yield low.bit_length()
        values ^= low


def relation(first: int, second: int, n: int, holds: Callable[[int, int], bool]) -> "Primitive":
    """Return the relation of two cells by what must hold of their values; of a cell with itself what it may hold."""
    if first == second:
        return Allowed(first, values_that(n, lambda value: holds(value, value)))
    return Relation(first, second, _table(n, tuple(holds(a, b) for a in range(1, n + 1) for b in range(1, n + 1))))


def pair_relations(
    pairs: Iterable[tuple[int, int]], n: int, holds: Callable[[int, int], bool]
) -> "Iterator[Primitive]":
    """Yield the relation of each pair of cells, of which all are the same; see `relation`."""
    pairs = iter(pairs)
    for first, second in pairs:
        example = relation(first, second, n, holds)
        yield example
        # Of many values it takes long to ask for each pair of them.
        if isinstance(example, Relation):
            for one, other in pairs:
                yield Relation(one, other, example.allowed) if one != other else relation(one, other, n, holds)


@lru_cache(maxsize=512)
def _table(n: int, held: tuple[bool, ...]) -> tuple[int, ...]:
    return tuple(sum(held[row * n + column] << column for column in range(n)) for row in range(n))


def total(cells: Sequence[int], amount: int, coefficients: Sequence[int] = (), *, distinct: bool = False) -> Primitive:
    """Return the sum of cells, of which one may come several times; coefficients are 1 where none are given."""
    if not coefficients and 0 < len(cells) == len(set(cells)):
        return Sum(tuple(cells), (1,) * len(cells), amount, distinct)
    added: dict[int, int] = {}
    for cell, coefficient in zip(cells, coefficients or [1] * len(cells), strict=True):
        added[cell] = added.get(cell, 0) + coefficient
    kept = {cell: coefficient for cell, coefficient in added.items() if coefficient}
    if not kept:
        return NEVER if amount else Clause(((cells[0], 1), (cells[0], -1)))
    return Sum(tuple(kept), tuple(kept.values()), amount, distinct)


class Steps(NamedTuple, Generic[State]):
    """How an automaton reads values.

    Attributes:
        start: the first state.
        step: from a state and a value to the next state, None where there is none.
        accepts: whether a state after the last value is good.
    """

    start: State
    step: Callable[[State, int], State | None]
    accepts: Callable[[State], bool]


def automaton(
    cells: Sequence[int],
    n: int,
    start: State,
    step: Callable[[State, int], State | None],
    accepts: Callable[[State], bool],
) -> Primitive:
    """Return the automaton over some cells, without states from which the end cannot be reached, and minimised.

    Args:
        cells: in the order in which they are read.
        n: the largest value.
        start: as in `Steps`.
        step: as in `Steps`.
        accepts: as in `Steps`.

    Raises:
        FormatError: it has too many transitions.
    """
    reached: list[dict[State, dict[int, State]]] = []
    states: dict[State, None] = {start: None}
    n_transitions = 0
    for number, _ in enumerate(cells, start=1):
        n_transitions += n * len(states)
        if n_transitions > MOST_TRANSITIONS:
            raise FormatError(
                f"its automaton has more than {MOST_TRANSITIONS:,} transitions after {number:,} of its {len(cells):,} "
                "cells; expected fewer cells or smaller numbers"
            )
        moves = {state: _moves(state, n, step) for state in states}
        reached.append(moves)
        states = {after: None for row in moves.values() for after in row.values()}
    return from_layers(cells, reached, start, {state: 0 for state in states if accepts(state)})


def _moves(state: State, n: int, step: Callable[[State, int], State | None]) -> dict[int, State]:
    found = {value: step(state, value) for value in range(1, n + 1)}
    return {value: after for value, after in found.items() if after is not None}


def from_layers(
    cells: Sequence[int], reached: Sequence[dict[Any, dict[int, Any]]], start: Any, ends: dict[Any, int]
) -> Primitive:
    """Return the minimal automaton with some moves: states with the same moves are one.

    Args:
        cells: in the order in which they are read.
        reached: for each cell by state and value the next state.
        start: the first state.
        ends: the good states after the last cell, all with the number 0.
    """
    numbers, layers = ends, []
    for moves in reversed(reached):
        rows: dict[tuple[tuple[int, int], ...], int] = {}
        before: dict[Any, int] = {}
        for state, row in moves.items():
            kept = tuple((value, numbers[after]) for value, after in row.items() if after in numbers)
            if kept:
                before[state] = rows.setdefault(kept, len(rows))
        layers.append(tuple((number, value, after) for row, number in rows.items() for value, after in row))
        numbers = before
    return Automaton(tuple(cells), tuple(reversed(layers))) if start in numbers else NEVER


@lru_cache(maxsize=4096)
def value_sets(n: int, size: int, amount: int, most: int) -> tuple[int, ...] | None:
    """Return the sets of as many different values from 1 to n that add up to an amount; None where there are many.

    Args:
        n: the largest value.
        size: how many values a set has.
        amount: their sum.
        most: how many sets are not many. Of all sets of a size there may be billions: only the right ones are made.
    """
    sets: list[int] = []

    def extend(chosen: int, value: int, size: int, amount: int) -> None:
        """Add the sets of some values and of as many more as are missing, each at least a value."""
        # The values that follow each other from there on are the least, and the largest ones the most.
        while size and size * (2 * value + size - 1) <= 2 * amount <= size * (2 * n - size + 1):
            if len(sets) > most or n - value + 1 < size:
                return
            extend(chosen | 1 << value - 1, value + 1, size - 1, amount - value)
            value += 1
        if not size and not amount:
            sets.append(chosen)

    extend(0, 1, size, amount)
    return tuple(sets) if len(sets) <= most else None


def neighbouring(cells: Iterable[int]) -> list[tuple[int, int]]:
    """Return each cell with the next."""
    listed = list(cells)
    return list(pairwise(listed))
