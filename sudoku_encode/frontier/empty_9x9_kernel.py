"""The loops of `empty_9x9`, compiled."""

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.compiling import compiled_with_arrays


@compiled_with_arrays
def add_products(ways: Int64s, rows: Int64s, columns: Int64s) -> None:
    """Add one to each entry in one of these rows and one of these columns."""
    for row in rows:
        for column in columns:
            ways[row, column] += 1


@compiled_with_arrays
def merge(root: Int64s, image: Int64s, start: int, end: int) -> None:
    """Join numbers `start` to `end` with their images; each set is a tree with its least number as the root."""
    for number in range(start, end):
        one, other = number, image[number]
        while root[one] != one:
            root[one] = root[root[one]]
            one = root[one]
        while root[other] != other:
            root[other] = root[root[other]]
            other = root[other]
        if one < other:
            root[other] = one
        elif other < one:
            root[one] = other


@compiled_with_arrays
def completions(second: int, third: int, rests: Int64s, renamed: Int64s, ways: Int64s) -> int:
    """Sum, over all that two more bands may put into the columns, the product of their numbers of fillings.

    Args:
        second: what the first band puts into the middle stack; into the first it puts partition 0.
        third: what it puts into the last stack.
        rests: (1680, 56, 2): the pairs of partitions that complete each in its stack.
        renamed: (1680, 1680): each partition (second index) after the renaming that makes the first partition 0.
        ways: (1680, 1680): fillings of a band that puts partition 0 and these two into the columns.
    """
    total = 0
    for i in range(rests.shape[1]):
        here, below = rests[0, i]
        for j in range(rests.shape[1]):
            row, row_below = ways[renamed[here, rests[second, j, 0]]], ways[renamed[below, rests[second, j, 1]]]
            for k in range(rests.shape[1]):
                total += row[renamed[here, rests[third, k, 0]]] * row_below[renamed[below, rests[third, k, 1]]]
    return total
