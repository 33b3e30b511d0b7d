"""Shares (how many solutions of a 9x9 each candidate is in), and solutions by rank, from tables of `band_tables`."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier import band_tables
from sudoku_encode.frontier.box_fillings import SIDE, VALUES, Box, Plan, plans
from sudoku_encode.frontier.problem import JoinedTables, spans
from sudoku_encode.frontier.ranks import RankedSolutions, Wide, exact
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Int64s, Uint32s, Uint64s
from sudoku_encode.puzzles.puzzle import Candidates, Grids

# Shares: in how many solutions each candidate is.
#
# An entry of a band's table is a number of fillings of the band. Each of these is in as many solutions as there are
# *completions* of the entry: the sum of the products of two entries of the other tables that complete it. A filling of
# a box is in as many solutions as the entries that count it have completions, all together.

# An entry takes 4 bytes, and the number of its completions 8 more.
_MEMORY_FACTOR = 3


def shares(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> tuple[NDArray[Any], int]:
    """Return in how many solutions each candidate is, Python integers (81, 9), and the number of solutions.

    The candidates, bool (81, 9), are those after singles.

    Raises:
        OutOfTableMemory: the tables would take more than `max_bytes`, or the numbers are too large.
    """
    plan = min(plans(candidates, tick, max_bytes), key=lambda one: one.steps)
    if not plan.sizes.all():
        return np.zeros(candidates.shape, object), 0
    if plan.bytes * _MEMORY_FACTOR > max_bytes:
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: too little for the completions of all entries")
    bands, tables = band_tables.make_tables(plan, tick)
    tick()
    upper_bound = prod(plan.fillings)
    if upper_bound >= 2**64:
        # The number of solutions is mostly far smaller. To count them is faster than to sum in floating point too.
        upper_bound = band_tables.count_joined(plan, candidates, tick)
    dtypes = Wide.kinds(upper_bound)
    value_counts = exact(Wide(tuple(_value_counts(plan, bands, tables, dtype, tick) for dtype in dtypes)), upper_bound)
    # Every solution has exactly one value in the first cell.
    return value_counts, sum(value_counts[0].tolist())


def _value_counts(
    plan: Plan, bands: list[int], tables: list[Uint32s], dtype: type[Any], tick: Callable[[], None]
) -> Any:
    """Return in how many solutions each cell holds each value, an array (81, 9) of the given dtype."""
    counts = np.zeros((SIDE, SIDE, SIDE, SIDE, VALUES), dtype)
    for band, completions in zip(bands, _completions(plan, bands, tables, dtype, tick), strict=True):
        for stack, weights in zip(plan.order, _filling_weights(plan, band, completions, dtype, tick), strict=True):
            box = plan.boxes[band][stack]
            tick()
            for line in range(SIDE):
                for place in range(SIDE):
                    counts[band, line, stack, place] = _by_value(box.across, box.down, line, place, weights)
    cells = counts.reshape(VALUES, VALUES, VALUES)
    # Where stacks play the part of bands, their lines are columns.
    return (cells.swapaxes(0, 1) if plan.kind == "stacks" else cells).reshape(VALUES**2, VALUES)


def _by_value(across: Uint64s, down: Uint64s, line: int, place: int, weights: NDArray[Any]) -> NDArray[Any]:
    """Return for each value the sum of the weights of a box's fillings that put it into one cell of the box."""
    all_values = np.uint64(2**VALUES - 1)
    in_cell = (across >> np.uint64(line * VALUES)) & (down >> np.uint64(place * VALUES)) & all_values
    return np.array([weights[in_cell == np.uint64(1 << value)].sum() for value in range(VALUES)], weights.dtype)


def _completions(
    plan: Plan, bands: list[int], tables: list[Uint32s], dtype: type[Any], tick: Callable[[], None]
) -> list[NDArray[Any]]:
    """Return for each entry of each table the number of its completions."""
    from sudoku_encode.frontier.band_ranks_kernel import sum_completions

    of_first, of_second, of_third = (np.zeros(one.shape, dtype) for one in tables)
    joined, progress = band_tables.join_tables(plan, bands, tables, tick), np.zeros(2, np.int64)
    while progress[0] < len(joined.firsts):
        tick()
        sum_completions(joined, of_first, of_second, of_third, progress, band_tables.STEPS_PER_CALL)
    return [of_first, of_second, of_third]


def _filling_weights(
    plan: Plan, band: int, completions: NDArray[Any], dtype: type[Any], tick: Callable[[], None]
) -> list[NDArray[Any]]:
    """Return for each box of a band, in the order of the axes of its table, in how many solutions each filling is."""
    from sudoku_encode.frontier.band_ranks_kernel import sum_fillings

    box_lists = band_tables.column_lists(plan, band, tick)
    (a, _), (b, _), (c, _) = box_lists
    lines = band_tables.by_first(plan.lines[band][:, plan.order], len(a.starts) - 1)
    weights = [np.zeros(len(one.items), dtype) for one, _ in box_lists]
    for start in range(len(a.starts) - 1):
        tick()
        sum_fillings(lines, a, b, c, completions, weights[0], weights[1], weights[2], start, start + 1)
    weights_of_fillings = []
    for (_, order), list_weights in zip(box_lists, weights, strict=True):
        in_order = np.empty_like(list_weights)
        in_order[order] = list_weights
        weights_of_fillings.append(in_order)
    return weights_of_fillings


# Solutions by rank.
#
# Solutions are sorted by the triple of partitions on the first axis, then by the entries of the three tables, then by
# the filling of each band that these entries count. So the solution of a rank is found in three steps: the triple, from
# the number of solutions up to each; the entries; and the rank of the filling of each band, from remainders.

# How many ranks are looked up among the fillings of a band between two calls of `tick`.
_RANKS_PER_CALL = 64


@dataclass(frozen=True, eq=False)
class _RankedTables:
    """The tables of three bands, joined, with the numbers of solutions up to each triple of the first axis."""

    plan: Plan  # the boxes
    bands: list[int]  # the band of each table
    joined: JoinedTables
    ends: list[int]  # for each triple of the first axis, the number of solutions with it or an earlier one


def ranked(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> RankedSolutions:
    """Return the solutions of a 9x9 by rank; the candidates, bool (81, 9), are those after singles.

    Raises:
        OutOfTableMemory: the tables would take more than `max_bytes`, or a sum may not fit in a machine word.
    """
    plan = min(plans(candidates, tick, max_bytes), key=lambda one: one.steps)
    way = f"tables of the values that {plan.kind} put into the lines across them"
    if not plan.sizes.all():
        return RankedSolutions(0, lambda ranks, tick: np.zeros((0, len(candidates)), np.uint8), way)
    ranked_tables = _rank_tables(plan, tick)

    def solutions_at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        columns, filling_ranks = _entries(ranked_tables, ranks, tick)
        return _grids(plan, columns, filling_ranks, tick)

    return RankedSolutions(ranked_tables.ends[-1] if ranked_tables.ends else 0, solutions_at, way)


def _rank_tables(plan: Plan, tick: Callable[[], None]) -> _RankedTables:
    """Make the tables, and count the solutions with each triple of partitions on the first axis."""
    bands, tables = band_tables.make_tables(plan, tick)
    if not band_tables.sums_fit(plan, tables):
        raise OutOfTableMemory("memory limit: a sum of products of entries may not fit in a machine word")
    joined = band_tables.join_tables(plan, bands, tables, tick)
    return _RankedTables(plan, bands, joined, list(accumulate(band_tables.triple_sums(joined, tick))))


def _entries(ranked_tables: _RankedTables, ranks: Sequence[int], tick: Callable[[], None]) -> tuple[Int64s, Uint64s]:
    """Return for each rank its partitions of columns (ranks, bands, stacks) and ranks of fillings (ranks, bands)."""
    from sudoku_encode.frontier.band_ranks_kernel import find_entries

    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    joined, ends = ranked_tables.joined, ranked_tables.ends
    triple_numbers = [bisect_right(ends, ranks[number]) for number in order]
    entry_places, filling_ranks = np.zeros((len(ranks), 2 * SIDE), np.int64), np.zeros(len(ranks), np.uint64)
    start = 0
    while start < len(ranks):
        triple_number = triple_numbers[start]
        end = bisect_right(triple_numbers, triple_number)
        n_before = ends[triple_number - 1] if triple_number else 0
        # The low word and the high word of each rank among the solutions with this triple.
        words = [divmod(ranks[number] - n_before, 1 << 64)[::-1] for number in order[start:end]]
        group, progress = np.array(words, np.uint64), np.zeros(2, np.int64)
        group_places, group_ranks = entry_places[start:end], filling_ranks[start:end]
        while progress[0] < len(group):
            tick()
            triple = joined.firsts[triple_number]
            find_entries(joined, triple, group, group_places, group_ranks, progress, band_tables.STEPS_PER_CALL)
        start = end
    original_order = np.argsort(np.array(order, np.intp))
    all_places = np.concatenate([joined.firsts[triple_numbers].astype(np.int64), entry_places], axis=1)
    # For each rank, axis and table the place of the entry.
    places = all_places.reshape(-1, SIDE, SIDE)[original_order]
    columns, band_ranks = np.zeros_like(places), np.zeros((len(ranks), SIDE), np.uint64)
    rest = filling_ranks[original_order]
    for number, (band, table) in enumerate(zip(ranked_tables.bands, joined[:3], strict=True)):
        columns[:, band, ranked_tables.plan.order] = places[:, :, number]
        n_fillings = table[tuple(places[:, :, number].T)].astype(np.uint64)
        band_ranks[:, band], rest = rest % n_fillings, rest // n_fillings
    return columns, band_ranks


def _grids(plan: Plan, columns: Int64s, ranks: Uint64s, tick: Callable[[], None]) -> Grids:
    """Return the grids with given partitions of columns and ranks of the bands' fillings, uint8 (grids, 81)."""
    # `columns`: (grids, bands, stacks): the partition of the columns of each box. `ranks`: (grids, bands): the rank of
    # each band's filling among those with these partitions.
    from sudoku_encode.frontier.band_ranks_kernel import find_lines

    cells = np.zeros((len(columns), SIDE, SIDE, SIDE, SIDE), np.uint8)
    for band in range(SIDE):
        boxes = [_BoxPartitions(box) for box in plan.boxes[band]]
        band_columns, band_ranks = np.ascontiguousarray(columns[:, band]), np.ascontiguousarray(ranks[:, band])
        rows = np.zeros_like(band_columns)
        for start, end in spans(len(columns), _RANKS_PER_CALL, tick):
            a, b, c = (box.fits for box in boxes)
            find_lines(plan.lines[band], a, b, c, band_columns, band_ranks, rows, start, end)
        for stack, box in enumerate(boxes):
            cells[:, band, :, stack] = box.cells(rows[:, stack], band_columns[:, stack])
    grids = cells.reshape(-1, VALUES, VALUES)
    # Where stacks play the part of bands, their lines are columns.
    turned = grids.swapaxes(1, 2) if plan.kind == "stacks" else grids
    return np.ascontiguousarray(turned).reshape(-1, VALUES * VALUES)


class _BoxPartitions:
    """The fillings of a box by their partitions of rows and of columns."""

    def __init__(self, box: Box) -> None:
        self.rows, row_numbers = np.unique(box.across, return_inverse=True)
        self.columns, column_numbers = np.unique(box.down, return_inverse=True)
        # Whether the box has a filling with both partitions.
        self.fits = np.zeros((len(self.rows), len(self.columns)), np.bool_)
        self.fits[row_numbers, column_numbers] = True

    def cells(self, rows: Int64s, columns: Int64s) -> Grids:
        """Return the values of boxes with given numbers of partitions of rows and of columns, uint8 (boxes, 3, 3)."""
        shifts = np.arange(SIDE, dtype=np.uint64) * np.uint64(VALUES)
        all_values = np.uint64(2**VALUES - 1)
        across, down = (
            self.rows[rows][:, None] >> shifts & all_values,
            self.columns[columns][:, None] >> shifts & all_values,
        )
        shared = across[:, :, None] & down[:, None, :]
        values: Grids = np.bitwise_count(shared - np.uint64(1)) + np.uint8(1)
        return values
