"""Solutions of a 9x9 by rank with the tables of bands: which entries make a whole, and which fillings are behind them.

A rank falls first on a triple of partitions of the first axis, then on entries of the three tables, and last on a
filling for each of these; see `band_tables`.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod

import numpy as np

from sudoku_encode.frontier.band_tables import STEPS_PER_CALL, by_first, filled_rows, table
from sudoku_encode.frontier.band_tables_state import Lists
from sudoku_encode.frontier.box_fillings import SIDE, VALUES, Box, Plan, plans
from sudoku_encode.frontier.ranks import Ranked
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint32s, Uint64s
from sudoku_encode.puzzles.puzzle import Candidates, Grids

# How many ranks are looked up among the fillings of a band between two calls of `tick`.
_RANKS_PER_CALL = 64


@dataclass(frozen=True, eq=False)
class _Joined:
    """The tables of three bands, and how they are joined.

    Attributes:
        plan: the boxes.
        bands: which band has the first table, and so on.
        tables: an axis for each stack in the order of the plan.
        filled: which rows of each have more than zeros.
        firsts: which partitions complete each other on the first axis, int32 (triples, 3).
        seconds: on the second axis.
        thirds: on the last axis.
        ends: the number of solutions up to each triple of the first axis, itself included.
    """

    plan: Plan
    bands: list[int]
    tables: list[Uint32s]
    filled: list[Bools]
    firsts: Int32s
    seconds: Lists
    thirds: Lists
    ends: list[int]


def ranked(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> Ranked:
    """Return the solutions of a 9x9 by rank.

    Args:
        candidates: bool (81, 9): what singles leave.
        tick: called some times a second.
        max_bytes: what the tables may take.

    Raises:
        OutOfTableMemory: the tables would pass `max_bytes`, or a sum a machine word.
        StoppedError: by `tick`.
    """
    plan = min(plans(candidates, tick, max_bytes), key=lambda one: one.steps)
    way = f"tables of what {plan.kind} put into the lines across them"
    if not plan.sizes.all():
        return Ranked(0, lambda ranks, tick: np.zeros((0, len(candidates)), np.uint8), way)
    joined = _joined(plan, tick)

    def at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        columns, left = _entries(joined, ranks, tick)
        return _grids(plan, columns, left, tick)

    return Ranked(joined.ends[-1] if joined.ends else 0, at, way)


def _joined(plan: Plan, tick: Callable[[], None]) -> _Joined:
    """Make the tables, and count the solutions of each triple of the first axis."""
    from sudoku_encode.frontier.ranked_bands_kernel import weigh

    # Zeros are looked for in the first table only, so that is where they are many.
    bands = sorted(range(SIDE), key=lambda band: plan.fillings[band] / plan.sizes[band].prod())
    tables = [table(plan, band, tick) for band in bands]
    sizes = tables[0].shape
    axes = [by_first(plan.columns[stack][:, bands], size) for stack, size in zip(plan.order, sizes, strict=True)]
    if prod(int(one.max(initial=0)) for one in tables) * len(axes[2].items) >= 2**64:
        raise OutOfTableMemory("memory limit: a sum of products of entries passes a machine word")
    filled = [filled_rows(one, tick) for one in tables]
    firsts = axes[0].items[np.isin(axes[0].items[:, 0], np.flatnonzero(filled[0].any(axis=1)))]
    sums, at = np.zeros((len(firsts), 2), np.uint64), np.zeros(2, np.int64)
    while at[0] < len(firsts):
        tick()
        weigh(
            *(tables[0], tables[1], tables[2], firsts, axes[1], axes[2]),
            *(filled[0], filled[1], filled[2], at, sums, STEPS_PER_CALL),
        )
    ends = list(accumulate(low + (high << 64) for low, high in sums.tolist()))
    return _Joined(plan, bands, tables, filled, firsts, axes[1], axes[2], ends)


def _entries(joined: _Joined, ranks: Sequence[int], tick: Callable[[], None]) -> tuple[Int64s, Uint64s]:
    """Find the entries that ranks fall on.

    Returns:
        For each rank the partitions of columns, (ranks, band, stack), and the ranks of the fillings, (ranks, band).
    """
    from sudoku_encode.frontier.ranked_bands_kernel import find

    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    firsts = [bisect_right(joined.ends, ranks[number]) for number in order]
    found, left = np.zeros((len(ranks), 2 * SIDE), np.int64), np.zeros(len(ranks), np.uint64)
    start, (a, b, c) = 0, joined.tables
    while start < len(ranks):
        first = firsts[start]
        end = bisect_right(firsts, first)
        before = joined.ends[first - 1] if first else 0
        words = [divmod(ranks[number] - before, 1 << 64)[::-1] for number in order[start:end]]
        some, at = np.array(words, np.uint64), np.zeros(2, np.int64)
        while at[0] < len(some):
            tick()
            x, y, z = joined.filled
            some_found, some_left = found[start:end], left[start:end]
            first_triple, second, third = joined.firsts[first], joined.seconds, joined.thirds
            find(a, b, c, first_triple, second, third, x, y, z, some, some_found, some_left, at, STEPS_PER_CALL)
        start = end
    back = np.argsort(np.array(order, np.intp))
    places = np.concatenate([joined.firsts[firsts].astype(np.int64), found], axis=1).reshape(-1, SIDE, SIDE)[back]
    columns, fillings = np.zeros_like(places), np.zeros((len(ranks), SIDE), np.uint64)
    rest = left[back]
    for number, band in enumerate(joined.bands):
        columns[:, band, joined.plan.order] = places[:, :, number]
        sizes = joined.tables[number][tuple(places[:, :, number].T)].astype(np.uint64)
        fillings[:, band], rest = rest % sizes, rest // sizes
    return columns, fillings


def _grids(plan: Plan, columns: Int64s, ranks: Uint64s, tick: Callable[[], None]) -> Grids:
    """Return the grids of which bands put these into the columns, uint8 (ranks, 81).

    Args:
        plan: the boxes.
        columns: for each grid the partitions of columns, (grids, band, stack).
        ranks: for each band the number of its filling, (grids, band).
        tick: called some times a second.
    """
    from sudoku_encode.frontier.ranked_bands_kernel import find_lines

    cells = np.zeros((len(columns), SIDE, SIDE, SIDE, SIDE), np.uint8)
    for band in range(SIDE):
        boxes = [_Crossing(box) for box in plan.boxes[band]]
        these, some = np.ascontiguousarray(columns[:, band]), np.ascontiguousarray(ranks[:, band])
        rows = np.zeros_like(these)
        for start in range(0, len(columns), _RANKS_PER_CALL):
            tick()
            end = min(len(columns), start + _RANKS_PER_CALL)
            a, b, c = (box.meets for box in boxes)
            find_lines(plan.lines[band], a, b, c, these, some, rows, start, end)
        for stack, box in enumerate(boxes):
            cells[:, band, :, stack] = box.cells(rows[:, stack], these[:, stack])
    grids = cells.reshape(-1, VALUES, VALUES)
    # By stacks, the lines of a band are columns.
    turned = grids.swapaxes(1, 2) if plan.kind == "stacks" else grids
    return np.ascontiguousarray(turned).reshape(-1, VALUES * VALUES)


class _Crossing:
    """The fillings of a box by their partitions of rows and of columns.

    Attributes:
        rows: the distinct partitions of rows.
        columns: the distinct partitions of columns.
        meets: bool (rows, columns): which two of them make a filling.
    """

    def __init__(self, box: Box) -> None:
        self.rows, at_rows = np.unique(box.across, return_inverse=True)
        self.columns, at_columns = np.unique(box.down, return_inverse=True)
        self.meets = np.zeros((len(self.rows), len(self.columns)), np.bool_)
        self.meets[at_rows, at_columns] = True

    def cells(self, rows: Int64s, columns: Int64s) -> Grids:
        """Return the values where some rows and columns meet, uint8 (boxes, 3, 3)."""
        shifts = np.arange(SIDE, dtype=np.uint64) * np.uint64(VALUES)
        one = np.uint64(2**VALUES - 1)
        across, down = self.rows[rows][:, None] >> shifts & one, self.columns[columns][:, None] >> shifts & one
        held = across[:, :, None] & down[:, None, :]
        values: Grids = np.bitwise_count(held - np.uint64(1)) + np.uint8(1)
        return values
