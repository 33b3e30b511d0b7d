"""The grids of the empty 9x9 by rank: by the class of the first band, one of its bands, and what completes it.

The bands of a class have as many completions, see `empty_9x9`. So a rank is split into the partition of the first box,
which only names the values, the class, the pair of partitions in it, the filling of the first band, and the completion;
and that into what the other bands put into the columns, and their fillings.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
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
class Tables:
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

    @cached_property
    def ends(self) -> list[int]:
        """How many grids there are with partition 0 in the first box, up to each class, itself included."""
        kinds = zip(self.sizes, self.fillings, self.completions, strict=True)
        return list(accumulate(size * fillings * rest for size, fillings, rest in kinds))

    @property
    def total(self) -> int:
        """How many grids there are."""
        return len(self.crossing) * self.ends[-1]

    def split(self, ranks: Sequence[int]) -> Int64s:
        """Return what each rank says, int64 (ranks, 4).

        That is the partition of the first box, the pair of partitions of the first band, the number of its filling, and
        the number of the completion.
        """
        return np.array([self._split(rank) for rank in ranks], np.int64).reshape(-1, 4)

    def _split(self, rank: int) -> tuple[int, int, int, int]:
        rank, named = divmod(rank, len(self.crossing))
        kind = bisect_right(self.ends, rank)
        rank -= self.ends[kind - 1] if kind else 0
        rank, member = divmod(rank, self.sizes[kind])
        rank, filling = divmod(rank, self.fillings[kind])
        return named, int(self.pairs[self.starts[kind] + member]), filling, rank


def ranked(tick: Callable[[], None]) -> Ranked:
    """Return all 9x9 grids by rank.

    Raises:
        StoppedError: by `tick`.
    """
    known = tables(tick)

    def at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        split = known.split(ranks)
        first = first_rows(known, split, tick)
        return grids(known, split, first, tick)

    return Ranked(known.total, at, "classes of first bands and what completes them")


def tables(tick: Callable[[], None]) -> Tables:
    """Make the tables.

    Raises:
        StoppedError: by `tick`.
    """
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
    return Tables(partitions, crossing, meets, ways, pairs, starts, sizes.tolist(), fillings, rests)


def first_rows(known: Tables, split: Int64s, tick: Callable[[], None]) -> Int64s:
    """Return the partitions of rows in the first band, int64 (ranks, 3)."""
    return _rows(known, _first_columns(known, split), split[:, 2], tick)


def first_cells(known: Tables, split: Int64s, rows: Int64s) -> Grids:
    """Return the first band before its values are renamed, (ranks, 27), values from 0."""
    return _cells(known, rows[:, None], _first_columns(known, split)[:, None])


def _first_columns(known: Tables, split: Int64s) -> Int64s:
    second, third = np.divmod(split[:, 1], len(known.crossing))
    return np.stack([np.zeros_like(second), second, third], axis=1)


def _rows(known: Tables, columns: Int64s, ranks: Int64s, tick: Callable[[], None]) -> Int64s:
    """Return the partitions of rows of bands that put these partitions into the columns, int64 (ranks, 3)."""
    from sudoku_encode.frontier.ranked_empty_9x9_kernel import find_rows

    found = np.zeros((len(columns), SIDE), np.int64)
    for start in range(0, len(columns), _RANKS_PER_CALL):
        tick()
        end = min(len(columns), start + _RANKS_PER_CALL)
        find_rows(columns, known.crossing, known.meets, known.partitions.rests, ranks, found, start, end)
    return found


def _cells(known: Tables, rows: Int64s, columns: Int64s) -> Grids:
    """Return bands by the partitions of rows and columns of their boxes, each (grids, bands, 3): (grids, cells)."""
    table = known.partitions.columns
    # Each cell holds the value that its row and its column in the box have in common: (grid, band, stack, row, column).
    held = table[rows][..., :, None] & table[columns][..., None, :]
    values = np.bitwise_count(held - 1).astype(np.uint8)
    return np.ascontiguousarray(values.transpose(0, 1, 3, 2, 4)).reshape(len(rows), -1)


def grids(known: Tables, split: Int64s, first: Int64s, tick: Callable[[], None]) -> Grids:
    """Return the grids that ranks were split into, uint8 (ranks, 81).

    Args:
        known: the tables.
        split: see `Tables.split`.
        first: see `first_rows`.
        tick: called some times a second.
    """
    from sudoku_encode.frontier.ranked_empty_9x9_kernel import find_rests

    one, many = known.partitions, len(split)
    top = _first_columns(known, split)
    left, below = split[:, 3].copy(), np.zeros((many, 2, SIDE), np.int64)
    for start in range(0, many, _RANKS_PER_CALL):
        tick()
        end = min(many, start + _RANKS_PER_CALL)
        find_rests(top, one.rests, one.renamed, known.ways, left, below, start, end)
    middle = [one.renamed[below[:, 0, 0], below[:, 0, place]] for place in (1, 2)]
    ways = known.ways[middle[0], middle[1]]
    fillings = left % ways, left // ways
    rows = [first, *(_rows(known, np.ascontiguousarray(below[:, at]), fillings[at], tick) for at in range(2))]
    values = _cells(known, np.stack(rows, axis=1), np.concatenate([top[:, None], below], axis=1))
    # The values of partition 0 in the order of its columns become those of the partition of the first box.
    held = one.columns[:, :, None] >> np.arange(VALUES) & 1
    names = np.argsort(np.argmax(held, axis=1), axis=1, kind="stable")
    renamed = np.zeros((many, VALUES), np.uint8)
    np.put_along_axis(renamed, np.tile(names[0], (many, 1)), names[split[:, 0]].astype(np.uint8) + 1, axis=1)
    found: Grids = np.take_along_axis(renamed, values.astype(np.intp), axis=1)
    return found
