"""The loops of `band_tables`, compiled."""

import numpy as np

from sudoku_encode.frontier.band_tables_state import Lists
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint32s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays


@compiled_with_arrays
def fill(lines: Lists, first: Lists, second: Lists, third: Lists, table: Uint32s, start: int, end: int) -> None:
    """Add fillings of a band to a table by what they put into the columns.

    Args:
        lines: for each partition of the first box's rows the triples of the three boxes' partitions of rows that
            complete each other.
        first: for each partition of the first box's rows the partitions of columns of the fillings that have it.
        second: for each of the second box's.
        third: for each of the third box's.
        table: uint32, an axis for the partitions of columns of each box: numbers of fillings; changed.
        start: the first of the first box's partitions of rows to look at.
        end: the one after the last.
    """
    sheet = np.zeros(table.shape[1:], np.uint32)
    for x in range(start, end):
        # What the other two boxes put in is the same for all fillings of the first one with these rows.
        some = lines.items[lines.starts[x] : lines.starts[x + 1]]
        places = first.items[first.starts[x] : first.starts[x + 1]]
        if len(places) == 1:
            _add_pairs(some, second, third, table[places[0]])
            continue
        sheet[:] = 0
        _add_pairs(some, second, third, sheet)
        for place in places:
            table[place] += sheet


@compiled_with_arrays
def _add_pairs(lines: Int32s, second: Lists, third: Lists, sheet: Uint32s) -> None:
    """Add one to a sheet of the table for each pair of fillings of the second and the third box, see `fill`."""
    for line in range(len(lines)):
        y, z = lines[line, 1], lines[line, 2]
        for b in second.items[second.starts[y] : second.starts[y + 1]]:
            row = sheet[b]
            for c in third.items[third.starts[z] : third.starts[z + 1]]:
                row[c] += np.uint32(1)


@compiled_with_arrays
def _held(row: Uint32s, at: Int32s, count: Uint64s) -> int:
    """Write where a row is not 0, and what it is there; return how often."""
    size = 0
    for place in range(len(row)):
        if row[place]:
            at[size] = place
            count[size] = row[place]
            size += 1
    return size


@compiled_with_arrays
def join(
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
    total: Uint64s,
    work: int,
) -> None:
    """Sum the products of the entries of three tables that make a whole.

    Args:
        one: uint32, three axes: the table of the first band.
        other: uint32, three axes: the table of the second band.
        last: uint32, three axes: the table of the third band.
        firsts: int32 (triples, 3): which partitions complete each other on the first axis, by their places in the three
            tables.
        seconds: those of the second axis, a list for each place in the table `one`.
        thirds: those of the last axis, a list for each place in the table `one`.
        filled: bool (first axis, second axis): whether a row of `one` has more than zeros.
        other_filled: bool: whether a row of `other` has.
        last_filled: bool: whether a row of `last` has.
        at: int64 (2,): the triple in `firsts` at work, and how many rows of `one` below it are done; changed.
        total: uint64 (2,): low and high word of the sum so far; changed.
        work: stop after about this many steps: entries and products looked at.
    """
    places, counts = np.empty(one.shape[2], np.int32), np.empty(one.shape[2], np.uint64)
    while at[0] < len(firsts) and work > 0:
        x, y, z = firsts[at[0]]
        row = at[1]
        while row < one.shape[1] and work > 0:
            work -= 1
            if filled[x, row]:
                size = _held(one[x, row], places, counts)
                work -= one.shape[2]
                for pair in range(seconds.starts[row], seconds.starts[row + 1]):
                    b, c = seconds.items[pair, 1], seconds.items[pair, 2]
                    if other_filled[y, b] and last_filled[z, c]:
                        found, steps = _products(places, counts, size, other[y, b], last[z, c], thirds)
                        total[0] += found
                        total[1] += np.uint64(total[0] < found)
                        work -= steps
            row += 1
        at[1] = row
        if row == one.shape[1]:
            at[0] += 1
            at[1] = 0


@compiled_with_arrays
def _products(
    places: Int32s, counts: Uint64s, size: int, other: Uint32s, last: Uint32s, thirds: Lists
) -> tuple[np.uint64, int]:
    """Sum over the last axis; return that and how many products there were."""
    total, steps = np.uint64(0), size
    for held in range(size):
        some = np.uint64(0)
        start, end = thirds.starts[places[held]], thirds.starts[places[held] + 1]
        for triple in range(start, end):
            some += np.uint64(other[thirds.items[triple, 1]]) * np.uint64(last[thirds.items[triple, 2]])
        total += counts[held] * some
        steps += end - start
    return total, steps
