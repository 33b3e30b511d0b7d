"""The compiled loops of `box_fillings` and `band_tables`."""

import numpy as np

from sudoku_encode.frontier.problem import JoinedTables, Lists
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint32s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

_SIDE = 3
_VALUES = 9


@compiled_with_arrays
def list_fillings(masks: Int64s, rows: Uint64s, columns: Uint64s) -> int:
    """List the fillings of a box; return how many there are."""
    # `masks`: int64 (9,): the candidates of its cells, a bit each, row by row. `rows`, `columns`: uint64 (362880,): for
    # each filling the values in its rows, bit `row * 9 + value`, and in its columns, bit `column * 9 + value`; changed.
    n_fillings = cell = used = 0
    rest, taken = np.zeros(_VALUES, np.int64), np.zeros(_VALUES, np.int64)
    rest[0] = masks[0]
    by_row, by_column = np.zeros(_VALUES + 1, np.uint64), np.zeros(_VALUES + 1, np.uint64)
    while cell >= 0:
        if not rest[cell]:
            cell -= 1
            if cell >= 0:
                used ^= taken[cell]
            continue
        bit = rest[cell] & -rest[cell]
        rest[cell] ^= bit
        by_row[cell + 1] = by_row[cell] | np.uint64(bit) << np.uint64(cell // _SIDE * _VALUES)
        by_column[cell + 1] = by_column[cell] | np.uint64(bit) << np.uint64(cell % _SIDE * _VALUES)
        if cell == _VALUES - 1:
            rows[n_fillings], columns[n_fillings] = by_row[_VALUES], by_column[_VALUES]
            n_fillings += 1
        else:
            taken[cell] = bit
            used |= bit
            cell += 1
            rest[cell] = masks[cell] & ~used
    return n_fillings


@compiled_with_arrays
def fill(lines: Lists, first: Lists, second: Lists, third: Lists, table: Uint32s, start: int, end: int) -> None:
    """Add the fillings of a band to a table by their partitions of columns."""
    # `lines`: for each partition of the first box's rows the triples of the three boxes' partitions of rows that
    # complete each other. `first`, `second`, `third`: for each partition of a box's rows the partitions of columns of
    # its fillings. `table`: uint32, an axis for the partitions of columns of each box: numbers of fillings; changed.
    # `start`, `end`: the range of the first box's partitions of rows.
    sheet = np.zeros(table.shape[1:], np.uint32)
    for x in range(start, end):
        # The partitions of the other two boxes are the same for all fillings of the first one with these rows.
        triples = lines.items[lines.starts[x] : lines.starts[x + 1]]
        places = first.items[first.starts[x] : first.starts[x + 1]]
        if len(places) == 1:
            _add_pairs(triples, second, third, table[places[0]])
            continue
        sheet[:] = 0
        _add_pairs(triples, second, third, sheet)
        for place in places:
            table[place] += sheet


@subroutine_with_arrays
def _add_pairs(lines: Int32s, second: Lists, third: Lists, sheet: Uint32s) -> None:
    """Add one to a sheet of the table for each pair of fillings of the second and the third box, see `fill`."""
    for line in range(len(lines)):
        y, z = lines[line, 1], lines[line, 2]
        for b in second.items[second.starts[y] : second.starts[y + 1]]:
            row = sheet[b]
            for c in third.items[third.starts[z] : third.starts[z + 1]]:
                row[c] += np.uint32(1)


@compiled_with_arrays
def sum_triples(joined: JoinedTables, progress: Int64s, sums: Uint64s, work: int) -> None:
    """Sum for each triple of the first axis the products of the entries of three tables that complete each other."""
    # `progress`: int64 (2,): the current triple in `firsts`, and how many rows of the first table below it are done.
    # `sums`: uint64 (triples, 2): low and high word of each sum so far. Both are changed. `work`: stop after about this
    # many steps: entries and products visited.
    first, second, third, firsts, seconds, thirds, filled, second_filled, third_filled = joined
    places, counts = np.empty(first.shape[2], np.int32), np.empty(first.shape[2], np.uint64)
    while progress[0] < len(firsts) and work > 0:
        x, y, z = firsts[progress[0]]
        total = sums[progress[0]]
        row = progress[1]
        while row < first.shape[1] and work > 0:
            work -= 1
            if filled[x, row]:
                size = write_nonzero(first[x, row], places, counts)
                work -= first.shape[2]
                for pair in range(seconds.starts[row], seconds.starts[row + 1]):
                    b, c = seconds.items[pair, 1], seconds.items[pair, 2]
                    if second_filled[y, b] and third_filled[z, c]:
                        product, steps = sum_products(places, counts, size, second[y, b], third[z, c], thirds)
                        total[0] += product
                        total[1] += np.uint64(total[0] < product)
                        work -= steps
            row += 1
        progress[1] = row
        if row == first.shape[1]:
            progress[0] += 1
            progress[1] = 0


@subroutine_with_arrays
def write_nonzero(row: Uint32s, places: Int32s, counts: Uint64s) -> int:
    """Write the places and values of the entries of a row that are not 0; return their number."""
    size = 0
    for place in range(len(row)):
        if row[place]:
            places[size] = place
            counts[size] = row[place]
            size += 1
    return size


@subroutine_with_arrays
def sum_products(
    places: Int32s, counts: Uint64s, size: int, second: Uint32s, third: Uint32s, thirds: Lists
) -> tuple[np.uint64, int]:
    """Sum the products over the last axis; return the sum and the number of products."""
    total, steps = np.uint64(0), size
    for index in range(size):
        inner = np.uint64(0)
        start, end = thirds.starts[places[index]], thirds.starts[places[index] + 1]
        for triple in range(start, end):
            inner += np.uint64(second[thirds.items[triple, 1]]) * np.uint64(third[thirds.items[triple, 2]])
        total += counts[index] * inner
        steps += end - start
    return total, steps
