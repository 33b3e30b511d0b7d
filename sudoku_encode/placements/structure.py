"""The structure of one value in a cube, as the rules determine it: lines in blocks, patterns of signs, placements.

The board is a k x k x k cube of blocks of k x k x k cells, with all six rules, and k is 2 or 3. Cell (i, j, l) of block
(a, b, c) is the cell (k a + i, k b + j, k c + l).

1. In a block a value has one cell in each layer of each direction. For k up to 3 its cells are a *line*: (i, s i + o,
   t i + r) modulo k, where s and t are 1 or -1. There are 36 lines for k = 3, and 4 for k = 2, where 1 and -1 are the
   same.
2. Blocks side by side share the plane between them, and a value's lines there must not cover each other. So for each
   value there is a sign for every slab: e of a, f of b, g of c, such that s = e f and t = e g in block (a, b, c). All
   signs turned round are the same: that makes 256 *patterns* of signs for k = 3, and one for k = 2.
3. With i, j, l multiplied by the signs of their slabs, its *frame*, every line is (i, i + o, i + r). A *placement* of a
   value, all its cells, is then an o and an r for each block, such that o over c, r over b and r - o over a have no
   number twice.
4. The lines of a block that its values take have one direction, or two: then three values have the second one, and
   their lines fill a plane that both directions lie in.

A cube whose values all have one pattern is called *uniform* here. In its frame it is k Sudokus, one for each a, with
rows (b, o), columns (c, r) and boxes (b, c), tied to each other by r - o.

Each statement is held by a test that compares it with the rules.
"""

from functools import cache
from itertools import permutations, product
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint32s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids

Places = NDArray[np.uint8]
Int16s = NDArray[np.int16]
# A set of lines of the blocks is four words of 64 bits, the last of which is not used.
WORDS, WORD_BITS = 4, 64


def side(board: Geometry) -> int:
    """Return k; 0 if the board is not a cube of this kind."""
    n, k = board.n_values, isqrt(board.n_values)
    if not board.is_cube or k * k != n or k not in (2, 3):
        return 0
    blocks = [(1, 1, n), (1, n, 1), (n, 1, 1), (1, k, k), (k, 1, k), (k, k, 1)]
    return k if board.is_tiled_by(blocks) else 0


@cache
def patterns(k: int) -> Bools:
    """Return the patterns of signs: bool (patterns, 3, k), whether the sign of a slab of a, b and c is -1.

    The sign of the first slab of a is always 1.
    """
    if k == 2:
        return np.zeros((1, 3, 2), bool)
    signs = np.array(list(product([False, True], repeat=8)))[:, ::-1]
    return np.insert(signs, 0, False, axis=1).reshape(-1, 3, k)


@cache
def directions(k: int) -> Places:
    """Return the direction of lines: uint8 (patterns, blocks), 2 where s is -1, and 1 more where t is."""
    e, f, g = np.moveaxis(patterns(k), 1, 0)
    s = e[:, :, None, None] ^ f[:, None, :, None]
    t = e[:, :, None, None] ^ g[:, None, None, :]
    result: Places = (2 * s.astype(np.uint8) + t).reshape(len(e), k**3)
    return result


@cache
def bits(k: int) -> Int16s:
    """Return where each line of each block is in a set of lines: int16 (blocks, k * k), a bit of the four words.

    Blocks are in the order of (a, b, c), lines in that of (o, r). No block lies in two words.
    """
    per_word = WORD_BITS // (k * k)
    block, line = np.indices((k**3, k * k))
    return (WORD_BITS * (block // per_word) + k * k * (block % per_word) + line).astype(np.int16)


@cache
def lines(k: int, pattern: int) -> Int16s:
    """Return which line each cell lies on: int16 (n_cells,), a bit of the four words, in the frame of a pattern."""
    axes = np.indices((k * k,) * 3).reshape(3, -1)
    slabs, steps = axes // k, axes % k
    first, second, third = np.where(np.take_along_axis(patterns(k)[pattern], slabs, axis=1), -steps, steps)
    result: Int16s = bits(k)[(slabs[0] * k + slabs[1]) * k + slabs[2], (second - first) % k * k + (third - first) % k]
    return result


@cache
def _lines_of_all(k: int) -> Int16s:
    """Return `lines` of all patterns: int16 (patterns, n_cells)."""
    return np.stack([lines(k, pattern) for pattern in range(len(patterns(k)))])


def words(members: Bools) -> Int64s:
    """Return sets as words: int64 (..., 4) of bool (..., 256). The highest bit of a word is never set."""
    packed: Int64s = np.packbits(members, axis=-1, bitorder="little").view(np.int64)
    return packed


def pattern_of(k: int, cells: Int64s) -> int:
    """Return the pattern of a placement, the number of its row in `patterns`; -1 if the cells are not a placement.

    `cells` are those of a value, int64 (k**4,), in any order.
    """
    if len(cells) != k**4:
        return -1
    hit = np.sort(_lines_of_all(k)[:, cells], axis=1).reshape(-1, k**3, k)
    fits = (hit[:, :, 0] == hit[:, :, -1]).all(axis=1) & (np.diff(hit[:, :, 0], axis=1) > 0).all(axis=1)
    return int(np.argmax(fits)) if fits.any() else -1


def patterns_of(grid: Grids, k: int) -> tuple[int, ...]:
    """Return the pattern of each value of a solution (n_cells,), from the first value on."""
    return tuple(pattern_of(k, np.flatnonzero(grid == value)) for value in range(1, k * k + 1))


class LayerTable(NamedTuple):
    """All ways to place a value in the blocks of one a, in a frame: 46,656 for k = 3, and 16 for k = 2."""

    places: Places  # uint8 (ways, k * k): the line in each of the blocks (b, c), as o * k + r
    ties: Uint32s  # uint32 (ways,): the number (r - o) % k of each block, a bit of k for each block
    codes: NDArray[np.int32]  # (ways,): the same as digits of base k


@cache
def layer_table(k: int) -> LayerTable:
    """Return all ways to place a value in the blocks of one a."""
    orders = np.array(list(permutations(range(k))))
    rows = np.array(list(product(range(len(orders)), repeat=k)))
    # o of (b, c) is a permutation over c for each b; r of (b, c) one over b for each c.
    o = orders[rows].reshape(len(rows), 1, k * k)
    r = orders[rows].transpose(0, 2, 1).reshape(1, len(rows), k * k)
    o, r = (one.reshape(-1, k * k) for one in np.broadcast_arrays(o, r))
    difference = (r - o) % k
    powers = k ** np.arange(k * k)
    return LayerTable(
        (o * k + r).astype(np.uint8),
        (1 << (k * np.arange(k * k) + difference)).sum(axis=1).astype(np.uint32),
        (difference * powers).sum(axis=1).astype(np.int32),
    )


@cache
def crossings(k: int) -> NDArray[np.int32]:
    """Return which lines of another frame a line of a block meets: int32 (8, k * k), a bit for each line.

    Row 4 e + 2 f + g is for frames that differ in the signs e, f and g of the block's slabs.
    """
    met = np.zeros((8, k * k), np.int32)
    for row, (e, f, g) in enumerate(product((1, -1), repeat=3)):
        for o, r, i in product(range(k), repeat=3):
            x, y, z = e * i, f * (i + o), g * (i + r)
            met[row, o * k + r] |= 1 << ((y - x) % k * k + (z - x) % k)
    return met
