"""Least images of puzzles on boards with the rules of the 9x9, by `minlex_kernel`."""

from functools import cache, lru_cache
from typing import Any

import numpy as np

from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, first_clashes
from sudoku_encode.symmetry import minlex_kernel as fields
from sudoku_encode.symmetry.structure import SymmetryMap

# Python takes 1 to 3 ms for an image; the compiled code takes half a second to load, and 13 to compile.
_COMPILED_FROM = 500


@lru_cache(maxsize=64)
def is_9x9(geometry: Geometry) -> bool:
    """Return whether a board has the cells and the rules of the 9x9, by whatever names."""
    plain = board("9x9", files=False)
    return (
        (geometry.shape, geometry.n_values, geometry.n_hidden) == (plain.shape, 9, 0)
        and len(geometry.edges) == len(plain.edges)
        and bool((np.unique(geometry.edges, axis=0) == np.unique(plain.edges, axis=0)).all())
    )


def fits(puzzle: Puzzle) -> bool:
    """Return whether a puzzle has a least image here: it has givens alone, on a 9x9, and they do not clash."""
    is_plain = is_9x9(puzzle.geometry) and not puzzle.constraints and bool(puzzle.candidates[puzzle.blanks].all())
    return is_plain and puzzle.clash is None


def least_images(geometry: Geometry, givens: Grids) -> tuple[Grids, Bools]:
    """Return the least image of each puzzle on a 9x9 (m, 81), and for each whether it is one: not of givens that clash.

    Where givens clash, the row is theirs, unchanged.
    """
    images = givens.copy()
    fitting: Bools = np.array([pair is None for pair in first_clashes(geometry, givens)], bool)
    images[fitting] = _images_and_maps(givens[fitting])[0]
    return images, fitting


def least_map(puzzle: Puzzle) -> tuple[Grids, SymmetryMap]:
    """Return the least image of a puzzle that `fits`, and a map to it; values that are not given get the last names."""
    (image,), (by,) = _images_and_maps(puzzle.givens[None])
    rows, columns = (by[start : start + 9].astype(np.intp) for start in (fields.ROWS, fields.COLUMNS))
    cells = np.arange(81).reshape(9, 9)
    cells = (cells.T if by[fields.TURNED] else cells)[np.ix_(rows, columns)]
    names = by[fields.NAMES :].astype(np.intp)
    unnamed = np.flatnonzero(names[1:] == 0) + 1
    names[unnamed] = np.arange(10 - len(unnamed), 10)
    return image, SymmetryMap(np.argsort(cells.ravel()), names)


def _images_and_maps(givens: Grids) -> tuple[Grids, Grids]:
    """Return the least images of puzzles whose givens do not clash, and the maps to them as states of the kernel."""
    givens = np.ascontiguousarray(givens)
    images, maps = np.empty_like(givens), np.empty((len(givens), fields.STATE), np.uint8)
    is_few = len(givens) < _COMPILED_FROM and not compiled_kernel.cache_info().currsize
    kernel = fields if is_few else compiled_kernel()
    kernel.least_images(givens, images, maps)
    return images, maps


@cache
def compiled_kernel() -> Any:
    """Return `minlex_kernel`, compiled."""
    from sudoku_encode.run.compiling import compiled_module

    return compiled_module(fields)
