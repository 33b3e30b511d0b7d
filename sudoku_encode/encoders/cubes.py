"""Cut a puzzle into cubes: each fixes the values of some cells, and each solution is in exactly one cube.

A cube is cut by the candidates of one cell after naked and hidden singles. Unit propagation on the extended encoding is
as strong as these, so a proof that no solution is outside the cubes needs one clause per cut.

Source: cube and conquer, Heule, Kullmann, Wieringa & Biere 2011; there, cubes are cut by a variable.
Differs: by a cell with all its candidates, so that cubes are disjoint and their solutions can be counted.
"""

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.reduction import batch_size, reduce_all
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

Cube = tuple[tuple[int, int], ...]
"""Cells (from 0) with their values (from 1), in the order in which the puzzle was cut by them."""

# The default number of cubes. It does not depend on the machine, so the cubes do not either.
N_CUBES = 64
# Number of cells with the fewest candidates that are tried; the cell that leaves the fewest candidates is taken.
_TRIED_CELLS = 8


@dataclass(frozen=True)
class Split:
    """The result of cutting a puzzle."""

    cubes: tuple[Cube, ...]  # disjoint; each solution is in one of them
    n_refuted: int  # number of cubes that were left out, since naked and hidden singles refute them


@dataclass(order=True)
class _OpenCube:
    """A cube that may be cut; the cube with the most candidates is the smallest in order."""

    size: float  # smaller for more candidates
    number: int  # unique, to break ties
    cube: Cube = field(compare=False)
    candidates: Candidates = field(compare=False)  # its candidates after singles


def within(puzzle: Puzzle, cube: Cube) -> Puzzle:
    """Return the puzzle with the values of a cube as givens."""
    givens = puzzle.givens.copy()
    for cell, value in cube:
        givens[cell] = value
    return replace(puzzle, givens=givens)


def split(puzzle: Puzzle, n_cubes: int, tick: Callable[[], None] = lambda: None, start: Cube = ()) -> Split:
    """Cut a puzzle, or a cube of one, into at least `n_cubes` cubes; fewer if singles decide all cubes before.

    `tick` is called several times a second; it may raise an error to end the search.

    >>> from sudoku_encode import board
    >>> found = split(Puzzle.of(board("4x4")), 5)
    >>> len(found.cubes), found.cubes[0]
    (6, ((0, 1), (1, 2)))
    """
    numbers = count()
    (candidates_left,) = _reduced(puzzle, [start])
    if candidates_left is None:
        return Split((), 1)
    todo, done, n_refuted = [_opened(start, candidates_left, next(numbers))], list[_OpenCube](), 0
    while todo and len(todo) + len(done) < n_cubes:
        tick()
        whole = heapq.heappop(todo)
        if not whole.size:
            done.append(whole)
            continue
        children, refuted = _cut(puzzle, whole)
        if not children:
            # It has no solution, but singles alone do not refute it, so it stays a cube.
            done.append(whole)
            continue
        n_refuted += refuted
        for cube, candidates in children:
            heapq.heappush(todo, _opened(cube, candidates, next(numbers)))
    return Split(tuple(sorted(part.cube for part in [*todo, *done])), n_refuted)


def _opened(cube: Cube, candidates: Candidates, number: int) -> _OpenCube:
    # The logarithm of how many ways there are to choose a candidate for each cell.
    return _OpenCube(-float(np.log(candidates.sum(axis=1)).sum()), number, cube, candidates)


def _cut(puzzle: Puzzle, whole: _OpenCube) -> tuple[list[tuple[Cube, Candidates]], int]:
    """Cut a cube by one of its cells; return the parts with their candidates after singles, and the number refuted."""
    cells = _narrowest(whole.candidates)
    choices = [(cell, int(value) + 1) for cell in cells for value in np.flatnonzero(whole.candidates[cell])]
    reduced = _reduced(puzzle, [(*whole.cube, choice) for choice in choices])
    cuts_of_cells: list[tuple[float, int, list[tuple[Cube, Candidates]], int]] = []
    for order, cell in enumerate(cells):
        parts = [(choice, left) for choice, left in zip(choices, reduced, strict=True) if choice[0] == cell]
        children = [((*whole.cube, choice), left) for choice, left in parts if left is not None]
        work = sum(float(left.sum()) for _, left in children)
        cuts_of_cells.append((work, order, children, len(parts) - len(children)))
    _, _, children, n_refuted = min(cuts_of_cells, key=lambda cut: cut[:2])
    return children, n_refuted


def _narrowest(candidates: Candidates) -> list[int]:
    """Return cells with the fewest candidates, at least two each."""
    widths: NDArray[np.int32] = candidates.sum(axis=1, dtype=np.int32)
    several = np.flatnonzero(widths > 1)
    fewest = several[np.argsort(widths[several], kind="stable")][:_TRIED_CELLS]
    return [int(cell) for cell in fewest if widths[cell] == widths[fewest[0]]]


def _reduced(puzzle: Puzzle, cubes: Iterable[Cube]) -> list[Candidates | None]:
    """Return the candidates in the grid of cubes after singles; None for a refuted cube."""
    puzzles, candidates = [within(puzzle, cube) for cube in cubes], list[Candidates | None]()
    size = batch_size(puzzle.geometry)
    for start in range(0, len(puzzles), size):
        for reduction in reduce_all(puzzles[start : start + size], "singles"):
            in_grid = reduction.candidates[: puzzle.geometry.n_grid]
            candidates.append(None if reduction.contradiction else in_grid)
    return candidates


def cuts(cubes: Iterable[Cube]) -> list[Cube]:
    """Return all cubes that were cut to make some cubes, each after its parts: the proper prefixes of the cubes."""
    fronts = {cube[:length] for cube in cubes for length in range(len(cube))}
    return sorted(fronts, key=len, reverse=True)
