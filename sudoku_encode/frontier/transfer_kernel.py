"""The loop of `transfer`, compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.run.compiling import compiled

# A count is written in digits of so many bits: a digit times 64, with a carry, still fits a machine word.
DIGIT = 56
_DIGIT = np.uint64(DIGIT)
_REST = np.uint64(2**DIGIT - 1)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)

# So many states are entered together.
_TOGETHER = 128

States = NDArray[Any]
Counts = NDArray[np.uint64]
Table = NDArray[np.int32]


@compiled
def _home(state: States, table: Table) -> np.int64:
    """Return where in the table a state is looked for first."""
    mixed = np.uint64(len(state))
    for part in state:
        mixed = (mixed ^ np.uint64(part)) * _FACTOR
        mixed ^= mixed >> _SHIFT
    return np.int64(mixed & np.uint64(len(table) - 1))


@compiled
def _slot(state: States, at: np.int64, states: States, table: Table) -> np.int64:
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


@compiled
def _enter(
    some: States,
    times: NDArray[np.int64],
    origins: NDArray[np.int64],
    size: int,
    old_counts: Counts,
    new: States,
    new_counts: Counts,
    table: Table,
    at: NDArray[np.int64],
) -> np.int64:
    """Enter `size` states, each with the count of its origin so many times.

    The table is too large for the caches, so each look waits for memory. Looks that do not depend on each other wait
    together: first at the table for all of them, then at the states found there, and only then is one after the other
    entered. Returns a number without meaning, so that the compiler keeps the looks.
    """
    homes = np.empty(size, np.int64)
    seen = np.int64(0)
    for number in range(size):
        homes[number] = _home(some[number], table)
    for number in range(size):
        seen += np.int64(table[homes[number]])
    for number in range(size):
        known = table[homes[number]]
        if known >= 0:
            seen += np.int64(new[known, 0]) + np.int64(new_counts[known, 0])
    for number in range(size):
        slot = _slot(some[number], homes[number], new, table)
        if table[slot] < 0:
            table[slot] = at[1]
            new[at[1]] = some[number]
            at[1] += 1
        _add(new_counts[table[slot]], old_counts[origins[number]], np.uint64(times[number]))
    return seen


@compiled
def rebuild(states: States, table: Table, start: int, end: int) -> None:
    """Enter states `start` to `end` in a table where they are not yet."""
    for number in range(start, end):
        table[_slot(states[number], _home(states[number], table), states, table)] = number


@compiled
def _add(total: Counts, count: Counts, times: np.uint64) -> None:
    """Add a count so many times."""
    carry = np.uint64(0)
    for digit in range(len(total)):
        carry += total[digit]
        if digit < len(count):
            carry += count[digit] * times
        total[digit] = carry & _REST
        carry >>= _DIGIT


@compiled
def _sort(state: States, firsts: NDArray[np.int64]) -> None:
    """Sort the values of each class; `firsts` is for each place the first place of its class."""
    for place in range(1, len(state)):
        here, at = state[place], place
        while at > firsts[place] and state[at - 1] > here:
            state[at] = state[at - 1]
            at -= 1
        state[at] = here


@compiled
def _moved(
    old: States, place: int, new: States, sources: NDArray[np.int64], masks: States, firsts: NDArray[np.int64]
) -> bool:
    """Write the state after a value is placed; false where a unit can no longer get a value that it needs.

    Args:
        old: a state.
        place: of the value that is placed.
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


@compiled
def advance(
    old: States,
    old_counts: Counts,
    allowed: NDArray[np.bool_],
    classes: NDArray[np.int64],
    sources: NDArray[np.int64],
    firsts: NDArray[np.int64],
    masks: States,
    new: States,
    new_counts: Counts,
    table: Table,
    at: NDArray[np.int64],
    work: int,
) -> None:
    """Give the next cell each value in each state, from state `at[0]` on, while there is work and room.

    Args:
        old: (states, n_values).
        old_counts: uint64 (states, digits).
        allowed: for each place whether the cell may hold that value.
        classes: for each place the first place of its class, in the old order.
        sources: see `_moved`.
        firsts: the same as `classes` in the new order.
        masks: see `_moved`.
        new: room for states; `at[1]` are there.
        new_counts: their counts, zero where no state is yet.
        table: int32, a power of 2: numbers of new states by hash, -1 where free.
        at: int64 (2,), see above.
        work: how many states.
    """
    n = old.shape[1]
    some = np.empty((_TOGETHER + n, n), old.dtype)
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
            if _moved(here, place, some[size], sources, masks, firsts):
                origins[size] = at[0]
                size += 1
            times[size] = 0
        at[0] += 1
        work -= 1
        if size >= _TOGETHER or work == 0 or at[0] == len(old):
            _enter(some, times, origins, size, old_counts, new, new_counts, table, at)
            size = 0
