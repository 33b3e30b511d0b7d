"""The compiled loops of `few_givens`."""

import numpy as np

from sudoku_encode.frontier.partitions import Partitions
from sudoku_encode.frontier.problem import BandTable, Classes, Lists
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint16s, Uint32s, Uint64s
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

# How many pairs of partitions are multiplied side by side, in one row of memory; and how many at least, so that the
# machine adds several at a time.
_LANES, _VECTOR = 64, 16
# For `work`: what a row takes at least, what it takes to copy an entry, and how many products are a step.
_ROW_STEPS, _COPY_STEPS, _PRODUCTS_PER_STEP = 2000, 8, 4


@subroutine_with_arrays
def pairs_of_kinds(kinds: Int64s) -> Int64s:
    """Return the pairs of values of one kind: exchanging them in this order, where that is less, sorts each kind."""
    pairs = np.empty((len(kinds) * (len(kinds) - 1) // 2, 2), np.int64)
    size = 0
    for first in range(len(kinds)):
        for second in range(first + 1, len(kinds)):
            if kinds[first] == kinds[second]:
                pairs[size, 0], pairs[size, 1] = first, second
                size += 1
    return pairs[:size]


@compiled_with_arrays
def least(exchanged: Uint16s, pairs: Int64s, partition: int, exchanges: Int64s) -> tuple[int, int]:
    """Return the least partition that renaming makes, and how many pairs were exchanged; write their numbers."""
    size = 0
    for number in range(len(pairs)):
        other = int(exchanged[pairs[number, 0], pairs[number, 1], partition])
        if other < partition:
            partition = other
            exchanges[size] = number
            size += 1
    return partition, size


@compiled_with_arrays
def rename_all(exchanged: Uint16s, kinds: Int64s, renamed: Uint16s, start: int, end: int) -> None:
    """Write for a range of partitions all partitions after the renaming that makes the first one the least."""
    pairs, exchanges = pairs_of_kinds(kinds), np.empty(36, np.int64)
    for partition in range(start, end):
        size = least(exchanged, pairs, partition, exchanges)[1]
        row = renamed[partition]
        for other in range(len(row)):
            row[other] = other
        for number in exchanges[:size]:
            exchange = exchanged[pairs[number, 0], pairs[number, 1]]
            for other in range(len(row)):
                row[other] = exchange[row[other]]


@compiled_with_arrays
def add_band(
    partitions: Partitions,
    band: BandTable,
    first: int,
    names: Uint16s,
    factor: int,
    kinds: Int64s,
    orders: Lists,
    classes: Classes,
) -> None:
    """Add the fillings of a band with one partition in the first stack to the weights of their classes."""
    # `names`: uint16 (1680,): all partitions after the renaming that makes `first` the one of its class. `factor`: for
    # how many partitions `first` stands. `kinds`: int64 (9,): values of one kind may be exchanged, which keeps the
    # class of the first stack. `orders`: the orders of columns that are allowed in each stack.
    n, exchanged, turned = len(names), partitions.exchanged, partitions.turned
    sheet = band.table[band.types[first]]
    pairs, exchanges = pairs_of_kinds(kinds), np.empty(36, np.int64)
    for second in range(n):
        place = band.places[0, first, second]
        if place < 0:
            continue
        row, turn = n, 0
        for order in orders.items[orders.starts[1] : orders.starts[2]]:
            image = least(exchanged, pairs, int(turned[order, names[second]]), exchanges)[0]
            if image < row:
                row, turn = image, order
        size = least(exchanged, pairs, int(turned[turn, names[second]]), exchanges)[1]
        if not classes.used[row]:
            classes.used[row] = True
            _find_least(partitions, kinds, row, orders, classes.images[row])
        images, weights = classes.images[row], classes.weights[row]
        for third in range(n):
            place_of_third = band.places[1, first, third]
            if place_of_third >= 0:
                ways = sheet[place, place_of_third]
                if ways:
                    image = int(names[third])
                    for number in exchanges[:size]:
                        image = int(exchanged[pairs[number, 0], pairs[number, 1], image])
                    weights[images[image]] += np.uint64(ways) * np.uint64(factor)


@subroutine_with_arrays
def _find_least(partitions: Partitions, kinds: Int64s, row: int, orders: Lists, images: Uint16s) -> None:
    """Write for each partition of the last stack the one of its class, beside one of the middle stack."""
    finer = kinds * 3 + partitions.marks[row]
    pairs, exchanges = pairs_of_kinds(finer), np.empty(36, np.int64)
    for partition in range(len(images)):
        image = len(images)
        for order in orders.items[orders.starts[2] : orders.starts[3]]:
            image = min(
                image, least(partitions.exchanged, pairs, int(partitions.turned[order, partition]), exchanges)[0]
            )
        images[partition] = image


@compiled_with_arrays
def sum_completions(
    firsts: Int32s,
    seconds: Lists,
    thirds: Lists,
    upper: BandTable,
    lower: BandTable,
    classes: Classes,
    progress: Int64s,
    sums: Uint64s,
    work: int,
) -> None:
    """Multiply the weight of each class by its number of completions, add that to the sums, and remove the class."""
    # `firsts`: int32 (pairs, 2): the partitions of the other two bands that complete the one of the first stack.
    # `seconds`, `thirds`: the same for each partition of the middle and the last stack. `progress`: int64 (2,): the
    # next row of classes, and how many classes there were. `sums`: uint64 (3,): digits of 32 bits. Both are changed.
    # `work`: stop after about this many steps.
    n = len(classes.used)
    columns, ends, completions = np.empty(n, np.int64), np.zeros(n + 1, np.int64), np.empty(n, np.uint64)
    above, below = np.empty(n, np.int64), np.empty(n, np.int64)
    places = np.empty((len(thirds.items), 2), np.uint32)
    above_rows, below_rows = np.zeros((n, _LANES), np.uint32), np.zeros((n, _LANES), np.uint32)
    while progress[0] < n and work > 0:
        row = progress[0]
        progress[0] += 1
        if not classes.used[row]:
            continue
        classes.used[row] = False
        weights = classes.weights[row]
        size, n_above, n_below = _list_row(weights, thirds, columns, ends, places, above, below)
        start, end = seconds.starts[row], seconds.starts[row + 1]
        n_pairs = len(firsts) * (end - start)
        completions[:size] = 0
        for begin in range(0, n_pairs, _LANES):
            lanes = min(_LANES, n_pairs - begin)
            filled = (lanes + _VECTOR - 1) // _VECTOR * _VECTOR
            above_rows[:n_above, lanes:filled] = 0
            for lane in range(lanes):
                i, j = (begin + lane) // (end - start), start + (begin + lane) % (end - start)
                _copy_lane(upper, firsts[i, 0], seconds.items[j, 0], above[:n_above], above_rows, lane)
                _copy_lane(lower, firsts[i, 1], seconds.items[j, 1], below[:n_below], below_rows, lane)
            for number in range(size):
                for place in range(ends[number], ends[number + 1]):
                    completions[number] += _product(above_rows[places[place, 0]], below_rows[places[place, 1]], filled)
        progress[1] += size
        work -= _ROW_STEPS + n_pairs * (ends[size] + _COPY_STEPS * (n_above + n_below)) // _PRODUCTS_PER_STEP
        for number in range(size):
            _add_product(weights[columns[number]], completions[number], sums)
            weights[columns[number]] = 0


@subroutine_with_arrays
def _list_row(
    weights: Uint64s, thirds: Lists, columns: Int64s, ends: Int64s, places: Uint32s, above: Int64s, below: Int64s
) -> tuple[int, int, int]:
    """List the classes of a row, with the partitions that complete each in the last stack; return three sizes."""
    # `columns`: takes the classes. `above`, `below`: take the partitions of the upper and of the lower band that are
    # needed. `places`: uint32 (pairs, 2): takes for each pair their places there, for class k those from `ends[k]` on.
    n = len(weights)
    place_above, place_below = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    size = n_above = n_below = n_pairs = 0
    for column in range(n):
        if not weights[column]:
            continue
        for item in range(thirds.starts[column], thirds.starts[column + 1]):
            upper, lower = thirds.items[item, 0], thirds.items[item, 1]
            if place_above[upper] < 0:
                place_above[upper], above[n_above] = n_above, upper
                n_above += 1
            if place_below[lower] < 0:
                place_below[lower], below[n_below] = n_below, lower
                n_below += 1
            places[n_pairs, 0], places[n_pairs, 1] = place_above[upper], place_below[lower]
            n_pairs += 1
        columns[size] = column
        size += 1
        ends[size] = n_pairs
    return size, n_above, n_below


@subroutine_with_arrays
def _copy_lane(band: BandTable, first: int, second: int, thirds: Int64s, rows: Uint32s, lane: int) -> None:
    """Copy the fillings of a band with two partitions to a lane of rows, one row for each of the third partitions."""
    fillings, places = band.table[band.types[first], band.places[0, first, second]], band.places[1, first]
    for number in range(len(thirds)):
        rows[number, lane] = fillings[places[thirds[number]]]


@subroutine_with_arrays
def _product(row: Uint32s, other: Uint32s, size: int) -> np.uint64:
    """Return the sum of the products of the first numbers of two rows."""
    total = np.uint64(0)
    for lane in range(size):
        total += np.uint64(row[lane]) * np.uint64(other[lane])
    return total


@compiled_with_arrays
def _add_product(factor: np.uint64, other: np.uint64, sums: Uint64s) -> None:
    """Add a product to a sum of three digits of 32 bits."""
    digit, mask = np.uint64(32), np.uint64(2**32 - 1)
    # Weights are below 2**40, as a band has fewer fillings, and completions below 2**46: no sum here passes 64 bits.
    low = (factor & mask) * (other & mask)
    middle = (factor & mask) * (other >> digit) + (factor >> digit) * (other & mask) + (low >> digit)
    sums[0] += low & mask
    middle += sums[1] + (sums[0] >> digit)
    sums[0] &= mask
    sums[1] = middle & mask
    sums[2] += (factor >> digit) * (other >> digit) + (middle >> digit)
