"""The loop of `transfer_matrix`, compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays

# A count is written in digits of 56 bits: a digit times 64, with a carry, still fits a machine word.
DIGIT_BITS = 56
_DIGIT_BITS = np.uint64(DIGIT_BITS)
_REST = np.uint64(2**DIGIT_BITS - 1)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)

# How many states are entered together, so that the processor waits for memory once for all of them.
_STATES_TOGETHER = 128

# Unsigned words of 16, 32 or 64 bits, whatever the signatures need.
States = NDArray[Any]
# Numbers of ways: words, in which they may pass the end and go on from 0, or floating.
Weights = NDArray[Any]


@compiled_with_arrays
def hashed(state: States, table: Int32s) -> np.int64:
    """Return where in the table a state is looked for first."""
    mixed = np.uint64(len(state))
    for part in state:
        mixed = (mixed ^ np.uint64(part)) * _FACTOR
        mixed ^= mixed >> _SHIFT
    return np.int64(mixed & np.uint64(len(table) - 1))


@compiled_with_arrays
def slot_of(state: States, at: np.int64, states: States, table: Int32s) -> np.int64:
    """Return where in the table the state is, or the free place where it belongs, looking from `at` on."""
    while table[at] >= 0:
        known = states[table[at]]
        same = True
        for value in range(len(state)):
            if known[value] != state[value]:
                same = False
                break
        if same:
            break
        at = (at + 1) & (len(table) - 1)
    return at


@compiled_with_arrays
def _enter(
    some: States,
    times: Int64s,
    origins: Int64s,
    size: int,
    old_counts: Uint64s,
    new: States,
    new_counts: Uint64s,
    table: Int32s,
    at: Int64s,
) -> np.int64:
    """Enter states in the table, each with the count of the state that it comes from, times how many values lead to it.

    The table is too large for the caches, so each look waits for memory. Looks that do not depend on each other wait
    together: first at the table for all of them, then at the states found there, and only then is one after the other
    entered.

    Args:
        some: unsigned (room, n_values): the states to enter.
        times: int64 (room,): how many values of the cell lead to each.
        origins: int64 (room,): the number of the old state that each comes from.
        size: how many states there are in `some`.
        old_counts: uint64 (old states, digits).
        new: unsigned (room, n_values): the states after the step; changed.
        new_counts: uint64 (room, digits): their counts; changed.
        table: int32, see `advance`; changed.
        at: int64 (2,): how many states are in `new` is its second entry; changed.

    Returns:
        A number without meaning, so that the compiler keeps the looks.
    """
    starts = np.empty(size, np.int64)
    seen = np.int64(0)
    for number in range(size):
        starts[number] = hashed(some[number], table)
    for number in range(size):
        seen += np.int64(table[starts[number]])
    for number in range(size):
        known = table[starts[number]]
        if known >= 0:
            seen += np.int64(new[known, 0]) + np.int64(new_counts[known, 0])
    for number in range(size):
        slot = slot_of(some[number], starts[number], new, table)
        if table[slot] < 0:
            table[slot] = at[1]
            new[at[1]] = some[number]
            at[1] += 1
        add(new_counts[table[slot]], old_counts[origins[number]], np.uint64(times[number]))
    return seen


@compiled_with_arrays
def rebuild(states: States, table: Int32s, start: int, end: int) -> None:
    """Enter states `start` to `end` in a table where they are not yet."""
    for number in range(start, end):
        table[slot_of(states[number], hashed(states[number], table), states, table)] = number


@compiled_with_arrays
def add(total: Uint64s, count: Uint64s, times: np.uint64) -> None:
    """Add a count, multiplied by `times`."""
    carry = np.uint64(0)
    for digit in range(len(total)):
        carry += total[digit]
        if digit < len(count):
            carry += count[digit] * times
        total[digit] = carry & _REST
        carry >>= _DIGIT_BITS


@compiled_with_arrays
def _sort(state: States, firsts: Int64s) -> None:
    """Sort the values of each class; `firsts` is for each place the first place of its class."""
    for place in range(1, len(state)):
        here, at = state[place], place
        while at > firsts[place] and state[at - 1] > here:
            state[at] = state[at - 1]
            at -= 1
        state[at] = here


@compiled_with_arrays
def moved(old: States, place: int, new: States, sources: Int64s, masks: States, firsts: Int64s) -> bool:
    """Write the state after a value is placed; false where a unit can no longer get a value that it needs.

    Args:
        old: a state.
        place: where in the state the value is that is placed.
        new: where the new state goes.
        sources: for each place of the new state its place in the old one.
        masks: (4, n_values): what bars a value; what placing it sets; what each must have then; what of it is kept.
        firsts: see `_sort`.
    """
    for at in range(len(new)):
        signature = old[sources[at]]
        if sources[at] == place:
            signature |= masks[1, 0]
        if signature & masks[2, at] != masks[2, at]:
            return False
        new[at] = signature & masks[3, at]
    _sort(new, firsts)
    return True


@compiled_with_arrays
def advance(
    old: States,
    old_counts: Uint64s,
    allowed: Bools,
    classes: Int64s,
    sources: Int64s,
    firsts: Int64s,
    masks: States,
    new: States,
    new_counts: Uint64s,
    table: Int32s,
    at: Int64s,
    work: int,
) -> None:
    """Give the next cell each value in each state, from state `at[0]` on, while there is work and room.

    Args:
        old: (states, n_values).
        old_counts: uint64 (states, digits).
        allowed: bool (n_values,): for each place of an old state whether the cell may hold the value there.
        classes: int64 (n_values,): for each place of an old state the first place of its class.
        sources: int64 (n_values,): for each place of a new state its place in the old one.
        firsts: int64 (n_values,): for each place of a new state the first place of its class.
        masks: unsigned (4, n_values), see `moved`.
        new: unsigned (room, n_values): the states after the step, `at[1]` of them; changed.
        new_counts: uint64 (room, digits): their counts, zero where no state is yet; changed.
        table: int32 (a power of 2,): numbers of new states by hash, -1 where free; changed.
        at: int64 (2,): how many old states are done, and how many new states there are; changed.
        work: stop after this many old states.
    """
    n = old.shape[1]
    some = np.empty((_STATES_TOGETHER + n, n), old.dtype)
    times, origins = np.zeros(len(some), np.int64), np.empty(len(some), np.int64)
    room = min(len(new), len(table) // 2) - len(some)
    size = 0
    while at[0] < len(old) and work > 0 and at[1] <= room:
        here = old[at[0]]
        times[size] = 0
        for place in range(n):
            if not allowed[place] or here[place] & masks[0, 0]:
                continue
            times[size] += 1
            # Values of one class with the same signature lead to one state.
            if place + 1 < n and classes[place + 1] <= place and here[place + 1] == here[place]:
                continue
            if moved(here, place, some[size], sources, masks, firsts):
                origins[size] = at[0]
                size += 1
            times[size] = 0
        at[0] += 1
        work -= 1
        if size >= _STATES_TOGETHER or work == 0 or at[0] == len(old):
            _enter(some, times, origins, size, old_counts, new, new_counts, table, at)
            size = 0


@compiled_with_arrays
def retreat(
    old: States,
    allowed: Bools,
    classes: Int64s,
    sources: Int64s,
    firsts: Int64s,
    masks: States,
    new: States,
    table: Int32s,
    before: Weights,
    after: Weights,
    behind: Weights,
    held: Weights,
    start: int,
    end: int,
) -> None:
    """Sum what each old state leads to, and how often the cell holds the value of each place.

    Args:
        old: (states, n_values), as in `advance`, and so are the five after it.
        allowed: bool (n_values,).
        classes: int64 (n_values,).
        sources: int64 (n_values,).
        firsts: int64 (n_values,).
        masks: unsigned (4, n_values).
        new: (states, n_values): all states after the step.
        table: int32 (a power of 2,): numbers of new states by hash, -1 where there is none.
        before: (old states,): in how many ways each old state is reached.
        after: (new states,): in how many ways each new state is completed.
        behind: (old states,): in how many ways each old state is completed; changed.
        held: (n_values,): the number of solutions in which the cell holds the value of each place; changed.
        start: the first old state to look at.
        end: the one after the last.
    """
    n = old.shape[1]
    state = np.empty(n, old.dtype)
    for number in range(start, end):
        here = old[number]
        found = after[0] - after[0]
        for place in range(n):
            if here[place] & masks[0, 0] or not allowed[place]:
                continue
            # Values of one class with the same signature lead to one state.
            same = place > 0 and classes[place] < place and here[place - 1] == here[place] and allowed[place - 1]
            if not same:
                found = after[0] - after[0]
                if moved(here, place, state, sources, masks, firsts):
                    known = table[slot_of(state, hashed(state, table), new, table)]
                    if known >= 0:
                        found = after[known]
            behind[number] += found
            held[place] += before[number] * found
