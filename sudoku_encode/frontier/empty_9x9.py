"""The empty 9x9 by rank, and the 9x9 with few givens by the ranks of the empty one.

A band puts into the three columns of each box a *partition* of the values, one of 1,680. Renaming the values makes the
partition of the first box the first of all, number 0. Renaming, exchanging columns of a box and exchanging boxes leave
44 classes of first bands; each is completed by the other two bands in a known number of ways.

Source: Felgenhauer & Jarvis 2006, Mathematics of Sudoku I, which has 44 classes too.
Differs: the other two bands are not listed but looked up in the same table of fillings.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import perm
from typing import NamedTuple

import numpy as np

from sudoku_encode.frontier import few_givens
from sudoku_encode.frontier.box_fillings import SIDE, VALUES
from sudoku_encode.frontier.partitions import ORDERS, Partitions, all_partitions
from sudoku_encode.frontier.problem import spans
from sudoku_encode.frontier.ranks import RankedSolutions
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.boards import board as board_of
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle

# How many pairs of partitions are joined between two calls of `tick`.
_CHUNK_PAIRS = 2**18


def fits(board: Geometry, candidates: Candidates) -> bool:
    """Return whether this is the empty 9x9 with 3x3 boxes."""
    return board.is_classic and board.n_values == VALUES and bool(candidates.all())


def filling_counts(table: Partitions, tick: Callable[[], None]) -> Int64s:
    """Return how many bands put partition 0 and these two into the columns, int64 (1680, 1680)."""
    empty = Puzzle.of(board_of("9x9"))
    arrangement = next(few_givens.arrangements(table, empty, empty.candidates, tick))
    # Without givens, all partitions are of the type of number 0.
    counts: Int64s = few_givens.band_table(arrangement, 0, tick).table[0].astype(np.int64)
    return counts


def roots(table: Partitions, tick: Callable[[], None]) -> Int64s:
    """Return for each pair of partitions (second * 1680 + third) that a band has beside partition 0 its class.

    A class is given by a pair in it; bands of one class have equal numbers of completions.
    """
    from sudoku_encode.frontier.empty_9x9_kernel import merge

    size = len(table.marks)
    second, third = np.divmod(np.arange(size * size, dtype=np.int64), size)
    renamed = few_givens.renamings(table, np.ones(VALUES, np.bool_), tick).astype(np.int64)
    images = [third * size + second, renamed[second, 0] * size + renamed[second, third]]
    # Two exchanges make all permutations of three: of values within a column, of columns of the first box (which needs
    # a renaming of whole columns), of columns of the second.
    for pairs in ([(0, 1)], [(1, 2)], [(0, 3), (1, 4), (2, 5)], [(3, 6), (4, 7), (5, 8)]):
        tick()
        new = np.arange(size)
        for low, high in pairs:
            new = table.exchanged[low, high][new].astype(np.int64)
        images.append(new[second] * size + new[third])
    for order in ((1, 0, 2), (0, 2, 1)):
        tick()
        images.append(table.turned[ORDERS.index(order)][second].astype(np.int64) * size + third)
    root = np.arange(size * size, dtype=np.int64)
    for image in images:
        for start, end in spans(len(root), _CHUNK_PAIRS, tick):
            merge(root, image, start, end)
    while (further := root[root]).tobytes() != root.tobytes():
        tick()
        root = further
    return root


# The grids of the empty 9x9 by rank.
#
# The bands of a class have equal numbers of completions. So a rank is split into the partition of the first box, which
# only names the values, the class, the pair of partitions in it, the filling of the first band, and the completion; and
# the completion into the partitions that the other bands put into the columns, and their fillings.

# How many ranks are looked up between two calls of `tick`: some tens of milliseconds.
_RANKS_PER_CALL = 64


class Completing(NamedTuple):
    """All partitions, as the kernels take them."""

    columns: Int64s  # (1680, 3): the values of each column, a bit each
    rests: Int64s  # (1680, 56, 2): for each the pairs of partitions that complete it, column by column
    renamed: Int64s  # (1680, 1680): see `empty_9x9_kernel.completions`


@dataclass(frozen=True, eq=False)
class Tables:
    """Tables about bands."""

    partitions: Completing
    crossing: Int64s  # (1680, 216): see `Partitions`
    meets: Bools  # (1680, 1680): the same as a table
    ways: Int64s  # (1680, 1680): see `filling_counts`
    pairs: Int64s  # (1680 * 1680,): the pairs of partitions of the first band, class by class
    starts: list[int]  # where each class starts in `pairs`
    sizes: list[int]  # how many pairs each class has
    fillings: list[int]  # how many fillings the first band has for each pair of a class
    completions: list[int]  # in how many ways each of those is completed

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
        """Split each rank, int64 (ranks, 4).

        The columns are the partition of the first box, the pair of partitions of the first band, the number of its
        filling, and the number of the completion.
        """
        return np.array([self._split(rank) for rank in ranks], np.int64).reshape(-1, 4)

    def _split(self, rank: int) -> tuple[int, int, int, int]:
        rank, named = divmod(rank, len(self.crossing))
        kind = bisect_right(self.ends, rank)
        rank -= self.ends[kind - 1] if kind else 0
        rank, member = divmod(rank, self.sizes[kind])
        rank, filling = divmod(rank, self.fillings[kind])
        return named, int(self.pairs[self.starts[kind] + member]), filling, rank


def ranked(tick: Callable[[], None]) -> RankedSolutions:
    """Return all 9x9 grids by rank."""
    bands = tables(tick)

    def solutions_at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        split = bands.split(ranks)
        first = first_rows(bands, split, tick)
        return grids(bands, split, first, tick)

    return RankedSolutions(bands.total, solutions_at, "classes of first bands and their completions")


def tables(tick: Callable[[], None]) -> Tables:
    """Make the tables."""
    from sudoku_encode.frontier.empty_9x9_kernel import completions

    every = all_partitions(tick)
    crossing = every.crossing.astype(np.int64)
    ways = filling_counts(every, tick)
    root = roots(every, tick)
    renamed = few_givens.renamings(every, np.ones(VALUES, np.bool_), tick).astype(np.int64)
    partitions = Completing(every.columns, every.rests.astype(np.int64), renamed)
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


def first_rows(bands: Tables, split: Int64s, tick: Callable[[], None]) -> Int64s:
    """Return the partitions of rows in the first band, int64 (ranks, 3)."""
    return _rows(bands, _first_columns(bands, split), split[:, 2], tick)


def first_cells(bands: Tables, split: Int64s, rows: Int64s) -> Grids:
    """Return the first band before its values are renamed, (ranks, 27), values from 0."""
    return _cells(bands, rows[:, None], _first_columns(bands, split)[:, None])


def _first_columns(bands: Tables, split: Int64s) -> Int64s:
    second, third = np.divmod(split[:, 1], len(bands.crossing))
    return np.stack([np.zeros_like(second), second, third], axis=1)


def _rows(bands: Tables, columns: Int64s, ranks: Int64s, tick: Callable[[], None]) -> Int64s:
    """Return the partitions of rows of bands that put these partitions into the columns, int64 (ranks, 3)."""
    from sudoku_encode.frontier.empty_9x9_kernel import find_rows

    rows = np.zeros((len(columns), SIDE), np.int64)
    for start, end in spans(len(columns), _RANKS_PER_CALL, tick):
        find_rows(columns, bands.crossing, bands.meets, bands.partitions.rests, ranks, rows, start, end)
    return rows


def _cells(bands: Tables, rows: Int64s, columns: Int64s) -> Grids:
    """Return bands by the partitions of rows and columns of their boxes, each (grids, bands, 3): (grids, cells)."""
    table = bands.partitions.columns
    # Each cell holds the value that its row and its column in the box have in common: (grid, band, stack, row, column).
    shared = table[rows][..., :, None] & table[columns][..., None, :]
    values = np.bitwise_count(shared - 1).astype(np.uint8)
    return np.ascontiguousarray(values.transpose(0, 1, 3, 2, 4)).reshape(len(rows), -1)


def grids(bands: Tables, split: Int64s, first: Int64s, tick: Callable[[], None]) -> Grids:
    """Return the grids that ranks were split into, uint8 (ranks, 81); see `Tables.split` and `first_rows`."""
    from sudoku_encode.frontier.empty_9x9_kernel import find_rests

    partitions, many = bands.partitions, len(split)
    top = _first_columns(bands, split)
    rest, below = split[:, 3].copy(), np.zeros((many, 2, SIDE), np.int64)
    for start, end in spans(many, _RANKS_PER_CALL, tick):
        find_rests(top, partitions.rests, partitions.renamed, bands.ways, rest, below, start, end)
    middle = [partitions.renamed[below[:, 0, 0], below[:, 0, place]] for place in (1, 2)]
    ways = bands.ways[middle[0], middle[1]]
    fillings = rest % ways, rest // ways
    rows = [first, *(_rows(bands, np.ascontiguousarray(below[:, at]), fillings[at], tick) for at in range(2))]
    values = _cells(bands, np.stack(rows, axis=1), np.concatenate([top[:, None], below], axis=1))
    # The values of partition 0 in the order of its columns become those of the partition of the first box.
    columns = partitions.columns[:, :, None] >> np.arange(VALUES) & 1
    names = np.argsort(np.argmax(columns, axis=1), axis=1, kind="stable")
    renamed = np.zeros((many, VALUES), np.uint8)
    np.put_along_axis(renamed, np.tile(names[0], (many, 1)), names[split[:, 0]].astype(np.uint8) + 1, axis=1)
    result: Grids = np.take_along_axis(renamed, values.astype(np.intp), axis=1)
    return result


# The 9x9 with few givens: all grids by rank, without those that no renaming of values makes a solution.
#
# A grid will do if it has equal values where givens are equal, and different values where they differ: then its values
# can be renamed to the givens. The values that are not given take the remaining names, in their order. With d values
# given, each solution comes from the same number of grids, 9 * 8 * ... (d factors): one for each choice of names.

# How many grids may be drawn on average until one can be renamed, if all patterns of values were equally frequent: a
# few hundred a second are drawn.
_MOST_DRAWN = 2000


def has_few_givens(givens: Grids) -> bool:
    """Return whether there are so few givens that drawing is quick."""
    given = givens[givens > 0]
    return bool(VALUES ** len(given) <= _MOST_DRAWN * perm(VALUES, len(np.unique(given))))


def ranked_with_givens(givens: Grids, tick: Callable[[], None]) -> RankedSolutions:
    """Return the solutions of a 9x9 with these givens, uint8 (81,), by the ranks of all grids."""
    bands = tables(tick)
    # The fewest grids are drawn in vain if the first band, which is checked first, has the most givens.
    cells = _cells_by_band(givens)
    given = givens[cells]

    def solutions_at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        split = bands.split(ranks)
        rows = first_rows(bands, split, tick)
        band = first_cells(bands, split, rows)
        matching = np.flatnonzero(_matches(band, given[: SIDE * VALUES]))
        candidates = grids(bands, split[matching], rows[matching], tick)
        candidates = candidates[_matches(candidates - 1, given)]
        turned = np.empty_like(candidates)
        turned[:, cells] = _renamed_to_givens(candidates - 1, given)
        return turned

    return RankedSolutions(
        bands.total, solutions_at, "all 9x9 grids, without those that no renaming makes a solution", every=False
    )


def _cells_by_band(givens: Grids) -> Intps:
    """Return an order of the cells in which the band or stack with most givens is the first band."""
    cells = np.arange(VALUES * VALUES).reshape(VALUES, VALUES)
    ways = [np.roll(one, -SIDE * band, axis=0).ravel() for one in (cells, cells.T) for band in range(SIDE)]
    return max(ways, key=lambda way: int(np.count_nonzero(givens[way[: SIDE * VALUES]])))


def _matches(grids: Grids, given: Grids) -> Bools:
    """Return for each grid whether any two givens are in cells with equal values just if they are equal themselves."""
    given_cells = np.flatnonzero(given)
    values = grids[:, given_cells]
    alike = given[given_cells][:, None] == given[given_cells][None, :]
    matches: Bools = ((values[:, :, None] == values[:, None, :]) == alike).all(axis=(1, 2))
    return matches


def _renamed_to_givens(grids: Grids, given: Grids) -> Grids:
    """Return grids, values from 0, renamed so that they have the givens; values from 1."""
    given_cells = np.flatnonzero(given)
    names = np.zeros((len(grids), VALUES), np.uint8)
    np.put_along_axis(
        names, grids[:, given_cells].astype(np.intp), np.tile(given[given_cells], (len(grids), 1)), axis=1
    )
    rest = np.setdiff1d(np.arange(1, VALUES + 1), given).astype(np.uint8)
    free = np.argwhere(names == 0)
    names[free[:, 0], free[:, 1]] = np.tile(rest, len(grids))
    result: Grids = np.take_along_axis(names, grids.astype(np.intp), axis=1)
    return result
