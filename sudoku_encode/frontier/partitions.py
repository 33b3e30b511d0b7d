"""The partitions of nine values into three columns (or rows): what the band of a 9x9 puts into the lines of a stack."""

from collections.abc import Callable
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from sudoku_encode.frontier.box_fillings import SIDE, VALUES
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint16s

# The orders of three columns: column c goes to place order[c].
ORDERS = tuple(permutations(range(SIDE)))
_BITS = 1 << np.arange(VALUES)[::-1]


class Partitions(NamedTuple):
    """All partitions of nine values into three columns, ascending by the values of the first, then of the second."""

    marks: Int64s  # (1680, 9): the column of each value
    exchanged: Uint16s  # (9, 9, 1680): each partition after two values are exchanged
    turned: Uint16s  # (6, 1680): each partition after one of `ORDERS` of its columns
    rests: Int32s  # (1680, 56, 2): for each the pairs of partitions that complete it, column by column
    # (1680, 216): for each those that make a box with it, if one is of rows and one of columns: each row and each
    # column have one value in common.
    crossing: Int32s

    def numbers(self, marks: Int64s) -> Uint16s:
        """Return the numbers of partitions by the columns of their values, the last axis of nine."""
        return np.searchsorted(_codes(self.marks), _codes(marks)).astype(np.uint16)

    @property
    def columns(self) -> Int64s:
        """The values of each column of the partitions, a bit each, int64 (1680, 3)."""
        masks: Int64s = ((self.marks[:, None] == np.arange(SIDE)[:, None]) << np.arange(VALUES)).sum(axis=2)
        return masks


def _codes(marks: Int64s) -> Int64s:
    """Return numbers that order partitions by the columns of their values, the last axis of nine."""
    codes: Int64s = ((marks != 0) << VALUES | (marks == SIDE - 1)) @ _BITS
    return codes


@lru_cache(maxsize=1)
def _marks() -> Int64s:
    """Return the columns of the values of all partitions."""
    marks = np.stack(np.unravel_index(np.arange(SIDE**VALUES), (SIDE,) * VALUES), axis=1).astype(np.int64)
    filled: Int64s = marks[((marks[:, :, None] == np.arange(SIDE)).sum(axis=1) == SIDE).all(axis=1)]
    return filled[np.argsort(_codes(filled))]


def all_partitions(tick: Callable[[], None]) -> Partitions:
    """Return all partitions."""
    marks = _marks()
    nothing = np.zeros(0, np.int32)
    bare = Partitions(marks, nothing.astype(np.uint16), nothing.astype(np.uint16), nothing, nothing)
    exchanges = np.tile(np.arange(VALUES), (VALUES, VALUES, 1))
    for pair in np.ndindex(VALUES, VALUES):
        exchanges[(*pair, list(pair))] = pair[::-1]
    tick()
    exchanged = bare.numbers(np.moveaxis(marks[:, exchanges], 0, 2))
    turned = bare.numbers(np.array(ORDERS)[:, marks])
    tick()
    lines = [(marks == line).astype(np.float32) for line in range(SIDE)]
    number, second = np.nonzero(sum(line @ line.T for line in lines) == 0)
    third = bare.numbers(SIDE - marks[number] - marks[second])
    rests = np.stack([second, third], axis=1).reshape(len(marks), -1, 2)
    tick()
    is_box = np.logical_and.reduce([row @ column.T == 1 for row in lines for column in lines])
    crossing = np.nonzero(is_box)[1].reshape(len(marks), -1)
    return Partitions(marks, exchanged, turned, rests.astype(np.int32), crossing.astype(np.int32))
