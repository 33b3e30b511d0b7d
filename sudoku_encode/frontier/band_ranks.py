"""Shares of candidates, and solutions by rank, on the 9x9 with the tables of bands; see `band_tables`."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.band_tables import (
    STEPS_PER_CALL,
    by_first,
    column_lists,
    count_joined,
    filled_rows,
    table,
)
from sudoku_encode.frontier.box_fillings import SIDE, VALUES, Box, Plan, plans
from sudoku_encode.frontier.problem import Lists
from sudoku_encode.frontier.ranks import RankedSolutions, Wide, exact
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Uint32s, Uint64s
from sudoku_encode.puzzles.puzzle import Candidates, Grids

# Shares.
#
# Forwards there is a table for each band. Backwards, an entry of a table is in as many solutions as the other two have
# products that complete it; and a filling of a box in as many as the entries that it was counted in.

# The number of an entry's completions takes two words of 4 bytes, besides the entry itself.
_TIMES_BYTES = 3


def shares(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> tuple[NDArray[Any], int]:
    """Return how many solutions have each candidate, Python integers (81, 9), and how many there are.

    Raises:
        OutOfTableMemory: the tables would pass `max_bytes`.
        StoppedError: by `tick`.
    """
    plan = min(plans(candidates, tick, max_bytes), key=lambda one: one.steps)
    if not plan.sizes.all():
        return np.zeros(candidates.shape, object), 0
    if plan.bytes * _TIMES_BYTES > max_bytes:
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: shares need tables of all completions")
    # Only the first table is searched for zeros, so it should be the one with the most.
    bands = sorted(range(SIDE), key=lambda band: plan.fillings[band] / plan.sizes[band].prod())
    tables = [table(plan, band, tick) for band in bands]
    tick()
    total = prod(plan.fillings)
    if total >= 2**64:
        # Mostly there are far fewer solutions, and counting them is faster than summing in floating point too.
        total = count_joined(plan, candidates, tick)
    value_counts = exact(
        Wide(tuple(_value_counts(plan, bands, tables, kind, tick) for kind in Wide.kinds(total))), total
    )
    return value_counts, sum(value_counts[0].tolist())


def _value_counts(
    plan: Plan, bands: list[int], tables: list[Uint32s], kind: type[Any], tick: Callable[[], None]
) -> Any:
    """Return in how many solutions each cell holds each value, (81, 9), as numbers of a kind."""
    counts = np.zeros((SIDE, SIDE, SIDE, SIDE, VALUES), kind)
    for band, completions in zip(bands, _completions(plan, bands, tables, kind, tick), strict=True):
        for stack, weights in zip(plan.order, _filling_weights(plan, band, completions, kind, tick), strict=True):
            box = plan.boxes[band][stack]
            tick()
            for line in range(SIDE):
                for across in range(SIDE):
                    counts[band, line, stack, across] = _by_value(box.across, box.down, line, across, weights)
    cells = counts.reshape(VALUES, VALUES, VALUES)
    # By stacks, the lines of a band are columns.
    return (cells.swapaxes(0, 1) if plan.kind == "stacks" else cells).reshape(VALUES**2, VALUES)


def _by_value(across: Uint64s, down: Uint64s, line: int, place: int, weights: NDArray[Any]) -> NDArray[Any]:
    """Sum the weights of a box's fillings by the value in a cell."""
    all_values = np.uint64(2**VALUES - 1)
    in_cell = (across >> np.uint64(line * VALUES)) & (down >> np.uint64(place * VALUES)) & all_values
    return np.array([weights[in_cell == np.uint64(1 << value)].sum() for value in range(VALUES)], weights.dtype)


def _completions(
    plan: Plan, bands: list[int], tables: list[Uint32s], kind: type[Any], tick: Callable[[], None]
) -> list[NDArray[Any]]:
    """Return for each entry of each table in how many ways the other two complete it."""
    from sudoku_encode.frontier.band_ranks_kernel import sum_completions

    completions = [np.zeros(one.shape, kind) for one in tables]
    three = [
        by_first(plan.columns[stack][:, bands], size) for stack, size in zip(plan.order, tables[0].shape, strict=True)
    ]
    filled = [filled_rows(one, tick) for one in tables]
    firsts = three[0].items[np.isin(three[0].items[:, 0], np.flatnonzero(filled[0].any(axis=1)))]
    progress = np.zeros(2, np.int64)
    while progress[0] < len(firsts):
        tick()
        sum_completions(
            tables[0],
            tables[1],
            tables[2],
            firsts,
            three[1],
            three[2],
            filled[0],
            filled[1],
            filled[2],
            completions[0],
            completions[1],
            completions[2],
            progress,
            STEPS_PER_CALL,
        )
    return completions


def _filling_weights(
    plan: Plan, band: int, completions: NDArray[Any], kind: type[Any], tick: Callable[[], None]
) -> list[NDArray[Any]]:
    """Return for each box of a band, in the order of axes, in how many solutions each of its fillings is."""
    from sudoku_encode.frontier.band_ranks_kernel import sum_fillings

    box_lists = column_lists(plan, band, tick)
    (a, _), (b, _), (c, _) = box_lists
    lines = by_first(plan.lines[band][:, plan.order], len(a.starts) - 1)
    weights = [np.zeros(len(one.items), kind) for one, _ in box_lists]
    for start in range(len(a.starts) - 1):
        tick()
        sum_fillings(lines, a, b, c, completions, weights[0], weights[1], weights[2], start, start + 1)
    in_order = []
    for (_, order), list_weights in zip(box_lists, weights, strict=True):
        back = np.empty_like(list_weights)
        back[order] = list_weights
        in_order.append(back)
    return in_order


# Ranks.
#
# A rank falls first on a triple of partitions of the first axis, then on entries of the three tables, and last on a
# filling for each of these.

# Solutions of a 9x9 by rank with the tables of bands: which entries make a whole, and which fillings are behind them.
#
# A rank falls first on a triple of partitions of the first axis, then on entries of the three tables, and last on a
# filling for each of these; see `band_tables`.

# How many ranks are looked up among the fillings of a band between two calls of `tick`.
_RANKS_PER_CALL = 64


@dataclass(frozen=True, eq=False)
class _JoinedTables:
    """The tables of three bands, and how they are joined.

    Attributes:
        plan: the boxes.
        bands: which band has the first table, and so on.
        tables: an axis for each stack in the order of the plan.
        filled: which rows of each have an entry other than 0.
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


def ranked(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> RankedSolutions:
    """Return the solutions of a 9x9 by rank.

    Args:
        candidates: bool (81, 9): those after singles.
        tick: called some times a second.
        max_bytes: how many bytes the tables may take.

    Raises:
        OutOfTableMemory: the tables would pass `max_bytes`, or a sum a machine word.
        StoppedError: by `tick`.
    """
    plan = min(plans(candidates, tick, max_bytes), key=lambda one: one.steps)
    way = f"tables of the values that {plan.kind} put into the lines across them"
    if not plan.sizes.all():
        return RankedSolutions(0, lambda ranks, tick: np.zeros((0, len(candidates)), np.uint8), way)
    joined = _join_tables(plan, tick)

    def solutions_at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        columns, filling_ranks = _entries(joined, ranks, tick)
        return _grids(plan, columns, filling_ranks, tick)

    return RankedSolutions(joined.ends[-1] if joined.ends else 0, solutions_at, way)


def _join_tables(plan: Plan, tick: Callable[[], None]) -> _JoinedTables:
    """Make the tables, and count the solutions of each triple of the first axis."""
    from sudoku_encode.frontier.band_ranks_kernel import sum_triples

    # Only the first table is searched for zeros, so it should be the one with the most.
    bands = sorted(range(SIDE), key=lambda band: plan.fillings[band] / plan.sizes[band].prod())
    tables = [table(plan, band, tick) for band in bands]
    sizes = tables[0].shape
    axes = [by_first(plan.columns[stack][:, bands], size) for stack, size in zip(plan.order, sizes, strict=True)]
    if prod(int(one.max(initial=0)) for one in tables) * len(axes[2].items) >= 2**64:
        raise OutOfTableMemory("memory limit: a sum of products of entries passes a machine word")
    filled = [filled_rows(one, tick) for one in tables]
    firsts = axes[0].items[np.isin(axes[0].items[:, 0], np.flatnonzero(filled[0].any(axis=1)))]
    sums, progress = np.zeros((len(firsts), 2), np.uint64), np.zeros(2, np.int64)
    while progress[0] < len(firsts):
        tick()
        sum_triples(
            tables[0],
            tables[1],
            tables[2],
            firsts,
            axes[1],
            axes[2],
            filled[0],
            filled[1],
            filled[2],
            progress,
            sums,
            STEPS_PER_CALL,
        )
    ends = list(accumulate(low + (high << 64) for low, high in sums.tolist()))
    return _JoinedTables(plan, bands, tables, filled, firsts, axes[1], axes[2], ends)


def _entries(joined: _JoinedTables, ranks: Sequence[int], tick: Callable[[], None]) -> tuple[Int64s, Uint64s]:
    """Return for each rank its partitions of columns (ranks, band, stack), and its filling ranks (ranks, band)."""
    from sudoku_encode.frontier.band_ranks_kernel import find_entries

    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    firsts = [bisect_right(joined.ends, ranks[number]) for number in order]
    entry_places, filling_ranks = np.zeros((len(ranks), 2 * SIDE), np.int64), np.zeros(len(ranks), np.uint64)
    start, (a, b, c) = 0, joined.tables
    while start < len(ranks):
        first = firsts[start]
        end = bisect_right(firsts, first)
        before = joined.ends[first - 1] if first else 0
        words = [divmod(ranks[number] - before, 1 << 64)[::-1] for number in order[start:end]]
        group, progress = np.array(words, np.uint64), np.zeros(2, np.int64)
        group_places, group_ranks = entry_places[start:end], filling_ranks[start:end]
        triple, second, third = joined.firsts[first], joined.seconds, joined.thirds
        x, y, z = joined.filled
        while progress[0] < len(group):
            tick()
            find_entries(
                a, b, c, triple, second, third, x, y, z, group, group_places, group_ranks, progress, STEPS_PER_CALL
            )
        start = end
    back = np.argsort(np.array(order, np.intp))
    places = np.concatenate([joined.firsts[firsts].astype(np.int64), entry_places], axis=1).reshape(-1, SIDE, SIDE)[
        back
    ]
    columns, fillings = np.zeros_like(places), np.zeros((len(ranks), SIDE), np.uint64)
    rest = filling_ranks[back]
    for number, band in enumerate(joined.bands):
        columns[:, band, joined.plan.order] = places[:, :, number]
        sizes = joined.tables[number][tuple(places[:, :, number].T)].astype(np.uint64)
        fillings[:, band], rest = rest % sizes, rest // sizes
    return columns, fillings


def _grids(plan: Plan, columns: Int64s, ranks: Uint64s, tick: Callable[[], None]) -> Grids:
    """Return the grids whose bands put given partitions into the columns, uint8 (grids, 81)."""
    # `columns`: (grids, band, stack): the partitions of columns. `ranks`: (grids, band): the rank of each band's
    # filling.
    from sudoku_encode.frontier.band_ranks_kernel import find_lines

    cells = np.zeros((len(columns), SIDE, SIDE, SIDE, SIDE), np.uint8)
    for band in range(SIDE):
        boxes = [_BoxPartitions(box) for box in plan.boxes[band]]
        these, band_ranks = np.ascontiguousarray(columns[:, band]), np.ascontiguousarray(ranks[:, band])
        rows = np.zeros_like(these)
        for start in range(0, len(columns), _RANKS_PER_CALL):
            tick()
            end = min(len(columns), start + _RANKS_PER_CALL)
            a, b, c = (box.meets for box in boxes)
            find_lines(plan.lines[band], a, b, c, these, band_ranks, rows, start, end)
        for stack, box in enumerate(boxes):
            cells[:, band, :, stack] = box.cells(rows[:, stack], these[:, stack])
    grids = cells.reshape(-1, VALUES, VALUES)
    # By stacks, the lines of a band are columns.
    turned = grids.swapaxes(1, 2) if plan.kind == "stacks" else grids
    return np.ascontiguousarray(turned).reshape(-1, VALUES * VALUES)


class _BoxPartitions:
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
        """Return the values where partitions of rows and of columns meet, uint8 (boxes, 3, 3)."""
        shifts = np.arange(SIDE, dtype=np.uint64) * np.uint64(VALUES)
        all_values = np.uint64(2**VALUES - 1)
        across, down = (
            self.rows[rows][:, None] >> shifts & all_values,
            self.columns[columns][:, None] >> shifts & all_values,
        )
        shared = across[:, :, None] & down[:, None, :]
        values: Grids = np.bitwise_count(shared - np.uint64(1)) + np.uint8(1)
        return values
