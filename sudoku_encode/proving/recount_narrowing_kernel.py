"""The narrowing of states by units and automata, compiled: the same as `recount.narrow`, looking at what changed only.

A cell has the number of its bit, and values are from 0. `masks`: for each open cell the values whose sets contain it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint64s
from sudoku_encode.run.compiling import (
    bit_count,
    compiled_with_arrays,
    inlined,
    lowest,
    subroutine,
    subroutine_with_arrays,
)

Uint8s = NDArray[np.uint8]

_ONE = np.uint64(1)
_UNREACHED, _REACHED, _USEFUL = 0, 1, 2


class Lists(NamedTuple):
    """Lists of numbers, one after the other."""

    starts: Int64s  # (lists + 1,)
    numbers: Int64s


class Links(NamedTuple):
    """Which cells share units and automata."""

    near: Lists  # for each cell those that share a unit with it
    units: Lists  # the cells of each unit, ascending
    in_units: Lists  # the units of each cell
    places: Lists  # the cells of each automaton, as they are filled: descending
    in_automata: Lists  # the automata of each cell
    offsets: Int64s  # for each of the places where its moves start
    first_states: Int64s  # for each of the places the number of its first state among those of all places, and an end
    moves: Int32s  # for each state the state after each value, or -1


class Work(NamedTuple):
    """Space to work in."""

    masks: Uint64s
    is_new_unit: Uint8s  # whether the unit is to be looked at
    is_new_automaton: Uint8s
    singles: Int64s  # cells that just got a single value
    states: Uint8s  # of all states of automata, whether they are reached


@subroutine_with_arrays
def new_work(links: Links, n_cells: int) -> Work:
    """Return space for this number of cells."""
    return Work(
        np.empty(n_cells, np.uint64),
        np.empty(len(links.units.starts) - 1, np.uint8),
        np.empty(len(links.places.starts) - 1, np.uint8),
        np.empty(n_cells, np.int64),
        np.empty(links.first_states[-1], np.uint8),
    )


@inlined
def keep(links: Links, work: Work, cell: int, values: np.uint64, n_singles: int) -> int:
    """Keep only these values in a cell; return how many singles wait then, -1 if no value is left."""
    before = work.masks[cell]
    after = before & values
    if after == before or n_singles < 0:
        return n_singles
    work.masks[cell] = after
    if after == 0:
        return -1
    for index in range(links.in_units.starts[cell], links.in_units.starts[cell + 1]):
        work.is_new_unit[links.in_units.numbers[index]] = 1
    for index in range(links.in_automata.starts[cell], links.in_automata.starts[cell + 1]):
        work.is_new_automaton[links.in_automata.numbers[index]] = 1
    if after & (after - _ONE) == 0:
        work.singles[n_singles] = cell
        n_singles += 1
    return n_singles


@subroutine
def narrow(links: Links, work: Work, n_open: int, marks: Int64s, n: int, n_singles: int) -> bool:
    """Take values from open cells until nothing changes; return whether each cell, unit and automaton can go on."""
    # `marks`: the state of each automaton. The first of `singles` wait.
    is_changed = True
    while is_changed:
        is_changed = False
        while n_singles > 0:
            n_singles -= 1
            cell = work.singles[n_singles]
            for index in range(links.near.starts[cell], links.near.starts[cell + 1]):
                if links.near.numbers[index] < n_open:
                    n_singles = keep(links, work, links.near.numbers[index], ~work.masks[cell], n_singles)
        if n_singles < 0:
            return False
        for unit in range(len(work.is_new_unit)):
            if work.is_new_unit[unit]:
                work.is_new_unit[unit] = 0
                n_singles = _narrow_unit(links, work, n_open, unit, n_singles)
                is_changed = True
                if n_singles < 0:
                    return False
        if n_singles > 0:
            continue
        for automaton in range(len(work.is_new_automaton)):
            if work.is_new_automaton[automaton]:
                n_singles = _narrow_automaton(links, work, n_open, automaton, marks[automaton], n, n_singles)
                work.is_new_automaton[automaton] = 0
                is_changed = True
                if n_singles < 0:
                    return False
    return True


@subroutine
def _narrow_unit(links: Links, work: Work, n_open: int, unit: int, n_singles: int) -> int:
    """Keep the only cell for a value in a unit that needs all its values; return how many singles wait, or -1."""
    once = twice = np.uint64(0)
    start = end = links.units.starts[unit]
    while end < links.units.starts[unit + 1] and links.units.numbers[end] < n_open:
        mask = work.masks[links.units.numbers[end]]
        twice |= once & mask
        once |= mask
        end += 1
    n_values = bit_count(int(once))
    if n_values < end - start:
        return -1
    only = once & ~twice
    if n_values > end - start or only == 0:
        return n_singles
    for index in range(start, end):
        cell = links.units.numbers[index]
        own = work.masks[cell] & only
        if own:
            # Two values that need the same cell leave it none.
            n_singles = keep(links, work, cell, own if own & (own - _ONE) == 0 else np.uint64(0), n_singles)
    return n_singles


@subroutine
def _reach(links: Links, work: Work, first: int, end: int, state: int, n: int) -> None:
    """Mark the states that an automaton reaches before each of its open cells, from its state."""
    # `first`, `end`: where its open cells are among the places of all automata.
    for index in range(links.first_states[first], links.first_states[end]):
        work.states[index] = _UNREACHED
    if first < end:
        work.states[links.first_states[first] + state] = _REACHED
    for place in range(first, end - 1):
        mask = work.masks[links.places.numbers[place]]
        start, after = links.first_states[place], links.first_states[place + 1]
        for own in range(after - start):
            if work.states[start + own]:
                rest = mask
                while rest:
                    to = links.moves[links.offsets[place] + own * n + lowest(rest)]
                    if to >= 0:
                        work.states[after + to] = _REACHED
                    rest &= rest - _ONE


@subroutine
def _narrow_automaton(links: Links, work: Work, n_open: int, automaton: int, state: int, n: int, n_singles: int) -> int:
    """Keep the values with which an automaton reaches its end; return how many singles wait then, or -1."""
    first, end = links.places.starts[automaton], links.places.starts[automaton + 1]
    while first < end and links.places.numbers[first] >= n_open:
        first += 1
    _reach(links, work, first, end, state, n)
    for place in range(end - 1, first - 1, -1):
        cell = links.places.numbers[place]
        start, after = links.first_states[place], links.first_states[place + 1]
        values = np.uint64(0)
        for own in range(after - start):
            if work.states[start + own]:
                useful = np.uint64(0)
                rest = work.masks[cell]
                while rest:
                    to = links.moves[links.offsets[place] + own * n + lowest(rest)]
                    if to >= 0 and (place == end - 1 or work.states[after + to] == _USEFUL):
                        useful |= rest & (~rest + _ONE)
                    rest &= rest - _ONE
                if useful:
                    work.states[start + own] = _USEFUL
                    values |= useful
        n_singles = keep(links, work, cell, values, n_singles)
    return n_singles


@compiled_with_arrays
def branch(links: Links, states: Uint64s, cell: int, n: int) -> Uint64s:
    """Return the values of the cells of puzzles, (puzzles, cells), after a cell takes each of its values."""
    # All cells stay open. With a negative cell the puzzles are only narrowed.
    n_cells = states.shape[1]
    work, marks = new_work(links, n_cells), np.zeros(len(links.places.starts) - 1, np.int64)
    after, used = np.empty((len(states) * (1 if cell < 0 else n), n_cells), np.uint64), 0
    for number in range(len(states)):
        rest = states[number, cell] if cell >= 0 else _ONE
        while rest:
            work.masks[:] = states[number]
            work.is_new_unit[:] = cell < 0
            work.is_new_automaton[:] = cell < 0
            n_singles = 0
            if cell >= 0:
                n_singles = keep(links, work, cell, rest & (~rest + _ONE), 0)
            else:
                for other in range(n_cells):
                    if work.masks[other] & (work.masks[other] - _ONE) == 0:
                        work.singles[n_singles] = other
                        n_singles += 1
            rest &= rest - _ONE
            if narrow(links, work, n_cells, marks, n, n_singles):
                after[used] = work.masks
                used += 1
    return after[:used]
