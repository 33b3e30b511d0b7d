"""The compiled loops of `tied`."""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.run.compiling import bit_count, compiled_with_arrays, inlined

# A set of cells of two Sudokus is three words; a constant, so that loops over them are unrolled.
WORDS = 3


@compiled_with_arrays
def joined(first: Uint64s, second: Uint64s, heads: tuple[Int64s, Int64s], pairs: Int64s) -> Uint64s:
    """Return the unions of sets of cells whose codes are a pair, uint64 (m, words)."""
    # `first`, `second`: uint64 (ways, words), in the order of their codes. `heads`: for each of them where a code's
    # sets begin, with one more at the end. `pairs`: int64 (pairs, 2): a code of the first, and one of the second.
    total = 0
    for code, second_code in pairs:
        total += (heads[0][code + 1] - heads[0][code]) * (heads[1][second_code + 1] - heads[1][second_code])
    unions = np.empty((total, WORDS), np.uint64)
    row = 0
    for code, second_code in pairs:
        for i in range(heads[0][code], heads[0][code + 1]):
            for j in range(heads[1][second_code], heads[1][second_code + 1]):
                for word in range(WORDS):
                    unions[row, word] = first[i, word] | second[j, word]
                row += 1
    return unions


@inlined
def _without(rows: Uint64s, begin: int, size: int, taken: Uint64s, to: int) -> int:
    """Copy the sets that share no cell with `taken` to row `to` and on; return how many were copied."""
    n_copied = 0
    for row in range(begin, begin + size):
        shared = np.uint64(0)
        for word in range(WORDS):
            shared |= rows[row, word] & taken[word]
            rows[to + n_copied, word] = rows[row, word]
        if shared == 0:
            n_copied += 1
    return n_copied


@inlined
def _hold(rows: Uint64s, begin: Int64s, size: Int64s, cells: Uint64s) -> None:
    """Write the cells of each value's sets to `cells[0]`, and those that all its sets have to `cells[1]`."""
    for value in range(len(size)):
        for word in range(WORDS):
            cells[0, value, word], cells[1, value, word] = np.uint64(0), ~np.uint64(0)
        for row in range(begin[value], begin[value] + size[value]):
            for word in range(WORDS):
                cells[0, value, word] |= rows[row, word]
                cells[1, value, word] &= rows[row, word]


@inlined
def _rule_out(value: int, size: Int64s, cells: Uint64s) -> bool:
    """Write the cells that a value cannot have and those it must have; return whether that excludes one of its sets."""
    # They go to the first rows of `cells[2]` and `cells[3]`.
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
def _propagate(rows: Uint64s, begin: Int64s, size: Int64s, cells: Uint64s) -> bool:
    """Drop sets that cannot be part of a cover, in place; return whether each value has a set left."""
    # A cell that only one value can take must be in that value's set, and a cell of all sets of a value is in no
    # other's. `begin`: for each value the first row. `size`: for each value how many rows; -1 if the value is placed.
    # `cells`: room: uint64 (4, values, words).
    changed = True
    while changed:
        changed = False
        _hold(rows, begin, size, cells)
        for value in range(len(size)):
            if size[value] < 0 or not _rule_out(value, size, cells):
                continue
            n_left, first = 0, begin[value]
            for row in range(first, first + size[value]):
                wrong = np.uint64(0)
                for word in range(WORDS):
                    wrong |= (rows[row, word] & cells[2, 0, word]) | (cells[3, 0, word] & ~rows[row, word])
                    rows[first + n_left, word] = rows[row, word]
                if wrong == 0:
                    n_left += 1
            size[value] = n_left
            if n_left == 0:
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
    rows: Uint64s, begin: Int64s, size: Int64s, n_random: int, rng: np.random.Generator, cover: Uint64s
) -> tuple[float, int]:
    """Count the ways to choose a set for each value so that no two share a cell; return a weight and a count."""
    # The first `n_random` values chosen get a random set, and all ways to continue are counted. The weight is the
    # product of the numbers of sets from which one was chosen at random; the mean of weight times count is the number
    # of all ways. `rows`: uint64 (room, words): sets of cells; after the lists there is room for n times as many, n
    # values. `begin`: int64 (n + 1, n): in its first row where each value's list begins. `size`: int64 (n + 1, n): in
    # its first row how long each value's list is, at least 1. `cover`: uint64 (n, words): takes one of the ways
    # counted, each equally likely.
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
                cover[:] = path
            continue
        to, alive = top[depth], True
        for other in range(n):
            begin[depth + 1, other], size[depth + 1, other] = to, -1
            if other == chosen or size[depth, other] < 0 or not alive:
                continue
            n_left = _without(rows, begin[depth, other], size[depth, other], path[chosen], to)
            size[depth + 1, other] = n_left
            alive = n_left > 0
            to += n_left
        top[depth + 1] = to
        if alive and _propagate(rows, begin[depth + 1], size[depth + 1], cells):
            depth += 1
            fresh = True
    return weight, total


@compiled_with_arrays
def fillings(grid: NDArray[np.uint8], rng: np.random.Generator) -> int:
    """Count the completions of a 9x9 Sudoku, and fill it with one of them, each equally likely."""
    # `grid`: uint8 (9, 9), 0 where blank. Without a completion it is not changed.
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
    untried, bits = np.zeros(82, np.int64), np.zeros(82, np.int64)
    total, depth, fresh = 0, 0, True
    while depth >= 0:
        if depth == n_blanks:
            total += 1
            if rng.random() * total < 1:
                for blank in range(n_blanks):
                    grid[cells[blank, 0], cells[blank, 1]] = np.uint8(bit_count(bits[blank] - 1) + 1)
            depth, fresh = depth - 1, False
            continue
        if fresh:
            # The blank with the fewest candidates comes next.
            fewest, best = 10, depth
            for blank in range(depth, n_blanks):
                i, j = cells[blank]
                free = 511 & ~(used[0, i] | used[1, j] | used[2, i // 3 * 3 + j // 3])
                if bit_count(free) < fewest:
                    fewest, best, untried[depth] = bit_count(free), blank, free
            i, j = cells[best]
            cells[best] = cells[depth]
            cells[depth] = i, j
            bits[depth] = 0
        i, j = cells[depth]
        # The last value is taken back, and the next value tried.
        change = bits[depth]
        bits[depth] = untried[depth] & -untried[depth]
        untried[depth] ^= bits[depth]
        change ^= bits[depth]
        used[0, i] ^= change
        used[1, j] ^= change
        used[2, i // 3 * 3 + j // 3] ^= change
        fresh = bits[depth] != 0
        depth += 1 if fresh else -1
    return total
