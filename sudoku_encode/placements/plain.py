"""The placements of a value, counted and listed plainly with numpy; it shares no code with the kernel.

A value's placements in a pattern of signs are made of one way for the blocks of each a, such that the numbers r - o of
a block are different for all a (`structure`). Only these numbers matter, so codes are joined instead of ways; a *code*
is the numbers of one way. For each code of one a the second a can have 512 codes, which determine the code of the
third.
"""

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.placements.structure import layer_table, lines
from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint64s

_WORD_BITS = 64
# How many codes are joined in one step, each with all codes that fit it.
_CODES_AT_ONCE = 2_000


def packed(cells: Bools) -> Uint64s:
    """Return sets of cells as words: uint64 (..., words) of bool (..., n_cells)."""
    missing = -cells.shape[-1] % _WORD_BITS
    padded = np.concatenate([cells, np.zeros((*cells.shape[:-1], missing), bool)], axis=-1)
    words: Uint64s = np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)
    return words


def unpacked(words: Uint64s, n_cells: int) -> Bools:
    """Return sets of cells, bool (..., n_cells), of words (..., words)."""
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=-1, bitorder="little")[..., :n_cells] > 0


@cache
def cells_of_lines(k: int, pattern: int) -> Int64s:
    """Return the cells of each line of each block in a pattern: int64 (blocks, k * k, k)."""
    return np.argsort(lines(k, pattern), kind="stable").reshape(k**3, k * k, k)


def possible_lines(k: int, pattern: int, may: Bools, must: Bools) -> Bools:
    """Return which lines of each block a value can have in a pattern: bool (..., blocks, k * k).

    `may` are the cells that the value may have, bool (n_cells, ...), and `must` those that it must have.
    """
    cells = cells_of_lines(k, pattern)
    n_required = must[cells].sum(axis=2)
    # A line that the value can have covers all cells of its block that it must have.
    fits = may[cells].all(axis=2) & (n_required == n_required.sum(axis=1, keepdims=True))
    return np.moveaxis(fits, (0, 1), (-2, -1))


@cache
def _partners(k: int) -> NDArray[np.int16]:
    """Return the codes that the other a can have beside each code of one a: int16 (codes, choices, k - 1)."""
    step = np.array(
        [[[(digit + more) % k for more in order] for order in permutations(range(1, k))] for digit in range(k)]
    )
    partners = np.zeros((1, 1, k - 1), np.int16)
    for _ in range(k * k):
        partners = partners[:, None, :, None] * np.int16(k) + step.astype(np.int16)[None, :, None, :]
        partners = partners.reshape(partners.shape[0] * k, -1, k - 1)
    return partners


class Ways(NamedTuple):
    """The ways to place a value in the blocks of each a, by their codes."""

    rows: list[Int64s]  # for each a the allowed rows of `structure.LayerTable`, in the order of their codes
    heads: list[Int64s]  # for each a where each code's ways begin: int64 (codes + 1,)


def _ways(k: int, allowed: Bools) -> Ways:
    table, n_codes = layer_table(k), k ** (k * k)
    ways = Ways([], [])
    for a in range(k):
        rows = np.arange(len(table.codes))
        for block in range(k * k):
            rows = rows[allowed[a * k * k + block][table.places[rows, block]]]
        rows = rows[np.argsort(table.codes[rows], kind="stable")]
        ways.rows.append(rows)
        ways.heads.append(np.searchsorted(table.codes[rows], np.arange(n_codes + 1)))
    return ways


def _join_codes(k: int, ways: Ways) -> Iterator[tuple[Int64s, Int64s]]:
    """Yield the codes of all a that make placements, int64 (m, k), and how many each row makes: int64 (m,)."""
    sizes = np.diff(ways.heads, axis=1)
    # The codes of the a with the fewest are enumerated; those of the others are looked up.
    first = int(np.argmin((sizes > 0).sum(axis=1)))
    others = [a for a in range(k) if a != first]
    used = np.flatnonzero(sizes[first])
    for start in range(0, len(used), _CODES_AT_ONCE):
        first_codes = used[start : start + _CODES_AT_ONCE]
        partners = _partners(k)[first_codes]
        numbers = np.repeat(sizes[first][first_codes][:, None], partners.shape[1], axis=1)
        for number, a in enumerate(others):
            numbers *= sizes[a][partners[:, :, number]]
        row, choice = np.nonzero(numbers)
        codes = np.empty((len(row), k), np.int64)
        codes[:, first], codes[:, others] = first_codes[row], partners[row, choice]
        yield codes, numbers[row, choice]


def count(k: int, allowed: Bools) -> int:
    """Return the number of placements with the allowed lines, bool (blocks, k * k)."""
    return sum(int(numbers.sum()) for _, numbers in _join_codes(k, _ways(k, allowed)))


def list_placements(k: int, pattern: int, allowed: Bools) -> Uint64s:
    """Return all placements with the allowed lines in a pattern, as sets of cells: uint64 (m, words)."""
    table, ways = layer_table(k), _ways(k, allowed)
    of_lines = np.zeros((k**3, k * k, k**6), bool)
    np.put_along_axis(of_lines, cells_of_lines(k, pattern), True, axis=2)
    words = packed(of_lines)
    codes, products = (np.concatenate(parts) for parts in zip(*_join_codes(k, ways), strict=True))
    # Each row of codes stands for the product of its ways: number them, and split the number.
    row = np.repeat(np.arange(len(products)), products)
    rest = np.arange(len(row)) - np.repeat(np.cumsum(products) - products, products)
    placements = np.zeros((len(row), words.shape[-1]), np.uint64)
    for a, (rows, heads) in enumerate(zip(*ways, strict=True)):
        rest, which = np.divmod(rest, np.diff(heads)[codes[row, a]])
        layer = np.zeros((len(rows), words.shape[-1]), np.uint64)
        for block in range(k * k):
            layer |= words[a * k * k + block, table.places[rows, block]]
        placements |= layer[heads[codes[row, a]] + which]
    return placements
