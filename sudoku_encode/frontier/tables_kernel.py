"""The loops of `tables`, compiled."""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.tables import Lists
from sudoku_encode.run.compiling import compiled_without_gil

Words = NDArray[np.uint64]
Counts = NDArray[np.uint32]
Index = NDArray[np.int32]
Numbers = NDArray[np.int64]
Marks = NDArray[np.bool_]


@compiled_without_gil
def fill(lines: Lists, first: Lists, second: Lists, third: Lists, table: Counts, start: int, end: int) -> None:
    """Add fillings of a band to a table by what they put into the columns.

    Args:
        lines: which partitions of rows of three boxes complete each other, by that of the first.
        first: what the fillings of a box put into its columns, by what they put into its rows.
        second: of another box.
        third: of the last.
        table: an axis for each box.
        start: the first of the first box's partitions of rows.
        end: where to end.
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


@compiled_without_gil
def _add_pairs(lines: Index, second: Lists, third: Lists, sheet: Counts) -> None:
    """Add one for each two fillings of two boxes, see `fill`."""
    for line in range(len(lines)):
        y, z = lines[line, 1], lines[line, 2]
        for b in second.items[second.starts[y] : second.starts[y + 1]]:
            row = sheet[b]
            for c in third.items[third.starts[z] : third.starts[z + 1]]:
                row[c] += np.uint32(1)


@compiled_without_gil
def _held(row: Counts, at: Index, count: Words) -> int:
    """Write where a row is not 0, and what it is there; return how often."""
    size = 0
    for place in range(len(row)):
        if row[place]:
            at[size] = place
            count[size] = row[place]
            size += 1
    return size


@compiled_without_gil
def join(
    one: Counts,
    other: Counts,
    last: Counts,
    firsts: Index,
    seconds: Lists,
    thirds: Lists,
    filled: Marks,
    other_filled: Marks,
    last_filled: Marks,
    at: Numbers,
    total: Words,
    work: int,
) -> None:
    """Sum the products of the entries of three tables that make a whole.

    Args:
        one: the table of a band.
        other: of another.
        last: of the last.
        firsts: int32 (triples, 3): places in the first axes of partitions that complete each other.
        seconds: the same of the second axes, by that in the table `one`.
        thirds: the same of the last axes.
        filled: for each row of `one` whether it has more than zeros.
        other_filled: the same of `other`.
        last_filled: the same of `last`.
        at: int64 (2,): the triple of the first axes at work, and how many rows of it are done.
        total: uint64 (2,): low and high word of the sum.
        work: stop after about so many steps.
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


@compiled_without_gil
def _products(
    places: Index, counts: Words, size: int, other: Counts, last: Counts, thirds: Lists
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
