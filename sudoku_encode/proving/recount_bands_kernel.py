"""The inner loops of `recount_bands`, compiled."""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint16s
from sudoku_encode.run.compiling import compiled

Bytes = NDArray[np.uint8]
_DIGIT = np.uint64(2**32 - 1)
_DIGIT_BITS = np.uint64(32)


@compiled
def add_fillings(
    triples: Int32s,
    first: Int32s,
    second: Int32s,
    second_starts: Int64s,
    third: Int32s,
    third_starts: Int64s,
    sheet: Uint16s,
    table: Uint16s,
) -> None:
    """Add the fillings of a band whose first box has one partition of rows to the band's table."""
    # `triples`, (triples, 3): the partitions of rows of the three boxes that complete each other. `first`: the
    # partitions of columns of the first box. `second`, from `second_starts[rows]` to the next one: those of the second
    # box, by its partition of rows; so for the third one. `sheet`, (partitions of the second box, of the third): work
    # space. `table`, (partitions of the first box, of the second, of the third).
    sheet[:] = 0
    for triple in range(len(triples)):
        rows, other_rows = triples[triple, 1], triples[triple, 2]
        for own in second[second_starts[rows] : second_starts[rows + 1]]:
            for other in third[third_starts[other_rows] : third_starts[other_rows + 1]]:
                sheet[own, other] += np.uint16(1)
    for own in first:
        for other in range(sheet.shape[0]):
            for last in range(sheet.shape[1]):
                table[own, other, last] += sheet[other, last]


@compiled
def spread(sheet: Uint16s, places: Int32s, rows: Uint16s, is_filled: Bools) -> None:
    """Write the entries of each row of a sheet at the places of triples, and whether any is not 0."""
    for row in range(len(sheet)):
        together = np.uint16(0)
        for place in range(len(places)):
            rows[row, place] = sheet[row, places[place]]
            together |= rows[row, place]
        is_filled[row] = together != 0


@compiled
def sum_products(
    triples: Int32s,
    first: Uint16s,
    second: Uint16s,
    third: Uint16s,
    is_first: Bools,
    is_second: Bools,
    is_third: Bools,
) -> tuple[np.uint64, np.uint64]:
    """Sum the products of rows that complete each other; return the sums of the low and of the high 32 bits."""
    # `first`, `second`, `third`, (partitions, triples of the last stack): entries of the bands' tables, see `spread`.
    # `is_first`, `is_second`, `is_third`: which rows are not 0. `triples`, (triples, 3): rows that complete each other.
    low = high = np.uint64(0)
    for triple in range(len(triples)):
        a, b, c = triples[triple, 0], triples[triple, 1], triples[triple, 2]
        if not (is_first[a] and is_second[b] and is_third[c]):
            continue
        # An entry is at most 6^6, and there are at most 1680 * 56 places: so the sum is less than 2^64.
        products = np.uint64(0)
        for place in range(first.shape[1]):
            products += np.uint64(first[a, place]) * np.uint64(second[b, place]) * np.uint64(third[c, place])
        low += products & _DIGIT
        high += products >> _DIGIT_BITS
    return low, high


@compiled
def write_records(sheet: Uint16s, second: Bytes, third: Bytes, records: Bytes) -> int:
    """Write the records of the entries with one first partition, which they contain already; return their number."""
    # `sheet`, (second partitions, third partitions): the numbers of ways. `second`, `third`, (partitions, 4): these in
    # bytes. `records`, (entries, bytes).
    n_records, last = 0, records.shape[1] - 1
    for row in range(sheet.shape[0]):
        for column in range(sheet.shape[1]):
            ways = sheet[row, column]
            if ways:
                for byte in range(4):
                    records[n_records, 4 + byte] = second[row, byte]
                    records[n_records, 8 + byte] = third[column, byte]
                for byte in range(last, 11, -1):
                    records[n_records, byte] = ways & 255
                    ways >>= 8
                n_records += 1
    return n_records
