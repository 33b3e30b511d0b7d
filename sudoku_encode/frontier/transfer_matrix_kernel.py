"""The compiled loops of `transfer_matrix`, and of the shares of cells."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.problem import Move
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

# A count is written in digits of 56 bits: a digit times 64, with a carry, still fits a machine word.
DIGIT_BITS = 56
_DIGIT_BITS = np.uint64(DIGIT_BITS)
_REST = np.uint64(2**DIGIT_BITS - 1)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)

# How many states are entered together, so that the processor waits for memory once for all of them.
_STATES_TOGETHER = 128

# Unsigned words of 16, 32 or 64 bits, as the signatures need.
States = NDArray[Any]
# Numbers of ways: words, which may overflow, or floating-point numbers.
Weights = NDArray[Any]


@subroutine_with_arrays
def hash_slot(state: States, table: Int32s) -> np.int64:
    """Return the first place in the table to search for a state."""
    mixed = np.uint64(len(state))
    for part in state:
        mixed = (mixed ^ np.uint64(part)) * _FACTOR
        mixed ^= mixed >> _SHIFT
    return np.int64(mixed & np.uint64(len(table) - 1))


@subroutine_with_arrays
def slot_of(state: States, slot: np.int64, states: States, table: Int32s) -> np.int64:
    """Return the place of a state in the table, or the free place where it belongs, searching from `slot` on."""
    while table[slot] >= 0:
        entry = states[table[slot]]
        same = True
        for value in range(len(state)):
            if entry[value] != state[value]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & (len(table) - 1)
    return slot


@subroutine_with_arrays
def _enter_states(
    states: States,
    times: Int64s,
    origins: Int64s,
    size: int,
    old_counts: Uint64s,
    new: States,
    new_counts: Uint64s,
    table: Int32s,
    progress: Int64s,
) -> np.int64:
    """Enter states in the table, each with its origin's count times the number of values that lead to it."""
    # The table is too large for the caches, so each read waits for memory. Independent reads wait together: first of
    # the table for all states, then of the states in it, and only then are the states entered one by one. `states`:
    # unsigned (room, n_values), `size` of them: the states to enter. `times`: int64 (room,): how many values of the
    # cell lead to each. `origins`: int64 (room,): the number of the old state that each comes from. `new` to
    # `progress`: as in `advance`. The return value has no meaning: it makes the compiler keep the reads.
    starts = np.empty(size, np.int64)
    seen = np.int64(0)
    for number in range(size):
        starts[number] = hash_slot(states[number], table)
    for number in range(size):
        seen += np.int64(table[starts[number]])
    for number in range(size):
        number_there = table[starts[number]]
        if number_there >= 0:
            seen += np.int64(new[number_there, 0]) + np.int64(new_counts[number_there, 0])
    for number in range(size):
        slot = slot_of(states[number], starts[number], new, table)
        if table[slot] < 0:
            table[slot] = progress[1]
            new[progress[1]] = states[number]
            progress[1] += 1
        add_count(new_counts[table[slot]], old_counts[origins[number]], np.uint64(times[number]))
    return seen


@compiled_with_arrays
def rebuild(states: States, table: Int32s, start: int, end: int) -> None:
    """Enter states `start` to `end` in a table that does not contain them yet."""
    for number in range(start, end):
        table[slot_of(states[number], hash_slot(states[number], table), states, table)] = number


@subroutine_with_arrays
def add_count(total: Uint64s, count: Uint64s, times: np.uint64) -> None:
    """Add a count, multiplied by `times`."""
    carry = np.uint64(0)
    for digit in range(len(total)):
        carry += total[digit]
        if digit < len(count):
            carry += count[digit] * times
        total[digit] = carry & _REST
        carry >>= _DIGIT_BITS


@subroutine_with_arrays
def _sort(state: States, firsts: Int64s) -> None:
    """Sort the values of each class; `firsts` is for each place the first place of its class."""
    for place in range(1, len(state)):
        signature, to = state[place], place
        while to > firsts[place] and state[to - 1] > signature:
            state[to] = state[to - 1]
            to -= 1
        state[to] = signature


@compiled_with_arrays
def move_state(old: States, place: int, new: States, sources: Int64s, masks: States, firsts: Int64s) -> bool:
    """Write the state after a value is placed; return False if a unit can no longer get a value that it needs."""
    # `place`: the place in the old state of the value that is placed. `sources`: for each place of the new state its
    # place in the old one. `masks`: (4, n_values): the bits that bar a value; those that placing it sets; those that
    # each value must have then; those that are kept. `firsts`: see `_sort`.
    for index in range(len(new)):
        signature = old[sources[index]]
        if sources[index] == place:
            signature |= masks[1, 0]
        if signature & masks[2, index] != masks[2, index]:
            return False
        new[index] = signature & masks[3, index]
    _sort(new, firsts)
    return True


@compiled_with_arrays
def advance(
    old: States,
    old_counts: Uint64s,
    how: Move,
    new: States,
    new_counts: Uint64s,
    table: Int32s,
    progress: Int64s,
    work: int,
) -> None:
    """Give the next cell each value in each state, from state `progress[0]` on, while there is work and room."""
    # `old`: (states, n_values). `old_counts`: uint64 (states, digits). `new`: unsigned (room, n_values): the states
    # after the step, `progress[1]` of them. `new_counts`: uint64 (room, digits): their counts, 0 behind the last state.
    # `table`: int32 (a power of 2,): numbers of new states by hash, -1 where free. `progress`: int64 (2,): how many old
    # states are done, and how many new states there are. These four are changed. `work`: stop after this many old
    # states.
    allowed, classes, sources, firsts, masks, _ = how
    n = old.shape[1]
    reached = np.empty((_STATES_TOGETHER + n, n), old.dtype)
    times, origins = np.zeros(len(reached), np.int64), np.empty(len(reached), np.int64)
    room = min(len(new), len(table) // 2) - len(reached)
    size = 0
    while progress[0] < len(old) and work > 0 and progress[1] <= room:
        state = old[progress[0]]
        times[size] = 0
        for place in range(n):
            if not allowed[place] or state[place] & masks[0, 0]:
                continue
            times[size] += 1
            # Values of one class with the same signature lead to one state.
            if place + 1 < n and classes[place + 1] <= place and state[place + 1] == state[place]:
                continue
            if move_state(state, place, reached[size], sources, masks, firsts):
                origins[size] = progress[0]
                size += 1
            times[size] = 0
        progress[0] += 1
        work -= 1
        if size >= _STATES_TOGETHER or work == 0 or progress[0] == len(old):
            _enter_states(reached, times, origins, size, old_counts, new, new_counts, table, progress)
            size = 0


@compiled_with_arrays
def retreat(
    old: States,
    how: Move,
    new: States,
    table: Int32s,
    before: Weights,
    after: Weights,
    behind: Weights,
    in_cell: Weights,
    start: int,
    end: int,
) -> None:
    """Sum the completions of each old state, and the solutions in which the cell holds the value of each place."""
    # `old`: (states, n_values). `new`: (states, n_values): all states after the step. `table`: int32 (a power
    # of 2,): their numbers by hash, -1 where free. `before`: (old states,): in how many ways each old state is reached.
    # `after`: (new states,): in how many ways each new state is completed. `behind`: (old states,): the same of each
    # old state. `in_cell`: (n_values,): the number of solutions in which the cell holds the value of each place. The
    # last two are changed. `start`, `end`: the range of old states.
    allowed, classes, sources, firsts, masks, _ = how
    n = old.shape[1]
    state = np.empty(n, old.dtype)
    for number in range(start, end):
        state_before = old[number]
        completions = after[0] - after[0]
        for place in range(n):
            if state_before[place] & masks[0, 0] or not allowed[place]:
                continue
            # Values of one class with the same signature lead to one state.
            same = (
                place > 0
                and classes[place] < place
                and state_before[place - 1] == state_before[place]
                and allowed[place - 1]
            )
            if not same:
                completions = after[0] - after[0]
                if move_state(state_before, place, state, sources, masks, firsts):
                    number_after = table[slot_of(state, hash_slot(state, table), new, table)]
                    if number_after >= 0:
                        completions = after[number_after]
            behind[number] += completions
            in_cell[place] += before[number] * completions
