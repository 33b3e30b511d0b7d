"""The loops of `tied`, compiled."""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays, inlined, ones

# A set of cells of two Sudokus is three words; a constant, so that loops over them are unrolled.
WORDS = 3


@compiled_with_arrays
def joined(first: Uint64s, second: Uint64s, heads: tuple[Int64s, Int64s], pairs: Int64s) -> Uint64s:
    """Return the unions of sets of cells whose codes are a pair, uint64 (m, words).

    Args:
        first: uint64 (ways, words), in the order of their codes.
        second: likewise.
        heads: of each, where a code's sets begin; one more at the end.
        pairs: int64 (pairs, 2): a code of the first, and one of the second.
    """
    total = 0
    for one, other in pairs:
        total += (heads[0][one + 1] - heads[0][one]) * (heads[1][other + 1] - heads[1][other])
    found = np.empty((total, WORDS), np.uint64)
    at = 0
    for one, other in pairs:
        for i in range(heads[0][one], heads[0][one + 1]):
            for j in range(heads[1][other], heads[1][other + 1]):
                for word in range(WORDS):
                    found[at, word] = first[i, word] | second[j, word]
                at += 1
    return found


@inlined
def _without(rows: Uint64s, begin: int, size: int, taken: Uint64s, to: int) -> int:
    """Copy the sets that share no cell with another to row `to` and on; return how many."""
    kept = 0
    for at in range(begin, begin + size):
        shared = np.uint64(0)
        for word in range(WORDS):
            shared |= rows[at, word] & taken[word]
            rows[to + kept, word] = rows[at, word]
        if shared == 0:
            kept += 1
    return kept


@inlined
def _hold(rows: Uint64s, begin: Int64s, size: Int64s, cells: Uint64s) -> None:
    """Note the cells that some set of each value has, and those that all its sets have: in the first two of `cells`."""
    for value in range(len(size)):
        for word in range(WORDS):
            cells[0, value, word], cells[1, value, word] = np.uint64(0), ~np.uint64(0)
        for at in range(begin[value], begin[value] + size[value]):
            for word in range(WORDS):
                cells[0, value, word] |= rows[at, word]
                cells[1, value, word] &= rows[at, word]


@inlined
def _rule_out(value: int, size: Int64s, cells: Uint64s) -> bool:
    """Note the cells that a value cannot have, and those it must have, and say whether that rules a set of it out.

    They are in the first row of the last two of `cells`.
    """
    useful = np.uint64(0)
    for word in range(WORDS):
        others, barred = np.uint64(0), np.uint64(0)
        for other in range(len(size)):
            if other != value and size[other] >= 0:
                barred |= cells[1, other, word]
                others |= cells[0, other, word]
        cells[2, 0, word] = barred & cells[0, value, word]
        cells[3, 0, word] = cells[0, value, word] & ~others & ~cells[1, value, word]
        useful |= cells[2, 0, word] | cells[3, 0, word]
    return bool(useful)


@inlined
def _propagated(rows: Uint64s, begin: Int64s, size: Int64s, cells: Uint64s) -> bool:
    """Drop sets that cannot be part of a cover, in place; say whether each value has one left.

    A cell that only one value can take must be in that value's set, and one that is in all sets of a value is in no
    other's.

    Args:
        rows: sets of cells.
        begin: of each value, the first row.
        size: of each value, how many rows; -1 where the value is placed.
        cells: room: uint64 (4, values, words).
    """
    changed = True
    while changed:
        changed = False
        _hold(rows, begin, size, cells)
        for value in range(len(size)):
            if size[value] < 0 or not _rule_out(value, size, cells):
                continue
            kept, first = 0, begin[value]
            for at in range(first, first + size[value]):
                wrong = np.uint64(0)
                for word in range(WORDS):
                    wrong |= (rows[at, word] & cells[2, 0, word]) | (cells[3, 0, word] & ~rows[at, word])
                    rows[first + kept, word] = rows[at, word]
                if wrong == 0:
                    kept += 1
            size[value] = kept
            if kept == 0:
                return False
            changed = True
    return True


@inlined
def _shortest(size: Int64s) -> int:
    """Return the value with the fewest sets that is not placed."""
    best = -1
    for value in range(len(size)):
        if size[value] >= 0 and (best < 0 or size[value] < size[best]):
            best = value
    return best


@compiled_with_arrays
def covers(
    rows: Uint64s, begin: Int64s, size: Int64s, n_random: int, rng: np.random.Generator, found: Uint64s
) -> tuple[float, int]:
    """Count the ways to choose a set for each value so that none share a cell.

    The first values chosen get a set at random, and all ways to go on are counted.

    Args:
        rows: uint64 (room, words): sets of cells; after the lists there is room for n times as many, n values.
        begin: int64 (n + 1, n): in its first row where each value's list begins.
        size: int64 (n + 1, n): in its first row how long each value's list is, at least 1.
        n_random: how many values get a random set.
        rng: random numbers.
        found: uint64 (n, words): one of the ways counted, each as likely as any other.

    Returns:
        The product of the numbers of sets from which one was chosen at random, and how many ways there are to go on.
        The mean of the product of the two is the number of all ways.
    """
    n = size.shape[1]
    cursor, end, value = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    top = np.zeros(n + 2, np.int64)
    path = np.zeros((n, WORDS), np.uint64)
    cells = np.zeros((4, n, WORDS), np.uint64)
    top[0] = begin[0, n - 1] + size[0, n - 1]
    depth, weight, total, fresh = 0, 1.0, 0, True
    while depth >= 0:
        if fresh:
            value[depth] = _shortest(size[depth])
            length = size[depth, value[depth]]
            cursor[depth], end[depth] = 0, length
            if depth < n_random:
                cursor[depth] = min(int(rng.random() * length), length - 1)
                end[depth] = cursor[depth] + 1
                weight *= length
            fresh = False
        if cursor[depth] == end[depth]:
            depth -= 1
            continue
        chosen = value[depth]
        path[chosen] = rows[begin[depth, chosen] + cursor[depth]]
        cursor[depth] += 1
        if depth == n - 1:
            total += 1
            if rng.random() * total < 1:
                found[:] = path
            continue
        to, alive = top[depth], True
        for other in range(n):
            begin[depth + 1, other], size[depth + 1, other] = to, -1
            if other == chosen or size[depth, other] < 0 or not alive:
                continue
            kept = _without(rows, begin[depth, other], size[depth, other], path[chosen], to)
            size[depth + 1, other] = kept
            alive = kept > 0
            to += kept
        top[depth + 1] = to
        if alive and _propagated(rows, begin[depth + 1], size[depth + 1], cells):
            depth += 1
            fresh = True
    return weight, total


@compiled_with_arrays
def fillings(grid: NDArray[np.uint8], rng: np.random.Generator) -> int:
    """Count the ways to fill the blanks of a 9x9 Sudoku, and fill it in one of them, each as likely as any other.

    Args:
        grid: uint8 (9, 9), 0 where blank. Where there is no way it is left as it is.
        rng: random numbers.
    """
    n_blanks = 0
    cells = np.empty((81, 2), np.int64)
    used = np.zeros((3, 9), np.int64)
    for i in range(9):
        for j in range(9):
            if grid[i, j]:
                bit = 1 << (grid[i, j] - 1)
                used[0, i] |= bit
                used[1, j] |= bit
                used[2, i // 3 * 3 + j // 3] |= bit
            else:
                cells[n_blanks] = i, j
                n_blanks += 1
    left, bits = np.zeros(82, np.int64), np.zeros(82, np.int64)
    total, depth, fresh = 0, 0, True
    while depth >= 0:
        if depth == n_blanks:
            total += 1
            if rng.random() * total < 1:
                for at in range(n_blanks):
                    grid[cells[at, 0], cells[at, 1]] = np.uint8(ones(bits[at] - 1) + 1)
            depth, fresh = depth - 1, False
            continue
        if fresh:
            # The blank with the fewest candidates comes next.
            fewest, best = 10, depth
            for at in range(depth, n_blanks):
                i, j = cells[at]
                free = 511 & ~(used[0, i] | used[1, j] | used[2, i // 3 * 3 + j // 3])
                if ones(free) < fewest:
                    fewest, best, left[depth] = ones(free), at, free
            i, j = cells[best]
            cells[best] = cells[depth]
            cells[depth] = i, j
            bits[depth] = 0
        i, j = cells[depth]
        # What was tried is taken back, and the next value tried.
        change = bits[depth]
        bits[depth] = left[depth] & -left[depth]
        left[depth] ^= bits[depth]
        change ^= bits[depth]
        used[0, i] ^= change
        used[1, j] ^= change
        used[2, i // 3 * 3 + j // 3] ^= change
        fresh = bits[depth] != 0
        depth += 1 if fresh else -1
    return total
