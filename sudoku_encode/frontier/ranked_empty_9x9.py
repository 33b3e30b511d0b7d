"""The grids of the empty 9x9 by rank: by the class of the first band, one of its bands, and what completes it.

The bands of a class have as many completions, see `empty_9x9`. So a rank is split into the partition of the first box,
which only names the values, the class, the pair of partitions in it, the filling of the first band, and the completion;
and that into what the other bands put into the columns, and their fillings.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from sudoku_encode.frontier import empty_9x9
from sudoku_encode.frontier.box_fillings import SIDE, VALUES
from sudoku_encode.frontier.ranks import Ranked
from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.puzzles.puzzle import Grids

# How many ranks are looked up between two calls of `tick`: some tens of milliseconds.
_RANKS_PER_CALL = 64


@dataclass(frozen=True, eq=False)
class _Tables:
    """What is known of bands.

    Attributes:
        partitions: of the values.
        crossing: see `empty_9x9.crossings`.
        meets: bool (1680, 1680): the same as a table.
        ways: int64 (1680, 1680): see `empty_9x9.fillings`.
        pairs: int64 (1680 * 1680,): the pairs of partitions of the first band, class by class.
        starts: where each class starts in `pairs`.
        sizes: how many pairs each class has.
        fillings: how many fillings the first band has for each pair of a class.
        completions: in how many ways each of those is completed.
    """

    partitions: empty_9x9.Partitions
    crossing: Int64s
    meets: Bools
    ways: Int64s
    pairs: Int64s
    starts: list[int]
    sizes: list[int]
    fillings: list[int]
    completions: list[int]


def ranked(tick: Callable[[], None]) -> Ranked:
    """Return all 9x9 grids by rank.

    Raises:
        Stopped: by `tick`.
    """
    tables = _tables(tick)
    kinds = zip(tables.sizes, tables.fillings, tables.completions, strict=True)
    ends = list(accumulate(size * fillings * rest for size, fillings, rest in kinds))
    names = len(tables.partitions.columns)

    def at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        split = [_split(rank, names, ends, tables) for rank in ranks]
        return _grids(tables, np.array(split, np.int64).reshape(-1, 4), tick)

    return Ranked(names * ends[-1], at, "classes of first bands and what completes them")


def _tables(tick: Callable[[], None]) -> _Tables:
    from sudoku_encode.frontier.empty_9x9_kernel import completions

    partitions = empty_9x9.partitions(tick)
    crossing = empty_9x9.crossings(partitions, tick)
    ways = empty_9x9.fillings(partitions, crossing, tick)
    root = empty_9x9.roots(partitions, tick)
    size = len(crossing)
    meets = np.zeros((size, size), np.bool_)
    np.put_along_axis(meets, crossing, True, axis=1)
    chosen, sizes = np.unique(root, return_counts=True)
    tick()
    fillings, rests = [], []
    for pair in chosen.tolist():
        tick()
        second, third = divmod(pair, size)
        fillings.append(int(ways[second, third]))
        rests.append(int(completions(second, third, partitions.rests, partitions.renamed, ways)))
    starts = [0, *np.cumsum(sizes)[:-1].tolist()]
    pairs = np.argsort(root, kind="stable").astype(np.int64)
    return _Tables(partitions, crossing, meets, ways, pairs, starts, sizes.tolist(), fillings, rests)


def _split(rank: int, names: int, ends: list[int], tables: _Tables) -> tuple[int, int, int, int]:
    """Return the partition of the first box, the pair, the filling of the first band, and the completion of a rank."""
    rank, named = divmod(rank, names)
    kind = bisect_right(ends, rank)
    rank -= ends[kind - 1] if kind else 0
    rank, member = divmod(rank, tables.sizes[kind])
    rank, filling = divmod(rank, tables.fillings[kind])
    return named, int(tables.pairs[tables.starts[kind] + member]), filling, rank


def _grids(tables: _Tables, split: Int64s, tick: Callable[[], None]) -> Grids:
    """Return the grids that ranks were split into, uint8 (ranks, 81)."""
    from sudoku_encode.frontier.ranked_empty_9x9_kernel import find_rests, find_rows

    known, many, size = tables.partitions, len(split), len(tables.crossing)
    pairs = np.stack(np.divmod(split[:, 1], size), axis=1)
    columns = np.zeros((many, SIDE, SIDE), np.int64)
    columns[:, 0, 1:] = pairs
    left, below = split[:, 3].copy(), np.zeros((many, 2, SIDE), np.int64)
    for start in range(0, many, _RANKS_PER_CALL):
        tick()
        end = min(many, start + _RANKS_PER_CALL)
        find_rests(pairs, known.rests, known.renamed, tables.ways, left, below, start, end)
    columns[:, 1:] = below
    first, second, third = (below[:, 0, place] for place in range(SIDE))
    second_ways = tables.ways[known.renamed[first, second], known.renamed[first, third]]
    fillings = [split[:, 2], left % np.maximum(1, second_ways), left // np.maximum(1, second_ways)]
    rows = np.zeros_like(columns)
    for band, ranks in enumerate(fillings):
        these, found = np.ascontiguousarray(columns[:, band]), np.zeros((many, SIDE), np.int64)
        for start in range(0, many, _RANKS_PER_CALL):
            tick()
            end = min(many, start + _RANKS_PER_CALL)
            find_rows(these, tables.crossing, tables.meets, known.rests, ranks, found, start, end)
        rows[:, band] = found
    # Each cell holds the value that its row and its column in the box have in common: (grid, band, stack, row, column).
    held = known.columns[rows][..., :, None] & known.columns[columns][..., None, :]
    grids = np.bitwise_count(held - 1).astype(np.intp)
    names = known.columns[:, :, None] >> np.arange(VALUES) & 1
    # The values of partition 0 in the order of its columns become those of the partition of the first box.
    values = np.argsort(np.argmax(names, axis=1), axis=1, kind="stable")
    renamed = np.zeros((many, VALUES), np.intp)
    np.put_along_axis(renamed, np.tile(values[0], (many, 1)), values[split[:, 0]], axis=1)
    in_rows = np.ascontiguousarray(grids.transpose(0, 1, 3, 2, 4)).reshape(many, VALUES * VALUES)
    return (np.take_along_axis(renamed, in_rows, axis=1) + 1).astype(np.uint8)
