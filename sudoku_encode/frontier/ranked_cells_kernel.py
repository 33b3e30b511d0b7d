"""The loops of `ranked_cells`, compiled."""

import numpy as np

from sudoku_encode.frontier.transfer_matrix_kernel import States, add, hashed, moved, slot_of
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint64s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled_with_arrays

_ONE = np.uint64(1)
_BASE = np.uint64(1 << 56)


@compiled_with_arrays
def _known(
    old: States, place: int, sources: Int64s, masks: States, firsts: Int64s, new: States, table: Int32s, state: States
) -> int:
    """Return the number of the state after a value is placed, -1 where there is none; `state` is room for it."""
    if not moved(old, place, state, sources, masks, firsts):
        return -1
    return int(table[slot_of(state, hashed(state, table), new, table)])


@compiled_with_arrays
def complete(
    old: States,
    allowed: Bools,
    classes: Int64s,
    sources: Int64s,
    firsts: Int64s,
    masks: States,
    new: States,
    table: Int32s,
    after: Uint64s,
    behind: Uint64s,
    start: int,
    end: int,
) -> None:
    """Sum for each old state in how many ways it is completed.

    Args:
        old: (states, n_values), as in `transfer_matrix_kernel.advance`, and so are the five after it.
        allowed: bool (n_values,).
        classes: int64 (n_values,).
        sources: int64 (n_values,).
        firsts: int64 (n_values,).
        masks: unsigned (4, n_values).
        new: (states, n_values): all states after the step.
        table: int32 (a power of 2,): numbers of new states by hash, -1 where there is none.
        after: uint64 (new states, digits): in how many ways each new state is completed.
        behind: uint64 (old states, digits): in how many ways each old state is completed, 0 at first; changed.
        start: the first old state to look at.
        end: the one after the last.
    """
    n = old.shape[1]
    state = np.empty(n, old.dtype)
    for number in range(start, end):
        here, known = old[number], -1
        for place in range(n):
            if here[place] & masks[0, 0] or not allowed[place]:
                continue
            # Values of one class with the same signature lead to one state.
            same = place > 0 and classes[place] < place and here[place - 1] == here[place] and allowed[place - 1]
            if not same:
                known = _known(here, place, sources, masks, firsts, new, table, state)
            if known >= 0:
                add(behind[number], after[known], _ONE)


@compiled_with_arrays
def _take(rank: Uint64s, size: Uint64s) -> bool:
    """Subtract a number from another, if it is not greater; say whether it was."""
    for digit in range(len(rank) - 1, -1, -1):
        if rank[digit] != size[digit]:
            if rank[digit] < size[digit]:
                return False
            break
    borrow = np.uint64(0)
    for digit in range(len(rank)):
        lost = size[digit] + borrow
        borrow = np.uint64(rank[digit] < lost)
        rank[digit] = rank[digit] + borrow * _BASE - lost
    return True


@compiled_with_arrays
def _named(old: States, names: Int64s, place: int, sources: Int64s, masks: States, firsts: Int64s) -> None:
    """Write which value is at each place of the state after a value is placed; see `transfer_matrix_kernel.moved`."""
    n = len(names)
    before, state = names.copy(), np.empty(n, old.dtype)
    for at in range(n):
        signature = old[sources[at]]
        if sources[at] == place:
            signature |= masks[1, 0]
        signature &= masks[3, at]
        to = at
        while to > firsts[at] and state[to - 1] > signature:
            state[to], names[to] = state[to - 1], names[to - 1]
            to -= 1
        state[to], names[to] = signature, before[sources[at]]


@compiled_with_arrays
def choose(
    old: States,
    allowed: Bools,
    sources: Int64s,
    firsts: Int64s,
    masks: States,
    new: States,
    table: Int32s,
    after: Uint64s,
    numbers: Int64s,
    names: Int64s,
    ranks: Uint64s,
    held: Grids,
    start: int,
    end: int,
) -> None:
    """Give the next cell its value in each of some solutions.

    Args:
        old: (states, n_values), as in `complete`, and so are the seven after it.
        allowed: bool (n_values,).
        sources: int64 (n_values,).
        firsts: int64 (n_values,).
        masks: unsigned (4, n_values).
        new: (states, n_values).
        table: int32 (a power of 2,).
        after: uint64 (new states, digits).
        numbers: int64 (solutions,): the state that each has come to; changed.
        names: int64 (solutions, n_values): which value is at each place of that state; changed.
        ranks: uint64 (solutions, digits): the rank of each among those that go on from there; changed.
        held: uint8 (solutions,): takes the values, from 1.
        start: the first solution to look at.
        end: the one after the last.
    """
    n = old.shape[1]
    state = np.empty(n, old.dtype)
    for one in range(start, end):
        here = old[numbers[one]]
        for place in range(n):
            if here[place] & masks[0, 0] or not allowed[place]:
                continue
            known = _known(here, place, sources, masks, firsts, new, table, state)
            if known >= 0 and not _take(ranks[one], after[known]):
                held[one] = names[one, place] + 1
                _named(here, names[one], place, sources, masks, firsts)
                numbers[one] = known
                break
