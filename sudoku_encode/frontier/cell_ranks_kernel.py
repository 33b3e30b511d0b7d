"""The compiled loops of `cell_ranks`."""

import numpy as np

from sudoku_encode.frontier.problem import Move
from sudoku_encode.frontier.transfer_matrix_kernel import States, add_count, hash_slot, move_state, slot_of
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint64s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

_ONE = np.uint64(1)
_BASE = np.uint64(1 << 56)


@subroutine_with_arrays
def _state_number(
    old: States, place: int, sources: Int64s, masks: States, firsts: Int64s, new: States, table: Int32s, state: States
) -> int:
    """Return the number of the state after a value is placed, -1 if there is no such state; `state` is room for it."""
    if not move_state(old, place, state, sources, masks, firsts):
        return -1
    return int(table[slot_of(state, hash_slot(state, table), new, table)])


@compiled_with_arrays
def sum_completions(
    old: States, how: Move, new: States, table: Int32s, after: Uint64s, behind: Uint64s, start: int, end: int
) -> None:
    """Sum for each old state in how many ways it is completed."""
    # The states and `table` are those of `transfer_matrix_kernel.retreat`. `after`: uint64 (new states, digits): in how
    # many ways each new state is completed. `behind`: uint64 (old states, digits): the same of each old state, 0 at
    # first; changed. `start`, `end`: the range of old states.
    allowed, classes, sources, firsts, masks, _ = how
    n = old.shape[1]
    state = np.empty(n, old.dtype)
    for number in range(start, end):
        state_before, number_after = old[number], -1
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
                number_after = _state_number(state_before, place, sources, masks, firsts, new, table, state)
            if number_after >= 0:
                add_count(behind[number], after[number_after], _ONE)


@subroutine_with_arrays
def _subtract(rank: Uint64s, size: Uint64s) -> bool:
    """Subtract a number from another if it is not greater; return whether it was subtracted."""
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


@subroutine_with_arrays
def _write_names(old: States, names: Int64s, place: int, sources: Int64s, masks: States, firsts: Int64s) -> None:
    """Write the value at each place of the state after a value is placed; see `transfer_matrix_kernel.move_state`."""
    n = len(names)
    before, state = names.copy(), np.empty(n, old.dtype)
    for index in range(n):
        signature = old[sources[index]]
        if sources[index] == place:
            signature |= masks[1, 0]
        signature &= masks[3, index]
        to = index
        while to > firsts[index] and state[to - 1] > signature:
            state[to], names[to] = state[to - 1], names[to - 1]
            to -= 1
        state[to], names[to] = signature, before[sources[index]]


@compiled_with_arrays
def choose_values(
    old: States,
    how: Move,
    new: States,
    table: Int32s,
    after: Uint64s,
    numbers: Int64s,
    names: Int64s,
    ranks: Uint64s,
    cell_values: Grids,
    start: int,
    end: int,
) -> None:
    """Choose the value of the next cell in each of a range of solutions."""
    # `old` to `after`: as in `sum_completions`. `numbers`: int64 (solutions,): the state that each solution has
    # reached. `names`: int64 (solutions, n_values): the value at each place of that state. `ranks`: uint64 (solutions,
    # digits): the rank of each solution among those that continue from there. All three are changed. `cell_values`:
    # uint8 (solutions,): takes the values, from 1.
    allowed, _, sources, firsts, masks, _ = how
    n = old.shape[1]
    state = np.empty(n, old.dtype)
    for solution in range(start, end):
        state_before = old[numbers[solution]]
        for place in range(n):
            if state_before[place] & masks[0, 0] or not allowed[place]:
                continue
            number_after = _state_number(state_before, place, sources, masks, firsts, new, table, state)
            if number_after >= 0 and not _subtract(ranks[solution], after[number_after]):
                cell_values[solution] = names[solution, place] + 1
                _write_names(state_before, names[solution], place, sources, masks, firsts)
                numbers[solution] = number_after
                break
