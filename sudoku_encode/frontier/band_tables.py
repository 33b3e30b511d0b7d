"""The 9x9 with some givens: tables of the values that each band puts into the columns, joined.

Three boxes make a band when their partitions of rows complete each other (`box_fillings`). A table has an entry for
each choice of the three partitions of columns: the number of fillings of the band with them. Tables of three bands are
joined where their partitions of columns complete each other.

Source: Felgenhauer & Jarvis 2006, Mathematics of Sudoku I, for the empty board.
Differs: with givens there are few partitions of each box, so tables of all of them are small; no classes of bands.
"""

from collections.abc import Callable, Generator, Sequence
from itertools import permutations
from math import prod

import numpy as np

from sudoku_encode.frontier.box_fillings import ADDITION_STEPS, SIDE, VALUES, Plan, plans
from sudoku_encode.frontier.problem import JoinedTables, Lists, separated_values
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Intps, Uint32s, Uint64s
from sudoku_encode.puzzles.puzzle import Candidates

# How many steps a kernel does between two calls of `tick`, some milliseconds.
STEPS_PER_CALL = 2**22


def table(plan: Plan, band: int, tick: Callable[[], None]) -> Uint32s:
    """Return how many fillings of a band have each choice of partitions of columns, with an axis for each box."""
    three = [one for one, _ in column_lists(plan, band, tick)]
    lines = by_first(plan.lines[band][:, plan.order], len(three[0].starts) - 1)
    return filled_table(lines, three, tuple(plan.sizes[band, plan.order].tolist()), tick)


def filled_table(lines: Lists, boxes: Sequence[Lists], shape: Sequence[int], tick: Callable[[], None]) -> Uint32s:
    """Return how many fillings of three boxes have each choice of partitions of columns; see the kernel `fill`."""
    from sudoku_encode.frontier.band_tables_kernel import fill

    counts = np.zeros(shape, np.uint32)
    first, second, third = (np.diff(box.starts) for box in boxes)
    pairs = np.append(0, np.cumsum(second[lines.items[:, 1]] * third[lines.items[:, 2]]))
    work = np.cumsum(ADDITION_STEPS * np.diff(pairs[lines.starts]) + first * counts[0].size // 4)
    start = 0
    while start < len(work):
        tick()
        end = max(start + 1, int(np.searchsorted(work, (work[start - 1] if start else 0) + STEPS_PER_CALL)))
        fill(lines, boxes[0], boxes[1], boxes[2], counts, start, end)
        start = end
    return counts


def column_lists(plan: Plan, band: int, tick: Callable[[], None]) -> list[tuple[Lists, Intps]]:
    """Return for each box of a band, in the order of axes, its partitions of columns by those of rows.

    With each comes an array of the numbers of the box's fillings, in the order of the lists.
    """
    box_lists = []
    for stack in plan.order:
        box = plan.boxes[band][stack]
        tick()
        _, across, counts = np.unique(box.across, return_inverse=True, return_counts=True)
        down = np.unique(box.down, return_inverse=True)[1]
        starts = np.append(0, np.cumsum(counts)).astype(np.int64)
        order = np.argsort(across, kind="stable")
        box_lists.append((Lists(down[order].astype(np.int32), starts), order))
    return box_lists


def by_first(triples: Int32s, size: int) -> Lists:
    """Return triples ascending, those of each first number as a list."""
    items = np.ascontiguousarray(triples[np.lexsort(triples.T[::-1])])
    return Lists(items, np.searchsorted(items[:, 0], np.arange(size + 1)).astype(np.int64))


def weights(partitions: Uint64s, values: Int64s, lines: Candidates) -> Int64s:
    """Return for how many partitions each stands, its images under exchanges; 0 if another stands for it.

    A partition is the values in three columns. `values` has for each value the first that may be exchanged with it;
    columns with the same candidates, bool (3, ...), may be exchanged.
    """
    value = np.arange(VALUES, dtype=np.uint64)
    column_of_value = sum(
        line * (partitions[:, None] >> (value + np.uint64(VALUES * line)) & np.uint64(1)) for line in (1, 2)
    )
    least = np.full(len(partitions), SIDE**VALUES, np.int64)
    for names in permutations(range(SIDE)):
        if not (lines[list(names)] == lines).all():
            continue
        marks = np.array(names)[np.asarray(column_of_value, np.int64)]
        for kind in np.unique(values):
            marks[:, values == kind] = np.sort(marks[:, values == kind], axis=1)
        least = np.minimum(least, marks @ SIDE ** np.arange(VALUES))
    _, chosen, sizes = np.unique(least, return_index=True, return_counts=True)
    stands_for = np.zeros(len(partitions), np.int64)
    stands_for[chosen] = sizes
    return stands_for


def count_joined(plan: Plan, candidates: Candidates, tick: Callable[[], None]) -> int:
    """Return the number of solutions.

    Raises:
        OutOfTableMemory: a sum would pass a machine word.
    """
    cells = candidates.reshape(VALUES, VALUES, VALUES)
    columns = (cells.swapaxes(0, 1) if plan.kind == "bands" else cells).reshape(SIDE, SIDE, -1)
    bands, tables = make_tables(plan, tick)
    # Exchanging values changes all axes, but exchanging columns only their own.
    values, factors = np.argmax(~separated_values(candidates), axis=1), []
    for stack in plan.order:
        partitions = np.unique(plan.boxes[bands[0]][stack].down)
        factors.append(weights(partitions, values, columns[stack]))
        values = np.arange(VALUES)
    tick()
    if int(tables[0].max(initial=0)) * prod(int(one.max(initial=0)) for one in factors) < 2**32:
        x, y, z = (one.astype(np.uint32) for one in factors)
        for place, factor in enumerate(x):
            tick()
            tables[0][place] *= factor * y[:, None] * z
    tick()
    if not sums_fit(plan, tables):
        raise OutOfTableMemory("memory limit: a sum of products of entries is too large for a machine word")
    return sum(triple_sums(join_tables(plan, bands, tables, tick), tick))


def make_tables(plan: Plan, tick: Callable[[], None]) -> tuple[list[int], list[Uint32s]]:
    """Return the bands in the order of their mean entry, and the tables of these bands."""
    # Only the first table is searched for zeros, so it should be the one with the most.
    bands = sorted(range(SIDE), key=lambda band: plan.fillings[band] / plan.sizes[band].prod())
    return bands, [table(plan, band, tick) for band in bands]


def sums_fit(plan: Plan, tables: list[Uint32s]) -> bool:
    """Return whether the products of entries over one axis are sure to fit into a machine word, even all together."""
    return prod(int(one.max(initial=0)) for one in tables) * len(plan.columns[plan.order[2]]) < 2**64


def join_tables(plan: Plan, bands: list[int], tables: list[Uint32s], tick: Callable[[], None]) -> JoinedTables:
    """Return the tables of three bands with the triples of partitions that join them."""
    first, second, third = tables
    firsts, seconds, thirds = (
        by_first(plan.columns[stack][:, bands], size) for stack, size in zip(plan.order, first.shape, strict=True)
    )
    filled = [filled_rows(one, tick) for one in tables]
    used = np.isin(firsts.items[:, 0], np.flatnonzero(filled[0].any(axis=1)))
    return JoinedTables(first, second, third, firsts.items[used], seconds, thirds, filled[0], filled[1], filled[2])


def filled_rows(counts: Uint32s, tick: Callable[[], None]) -> Bools:
    """Return for each row of a table whether it has an entry other than 0."""
    filled = np.zeros(counts.shape[:2], np.bool_)
    for place, sheet in enumerate(counts):
        tick()
        filled[place] = sheet.any(axis=1)
    return filled


def triple_sums(joined: JoinedTables, tick: Callable[[], None]) -> list[int]:
    """Return for each triple of the first axis the sum of the products of the entries that complete each other."""
    from sudoku_encode.frontier.band_tables_kernel import sum_triples

    progress, sums = np.zeros(2, np.int64), np.zeros((len(joined.firsts), 2), np.uint64)
    while progress[0] < len(sums):
        tick()
        sum_triples(joined, progress, sums, STEPS_PER_CALL)
    return [low + (high << 64) for low, high in sums.tolist()]


def count(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> Generator[str, None, int]:
    """Yield a line for each step, and return the number of solutions of a board that `fits`.

    Raises:
        OutOfTableMemory: the tables would pass `max_bytes`, or a sum a machine word.
    """
    plan = min(plans(candidates, tick, max_bytes), key=lambda one: one.steps)
    if not plan.sizes.all():
        yield "a box that no other boxes complete"
        return 0
    for band, (size, ways) in enumerate(zip(plan.sizes.prod(axis=1).tolist(), plan.fillings, strict=True), 1):
        yield f"{plan.kind[:-1]} {band}: {ways:,} fillings in a table of {size:,}"
    return count_joined(plan, candidates, tick)
