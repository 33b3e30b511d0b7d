"""Primitives as layered graphs: states after each cell, and transitions between them by the values of the cell.

Every path through the graph from state 0 to an end is a way to fill the cells. Clauses, hints and disjunctions are made
from the same graphs.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    ConnectedCells,
    Domain,
    EqualSums,
    Primitive,
    Regions,
    Relation,
    Runs,
    Sum,
    Unit,
)

NOTHING: int = np.iinfo(np.int64).min
"""In place of a next state: the value leads nowhere."""


class Machine(NamedTuple):
    """How a primitive is read cell by cell, from state 0."""

    cells: tuple[int, ...]  # in the order in which they are read
    # From an index into the cells, states (m, 1) and values (k,) to the next states (m, k), or NOTHING.
    step: Callable[[int, Int64s, Int64s], Int64s]
    ends: Callable[[Int64s], Int64s] = lambda states: states  # from all states after the last cell to the accepted ones


def reach(
    machine: Machine, values: Sequence[Int64s], count: Callable[[int], object] = int
) -> tuple[list[Int64s], list[Int64s]]:
    """Return the states that a machine can reach: before each cell and after the last; and the transitions.

    Transitions are the next states, int64 (states before the cell, values of the cell), or NOTHING. `count` is called
    with the number of transitions at each cell before they are made, and may raise an error.
    """
    states, following = [np.zeros(1, np.int64)], list[Int64s]()
    for index, own in enumerate(values):
        count(len(states[-1]) * len(own))
        after = machine.step(index, states[-1][:, None], own)
        following.append(after)
        # np.unique takes longer for few states.
        reached = np.sort(after, axis=None)
        is_new = reached != NOTHING
        is_new[1:] &= reached[1:] != reached[:-1]
        states.append(reached[is_new])
    return states, following


def paths(states: Sequence[Int64s], following: Sequence[Int64s], ends: Int64s) -> list[Int64s]:
    """Return the transitions on paths to the ends: for each cell, int64 (states, values), the next state; -1 for none.

    States are numbered from 0 in each layer; without any path no layer has a state. For the arguments see `reach`.
    """
    if not len(ends):
        return [after[:0] for after in following]
    tables: list[Int64s] = []
    good = ends
    for before, after in zip(states[-2::-1], following[::-1], strict=True):
        numbers = good.searchsorted(after)
        is_good = good.take(numbers, mode="clip") == after
        numbers[~is_good] = -1
        is_used = is_good.any(axis=1)
        tables.append(numbers[is_used])
        good = before[is_used]
    return tables[::-1]


def layers(machine: Machine, values: Sequence[Int64s], count: Callable[[int], object] = int) -> list[Int64s]:
    """Return the transitions on paths to the ends of a machine; see `reach` and `paths`."""
    states, following = reach(machine, values, count)
    return paths(states, following, machine.ends(states[-1]))


def transitions(
    primitive: Primitive, n: int, count: Callable[[int], object] = int
) -> tuple[tuple[int, ...], list[Int64s]]:
    """Return the cells of a primitive in the order in which they are read, and its transitions for all values."""
    if isinstance(primitive, Automaton):
        return primitive.cells, list(automaton_tables(Automaton((), primitive.layers), n))
    machine = machine_of(primitive, n)
    return machine.cells, layers(machine, [np.arange(1, n + 1)] * len(machine.cells), count)


# Alternatives read the same few automata over other cells.
@lru_cache(maxsize=64)
def automaton_tables(shape: Automaton, n: int) -> tuple[Int64s, ...]:
    """Return the transitions of an automaton, all of which are on paths."""
    return tuple(next_states(layer, n)[:-1] for layer in shape.layers)


def part_sums(sums: EqualSums) -> list[Sum]:
    """Return the sum of each part, with the total 0."""
    counts = [Counter(part) for part in sums.parts]
    return [Sum(tuple(times), tuple(times.values()), 0) for times in counts]


def bits_of(sets: Sequence[int], n: int) -> "np.typing.NDArray[np.bool_]":
    """Return sets of values as rows of bits, bool (len(sets), n); there may be more values than a word has bits."""
    size = (n + 7) // 8
    packed = np.frombuffer(b"".join(values.to_bytes(size, "little") for values in sets), np.uint8)
    return np.unpackbits(packed.reshape(-1, size), axis=1, count=n, bitorder="little").astype(bool)


def next_states(layer: Sequence[tuple[int, int, int]], n: int) -> Int64s:
    """Return the next state by state and value from 0, in a layer of an automaton; -1 for none, as in a last row."""
    before, values, after = np.fromiter(chain.from_iterable(layer), np.int64, 3 * len(layer)).reshape(-1, 3).T
    table = np.full((before.max(initial=0) + 2, n), -1)
    table[before, values - 1] = after
    return table


def machine_of(primitive: Primitive, n: int) -> Machine:
    """Return the machine that reads a primitive."""
    match primitive:
        case Unit(cells, _):
            # A word has 63 bits besides its sign.
            bits = np.array([1 << value for value in range(n)], np.int64 if n < 64 else object)
            return Machine(cells, partial(_add_value, bits))
        case Domain(cell, values):
            return Machine((cell,), partial(_look_up, [np.where(bits_of([values], n), 0, NOTHING)]))
        case Clause():
            return _clause_machine(primitive, n)
        case Relation(first, second, allowed):
            tables = [np.arange(n)[None], np.where(bits_of(allowed, n), 0, NOTHING)]
            return Machine((first, second), partial(_look_up, tables))
        case Sum(cells, coefficients, total, _):
            return Machine(cells, partial(_add_product, coefficients), lambda sums: sums[sums == total])
        case EqualSums():
            return _equal_sums_machine(primitive, n)
        case Automaton(cells, own_layers):
            return Machine(
                cells,
                partial(
                    _look_up, [np.where((table := next_states(layer, n)) < 0, NOTHING, table) for layer in own_layers]
                ),
            )
        case Runs():
            return _runs_machine(primitive)
        case ConnectedCells() | Regions():
            raise FormatError("connected cells and regions cannot be read cell by cell; expected other constraints")
    raise TypeError(f"{primitive!r} is not a primitive")


def _add_value(bits: Int64s, index: int, used: Int64s, values: Int64s) -> Int64s:
    added = bits[values - 1]
    return np.where((used & added).astype(bool), NOTHING, used | added)


def _look_up(tables: Sequence[Int64s], index: int, states: Int64s, values: Int64s) -> Int64s:
    return tables[index][states, values - 1]


def _add_product(coefficients: Sequence[int], index: int, sums: Int64s, values: Int64s) -> Int64s:
    return sums + coefficients[index] * values


def _clause_machine(clause: Clause, n: int) -> Machine:
    """Return the machine of a clause, whose states say whether a literal holds."""
    masks: dict[int, int] = {}
    for cell, value in clause.literals:
        bit = 1 << abs(value) - 1
        masks[cell] = masks.get(cell, 0) | (bit if value > 0 else (1 << n) - 1 ^ bit)
    holds = [np.vstack([row, np.ones((1, n))]).astype(np.int64) for row in bits_of(list(masks.values()), n)]
    return Machine(tuple(masks), partial(_look_up, holds), lambda states: states[states == 1])


def _equal_sums_machine(sums: EqualSums, n: int) -> Machine:
    """Return a machine that reads the parts in turn; a state is (sum of the first part, sum of the current part)."""
    ends = np.cumsum([len(part) for part in sums.parts]).tolist()
    # The second sum is smaller than this.
    size = n * max(map(len, sums.parts)) + 1

    def step(index: int, states: Int64s, values: Int64s) -> Int64s:
        total, amount = states // size, states % size + values
        if index + 1 == ends[0]:
            return amount * size
        if index + 1 in ends:
            return np.where(amount == total, total * size, NOTHING)
        return total * size + amount

    return Machine(tuple(cell for part in sums.parts for cell in part), step)


def _runs_machine(runs: Runs) -> Machine:
    """Return a machine that reads runs; a state is (value of the first cell, total so far, whether the run goes on)."""
    cells = (runs.first, *chain.from_iterable(runs.arms), runs.control)
    begins = set(accumulate(map(len, runs.arms), initial=1))
    size = len(cells)

    def step(index: int, states: Int64s, values: Int64s) -> Int64s:
        first, total, goes_on = states // 2 // size, states // 2 % size, states % 2
        if index == 0:
            return np.asarray(((values * size + 1) * 2 + 1) | states)
        if index == size - 1:
            return np.where(values + runs.offset == total, 0, NOTHING)
        same = ((goes_on == 1) | (index in begins)) & (first == values)
        return np.asarray((first * size + total + same) * 2 + same)

    return Machine(cells, step)
