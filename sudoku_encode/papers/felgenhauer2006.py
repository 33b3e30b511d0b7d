"""Counting 9x9 grids by what their bands put into the columns, with some givens.

A filling of a box puts three values into each of its rows and each of its columns: a *partition* of the values of
either kind. Three boxes make a band when their partitions of rows complete each other, and a stack when those of
columns do. So all that one band must know of another is what it puts into the columns, and how often.

Source: Felgenhauer & Jarvis 2006, Mathematics of Sudoku I: the number of grids is a sum over what the first band puts
    into the columns, times the number of ways to fill the other two.
Differs: the paper has the empty board, and brings bands to 44 classes by their symmetries. Givens leave no symmetries,
    but few fillings of a box; so matrices with a row and a column for each partition are multiplied instead.
"""

from collections.abc import Callable
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.puzzles.arrays import Int64s, Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

Matrix = NDArray[np.float64]

SIDE, VALUES = 3, 9
# What the tables of a puzzle may take; the empty board would take a thousand times as much.
MAX_BYTES = 2 * 10**9
# Whole numbers below this are exact as floating-point numbers. A sum of such that are not negative is exact, too, if it
# is below: one that was rounded is not.
_EXACT_BELOW = 2.0**53
_FULL = 2 ** (SIDE * VALUES) - 1
_ORDERS = tuple(permutations(range(SIDE)))
# How many multiplications of a product of matrices take as long as to gather an entry of one.
_GATHERING_STEPS = 10


class Box(NamedTuple):
    """The fillings of a box.

    Attributes:
        rows: int64 (partitions,): what a filling can put into the rows, ascending, bit `row * 9 + value`.
        columns: int64 (partitions,): into the columns, likewise.
        fillings: (rows, columns): 1 where there is a filling with both partitions, which is just one then, else 0.
    """

    rows: Int64s
    columns: Int64s
    fillings: Matrix


class Triples(NamedTuple):
    """Which partitions of three boxes complete each other.

    Attributes:
        first: intp (triples,), ascending: numbers of partitions of the first box.
        second, third: of the others, likewise.
    """

    first: Intps
    second: Intps
    third: Intps

    def of(self, number: int) -> tuple[Intps, Intps]:
        """Return the partitions that complete one of the first box."""
        here = slice(*np.searchsorted(self.first, [number, number + 1]))
        return self.second[here], self.third[here]


def unsupported_reason(board: Geometry) -> str:
    """Return why it cannot do a board, or an empty string."""
    return "" if board.is_classic and board.n_values == VALUES else "it is for the 9x9 with boxes alone"


def count(puzzle: Puzzle, tick: Callable[[], None]) -> int:
    """Return the number of solutions.

    Args:
        puzzle: a 9x9.
        tick: called some times a second at least; it may raise StoppedError.

    Raises:
        StoppedError: by `tick`; or the tables would take too much memory.
    """
    if puzzle.clash is not None:
        return 0
    boxes = _boxes(puzzle.candidates, tick)
    turned = [[Box(box.columns, box.rows, box.fillings.T) for box in stack] for stack in zip(*boxes, strict=True)]
    both = _pruned(boxes, tick), _pruned(turned, tick)
    if not all(box.fillings.size for some in both for band in some for box in band):
        return 0
    _, chosen = min(map(_ordered, both), key=lambda some: some[0])
    if (needed := 8 * _table_size(chosen)) > MAX_BYTES:
        raise StoppedError(f"memory limit: the tables of three bands would take {needed:,} bytes")
    tables = [_table(band, tick) for band in chosen]
    stacks = [_triples([band[stack].columns for band in chosen]) for stack in range(SIDE)]
    return _joined(tables, stacks, tick)


def _boxes(candidates: Candidates, tick: Callable[[], None]) -> list[list[Box]]:
    """Return the fillings of all boxes, band by band."""
    # Cells by band, row of the band, stack and column of the stack.
    cells = candidates.reshape(SIDE, SIDE, SIDE, SIDE, VALUES)
    return [
        [_box(cells[band, :, stack].reshape(VALUES, VALUES), tick) for stack in range(SIDE)] for band in range(SIDE)
    ]


def _box(allowed: Candidates, tick: Callable[[], None]) -> Box:
    """Return the fillings of a box, whose cells may hold what is allowed, bool (9, 9)."""
    used, rows, columns = np.zeros((3, 1), np.int64)
    for cell in range(VALUES):
        tick()
        row, column = divmod(cell, SIDE)
        values = np.flatnonzero(allowed[cell])
        before, chosen = np.nonzero((used[:, None] >> values & 1) == 0)
        bits = np.int64(1) << values[chosen]
        used = used[before] | bits
        rows = rows[before] | bits << VALUES * row
        columns = columns[before] | bits << VALUES * column
    rows, at_row = np.unique(rows, return_inverse=True)
    columns, at_column = np.unique(columns, return_inverse=True)
    fillings = np.zeros((len(rows), len(columns)))
    fillings[at_row, at_column] = 1
    return Box(rows, columns, fillings)


def _triples(some: list[Int64s]) -> Triples:
    """Return which of three ascending lists of partitions complete each other."""
    found = []
    for number, one in enumerate(some[0]):
        second = np.flatnonzero((some[1] & one) == 0)
        rest = _FULL ^ one ^ some[1][second]
        third = np.minimum(np.searchsorted(some[2], rest), max(0, len(some[2]) - 1))
        there = some[2][third] == rest if len(some[2]) else np.zeros(len(rest), bool)
        found.append((np.full(int(there.sum()), number), second[there], third[there]))
    first, second, third = (np.concatenate([np.empty(0, np.intp), *part]) for part in zip(*found, strict=True))
    return Triples(first, second, third)


def _pruned(boxes: list[list[Box]], tick: Callable[[], None]) -> list[list[Box]]:
    """Leave out partitions that nothing completes, as long as there are any."""
    while True:
        before = [box.fillings.shape for band in boxes for box in band]
        if not all(map(all, before)):
            return boxes
        tick()
        rows = [_triples([box.rows for box in band]) for band in boxes]
        columns = [_triples([band[stack].columns for band in boxes]) for stack in range(SIDE)]
        boxes = [
            [_kept(box, np.unique(rows[i][j]), np.unique(columns[j][i])) for j, box in enumerate(band)]
            for i, band in enumerate(boxes)
        ]
        if [box.fillings.shape for band in boxes for box in band] == before:
            return boxes


def _kept(box: Box, rows: Intps, columns: Intps) -> Box:
    """Return the fillings with these partitions, and of those only partitions that have one."""
    fillings = box.fillings[np.ix_(rows, columns)]
    some, others = fillings.any(axis=1), fillings.any(axis=0)
    return Box(box.rows[rows[some]], box.columns[columns[others]], fillings[np.ix_(some, others)])


def _ordered(boxes: list[list[Box]]) -> tuple[float, list[list[Box]]]:
    """Return bands and stacks in the order in which `_joined` has the least work, with about how much that is."""
    sizes = np.array([[len(box.columns) for box in band] for band in boxes], np.float64)
    triples = [len(_triples([band[stack].columns for band in boxes]).first) for stack in range(SIDE)]

    def work(bands: tuple[int, ...], stacks: tuple[int, ...]) -> float:
        left, middle, right = (triples[stack] for stack in stacks)
        first, second, third = bands
        products = middle * sizes[second, stacks[2]] * sizes[third, stacks[2]]
        return float(left * (products + _GATHERING_STEPS * sizes[first, stacks[1]] * right))

    bands, stacks = min(product(_ORDERS, _ORDERS), key=lambda order: work(*order))
    return work(bands, stacks), [[boxes[band][stack] for stack in stacks] for band in bands]


def _table_size(boxes: list[list[Box]]) -> int:
    return sum(int(np.prod([len(box.columns) for box in band])) for band in boxes)


def _table(band: list[Box], tick: Callable[[], None]) -> NDArray[np.float64]:
    """Return by how many fillings a band puts each choice of three partitions into the columns."""
    first, second, third = band
    triples = _triples([box.rows for box in band])
    made = np.zeros([len(box.columns) for box in band])
    for number, fits in enumerate(first.fillings):
        tick()
        two, three = triples.of(number)
        made[fits > 0] += second.fillings[two].T @ third.fillings[three]
    return made


def _joined(tables: list[NDArray[np.float64]], stacks: list[Triples], tick: Callable[[], None]) -> int:
    """Sum the products of entries of three tables over all choices of partitions that complete each other.

    Raises:
        InternalError: a sum is too large to be exact.
        StoppedError: by `tick`.
    """
    total = 0
    left, middle, right = stacks
    for one, two, three in zip(*left, strict=True):
        a, b, c = tables[0][one], tables[1][two], tables[2][three]
        for number in np.flatnonzero(a.any(axis=1)):
            tick()
            second, third = middle.of(int(number))
            # What the two lower bands put into the right stack, and how often.
            below = b[second].T @ c[third]
            found = float((a[number, right.first] * below[right.second, right.third]).sum())
            if found >= _EXACT_BELOW:
                raise InternalError("a sum is too large for exact floating-point numbers")
            total += int(found)
    return total
