"""The compiled loops of `square_trees`."""

import numpy as np

from sudoku_encode.frontier.problem import Lists, WeightedBox
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint64s
from sudoku_encode.run.compiling import compiled

# Sums of products stay below this: a product of two residues is below half of it.
_HALF = np.uint64(2**63)


@compiled
def add_product(total: np.uint64, first: np.uint64, second: np.uint64, multiple: np.uint64) -> np.uint64:
    """Add a product to a sum below 2**63, and take away a multiple of the modulus if it passes that."""
    total += first * second
    return total - multiple if total >= _HALF else total


@compiled
def weigh_band(
    lines: Int32s,
    first: WeightedBox,
    second: WeightedBox,
    third: WeightedBox,
    modulus: np.uint64,
    multiple: np.uint64,
    table: Uint64s,
    start: int,
    end: int,
) -> None:
    """Add the weights of the fillings of a band to a table by their partitions of columns."""
    # `lines`: int32 (triples, 3): the partitions of rows of three boxes that complete each other. `table`: uint64, an
    # axis for the partitions of columns of each box; changed. `start`, `end`: the range of triples.
    for line in range(start, end):
        x, y, z = lines[line]
        for a in range(first.starts[x], first.starts[x + 1]):
            for b in range(second.starts[y], second.starts[y + 1]):
                weight = first.weights[a] * second.weights[b] % modulus
                row = table[first.down[a], second.down[b]]
                for c in range(third.starts[z], third.starts[z + 1]):
                    place = third.down[c]
                    row[place] = add_product(row[place], weight, third.weights[c], multiple)


@compiled
def complete(
    above: Uint64s,
    below: Uint64s,
    filled: Bools,
    pairs: Int32s,
    seconds: Lists,
    thirds: Lists,
    multiple: np.uint64,
    sheet: Uint64s,
) -> None:
    """Add the weights of the fillings of two bands to a sheet by the partitions that complete them in two stacks."""
    # `above`, `below`: the tables of the two bands. `filled`: bool, the rows of the second one with an entry other than
    # 0. `pairs`: int32 (pairs, 3): a partition in the first stack of the third band, which is the same in all, and
    # those of the two bands that complete it. `seconds`, `thirds`: all such triples of the other stacks, that of the
    # first table first, a list for each of its partitions. `sheet`: uint64, an axis for the third band's partitions in
    # each of the other stacks; changed.
    for pair in range(len(pairs)):
        upper, lower = pairs[pair, 1], pairs[pair, 2]
        for line in range(above.shape[1]):
            for place in range(above.shape[2]):
                weight = above[upper, line, place]
                if not weight:
                    continue
                for item in range(seconds.starts[line], seconds.starts[line + 1]):
                    second = seconds.items[item]
                    if not filled[lower, second[2]]:
                        continue
                    row, entries = sheet[second[1]], below[lower, second[2]]
                    for other in range(thirds.starts[place], thirds.starts[place + 1]):
                        third = thirds.items[other]
                        row[third[1]] = add_product(row[third[1]], weight, entries[third[2]], multiple)


@compiled
def sum_beside(
    lines: Lists,
    rows: Int64s,
    second: WeightedBox,
    third: WeightedBox,
    sheet: Uint64s,
    modulus: np.uint64,
    multiple: np.uint64,
    gathered: Uint64s,
    sums: Uint64s,
) -> None:
    """Sum the sheet over the fillings of the two boxes beside each filling of a box."""
    # `lines`: for each partition of rows of the box the triples of the three boxes that complete each other. `rows`:
    # that of each filling. `sheet`: see `complete`, residues. `gathered`: uint64, for each partition of rows of the
    # second box the sum of the sheet's rows. `sums`: uint64, a sum for each filling. The last two are changed.
    for y in range(len(gathered)):
        gathered[y] = 0
        for b in range(second.starts[y], second.starts[y + 1]):
            row, weight = sheet[second.down[b]], second.weights[b]
            for place in range(len(row)):
                gathered[y, place] = add_product(gathered[y, place], weight, row[place], multiple)
        for place in range(gathered.shape[1]):
            gathered[y, place] %= modulus
    for filling in range(len(rows)):
        total = np.uint64(0)
        for triple in range(lines.starts[rows[filling]], lines.starts[rows[filling] + 1]):
            row, z = gathered[lines.items[triple, 1]], lines.items[triple, 2]
            for c in range(third.starts[z], third.starts[z + 1]):
                total = add_product(total, third.weights[c], row[third.down[c]], multiple)
        sums[filling] = total % modulus
