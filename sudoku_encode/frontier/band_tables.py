"""The 9x9 with some givens: tables of what each band puts into the columns, joined.

Three boxes make a band when their partitions of rows complete each other (`box_fillings`); what the band puts into the
columns are the three partitions of columns. A table has an entry for each choice of those: by how many fillings. Tables
of three bands are joined where their partitions of columns complete each other.

Source: Felgenhauer & Jarvis 2006, Mathematics of Sudoku I, for the empty board.
Differs: with givens there are few partitions of each box, so that tables of all of them are small; no classes of bands.
"""

from collections.abc import Callable, Generator
from itertools import permutations
from math import prod

import numpy as np

from sudoku_encode.frontier.band_tables_state import Lists
from sudoku_encode.frontier.box_fillings import ADDITION_STEPS, SIDE, VALUES, Plan, plans
from sudoku_encode.frontier.problem import differing
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Intps, Uint32s, Uint64s
from sudoku_encode.puzzles.puzzle import Candidates

# What a kernel does between two calls of `tick`, some milliseconds.
STEPS_PER_CALL = 2**22


def table(plan: Plan, band: int, tick: Callable[[], None]) -> Uint32s:
    """Return by how many fillings a band puts each choice of partitions into the columns, an axis for each box."""
    from sudoku_encode.frontier.band_tables_kernel import fill

    made = np.zeros(plan.sizes[band, plan.order], np.uint32)
    three = [one for one, _ in lists(plan, band, tick)]
    first, second, third = (np.diff(one.starts) for one in three)
    lines = by_first(plan.lines[band][:, plan.order], len(first))
    pairs = np.append(0, np.cumsum(second[lines.items[:, 1]] * third[lines.items[:, 2]]))
    work = np.cumsum(ADDITION_STEPS * np.diff(pairs[lines.starts]) + first * made[0].size // 4)
    start = 0
    while start < len(work):
        tick()
        end = max(start + 1, int(np.searchsorted(work, (work[start - 1] if start else 0) + STEPS_PER_CALL)))
        fill(lines, three[0], three[1], three[2], made, start, end)
        start = end
    return made


def lists(plan: Plan, band: int, tick: Callable[[], None]) -> list[tuple[Lists, Intps]]:
    """Return for each box of a band, in the order of axes, its partitions of columns by those of rows.

    With each list there are the numbers of the box's fillings, in the order of the list.
    """
    found = []
    for stack in plan.order:
        box = plan.boxes[band][stack]
        tick()
        _, across, counts = np.unique(box.across, return_inverse=True, return_counts=True)
        down = np.unique(box.down, return_inverse=True)[1]
        starts = np.append(0, np.cumsum(counts)).astype(np.int64)
        order = np.argsort(across, kind="stable")
        found.append((Lists(down[order].astype(np.int32), starts), order))
    return found


def by_first(triples: Int32s, size: int) -> Lists:
    """Return triples ascending, those of each first number as a list."""
    items = np.ascontiguousarray(triples[np.lexsort(triples.T[::-1])])
    return Lists(items, np.searchsorted(items[:, 0], np.arange(size + 1)).astype(np.int64))


def weights(partitions: Uint64s, values: Int64s, lines: Candidates) -> Int64s:
    """Let one partition stand for all that exchanging values or whole columns makes of it.

    Args:
        partitions: what three columns hold.
        values: for each value the first that may be exchanged with it.
        lines: bool (3, ...): the candidates of each column; those with the same may be exchanged.

    Returns:
        For each partition for how many it stands, 0 if another stands for it.
    """
    value = np.arange(VALUES, dtype=np.uint64)
    held = sum(line * (partitions[:, None] >> (value + np.uint64(VALUES * line)) & np.uint64(1)) for line in (1, 2))
    least = np.full(len(partitions), SIDE**VALUES, np.int64)
    for names in permutations(range(SIDE)):
        if not (lines[list(names)] == lines).all():
            continue
        marks = np.array(names)[np.asarray(held, np.int64)]
        for kind in np.unique(values):
            marks[:, values == kind] = np.sort(marks[:, values == kind], axis=1)
        least = np.minimum(least, marks @ SIDE ** np.arange(VALUES))
    _, chosen, sizes = np.unique(least, return_index=True, return_counts=True)
    found = np.zeros(len(partitions), np.int64)
    found[chosen] = sizes
    return found


def joined(plan: Plan, candidates: Candidates, tick: Callable[[], None]) -> int:
    """Return the number of solutions.

    Raises:
        OutOfTableMemory: a sum would pass a machine word.
        StoppedError: by `tick`.
    """
    cells = candidates.reshape(VALUES, VALUES, VALUES)
    columns = (cells.swapaxes(0, 1) if plan.kind == "bands" else cells).reshape(SIDE, SIDE, -1)
    # Zeros are looked for in the first table only, so that is where they are many.
    bands = sorted(range(SIDE), key=lambda band: plan.fillings[band] / plan.sizes[band].prod())
    tables = [table(plan, band, tick) for band in bands]
    # Exchanging values changes all axes, but exchanging columns only their own.
    values, factors = np.argmax(~differing(candidates), axis=1), []
    for stack in plan.order:
        known = np.unique(plan.boxes[bands[0]][stack].down)
        factors.append(weights(known, values, columns[stack]))
        values = np.arange(VALUES)
    tick()
    if int(tables[0].max(initial=0)) * prod(int(one.max(initial=0)) for one in factors) < 2**32:
        x, y, z = (one.astype(np.uint32) for one in factors)
        for place, factor in enumerate(x):
            tick()
            tables[0][place] *= factor * y[:, None] * z
    tick()
    sizes = tables[0].shape
    found = [by_first(plan.columns[stack][:, bands], size) for stack, size in zip(plan.order, sizes, strict=True)]
    return _summed(tables, found, tick)


def filled_rows(some: Uint32s, tick: Callable[[], None]) -> Bools:
    """Say of each row of a table whether it has more than zeros."""
    found = np.zeros(some.shape[:2], np.bool_)
    for place, sheet in enumerate(some):
        tick()
        found[place] = sheet.any(axis=1)
    return found


def _summed(tables: list[Uint32s], found: list[Lists], tick: Callable[[], None]) -> int:
    """Sum the products of entries of three tables over triples of each axis."""
    from sudoku_encode.frontier.band_tables_kernel import join

    most = prod(int(one.max(initial=0)) for one in tables)
    if most * len(found[2].items) >= 2**64:
        raise OutOfTableMemory("memory limit: a sum of products of entries passes a machine word")
    a, b, c = tables
    filled = [filled_rows(one, tick) for one in tables]
    used = np.flatnonzero(filled[0].any(axis=1))
    firsts = found[0].items[np.isin(found[0].items[:, 0], used)]
    at, total = np.zeros(2, np.int64), np.zeros(2, np.uint64)
    while at[0] < len(firsts):
        tick()
        join(a, b, c, firsts, found[1], found[2], filled[0], filled[1], filled[2], at, total, STEPS_PER_CALL)
    low, high = total.tolist()
    return int(low + (high << 64))


def count(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> Generator[str, None, int]:
    """Yield a line for each step, and return the number of solutions of a board that `fits`.

    Raises:
        OutOfTableMemory: the tables would pass `max_bytes`, or a sum a machine word.
        StoppedError: by `tick`.
    """
    plan = min(plans(candidates, tick, max_bytes), key=lambda one: one.steps)
    if not plan.sizes.all():
        yield "a box that nothing completes"
        return 0
    for band, (size, ways) in enumerate(zip(plan.sizes.prod(axis=1).tolist(), plan.fillings, strict=True), 1):
        yield f"{plan.kind[:-1]} {band}: {ways:,} fillings in a table of {size:,}"
    return joined(plan, candidates, tick)
