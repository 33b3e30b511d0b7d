"""Kinds of solutions: two solutions are of one kind if a symmetry of their puzzle maps one to the other.

All solutions are listed, and each generator of the symmetries becomes a permutation of the list. Where all values may
be renamed, only solutions are listed in which a unit holds them in order: one for each way to rename the values.
"""

from dataclasses import dataclass
from math import factorial

import numpy as np

from sudoku_encode.errors import InternalError
from sudoku_encode.puzzles.arrays import Intps
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.symmetry.graphs import orbits_under
from sudoku_encode.symmetry.groups import Symmetry
from sudoku_encode.symmetry.structure import SymmetryMap

# More cells of solutions than these take minutes, and gigabytes.
MOST_CELLS = 100_000_000


@dataclass(frozen=True)
class Kinds:
    """The solutions of a puzzle up to its symmetries.

    Attributes:
        sizes: for each kind its number of solutions, the largest first.
        order: the number of symmetries.
        complete: whether the symmetries are all; if False, kinds may in truth be one, see `Symmetry`.

    >>> Kinds((192, 96), 3072, True).count, Kinds((192, 96), 3072, True).solutions
    (2, 288)
    """

    sizes: tuple[int, ...]
    order: int
    complete: bool

    @property
    def count(self) -> int:
        """The number of kinds."""
        return len(self.sizes)

    @property
    def solutions(self) -> int:
        """The number of solutions."""
        return sum(self.sizes)


def unit_in_order(puzzle: Puzzle, symmetry: Symmetry) -> Intps | None:
    """Return the first unit with all values, if all values may be renamed; else None."""
    board = puzzle.geometry
    if symmetry.renamings != factorial(board.n_values):
        return None
    units = [unit for rule in board.full_rules for unit in np.sort(rule.units, axis=1).tolist()]
    return np.array(min(units)) if units else None


def with_unit(puzzle: Puzzle, unit: Intps | None) -> Puzzle:
    """Return a puzzle whose given unit, if any, holds the values in order."""
    if unit is None:
        return puzzle
    givens = puzzle.givens.copy()
    givens[unit] = np.arange(1, len(unit) + 1)
    return Puzzle(puzzle.geometry, givens, puzzle.pencilmarks, puzzle.name, puzzle.constraints)


def kinds(symmetry: Symmetry, unit: Intps | None, grids: Grids) -> Kinds:
    """Return the kinds of solutions.

    Args:
        symmetry: of the puzzle.
        unit: the unit that holds the values in order in all grids, or None; see `unit_in_order`.
        grids: all solutions, each once, in this order of the unit: (m, n_cells).
    """
    grids = np.ascontiguousarray(grids)
    keys = _keys(grids)
    order = np.argsort(keys)
    moves = [_permutation(by, unit, grids, keys, order) for by in symmetry.generators]
    sizes = np.unique(orbits_under(moves, len(grids)), return_counts=True)[1]
    factor = 1 if unit is None else factorial(len(unit))
    return Kinds(
        tuple(factor * size for size in sorted(sizes.tolist(), reverse=True)), symmetry.order, symmetry.complete
    )


def _permutation(by: SymmetryMap, unit: Intps | None, grids: Grids, keys: np.ndarray, order: Intps) -> Intps:
    """Return the place of the image of each grid; values are renamed so that the unit holds them in order."""
    images = by.grid(grids)
    if unit is not None:
        names = np.zeros((len(grids), len(unit) + 1), np.uint8)
        np.put_along_axis(names, images[:, unit].astype(np.intp), np.arange(1, len(unit) + 1, dtype=np.uint8)[None], 1)
        images = np.take_along_axis(names, images.astype(np.intp), 1)
    image_keys = _keys(images)
    places: Intps = order[np.searchsorted(keys, image_keys, sorter=order).clip(max=max(len(order) - 1, 0))]
    if not np.array_equal(keys[places], image_keys):
        raise InternalError("a symmetry maps a solution to a grid that is not in the list of all solutions")
    return places


def _keys(grids: Grids) -> np.ndarray:
    """Return the values of each grid as one item."""
    grids = np.ascontiguousarray(grids)
    return grids.view(np.dtype((np.bytes_, grids.shape[1]))).ravel()
