"""Counting the solutions of 9x9 puzzles by the values that bands put into columns.

A filling of a box puts three values into each of its rows and each of its columns: a *partition* of the values of
either kind. Three boxes make a band when their partitions of rows complete each other, and a stack when those of
columns do. So bands interact only through the partitions of their columns, and the number of fillings with each.

Source: Felgenhauer & Jarvis 2006, Mathematics of Sudoku I: the number of grids is a sum over the columns of the
    first band, times the number of ways to fill the other two.
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
# Limit for the tables of a puzzle; the empty board would need a thousand times as much.
MAX_BYTES = 2 * 10**9
# Whole numbers below this are exact as floating-point numbers. A sum of numbers that are not negative is exact if it is
# below this, too: a rounded sum would not be below.
_EXACT_BELOW = 2.0**53
_FULL = 2 ** (SIDE * VALUES) - 1
_ORDERS = tuple(permutations(range(SIDE)))
# To gather an entry of a matrix takes as long as this many multiplications in a product of matrices.
_GATHERING_STEPS = 10


class Box(NamedTuple):
    """The fillings of a box."""

    rows: Int64s  # (partitions,): the partitions of the rows, ascending, bit `row * 9 + value`
    columns: Int64s  # (partitions,): the partitions of the columns, likewise
    fillings: Matrix  # (rows, columns): 1 if there is a filling with both partitions (there is never a second), else 0


class Triples(NamedTuple):
    """The triples of partitions of three boxes that complete each other."""

    first: Intps  # (triples,), ascending: the number of the partition of the first box
    second: Intps  # second, third: those of the other boxes
    third: Intps

    def of(self, number: int) -> tuple[Intps, Intps]:
        """Return the partitions of the second and third box that complete partition `number` of the first."""
        places = slice(*np.searchsorted(self.first, [number, number + 1]))
        return self.second[places], self.third[places]


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is not supported, or an empty string."""
    return (
        ""
        if board.is_classic and board.n_values == VALUES
        else "it supports only 9x9 with just the rules row, column and box"
    )


def count(puzzle: Puzzle, tick: Callable[[], None]) -> int:
    """Return the number of solutions of a 9x9.

    Raises:
        StoppedError: by `tick`; or the tables would need too much memory.
    """
    if puzzle.clash is not None:
        return 0
    boxes = _boxes(puzzle.candidates, tick)
    turned = [[Box(box.columns, box.rows, box.fillings.T) for box in stack] for stack in zip(*boxes, strict=True)]
    both = _prune_partitions(boxes, tick), _prune_partitions(turned, tick)
    if not all(box.fillings.size for boxes_of_orders in both for band in boxes_of_orders for box in band):
        return 0
    _, chosen = min(map(_best_order, both), key=lambda boxes_of_orders: boxes_of_orders[0])
    if (needed := 8 * sum(int(np.prod([len(box.columns) for box in band])) for band in chosen)) > MAX_BYTES:
        raise StoppedError(f"memory limit: the tables of three bands would take {needed:,} bytes")
    tables = [_table(band, tick) for band in chosen]
    stacks = [_triples([band[stack].columns for band in chosen]) for stack in range(SIDE)]
    return _sum_over_tables(tables, stacks, tick)


def _boxes(candidates: Candidates, tick: Callable[[], None]) -> list[list[Box]]:
    """Return the fillings of all boxes, band by band."""
    # Cells by band, row of the band, stack and column of the stack.
    cells = candidates.reshape(SIDE, SIDE, SIDE, SIDE, VALUES)
    return [
        [_box(cells[band, :, stack].reshape(VALUES, VALUES), tick) for stack in range(SIDE)] for band in range(SIDE)
    ]


def _box(allowed: Candidates, tick: Callable[[], None]) -> Box:
    """Return the fillings of a box with the candidates `allowed`, bool (9, 9)."""
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


def _triples(partitions: list[Int64s]) -> Triples:
    """Return the triples from three ascending lists of partitions that complete each other."""
    triples = []
    for number, own in enumerate(partitions[0]):
        second = np.flatnonzero((partitions[1] & own) == 0)
        rest = _FULL ^ own ^ partitions[1][second]
        third = np.minimum(np.searchsorted(partitions[2], rest), max(0, len(partitions[2]) - 1))
        complete = partitions[2][third] == rest if len(partitions[2]) else np.zeros(len(rest), bool)
        triples.append((np.full(int(complete.sum()), number), second[complete], third[complete]))
    first, second, third = (np.concatenate([np.empty(0, np.intp), *part]) for part in zip(*triples, strict=True))
    return Triples(first, second, third)


def _prune_partitions(boxes: list[list[Box]], tick: Callable[[], None]) -> list[list[Box]]:
    """Remove partitions that no others complete, until none remains."""
    while True:
        before = [box.fillings.shape for band in boxes for box in band]
        if not all(map(all, before)):
            return boxes
        tick()
        rows = [_triples([box.rows for box in band]) for band in boxes]
        columns = [_triples([band[stack].columns for band in boxes]) for stack in range(SIDE)]
        boxes = [
            [_restricted_box(box, np.unique(rows[i][j]), np.unique(columns[j][i])) for j, box in enumerate(band)]
            for i, band in enumerate(boxes)
        ]
        if [box.fillings.shape for band in boxes for box in band] == before:
            return boxes


def _restricted_box(box: Box, rows: Intps, columns: Intps) -> Box:
    """Return the fillings with these partitions, without the partitions that no filling has then."""
    fillings = box.fillings[np.ix_(rows, columns)]
    used_rows, used_columns = fillings.any(axis=1), fillings.any(axis=0)
    return Box(box.rows[rows[used_rows]], box.columns[columns[used_columns]], fillings[np.ix_(used_rows, used_columns)])


def _best_order(boxes: list[list[Box]]) -> tuple[float, list[list[Box]]]:
    """Return an estimate of the work of `_sum_over_tables`, and the order of bands and stacks for which it is least."""
    sizes = np.array([[len(box.columns) for box in band] for band in boxes], np.float64)
    triples = [len(_triples([band[stack].columns for band in boxes]).first) for stack in range(SIDE)]

    def work(bands: tuple[int, ...], stacks: tuple[int, ...]) -> float:
        first_triples, middle_triples, last_triples = (triples[stack] for stack in stacks)
        first, second, third = bands
        products = middle_triples * sizes[second, stacks[2]] * sizes[third, stacks[2]]
        return float(first_triples * (products + _GATHERING_STEPS * sizes[first, stacks[1]] * last_triples))

    bands, stacks = min(product(_ORDERS, _ORDERS), key=lambda order: work(*order))
    return work(bands, stacks), [[boxes[band][stack] for stack in stacks] for band in bands]


def _table(band: list[Box], tick: Callable[[], None]) -> NDArray[np.float64]:
    """Return the number of fillings of a band for each choice of three partitions of its columns."""
    first, second, third = band
    triples = _triples([box.rows for box in band])
    table = np.zeros([len(box.columns) for box in band])
    for number, fits in enumerate(first.fillings):
        tick()
        two, three = triples.of(number)
        table[fits > 0] += second.fillings[two].T @ third.fillings[three]
    return table


def _sum_over_tables(tables: list[NDArray[np.float64]], stacks: list[Triples], tick: Callable[[], None]) -> int:
    """Sum the products of entries of three tables over all choices of partitions that complete each other."""
    total = 0
    left_stack, middle_stack, right_stack = stacks
    for first, second_number, third_number in zip(*left_stack, strict=True):
        a, b, c = tables[0][first], tables[1][second_number], tables[2][third_number]
        for number in np.flatnonzero(a.any(axis=1)):
            tick()
            second, third = middle_stack.of(int(number))
            # The columns of the two lower bands in the right stack, and their numbers of fillings.
            below = b[second].T @ c[third]
            product_sum = float((a[number, right_stack.first] * below[right_stack.second, right_stack.third]).sum())
            if product_sum >= _EXACT_BELOW:
                raise InternalError("a sum is too large for exact floating-point numbers")
            total += int(product_sum)
    return total
