"""The inner loops of `recount`, compiled: the same states, with sets in words of 64 bits, the lowest word first."""

from typing import NamedTuple

import numpy as np

from sudoku_encode.proving.recount_narrowing_kernel import Links, Uint8s, Work, keep, narrow, new_work
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Intps, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays, inlined, lowest, subroutine

# A number of ways is written in digits of 32 bits, so that 2^32 of them may be added before a carry is needed.
DIGIT_BITS = 32
_ONE = np.uint64(1)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


class FillStep(NamedTuple):
    """How a cell is filled. The rows of a state are the sets of the values, then the states of automata that read."""

    bit: int  # the number of the cell's bit
    every: Uint64s  # (words,): afterwards all open cells
    sharing: Uint64s  # (words,): those of them that share a unit with the cell
    units: Uint64s  # (units, words): those of them in each unit
    sizes: Int64s  # (units,): their numbers
    values: Int64s  # (n_values,): the value, from 0, at each place before
    old_firsts: Int64s  # (n_values,): the first place of its class before
    sources: Int64s  # (n_values,): for the value at each place afterwards its place before
    firsts: Int64s  # (n_values,): the first place of its class afterwards
    copies: Int64s  # for each automaton afterwards, its number before if it does not read the cell, else -1
    reads: Int64s  # (automata that read the cell, 3): the number before and afterwards, or -1; where its moves start
    rows: Int64s  # for each automaton its number afterwards, or -1
    units_to_narrow: Uint8s  # for each unit, and each automaton, whether it can narrow all states
    automata_to_narrow: Uint8s


@inlined
def _is_less(sets: Uint64s, first: int, second: int) -> bool:
    """Return whether one set is a smaller number than another."""
    for word in range(sets.shape[1] - 1, -1, -1):
        if sets[first, word] != sets[second, word]:
            return bool(sets[first, word] < sets[second, word])
    return False


@inlined
def _is_same(first: Uint64s, second: Uint64s) -> bool:
    for index in range(first.shape[0]):
        for word in range(first.shape[1]):
            if first[index, word] != second[index, word]:
                return False
    return True


@inlined
def _sort(sets: Uint64s, firsts: Int64s) -> None:
    """Sort the sets of values of one class, the smallest first."""
    for index in range(1, len(firsts)):
        place = index
        while place > firsts[index] and _is_less(sets, place, place - 1):
            for word in range(sets.shape[1]):
                sets[place, word], sets[place - 1, word] = sets[place - 1, word], sets[place, word]
            place -= 1


@inlined
def _slot(sets: Uint64s, states: Uint64s, table: Int32s) -> np.int64:
    """Return the place of a state in the table, or the free place where it belongs."""
    mixed = np.uint64(len(sets))
    for index in range(sets.shape[0]):
        for word in range(sets.shape[1]):
            mixed = (mixed ^ sets[index, word]) * _FACTOR
            mixed ^= mixed >> _SHIFT
    slot = np.int64(mixed & np.uint64(len(table) - 1))
    while table[slot] >= 0 and not _is_same(states[table[slot]], sets):
        slot = (slot + 1) & (len(table) - 1)
    return slot


@inlined
def _is_possible(sets: Uint64s, n: int, every: Uint64s, units: Uint64s, sizes: Int64s) -> bool:
    """Return whether each open cell has a value, and each unit as many values as open cells."""
    for word in range(len(every)):
        together = np.uint64(0)
        for index in range(n):
            together |= sets[index, word]
        if together != every[word]:
            return False
    for unit in range(len(units)):
        missing = sizes[unit]
        for index in range(n):
            for word in range(len(every)):
                if sets[index, word] & units[unit, word]:
                    missing -= 1
                    break
            if missing <= 0:
                break
        if missing > 0:
            return False
    return True


@inlined
def _add(sets: Uint64s, ways: Uint64s, times: int, states: Uint64s, sums: Uint64s, table: Int32s, used: int) -> int:
    """Add the ways of a state, some times, to those in the table; return how many states there are then."""
    slot = _slot(sets, states, table)
    number = table[slot]
    if number < 0:
        number = table[slot] = used
        for index in range(sets.shape[0]):
            for word in range(sets.shape[1]):
                states[used, index, word] = sets[index, word]
        used += 1
    for digit in range(len(ways)):
        sums[number, digit] += ways[digit] * np.uint64(times)
    return used


@inlined
def _read(state: Uint64s, sets: Uint64s, n: int, value: int, copies: Int64s, reads: Int64s, moves: Int32s) -> bool:
    """Write down the states of the automata after a cell holds a value; return False where no solution follows."""
    for row in range(len(copies)):
        if copies[row] >= 0:
            sets[n + row, 0] = state[n + copies[row], 0]
    for number in range(len(reads)):
        before = np.int64(state[n + reads[number, 0], 0]) if reads[number, 0] >= 0 else 0
        after = moves[reads[number, 2] + before * n + value]
        if after < 0:
            return False
        if reads[number, 1] >= 0:
            sets[n + reads[number, 1], 0] = np.uint64(after)
    return True


@subroutine
def _write_masks(state: Uint64s, step: FillStep, masks: Uint64s) -> None:
    """Write down the values of each open cell, before the cell of the step takes one."""
    masks[:] = 0
    for index in range(len(step.values)):
        value = _ONE << np.uint64(step.values[index])
        for word in range(len(step.every)):
            rest = state[index, word] & step.every[word]
            while rest:
                masks[64 * word + lowest(rest)] |= value
                rest &= rest - _ONE


@subroutine
def _narrow(
    sets: Uint64s, value: int, before: Uint64s, step: FillStep, links: Links, work: Work, marks: Int64s
) -> bool:
    """Write down the narrowed sets after a cell holds a value; return False where no solution follows."""
    # `before`: the values of the open cells without that. `sets` contains the states of the automata.
    n = len(step.values)
    for cell in range(step.bit):
        work.masks[cell] = before[cell]
    for unit in range(len(step.units_to_narrow)):
        work.is_new_unit[unit] = step.units_to_narrow[unit]
    for automaton in range(len(marks)):
        work.is_new_automaton[automaton] = step.automata_to_narrow[automaton]
        row = step.rows[automaton]
        marks[automaton] = np.int64(sets[n + row, 0]) if row >= 0 else 0
    n_singles, others = 0, ~(_ONE << np.uint64(value))
    for index in range(links.near.starts[step.bit], links.near.starts[step.bit + 1]):
        if links.near.numbers[index] < step.bit:
            n_singles = keep(links, work, links.near.numbers[index], others, n_singles)
    if n_singles < 0 or not narrow(links, work, step.bit, marks, n, n_singles):
        return False
    for place in range(n):
        own = np.uint64(step.values[step.sources[place]])
        for word in range(len(step.every)):
            sets[place, word] = 0
        for cell in range(step.bit):
            if work.masks[cell] == 0:
                return False
            sets[place, cell >> 6] |= (work.masks[cell] >> own & _ONE) << np.uint64(cell & 63)
    return True


@subroutine
def _strike(sets: Uint64s, state: Uint64s, index: int, step: FillStep) -> bool:
    """Write down the sets after the cell holds the value of one of them; return False where no solution follows."""
    for place in range(len(step.values)):
        source = step.sources[place]
        for word in range(len(step.every)):
            sets[place, word] = state[source, word] & step.every[word]
            if source == index:
                sets[place, word] &= ~step.sharing[word]
    return _is_possible(sets, len(step.values), step.every, step.units, step.sizes)


@compiled_with_arrays
def fill(
    old: Uint64s,
    old_ways: Uint64s,
    start: int,
    end: int,
    step: FillStep,
    links: Links,
    states: Uint64s,
    ways: Uint64s,
    table: Int32s,
    used: int,
) -> tuple[int, int]:
    """Fill a cell in some states; return the first state that has no room any more, and how many new states exist."""
    # `old`, (states, rows, words), with `old_ways`, (states, digits): those from `start` to `end` are filled. `states`,
    # `ways`, `table`, `used`: the new states, in a hash table of at least twice as many places, -1 where one is free.
    n, words = len(step.values), len(step.every)
    sets = np.zeros((states.shape[1], words), np.uint64)
    cell_word, cell_bit = step.bit >> 6, np.uint64(step.bit & 63)
    is_narrowed = len(step.rows) > 0
    room = 64 * words if is_narrowed else 0
    masks = np.empty(room, np.uint64)
    work = new_work(links, room)
    marks = np.empty(len(step.rows), np.int64)
    for number in range(start, end):
        if used + n > len(states):
            return number, used
        state = old[number]
        if is_narrowed:
            _write_masks(state, step, masks)
        index = 0
        while index < n:
            # Values with the same set that nothing tells apart lead to the same state.
            times = 1
            while (
                index + times < n
                and step.old_firsts[index + times] == step.old_firsts[index]
                and _is_same(state[index : index + 1], state[index + times : index + times + 1])
            ):
                times += 1
            if state[index, cell_word] >> cell_bit & _ONE and _read(
                state, sets, n, step.values[index], step.copies, step.reads, links.moves
            ):
                if is_narrowed:
                    is_possible = _narrow(sets, step.values[index], masks, step, links, work, marks)
                else:
                    is_possible = _strike(sets, state, index, step)
                if is_possible:
                    _sort(sets, step.firsts)
                    used = _add(sets, old_ways[number], times, states, ways, table, used)
            index += times
    return end, used


@compiled_with_arrays
def rebuild(states: Uint64s, used: int, table: Int32s) -> None:
    """Enter states, all different, in an empty table."""
    for number in range(used):
        table[_slot(states[number], states, table)] = number


@compiled_with_arrays
def move(sets: Uint64s, moved: Intps) -> Uint64s:
    """Return the images of sets, (symmetries, sets, words), under symmetries that map each bit to another one."""
    images = np.zeros((len(moved), sets.shape[0], sets.shape[1]), np.uint64)
    for number in range(len(moved)):
        for index in range(sets.shape[0]):
            for word in range(sets.shape[1]):
                rest = sets[index, word]
                while rest:
                    bit = np.int64(moved[number, 64 * word + lowest(rest)])
                    images[number, index, bit >> 6] |= _ONE << np.uint64(bit & 63)
                    rest &= rest - _ONE
    return images


@compiled_with_arrays
def least_images(ranks: Int32s, images: Int32s, leading: Int32s, starts: Int64s) -> None:
    """Replace states by the least of their images, in place."""
    # `ranks`, (states, n_values): the sets of each state by their ranks among all sets, ascending. `images`,
    # (symmetries, sets): the rank of the image of each. `leading`, from `starts[set]` to `starts[set + 1]`: the
    # symmetries that make the image of a set as small as any does.
    n = ranks.shape[1]
    best, now = np.empty(n, np.int32), np.empty(n, np.int32)
    for number in range(len(ranks)):
        state = ranks[number]
        # The least image begins with the smallest image of any of the sets.
        smallest = images.shape[1]
        for index in range(n):
            smallest = min(smallest, images[leading[starts[state[index]]], state[index]])
        best[0] = images.shape[1]
        for index in range(n):
            rank = state[index]
            if images[leading[starts[rank]], rank] > smallest or (index > 0 and state[index - 1] == rank):
                continue
            for symmetry in leading[starts[rank] : starts[rank + 1]]:
                row = images[symmetry]
                for other in range(n):
                    place, moved = other, row[state[other]]
                    while place > 0 and now[place - 1] > moved:
                        now[place] = now[place - 1]
                        place -= 1
                    now[place] = moved
                for other in range(n):
                    if now[other] != best[other]:
                        if now[other] < best[other]:
                            best[:] = now
                        break
        ranks[number] = best


@compiled_with_arrays
def enter(old: Uint64s, old_ways: Uint64s, states: Uint64s, ways: Uint64s, table: Int32s, used: int) -> int:
    """Enter states with their ways in a table that has room for all; return how many different ones it has then."""
    for number in range(len(old)):
        used = _add(old[number], old_ways[number], 1, states, ways, table, used)
    return used
