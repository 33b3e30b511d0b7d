"""The loops of `ranked_bands` and `ranked_empty_9x9`, compiled."""

import numpy as np

from sudoku_encode.frontier.band_tables_state import Lists
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint32s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays


@compiled_with_arrays
def weigh(
    one: Uint32s,
    other: Uint32s,
    last: Uint32s,
    firsts: Int32s,
    seconds: Lists,
    thirds: Lists,
    filled: Bools,
    other_filled: Bools,
    last_filled: Bools,
    at: Int64s,
    sums: Uint64s,
    work: int,
) -> None:
    """Sum for each triple of the first axis the products of the entries of three tables that make a whole.

    Args:
        one: uint32, three axes: the table of the first band.
        other: uint32, three axes: the table of the second band.
        last: uint32, three axes: the table of the third band.
        firsts: int32 (triples, 3): which partitions complete each other on the first axis.
        seconds: those of the second axis, a list for each place in the table `one`.
        thirds: those of the last axis, a list for each place in the table `one`.
        filled: bool (first axis, second axis): whether a row of `one` has more than zeros.
        other_filled: bool: whether a row of `other` has.
        last_filled: bool: whether a row of `last` has.
        at: int64 (2,): the triple in `firsts` at work, and how many rows of `one` below it are done; changed.
        sums: uint64 (triples, 2): low and high word of each sum; changed.
        work: stop after about this many steps: entries and products looked at.
    """
    while at[0] < len(firsts) and work > 0:
        x, y, z = firsts[at[0]]
        row = at[1]
        while row < one.shape[1] and work > 0:
            work -= 1
            if filled[x, row]:
                work -= one.shape[2]
                for pair in range(seconds.starts[row], seconds.starts[row + 1]):
                    b, c = seconds.items[pair, 1], seconds.items[pair, 2]
                    if other_filled[y, b] and last_filled[z, c]:
                        found, steps = _products(one[x, row], other[y, b], last[z, c], thirds)
                        sums[at[0], 0] += found
                        sums[at[0], 1] += np.uint64(sums[at[0], 0] < found)
                        work -= steps
            row += 1
        at[1] = row
        if row == one.shape[1]:
            at[0] += 1
            at[1] = 0


@compiled_with_arrays
def _products(row: Uint32s, other: Uint32s, last: Uint32s, thirds: Lists) -> tuple[np.uint64, int]:
    """Sum over the last axis; return that and how many products there were."""
    total, steps = np.uint64(0), 0
    for place in range(len(row)):
        if row[place]:
            some = np.uint64(0)
            start, end = thirds.starts[place], thirds.starts[place + 1]
            for triple in range(start, end):
                some += np.uint64(other[thirds.items[triple, 1]]) * np.uint64(last[thirds.items[triple, 2]])
            total += np.uint64(row[place]) * some
            steps += end - start
    return total, steps


@compiled_with_arrays
def find(
    one: Uint32s,
    other: Uint32s,
    last: Uint32s,
    first: Int32s,
    seconds: Lists,
    thirds: Lists,
    filled: Bools,
    other_filled: Bools,
    last_filled: Bools,
    ranks: Uint64s,
    found: Int64s,
    left: Uint64s,
    at: Int64s,
    work: int,
) -> None:
    """Find the entries that some ranks among the solutions of one triple of the first axis fall on.

    Args:
        one: uint32, three axes, as in `weigh`; and so are the eight after it.
        other: uint32, three axes.
        last: uint32, three axes.
        first: int32 (3,): the triple.
        seconds: lists of triples.
        thirds: lists of triples.
        filled: bool.
        other_filled: bool.
        last_filled: bool.
        ranks: uint64 (ranks, 2): low and high words, ascending; changed.
        found: int64 (ranks, 6): for each the places on the second axis in the three tables, and on the last; changed.
        left: uint64 (ranks,): its rank among the fillings of the three entries; changed.
        at: int64 (2,): how many ranks are found, and how many rows of `one` are done; changed.
        work: stop after about this many steps.
    """
    x, y, z = first
    while at[0] < len(ranks) and at[1] < one.shape[1] and work > 0:
        row = at[1]
        work -= 1
        if filled[x, row]:
            work -= one.shape[2]
            for pair in range(seconds.starts[row], seconds.starts[row + 1]):
                b, c = seconds.items[pair, 1], seconds.items[pair, 2]
                if not (other_filled[y, b] and last_filled[z, c]):
                    continue
                size, steps = _products(one[x, row], other[y, b], last[z, c], thirds)
                work -= steps
                for number in range(at[0], len(ranks)):
                    low = ranks[number, 0]
                    if ranks[number, 1] == 0 and low < size:
                        found[number, 0], found[number, 1], found[number, 2] = row, b, c
                        _find_third(one[x, row], other[y, b], last[z, c], thirds, low, found[number], left[number:])
                        at[0] = number + 1
                    else:
                        ranks[number, 0] = low - size
                        ranks[number, 1] -= np.uint64(low < size)
        at[1] += 1


@compiled_with_arrays
def _find_third(
    row: Uint32s, other: Uint32s, last: Uint32s, thirds: Lists, rank: np.uint64, found: Int64s, left: Uint64s
) -> None:
    """Find the places on the last axis that a rank falls on."""
    for place in range(len(row)):
        if not row[place]:
            continue
        for triple in range(thirds.starts[place], thirds.starts[place + 1]):
            b, c = thirds.items[triple, 1], thirds.items[triple, 2]
            size = np.uint64(row[place]) * np.uint64(other[b]) * np.uint64(last[c])
            if rank < size:
                found[3], found[4], found[5] = place, b, c
                left[0] = rank
                return
            rank -= size


@compiled_with_arrays
def find_lines(
    lines: Int32s,
    first: Bools,
    second: Bools,
    third: Bools,
    places: Int64s,
    ranks: Uint64s,
    found: Int64s,
    start: int,
    end: int,
) -> None:
    """Find the fillings of a band that some ranks fall on, among those that put certain partitions into the columns.

    Args:
        lines: int32 (triples, 3): which partitions of rows complete each other.
        first: bool (rows, columns): whether a partition of rows and one of columns make a filling of the first box.
        second: bool: of the second box.
        third: bool: of the third box.
        places: int64 (ranks, 3): for each the three partitions of columns.
        ranks: uint64 (ranks,).
        found: int64 (ranks, 3): the partitions of rows; changed.
        start: the first rank to look at.
        end: the one after the last.
    """
    for number in range(start, end):
        left = ranks[number]
        x, y, z = places[number]
        for line in range(len(lines)):
            a, b, c = lines[line]
            if first[a, x] and second[b, y] and third[c, z]:
                if left == 0:
                    found[number, 0], found[number, 1], found[number, 2] = a, b, c
                    break
                left -= np.uint64(1)
