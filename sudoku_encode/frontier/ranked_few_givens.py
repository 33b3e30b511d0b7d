"""The 9x9 with few givens: all grids by rank, of which those are left out that no renaming of values makes a solution.

Where a given is, any value will do, as long as equal givens have equal values there, and others others: then the values
can be renamed. The values that are not given take the names that are left, in their order. With d values given, each
solution comes from the same number of grids, 9 * 8 * ... (d factors): one for each choice of what these were called.
"""

from collections.abc import Callable, Sequence
from math import perm

import numpy as np

from sudoku_encode.frontier import ranked_empty_9x9
from sudoku_encode.frontier.box_fillings import SIDE, VALUES
from sudoku_encode.frontier.ranks import Ranked
from sudoku_encode.puzzles.arrays import Bools, Intps
from sudoku_encode.puzzles.puzzle import Grids

# How many grids it may take to find one that can be renamed, if all patterns of values were as frequent: a few hundred
# a second are drawn.
_MOST_DRAWN = 2000


def fits(givens: Grids) -> bool:
    """Say whether so few are given that drawing is quick."""
    given = givens[givens > 0]
    return bool(VALUES ** len(given) <= _MOST_DRAWN * perm(VALUES, len(np.unique(given))))


def ranked(givens: Grids, tick: Callable[[], None]) -> Ranked:
    """Return the solutions of a 9x9 with these givens, uint8 (81,), by the ranks of all grids.

    Raises:
        StoppedError: by `tick`.
    """
    known = ranked_empty_9x9.tables(tick)
    # Fewest are drawn in vain where the first band, which is looked at first, has most of the givens.
    cells = _turned(givens)
    given = givens[cells]

    def at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        split = known.split(ranks)
        rows = ranked_empty_9x9.first_rows(known, split, tick)
        band = ranked_empty_9x9.first_cells(known, split, rows)
        kept = np.flatnonzero(_matches(band, given[: SIDE * VALUES]))
        grids = ranked_empty_9x9.grids(known, split[kept], rows[kept], tick)
        grids = grids[_matches(grids - 1, given)]
        found = np.empty_like(grids)
        found[:, cells] = _renamed(grids - 1, given)
        return found

    return Ranked(known.total, at, "all 9x9 grids, of which those are kept that can be renamed", every=False)


def _turned(givens: Grids) -> Intps:
    """Return an order of the cells in which the band or stack with most givens is the first band."""
    cells = np.arange(VALUES * VALUES).reshape(VALUES, VALUES)
    ways = [np.roll(one, -SIDE * band, axis=0).ravel() for one in (cells, cells.T) for band in range(SIDE)]
    return max(ways, key=lambda way: int(np.count_nonzero(givens[way[: SIDE * VALUES]])))


def _matches(grids: Grids, given: Grids) -> Bools:
    """Say of each grid whether two givens are in cells with equal values just where they are equal themselves."""
    at = np.flatnonzero(given)
    here = grids[:, at]
    alike = given[at][:, None] == given[at][None, :]
    found: Bools = ((here[:, :, None] == here[:, None, :]) == alike).all(axis=(1, 2))
    return found


def _renamed(grids: Grids, given: Grids) -> Grids:
    """Return grids, values from 0, renamed so that they have the givens; values from 1."""
    at = np.flatnonzero(given)
    names = np.zeros((len(grids), VALUES), np.uint8)
    np.put_along_axis(names, grids[:, at].astype(np.intp), np.tile(given[at], (len(grids), 1)), axis=1)
    rest = np.setdiff1d(np.arange(1, VALUES + 1), given).astype(np.uint8)
    free = np.argwhere(names == 0)
    names[free[:, 0], free[:, 1]] = np.tile(rest, len(grids))
    found: Grids = np.take_along_axis(names, grids.astype(np.intp), axis=1)
    return found
