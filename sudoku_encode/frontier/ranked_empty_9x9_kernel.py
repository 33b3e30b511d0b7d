"""The loops of `ranked_empty_9x9`, compiled."""

from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.run.compiling import compiled_with_arrays


@compiled_with_arrays
def find_rests(
    first: Int64s, rests: Int64s, renamed: Int64s, ways: Int64s, ranks: Int64s, found: Int64s, start: int, end: int
) -> None:
    """Find what the second and the third band put into the columns where the first one puts partition 0 and two more.

    Args:
        first: int64 (ranks, 3): the partitions of the first band, 0 and the two.
        rests: (1680, 56, 2), as in `empty_9x9_kernel.completions`, and so are the two after it.
        renamed: (1680, 1680).
        ways: (1680, 1680).
        ranks: int64 (ranks,): among all completions; what is left among those that put that into the columns; changed.
        found: int64 (ranks, 2, 3): the partitions of the second and of the third band; changed.
        start: the first rank to look at.
        end: the one after the last.
    """
    for number in range(start, end):
        second, third = first[number, 1], first[number, 2]
        left, done = ranks[number], False
        for i in range(rests.shape[1]):
            here, below = rests[0, i]
            for j in range(rests.shape[1]):
                row, row_below = ways[renamed[here, rests[second, j, 0]]], ways[renamed[below, rests[second, j, 1]]]
                for k in range(rests.shape[1]):
                    size = row[renamed[here, rests[third, k, 0]]] * row_below[renamed[below, rests[third, k, 1]]]
                    if left < size:
                        for band in range(2):
                            found[number, band, 0] = rests[0, i, band]
                            found[number, band, 1] = rests[second, j, band]
                            found[number, band, 2] = rests[third, k, band]
                        done = True
                        break
                    left -= size
                if done:
                    break
            if done:
                break
        ranks[number] = left


@compiled_with_arrays
def find_rows(
    columns: Int64s, crossing: Int64s, meets: Bools, rests: Int64s, ranks: Int64s, found: Int64s, start: int, end: int
) -> None:
    """Find the partitions of rows in the boxes of bands, of those that put certain partitions into the columns.

    Args:
        columns: int64 (ranks, 3): these.
        crossing: int64 (1680, 216): for each partition those that make a box with it.
        meets: bool (1680, 1680): whether two do.
        rests: (1680, 56, 2).
        ranks: int64 (ranks,).
        found: int64 (ranks, 3): the partitions of rows; changed.
        start: the first rank to look at.
        end: the one after the last.
    """
    for number in range(start, end):
        first, second, third = columns[number]
        left, done = ranks[number], False
        for rows in crossing[first]:
            for i in range(rests.shape[1]):
                below, last = rests[rows, i]
                if meets[below, second] and meets[last, third]:
                    if left == 0:
                        found[number, 0], found[number, 1], found[number, 2] = rows, below, last
                        done = True
                        break
                    left -= 1
            if done:
                break
