"""Equivalent copies of a puzzle: values renamed, cells moved by symmetries of the board.

The work of a search or a solver depends on which cell and which value come first. Over many copies this luck averages
out: the median of a figure belongs to the puzzle, and its spread shows how much was luck.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

Cells = NDArray[np.intp]
# How many random products are multiplied before the first copy, and between two: enough to forget the start.
_FIRST_PRODUCTS, _PRODUCTS = 300, 30
_LEAST_SLOTS = 10


def copies(puzzle: Puzzle, many: int, seed: int) -> Iterator[Puzzle]:
    """Yield random copies of a puzzle, whose solutions are those of the puzzle, moved and renamed in the same way.

    On a board for which `symmetries` finds no symmetry, only the values are renamed. Some copies may be equal. The same
    seed makes the same copies. The puzzle must have no constraints.
    """
    rng, board = RandomState(seed), puzzle.geometry
    walk = _walk(board, rng)
    for _ in range(many):
        moved, renamed = next(walk), rng.permutation(board.n_values)
        # Renaming is a permutation of columns: column `renamed[v]` of the copy is column v of the puzzle.
        names = np.concatenate([[0], renamed + 1]).astype(np.uint8)
        marks = None
        if puzzle.pencilmarks is not None:
            marks = np.empty_like(puzzle.pencilmarks)
            marks[:, renamed] = puzzle.pencilmarks[moved]
        yield Puzzle(board, names[puzzle.givens[moved]], marks)


def _walk(board: Geometry, rng: RandomState) -> Iterator[Cells]:
    """Yield random symmetries of a board by product replacement."""
    # Source: Leedham-Green & Murray 2002, Variants of product replacement.
    generators = symmetries(board)
    product: Cells = np.arange(board.n_cells)
    if not generators:
        while True:
            yield product
    slots = [generators[number % len(generators)] for number in range(max(_LEAST_SLOTS, len(generators)))]
    steps = _FIRST_PRODUCTS
    while True:
        # Two slots, never the same: the second is some places after the first.
        firsts, places = rng.randint(len(slots), size=steps), rng.randint(1, len(slots), size=steps)
        for slot, other in zip(firsts.tolist(), ((firsts + places) % len(slots)).tolist(), strict=True):
            slots[slot] = slots[slot][slots[other]]
            product = product[slots[slot]]
        yield product
        steps = _PRODUCTS


@lru_cache(maxsize=16)
def symmetries(board: Geometry) -> tuple[Cells, ...]:
    """Return permutations of the cells that map units to units, each intp (n_cells,); so do products of them.

    The candidates are: two neighbouring slices or blocks of slices swapped along one axis, along all axes at once, and
    with their mirror images; an axis reversed; two axes swapped. Those that keep the units of the board are returned.
    """
    whole = _units(board, np.arange(board.n_cells))
    return tuple(move for move in _moves(board) if _units(board, move) == whole)


def _units(board: Geometry, move: Cells) -> frozenset[bytes]:
    """Return the units with their cells moved, the cells of each in ascending order."""
    return frozenset(
        row.tobytes() for rule in board.rules for row in np.sort(move[rule.units], axis=1).astype(np.int32)
    )


def _moves(board: Geometry) -> Iterator[Cells]:
    shape = board.shape
    cells = np.arange(board.n_cells).reshape(shape)
    axes = range(len(shape))
    for axis in axes:
        for order in _swaps(shape[axis]):
            yield np.take(cells, order, axis).ravel()
        yield np.flip(cells, axis).ravel()
    for axis_a, axis_b in combinations(axes, 2):
        if shape[axis_a] == shape[axis_b]:
            yield np.swapaxes(cells, axis_a, axis_b).ravel()
    if len(set(shape)) == 1:
        last = shape[0] - 1
        for order in _swaps(shape[0]):
            # Reversed, swapped and reversed again, the two slices at the other end are swapped.
            for both in (order, order[last - order[::-1]]):
                moved = cells
                for axis in axes:
                    moved = np.take(moved, both, axis)
                yield moved.ravel()


def _swaps(length: int) -> Iterator[Cells]:
    """Yield orders of slices in which two neighbouring blocks of equal size are swapped."""
    for size in (size for size in range(1, length) if length % size == 0):
        for first in range(0, length - size, size):
            order = np.arange(length)
            order[first : first + size], order[first + size : first + 2 * size] = (
                np.arange(first + size, first + 2 * size),
                np.arange(first, first + size),
            )
            yield order
