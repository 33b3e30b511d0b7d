"""The loops of `band_shares`, compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.band_tables_state import Lists
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint32s
from sudoku_encode.run.compiling import compiled_with_arrays

# Numbers of solutions: words, in which they may pass the end and go on from 0, or floating.
Weights = NDArray[Any]


@compiled_with_arrays
def complete(
    one: Uint32s,
    other: Uint32s,
    last: Uint32s,
    firsts: Int32s,
    seconds: Lists,
    thirds: Lists,
    filled: Bools,
    other_filled: Bools,
    last_filled: Bools,
    of_one: Weights,
    of_other: Weights,
    of_last: Weights,
    at: Int64s,
    work: int,
) -> None:
    """Sum for each entry of three tables the products of entries of the other two that make a whole with it.

    Args:
        one: uint32, three axes: the table of the first band, and so on, as `join` of `band_tables` takes them.
        other: uint32, three axes.
        last: uint32, three axes.
        firsts: int32 (triples, 3).
        seconds: lists of triples.
        thirds: lists of triples.
        filled: bool: which rows have more than zeros.
        other_filled: bool.
        last_filled: bool.
        of_one: three axes as `one`: the sum for each entry; changed.
        of_other: as `other`; changed.
        of_last: as `last`; changed.
        at: int64 (2,): the triple in `firsts` at work, and how many rows of `one` below it are done; changed.
        work: stop after about this many steps.
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
                        rows = one[x, row], other[y, b], last[z, c]
                        work -= _products(rows, (of_one[x, row], of_other[y, b], of_last[z, c]), thirds)
            row += 1
        at[1] = row
        if row == one.shape[1]:
            at[0] += 1
            at[1] = 0


@compiled_with_arrays
def _products(rows: tuple[Uint32s, Uint32s, Uint32s], sums: tuple[Weights, Weights, Weights], thirds: Lists) -> int:
    """Sum the products over the last axis; return how many there were."""
    steps = 0
    for place in range(len(rows[0])):
        if not rows[0][place]:
            continue
        count = sums[0].dtype.type(rows[0][place])
        start, end = thirds.starts[place], thirds.starts[place + 1]
        steps += end - start
        some = count - count
        for triple in range(start, end):
            b, c = thirds.items[triple, 1], thirds.items[triple, 2]
            x, y = sums[0].dtype.type(rows[1][b]), sums[0].dtype.type(rows[2][c])
            some += x * y
            sums[1][b] += count * y
            sums[2][c] += count * x
        sums[0][place] += some
    return steps


@compiled_with_arrays
def take_apart(
    lines: Lists,
    first: Lists,
    second: Lists,
    third: Lists,
    completions: Weights,
    of_first: Weights,
    of_second: Weights,
    of_third: Weights,
    start: int,
    end: int,
) -> None:
    """Sum for each filling of the boxes of a band the completions of the entries that it was counted in.

    Args:
        lines: as `fill` of `band_tables` takes them, and so are the three after it.
        first: for each partition of the first box's rows its fillings' partitions of columns.
        second: for each of the second box's.
        third: for each of the third box's.
        completions: three axes: for each entry of the table.
        of_first: for each of the items in `first`: the sum; changed.
        of_second: for each of the items in `second`; changed.
        of_third: for each of the items in `third`; changed.
        start: the first of the first box's partitions of rows to look at.
        end: the one after the last.
    """
    whole = np.empty(completions.shape[1:], completions.dtype)
    pairs = np.empty(completions.shape[1:], completions.dtype)
    for x in range(start, end):
        some = lines.items[lines.starts[x] : lines.starts[x + 1]]
        whole[:] = 0
        pairs[:] = 0
        for item in range(first.starts[x], first.starts[x + 1]):
            whole += completions[first.items[item]]
        for line in range(len(some)):
            y, z = some[line, 1], some[line, 2]
            for at_b in range(second.starts[y], second.starts[y + 1]):
                b = second.items[at_b]
                total = of_second[at_b]
                for at_c in range(third.starts[z], third.starts[z + 1]):
                    c = third.items[at_c]
                    total += whole[b, c]
                    of_third[at_c] += whole[b, c]
                    pairs[b, c] += 1
                of_second[at_b] = total
        for item in range(first.starts[x], first.starts[x + 1]):
            sheet = completions[first.items[item]]
            total = of_first[item]
            for b in range(sheet.shape[0]):
                for c in range(sheet.shape[1]):
                    total += pairs[b, c] * sheet[b, c]
            of_first[item] = total
