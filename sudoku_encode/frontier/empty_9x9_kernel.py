"""The compiled loops of `empty_9x9`."""

from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.run.compiling import compiled_with_arrays


@compiled_with_arrays
def merge(root: Int64s, image: Int64s, start: int, end: int) -> None:
    """Join numbers `start` to `end` with their images; each set is a tree with its least number as the root."""
    for number in range(start, end):
        root_of_number, root_of_image = number, image[number]
        while root[root_of_number] != root_of_number:
            root[root_of_number] = root[root[root_of_number]]
            root_of_number = root[root_of_number]
        while root[root_of_image] != root_of_image:
            root[root_of_image] = root[root[root_of_image]]
            root_of_image = root[root_of_image]
        if root_of_number < root_of_image:
            root[root_of_image] = root_of_number
        elif root_of_image < root_of_number:
            root[root_of_number] = root_of_image


@compiled_with_arrays
def completions(second: int, third: int, rests: Int64s, renamed: Int64s, ways: Int64s) -> int:
    """Sum the products of the fillings of two more bands, over all partitions that they may put into the columns."""
    # `second`, `third`: the partitions that the first band puts into the middle and the last stack; the first stack
    # gets partition 0. `rests`: (1680, 56, 2): the pairs of partitions that complete each in its stack. `renamed`:
    # (1680, 1680): each partition (second index) after the renaming that makes the first partition 0. `ways`: (1680,
    # 1680): fillings of a band that puts partition 0 and these two into the columns.
    total = 0
    for i in range(rests.shape[1]):
        above, below = rests[0, i]
        for j in range(rests.shape[1]):
            row, row_below = ways[renamed[above, rests[second, j, 0]]], ways[renamed[below, rests[second, j, 1]]]
            for k in range(rests.shape[1]):
                total += row[renamed[above, rests[third, k, 0]]] * row_below[renamed[below, rests[third, k, 1]]]
    return total


# Ranks.


@compiled_with_arrays
def find_rests(
    first: Int64s, rests: Int64s, renamed: Int64s, ways: Int64s, ranks: Int64s, partitions: Int64s, start: int, end: int
) -> None:
    """Find the partitions that the second and the third band put into the columns, for a range of ranks."""
    # `first`: int64 (ranks, 3): the partitions of the first band, the first of them 0. `rests`, `renamed`, `ways`: as
    # in `completions`. `ranks`: int64 (ranks,): among all completions, then among those with these partitions; changed.
    # `partitions`: int64 (ranks, 2, 3): of the second and of the third band; changed.
    for number in range(start, end):
        second, third = first[number, 1], first[number, 2]
        rank, done = ranks[number], False
        for i in range(rests.shape[1]):
            above, below = rests[0, i]
            for j in range(rests.shape[1]):
                row, row_below = ways[renamed[above, rests[second, j, 0]]], ways[renamed[below, rests[second, j, 1]]]
                for k in range(rests.shape[1]):
                    size = row[renamed[above, rests[third, k, 0]]] * row_below[renamed[below, rests[third, k, 1]]]
                    if rank < size:
                        for band in range(2):
                            partitions[number, band, 0] = rests[0, i, band]
                            partitions[number, band, 1] = rests[second, j, band]
                            partitions[number, band, 2] = rests[third, k, band]
                        done = True
                        break
                    rank -= size
                if done:
                    break
            if done:
                break
        ranks[number] = rank


@compiled_with_arrays
def find_rows(
    columns: Int64s,
    crossing: Int64s,
    meets: Bools,
    rests: Int64s,
    ranks: Int64s,
    row_partitions: Int64s,
    start: int,
    end: int,
) -> None:
    """Find the partitions of rows of bands that put given partitions into the columns, for a range of ranks."""
    # `columns`: int64 (ranks, 3): the partitions of columns. `crossing`: int64 (1680, 216): for each partition those
    # that make a box with it. `meets`: bool (1680, 1680): whether two make a box. `rests`: (1680, 56, 2), as in
    # `completions`. `ranks`: int64 (ranks,). `row_partitions`: int64 (ranks, 3): takes the partitions of rows.
    for number in range(start, end):
        first, second, third = columns[number]
        rank, done = ranks[number], False
        for rows in crossing[first]:
            for i in range(rests.shape[1]):
                below, last = rests[rows, i]
                if meets[below, second] and meets[last, third]:
                    if rank == 0:
                        row_partitions[number, 0], row_partitions[number, 1], row_partitions[number, 2] = (
                            rows,
                            below,
                            last,
                        )
                        done = True
                        break
                    rank -= 1
            if done:
                break
