"""The compiled loops of `band_ranks`: shares, and then ranks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.band_tables_kernel import sum_products, write_nonzero
from sudoku_encode.frontier.problem import JoinedTables, Lists
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint32s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

# Numbers of solutions: words, which may overflow, or floating-point numbers.
Weights = NDArray[Any]


@compiled_with_arrays
def sum_completions(
    joined: JoinedTables, of_first: Weights, of_second: Weights, of_third: Weights, progress: Int64s, work: int
) -> None:
    """Sum for each entry of three tables the products of entries of the other two that complete it."""
    # `progress` and `work`: as in `band_tables_kernel.sum_triples`. `of_first`, `of_second`, `of_third`: the sum for
    # each entry of the three tables; changed.
    first, second, third, firsts, seconds, thirds, filled, second_filled, third_filled = joined
    while progress[0] < len(firsts) and work > 0:
        x, y, z = firsts[progress[0]]
        row = progress[1]
        while row < first.shape[1] and work > 0:
            work -= 1
            if filled[x, row]:
                work -= first.shape[2]
                for pair in range(seconds.starts[row], seconds.starts[row + 1]):
                    b, c = seconds.items[pair, 1], seconds.items[pair, 2]
                    if second_filled[y, b] and third_filled[z, c]:
                        rows = first[x, row], second[y, b], third[z, c]
                        work -= _add_completions(rows, (of_first[x, row], of_second[y, b], of_third[z, c]), thirds)
            row += 1
        progress[1] = row
        if row == first.shape[1]:
            progress[0] += 1
            progress[1] = 0


@subroutine_with_arrays
def _add_completions(
    rows: tuple[Uint32s, Uint32s, Uint32s], sums: tuple[Weights, Weights, Weights], thirds: Lists
) -> int:
    """Add the products over the last axis to the sums of three rows; return how many products there were."""
    steps = 0
    for place in range(len(rows[0])):
        if not rows[0][place]:
            continue
        count = sums[0].dtype.type(rows[0][place])
        start, end = thirds.starts[place], thirds.starts[place + 1]
        steps += end - start
        inner = count - count
        for triple in range(start, end):
            b, c = thirds.items[triple, 1], thirds.items[triple, 2]
            x, y = sums[0].dtype.type(rows[1][b]), sums[0].dtype.type(rows[2][c])
            inner += x * y
            sums[1][b] += count * y
            sums[2][c] += count * x
        sums[0][place] += inner
    return steps


@compiled_with_arrays
def sum_fillings(
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
    """Sum for each filling of the boxes of a band the completions of the entries that it was counted in."""
    # `lines` to `third`: as in `band_tables_kernel.fill`. `completions`: three axes: for each entry of the table.
    # `of_first`, `of_second`, `of_third`: for each of the items in `first`, `second` and `third` the sum; changed.
    # `start`, `end`: the range of the first box's partitions of rows.
    whole = np.empty(completions.shape[1:], completions.dtype)
    pairs = np.empty(completions.shape[1:], completions.dtype)
    for x in range(start, end):
        triples = lines.items[lines.starts[x] : lines.starts[x + 1]]
        whole[:] = 0
        pairs[:] = 0
        for item in range(first.starts[x], first.starts[x + 1]):
            whole += completions[first.items[item]]
        for line in range(len(triples)):
            y, z = triples[line, 1], triples[line, 2]
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


# Ranks.


@compiled_with_arrays
def find_entries(
    joined: JoinedTables,
    triple: Int32s,
    ranks: Uint64s,
    entries: Int64s,
    filling_ranks: Uint64s,
    progress: Int64s,
    work: int,
) -> None:
    """Find the entries for ranks among the solutions of one triple of the first axis."""
    # `triple`: int32 (3,). `ranks`: uint64 (ranks, 2): low and high words, ascending. `entries`: int64 (ranks, 6): for
    # each rank the places on the second axis in the three tables, and on the last. `filling_ranks`: uint64 (ranks,):
    # its rank among the fillings of the three entries. `progress`: int64 (2,): how many ranks are done, and how many
    # rows of the first table. The last four are changed. `work`: stop after about this many steps.
    first, second, third, _, seconds, thirds, filled, second_filled, third_filled = joined
    places, counts = np.empty(first.shape[2], np.int32), np.empty(first.shape[2], np.uint64)
    x, y, z = triple
    while progress[0] < len(ranks) and progress[1] < first.shape[1] and work > 0:
        row = progress[1]
        work -= 1
        if filled[x, row]:
            n_places = write_nonzero(first[x, row], places, counts)
            work -= first.shape[2]
            for pair in range(seconds.starts[row], seconds.starts[row + 1]):
                b, c = seconds.items[pair, 1], seconds.items[pair, 2]
                if not (second_filled[y, b] and third_filled[z, c]):
                    continue
                rows = first[x, row], second[y, b], third[z, c]
                size, steps = sum_products(places, counts, n_places, rows[1], rows[2], thirds)
                work -= steps
                for number in range(progress[0], len(ranks)):
                    low = ranks[number, 0]
                    if ranks[number, 1] == 0 and low < size:
                        entries[number, 0], entries[number, 1], entries[number, 2] = row, b, c
                        _find_third(rows, thirds, low, entries[number], filling_ranks[number:])
                        progress[0] = number + 1
                    else:
                        ranks[number, 0] = low - size
                        ranks[number, 1] -= np.uint64(low < size)
        progress[1] += 1


@subroutine_with_arrays
def _find_third(
    rows: tuple[Uint32s, Uint32s, Uint32s], thirds: Lists, rank: np.uint64, places: Int64s, filling_rank: Uint64s
) -> None:
    """Find the places on the last axis for a rank."""
    first, second, third = rows
    for place in range(len(first)):
        if not first[place]:
            continue
        for triple in range(thirds.starts[place], thirds.starts[place + 1]):
            b, c = thirds.items[triple, 1], thirds.items[triple, 2]
            size = np.uint64(first[place]) * np.uint64(second[b]) * np.uint64(third[c])
            if rank < size:
                places[3], places[4], places[5] = place, b, c
                filling_rank[0] = rank
                return
            rank -= size


@compiled_with_arrays
def find_lines(
    lines: Int32s,
    first: Bools,
    second: Bools,
    third: Bools,
    columns: Int64s,
    ranks: Uint64s,
    rows: Int64s,
    start: int,
    end: int,
) -> None:
    """Find the fillings of a band for a range of ranks, among those that put given partitions into the columns."""
    # `lines`: int32 (triples, 3): which partitions of rows complete each other. `first`, `second`, `third`: bool (rows,
    # columns): whether a partition of rows and one of columns make a filling of the first, second and third box.
    # `columns`: int64 (ranks, 3): for each rank the three partitions of columns. `ranks`: uint64 (ranks,). `rows`:
    # int64 (ranks, 3): takes the partitions of rows.
    for number in range(start, end):
        rank = ranks[number]
        x, y, z = columns[number]
        for line in range(len(lines)):
            a, b, c = lines[line]
            if first[a, x] and second[b, y] and third[c, z]:
                if rank == 0:
                    rows[number, 0], rows[number, 1], rows[number, 2] = a, b, c
                    break
                rank -= np.uint64(1)
