"""Patterns of givens that a symmetry of the square or the cube keeps."""

from collections.abc import Callable

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from sudoku_encode.errors import MethodError
from sudoku_encode.generating.table import SYMMETRIES
from sudoku_encode.puzzles.geometry import Geometry

Cells = NDArray[np.intp]


def _mirror(cells: Cells) -> Cells:
    return np.flip(cells, -1)


def _diagonal(cells: Cells) -> Cells:
    return np.swapaxes(cells, 0, 1)


def _last_diagonal(cells: Cells) -> Cells:
    return np.swapaxes(cells, -1, -2)


# By name: functions of an array of cells, in the shape of the board, that move them.
MOVES: dict[str, Callable[[Cells], Cells]] = {
    "point": np.flip,
    "mirror": _mirror,
    "diagonal": _diagonal,
    "last diagonal": _last_diagonal,
    "quarter": np.rot90,
}


def sides(board: Geometry) -> tuple[int, ...]:
    """Return how many cells a board has along each axis, with those that are missing where boards overlap."""
    return board.frame if board.places else board.shape


def orbits(board: Geometry, symmetry: str) -> list[list[int]]:
    """Return the cells in groups that must be given or blank together, in scan order.

    Args:
        board: the board.
        symmetry: a key of SYMMETRIES: `point` turns a square by half or inverts a cube, `mirror` flips the last axis,
            `diagonal` swaps the first two axes, `quarter` turns them by 90 degrees, `full` is all of these.

    Raises:
        MethodError: boards overlap so that a cell would be moved to where there is none.
    """
    cells: Cells = np.full(sides(board), -1)
    at = tuple(np.array(board.coordinates).T)
    cells[at] = smallest = np.arange(board.n_cells)
    moves = [MOVES[move](cells)[at] for move in SYMMETRIES[symmetry].moves]
    if any((move < 0).any() for move in moves):
        raise MethodError(f"the cells of {board.name} do not have symmetry {symmetry}")
    smallest = smallest.copy()
    changed = bool(moves)
    while changed:
        before = smallest.copy()
        for move in moves:
            smallest = np.minimum(smallest, smallest[move])
            np.minimum.at(smallest, move, smallest.copy())
        changed = not np.array_equal(smallest, before)
    order = np.argsort(smallest, kind="stable")
    starts = np.flatnonzero(np.diff(smallest[order])) + 1
    return [group.tolist() for group in np.split(order, starts)]


def shuffled_orbits(board: Geometry, symmetry: str, rng: RandomState) -> list[list[int]]:
    """Return the groups of `orbits` in random order."""
    groups = orbits(board, symmetry)
    return [groups[number] for number in rng.permutation(len(groups)).tolist()]
