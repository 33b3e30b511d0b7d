"""The empty 9x9: what the first band puts into the columns, up to all symmetries, and how the others complete it.

A band puts into the three columns of each box a *partition* of the values, one of 1,680. Renaming the values makes the
partition of the first box the first of all, number 0. Renaming, exchanging columns of a box and exchanging boxes leave
44 classes of such bands.

Source: Felgenhauer & Jarvis 2006, Mathematics of Sudoku I, which has 44 classes too.
Differs: the other two bands are not listed but looked up in the same table of fillings.
"""

from collections.abc import Callable, Generator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates

_FULL = 2**9 - 1
# How many pairs of partitions are joined between two calls of `tick`.
_CHUNK_PAIRS = 2**18


class Partitions(NamedTuple):
    """All ways to put nine values into three columns.

    Attributes:
        columns: int64 (1680, 3): the values of each column, a bit each.
        rests: int64 (1680, 56, 2): for each the pairs of partitions that make a whole with it, column by column.
        renamed: int64 (1680, 1680): see `empty_9x9_kernel.completions`.
    """

    columns: Int64s
    rests: Int64s
    renamed: Int64s

    def numbers(self, columns: Int64s) -> Int64s:
        """Return the numbers of partitions given by their columns, the last axis of three."""
        return _numbers(self.columns, columns)


def _numbers(table: Int64s, columns: Int64s) -> Int64s:
    shifts = np.array([0, 9, 18])
    codes = (table << shifts).sum(axis=1)
    order = np.argsort(codes)
    places: Int64s = order[np.searchsorted(codes[order], (columns << shifts).sum(axis=-1))].astype(np.int64)
    return places


def _renamed(columns: Int64s, names: list[int]) -> Int64s:
    """Rename the values: value v becomes names[v]."""
    changed = np.zeros_like(columns)
    for value, name in enumerate(names):
        changed |= (columns >> value & 1) << name
    return changed


def fits(board: Geometry, candidates: Candidates) -> bool:
    """Say whether this is the 9x9 with 3x3 boxes, with nothing in it."""
    return board.is_classic and board.n_values == 9 and bool(candidates.all())


def partitions(tick: Callable[[], None]) -> Partitions:
    """Make the tables."""
    found = []
    for first in combinations(range(9), 3):
        for second in combinations([value for value in range(9) if value not in first], 3):
            a, b = (sum(1 << value for value in column) for column in (first, second))
            found.append((a, b, _FULL ^ a ^ b))
    columns = np.array(found, np.int64)
    rests, renamed = [], []
    for one in columns:
        tick()
        others = np.flatnonzero(((columns & one) == 0).all(axis=1))
        rests.append(np.stack([others, _numbers(columns, _FULL ^ one ^ columns[others])], axis=1))
        values = [value for column in one.tolist() for value in range(9) if column >> value & 1]
        renamed.append(_numbers(columns, _renamed(columns, [values.index(value) for value in range(9)])))
    return Partitions(columns, np.array(rests), np.array(renamed))


def crossings(table: Partitions, tick: Callable[[], None]) -> Int64s:
    """Return for each partition, as one of rows, those of columns that make a box with it, int64 (1680, 216).

    They do when each row and each column have one value in common, and then they make just one box. So rows and columns
    may change places.
    """
    found = []
    for one in table.columns:
        tick()
        shared = np.bitwise_count(table.columns[:, :, None] & one[None, None, :])
        found.append(np.flatnonzero((shared == 1).all(axis=(1, 2))).astype(np.int64))
    return np.array(found)


def fillings(table: Partitions, crossing: Int64s, tick: Callable[[], None]) -> Int64s:
    """Return how many bands put partition 0 and these two into the columns, int64 (1680, 1680)."""
    from sudoku_encode.frontier.empty_9x9_kernel import add_products

    ways = np.zeros((len(crossing), len(crossing)), np.int64)
    for rows in crossing[0].tolist():
        tick()
        for second, third in table.rests[rows].tolist():
            add_products(ways, crossing[second], crossing[third])
    return ways


def roots(table: Partitions, tick: Callable[[], None]) -> Int64s:
    """Return for each pair of partitions (second * 1680 + third) that a band has beside partition 0 its class.

    A class is a pair in it; bands of one class can be completed in as many ways.
    """
    from sudoku_encode.frontier.empty_9x9_kernel import merge

    size = len(table.columns)
    second, third = np.divmod(np.arange(size * size, dtype=np.int64), size)
    tick()
    images = [third * size + second, table.renamed[second, 0] * size]
    tick()
    images[1] += table.renamed[second, third]
    # Two exchanges make all permutations of three: of values within a column, of columns of the first box (which needs
    # a renaming of whole columns), of columns of the second.
    for names in (
        [1, 0, 2, 3, 4, 5, 6, 7, 8],
        [1, 2, 0, 3, 4, 5, 6, 7, 8],
        [3, 4, 5, 0, 1, 2, 6, 7, 8],
        [3, 4, 5, 6, 7, 8, 0, 1, 2],
    ):
        tick()
        new = table.numbers(_renamed(table.columns, names))
        images.append(new[second] * size + new[third])
    for order in ([1, 0, 2], [1, 2, 0]):
        tick()
        images.append(table.numbers(table.columns[:, order])[second] * size + third)
    root = np.arange(size * size, dtype=np.int64)
    for image in images:
        for start in range(0, len(root), _CHUNK_PAIRS):
            tick()
            merge(root, image, start, min(len(root), start + _CHUNK_PAIRS))
    while (further := root[root]).tobytes() != root.tobytes():
        tick()
        root = further
    return root


def classes(table: Partitions, tick: Callable[[], None]) -> tuple[Int64s, Int64s]:
    """Return one pair of partitions of each class of bands, see `roots`, and the sizes of the classes."""
    root = roots(table, tick)
    sizes = np.bincount(root, minlength=len(root))
    chosen = np.flatnonzero(sizes).astype(np.int64)
    return chosen, sizes[chosen].astype(np.int64)


def count(tick: Callable[[], None]) -> Generator[str, None, int]:
    """Yield a line when all is done, and return the number of 9x9 grids.

    Raises:
        StoppedError: by `tick`.
    """
    from sudoku_encode.frontier.empty_9x9_kernel import completions

    table = partitions(tick)
    ways = fillings(table, crossings(table, tick), tick)
    chosen, sizes = classes(table, tick)
    size, total = len(table.columns), 0
    for pair, bands in zip(chosen.tolist(), sizes.tolist(), strict=True):
        tick()
        second, third = divmod(pair, size)
        if ways[second, third]:
            rest = int(completions(second, third, table.rests, table.renamed, ways))
            total += bands * int(ways[second, third]) * rest
    yield f"{len(chosen)} classes of first bands"
    # The first box may hold any partition, not number 0 only.
    return size * total
