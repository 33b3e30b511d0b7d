"""Copies of a puzzle that are the same to anybody but look otherwise: values renamed, cells moved by symmetries.

What a search or a solver needs for a puzzle depends on which cell and which value come first. Over many copies that is
luck no more: the middle of their figures belongs to the puzzle, and how far they lie apart says how much was luck.
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
# How many random products are made before the first copy, and between two: enough to forget where it began.
_FIRST_PRODUCTS, _PRODUCTS = 300, 30
_LEAST_SLOTS = 10


def copies(puzzle: Puzzle, many: int, seed: int) -> Iterator[Puzzle]:
    """Yield random copies of a puzzle: solutions of a copy are those of the puzzle, moved and renamed alike.

    Where the board has no symmetry that `symmetries` knows, values are renamed alone. Some copies may be equal.

    Args:
        puzzle: on any board, without constraints.
        many: how many.
        seed: the same seed makes the same copies.
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
    """Yield random symmetries of a board: products of those that are known, by product replacement.

    Source: Leedham-Green & Murray 2002, Variants of product replacement.
    """
    known = symmetries(board)
    here: Cells = np.arange(board.n_cells)
    if not known:
        while True:
            yield here
    slots = [known[number % len(known)] for number in range(max(_LEAST_SLOTS, len(known)))]
    steps = _FIRST_PRODUCTS
    while True:
        # Two slots, never the same: the second is some places after the first.
        ones, places = rng.randint(len(slots), size=steps), rng.randint(1, len(slots), size=steps)
        for one, other in zip(ones.tolist(), ((ones + places) % len(slots)).tolist(), strict=True):
            slots[one] = slots[one][slots[other]]
            here = here[slots[one]]
        yield here
        steps = _PRODUCTS


@lru_cache(maxsize=16)
def symmetries(board: Geometry) -> tuple[Cells, ...]:
    """Return permutations of the cells that take units to units, each intp (n_cells,); products of them do so too.

    Tried are: two neighbouring slices or blocks of slices along an axis swapped, alone, on all axes at once, and with
    their mirror images; an axis turned round; two axes swapped. Those that keep the units of the board are returned.
    """
    whole = _units(board, np.arange(board.n_cells))
    return tuple(move for move in _moves(board) if _units(board, move) == whole)


def _units(board: Geometry, move: Cells) -> frozenset[bytes]:
    """Return the units, their cells moved; a unit's cells in ascending order."""
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
    for one, other in combinations(axes, 2):
        if shape[one] == shape[other]:
            yield np.swapaxes(cells, one, other).ravel()
    if len(set(shape)) == 1:
        last = shape[0] - 1
        for order in _swaps(shape[0]):
            # Turned round, swapped and turned round again, the two at the other end are swapped.
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
