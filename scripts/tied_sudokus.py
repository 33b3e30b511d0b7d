"""Estimate how many uniform cubes there are, by samples: Sudokus that are tied to a given one.

A uniform cube is, in its frame, k Sudokus of k * k values, one for each a (`structure`): row k b + o, column k c + r.
In block (b, c) the numbers r - o of a value differ in all of them. That is all that ties them, so the number of uniform
cubes of one pattern is the number of Sudokus, times the mean number of ways to tie the k - 1 others to the first one.

For k = 2 all 288 Sudokus can be tried. For k = 3 some are drawn, and for each the ways are estimated: two values are
placed at random, and the ways to place the other seven are counted. The mean of the products is exact (Knuth).

Source: Knuth 1975, Estimating the efficiency of backtrack programs, Mathematics of Computation 29, for the estimate.
"""

from functools import cache
from itertools import pairwise, permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.placements.structure import layer_table
from sudoku_encode.puzzles.arrays import Int64s, Uint64s

Grid = NDArray[np.uint8]
# A set of cells of two Sudokus is three words.
WORDS = 3
# The pairs of a first band and a first stack with a box in common: 9! boxes, and for each 56 * 6**6 of each.
N_CROSSES = 362_880 * (56 * 6**6) ** 2
# Those in which one of the rows of the box is a row of the boxes below it too, with that row: the three values go down
# alike in 2 ways, and the others in 10; in each of two boxes their row is one of 3, with 2 columns for the others of a
# row.
N_MARKED_CROSSES = 362_880 * 56 * 6**6 * 3 * (2 * 10 * (3 * 6 * 2**3 // 6) ** 2)


class Ways(NamedTuple):
    """The ways to place a value in one of the Sudokus, as sets of cells of all but the first Sudoku.

    Attributes:
        cells: uint64 (ways, words), in the order of their codes; see `structure.LayerTable`.
        heads: int64 (codes + 1,): where a code's ways begin.
        places: uint8 (ways, k * k): their places, likewise in order.
    """

    cells: Uint64s
    heads: Int64s
    places: Grid


class Sample(NamedTuple):
    """The estimate for one Sudoku.

    Attributes:
        ways: an estimate of the number of ways to tie others to it, the mean of several; exact if nothing is random.
        cubes: the products of which it is the mean, each with a cube, or None.
    """

    ways: float
    cubes: list[tuple[float, Int64s | None]]


@cache
def ways(k: int, layer: int) -> Ways:
    """Return the ways to place a value in Sudoku number `layer`, 1 or 2. Number 2 of k = 2 has one, without cells."""
    n, table = k * k, layer_table(k)
    if layer >= k:
        return Ways(np.zeros((1, WORDS), np.uint64), np.array([0, 1]), np.zeros((1, n), np.uint8))
    order = np.argsort(table.codes, kind="stable")
    bits = ((layer - 1) * n + np.arange(n)) * n + table.places[order].astype(np.int64)
    cells = np.zeros((len(order), WORDS), np.uint64)
    np.bitwise_or.at(cells, (np.arange(len(order))[:, None], bits // 64), np.uint64(1) << (bits % 64).astype(np.uint64))
    return Ways(cells, np.searchsorted(table.codes[order], np.arange(k**n + 1)), table.places[order])


@cache
def _shifts(k: int) -> Int64s:
    """Return the shifts of the numbers r - o from the first Sudoku to two others: int64 (m, 2, k * k)."""
    shifts = np.array(list(product(permutations(range(1, k)), repeat=k * k))).transpose(0, 2, 1)
    return shifts if k == 3 else np.concatenate([shifts, np.zeros_like(shifts)], axis=1)


def first_places(grid: Grid) -> Int64s:
    """Return where each value is in each box of a Sudoku: int64 (values, boxes), as row * k + column in the box."""
    n = len(grid)
    k = int(n**0.5)
    boxes = grid.reshape(k, k, k, k).transpose(0, 2, 1, 3).reshape(n, n)
    return np.argsort(boxes, axis=1).T


def lists(grid: Grid) -> tuple[Uint64s, Int64s]:
    """Return, for each value of a Sudoku, its places in the Sudokus that are tied to it.

    Returns:
        uint64 (m, words), all sets of cells; and int64 (values + 1,), where each value's begin.
    """
    from tied_sudokus_kernel import joined

    n = len(grid)
    k = int(n**0.5)
    first, second = ways(k, 1), ways(k, 2)
    of_values = []
    for places in first_places(grid):
        shifted = (places % k - places // k + _shifts(k)) % k
        codes = shifted @ k ** np.arange(n)
        if k == 2:
            codes[:, 1] = 0
        of_values.append(joined(first.cells, second.cells, (first.heads, second.heads), codes))
    return np.concatenate(of_values), np.concatenate([[0], np.cumsum([len(one) for one in of_values])])


def sample(grid: Grid, n_random: int, times: int, rng: np.random.Generator) -> Sample:
    """Estimate in how many ways the other Sudokus of a uniform cube can be tied to a first one.

    Args:
        grid: uint8 (n, n), a Sudoku with n = 4 or 9 values.
        n_random: how many values are placed at random; with 0 the number is exact.
        times: how many estimates are made.
        rng: random numbers.
    """
    rows, bounds = lists(grid)
    estimates = _estimates(grid, [rows[begin:end] for begin, end in pairwise(bounds)], n_random, times, rng)
    return Sample(float(np.mean([weight for weight, _ in estimates])), estimates)


def switchable(grid: Grid) -> int:
    """Count the ways to tie others to a Sudoku so that three values can be switched.

    Args:
        grid: uint8 (9, 9), a Sudoku of which the first three boxes, one below the other, have three values in one row
            each: those of the first row of the first box. They must be like that in the other Sudokus too.
    """
    rows, bounds = lists(grid)
    stack, total, rng = _cells(np.arange(3)), 0.0, np.random.default_rng(0)
    # The rows of the three values in the second and the third box of two Sudokus. In the first box it is the first row:
    # all rows of a Sudoku can be moved on with its columns, which changes no tie, so the other of 3**2 cases are alike.
    for choice in product(range(3), repeat=4):
        allowed = _cells(np.insert(np.reshape(choice, (2, 2, 1)), 0, 0, axis=1))
        # The three values lie in those rows, and the others do not.
        barred = [stack & ~allowed if value + 1 in grid[0, :3] else allowed for value in range(9)]
        allowed_rows = [
            rows[begin:end][~(rows[begin:end] & bad).any(axis=1)]
            for (begin, end), bad in zip(pairwise(bounds), barred, strict=True)
        ]
        if min(map(len, allowed_rows)):
            ((number, _),) = _estimates(grid, allowed_rows, 0, 1, rng)
            total += number
    return 9 * int(total)


def _cells(rows: Int64s) -> Uint64s:
    """Return the cells in some rows of the boxes of the first stack, in both other Sudokus, as three words."""
    # `rows`: int64 (2, 3, m), or an array that can be broadcast to that: the rows in each box.
    members = np.zeros((2, 3, 3, 3, 3), np.uint8)
    layer, box = np.ogrid[:2, :3]
    members[layer[..., None], box[..., None], 0, rows] = 1
    packed: Uint64s = np.packbits(np.resize(np.append(members, np.zeros(30, np.uint8)), 192), bitorder="little").view(
        np.uint64
    )
    return packed


def _estimates(
    grid: Grid, lists_of_values: list[Uint64s], n_random: int, times: int, rng: np.random.Generator
) -> list[tuple[float, Int64s | None]]:
    from tied_sudokus_kernel import covers

    n, sizes = len(lists_of_values), np.array([len(one) for one in lists_of_values])
    rows = np.concatenate([*lists_of_values, np.zeros((n * sizes.sum(), WORDS), np.uint64)])
    begin, size = np.zeros((n + 1, n), np.int64), np.zeros((n + 1, n), np.int64)
    begin[0] = np.cumsum(sizes) - sizes
    cover, estimates = np.zeros((n, WORDS), np.uint64), []
    for _ in range(times):
        size[0] = sizes
        weight, number = covers(rows, begin, size, n_random, rng, cover)
        estimates.append((weight * number, cube(grid, cover) if number else None))
    return estimates


def cube(grid: Grid, cells: Uint64s) -> Int64s:
    """Return where the values of a uniform cube are: int64 (k, values, boxes), as o * k + r in its frame.

    Args:
        grid: its first Sudoku.
        cells: uint64 (values, words), the cells of each value in the other ones.
    """
    n = len(grid)
    k = int(n**0.5)
    bits = np.unpackbits(cells.view(np.uint8), axis=1, bitorder="little")[:, : (k - 1) * n * n]
    others = bits.reshape(n, k - 1, n, n).argmax(axis=3).transpose(1, 0, 2)
    return np.concatenate([first_places(grid)[None], others])


def drawn(rng: np.random.Generator, in_rows: bool = False) -> tuple[Grid, int]:
    """Draw a 9x9 Sudoku: each first band and first stack is equally likely, and so are all completions of them.

    Args:
        rng: random numbers.
        in_rows: whether the first row of the first box must be a row of the two boxes below it too.

    Returns:
        The Sudoku, or zeros if it cannot be completed; and the number of completions. With that as a weight all Sudokus
        are equally likely.
    """
    from tied_sudokus_kernel import fillings

    grid = np.zeros((9, 9), np.uint8)
    box = rng.permutation(9).reshape(3, 3) + 1
    grid[:3] = _band(box, rng)
    grid[:, :3] = _band(box.T, rng, in_rows).T
    return grid, int(fillings(grid, rng))


def _band(box: Int64s, rng: np.random.Generator, in_columns: bool = False) -> Int64s:
    """Return a random band that begins with a box, int64 (3, 9), all bands being equally likely."""
    # `box`: int64 (3, 3). With `in_columns` only bands in which the first column of the box is a column of the other
    # boxes.
    row_of = np.argsort(box, axis=None) // 3
    # By how many rows each value is lower in the second box than in the first, modulo 3; in the third it is as many
    # higher. Three values that stay a column go down alike.
    steps = np.array(list(product((1, 2), repeat=9)))
    even = (np.sort((row_of + steps) % 3) == np.repeat(range(3), 3)).all(axis=1)
    if in_columns:
        even &= (steps[:, box[:, 0] - 1] == steps[:, box[:1, 0] - 1]).all(axis=1)
    step = steps[rng.choice(np.flatnonzero(even))]
    boxes = [box]
    while len(boxes) < 3:
        rows = (row_of + len(boxes) * step) % 3
        new = np.array([rng.permutation(np.flatnonzero(rows == row) + 1) for row in range(3)])
        if not in_columns or any(set(column) == set(box[:, 0].tolist()) for column in new.T.tolist()):
            boxes.append(new)
    return np.concatenate(boxes, axis=1)


def switches(places: Int64s) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return where three values of a uniform cube can take another direction: the axis, the slab and the values.

    In all blocks of the slab the three must lie in one plane: they have one o, for a slab of c; one r, for a slab of b;
    one r - o, for a slab of a.

    Args:
        places: int64 (k, values, boxes), as o * k + r, in its frame.
    """
    k, n, _ = places.shape
    o, r = (one.reshape(k, n, k, k).transpose(1, 0, 2, 3) for one in np.divmod(places, k))
    result = []
    for axis, numbers in enumerate(((r - o) % k, r, o)):
        for slab in range(k):
            rows = np.take(numbers, slab, axis=axis + 1).reshape(n, -1)
            for row in np.unique(rows, axis=0):
                same = np.flatnonzero((rows == row).all(axis=1))
                if len(same) == k:
                    result.append((axis, slab, tuple(same.tolist())))
    return result
