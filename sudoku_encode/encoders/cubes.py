"""A puzzle cut into cubes: each gives some cells values, no solution is in two of them, and each solution is in one.

A cube is cut by the candidates of one cell, those that naked and hidden singles leave. Unit propagation on the extended
encoding finds all that they find, so a proof that nothing is outside the cubes has one clause a cut.

Source: cube and conquer, Heule, Kullmann, Wieringa & Biere 2011; there, cubes are cut by a variable.
Differs: by a cell with all its candidates, so that the cubes of a cut are disjoint, and what is in them can be counted.
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

# Into how many cubes a puzzle is cut where that is not said. It does not depend on the machine, nor do then the cubes.
N_CUBES = 64
# How many of the cells with the fewest candidates are tried; the one that leaves least is taken.
_TRIED_CELLS = 8


@dataclass(frozen=True)
class Split:
    """What cutting a puzzle gives.

    Attributes:
        cubes: disjoint; each solution is in one of them.
        n_refuted: how many cubes were left out, since naked and hidden singles show that they have no solution.
    """

    cubes: tuple[Cube, ...]
    n_refuted: int


@dataclass(order=True)
class _Open:
    """A cube that is not cut so far: that with the most candidates comes first.

    Attributes:
        size: less for more candidates.
        number: no two are the same.
        cube: itself.
        candidates: what singles leave of it.
    """

    size: float
    number: int
    cube: Cube = field(compare=False)
    candidates: Candidates = field(compare=False)


def within(puzzle: Puzzle, cube: Cube) -> Puzzle:
    """Return the puzzle with the values of a cube as givens."""
    givens = puzzle.givens.copy()
    for cell, value in cube:
        givens[cell] = value
    return replace(puzzle, givens=givens)


def split(puzzle: Puzzle, wanted: int, tick: Callable[[], None] = lambda: None, start: Cube = ()) -> Split:
    """Cut a puzzle, or a cube of one, into cubes.

    Args:
        puzzle: any.
        wanted: how many cubes at least; fewer where singles solve what is left before that.
        tick: called some times a second; what it raises ends the search.
        start: the cube to cut.

    >>> from sudoku_encode import board
    >>> found = split(Puzzle.of(board("4x4")), 5)
    >>> len(found.cubes), found.cubes[0]
    (6, ((0, 1), (1, 2)))
    """
    numbers = count()
    (left,) = _reduced(puzzle, [start])
    if left is None:
        return Split((), 1)
    todo, done, n_refuted = [_opened(start, left, next(numbers))], list[_Open](), 0
    while todo and len(todo) + len(done) < wanted:
        tick()
        whole = heapq.heappop(todo)
        if not whole.size:
            done.append(whole)
            continue
        children, refuted = _cut(puzzle, whole)
        if not children:
            # That shows that it has no solution, but not by singles alone: then it is a cube as others are.
            done.append(whole)
            continue
        n_refuted += refuted
        for cube, candidates in children:
            heapq.heappush(todo, _opened(cube, candidates, next(numbers)))
    return Split(tuple(sorted(one.cube for one in [*todo, *done])), n_refuted)


def _opened(cube: Cube, candidates: Candidates, number: int) -> _Open:
    # The logarithm of how many ways there are to choose a candidate for each cell.
    return _Open(-float(np.log(candidates.sum(axis=1)).sum()), number, cube, candidates)


def _cut(puzzle: Puzzle, whole: _Open) -> tuple[list[tuple[Cube, Candidates]], int]:
    """Cut a cube by one of its cells; return the parts with what singles leave of them, and how many they refute."""
    cells = _narrowest(whole.candidates)
    choices = [(cell, int(value) + 1) for cell in cells for value in np.flatnonzero(whole.candidates[cell])]
    reduced = _reduced(puzzle, [(*whole.cube, choice) for choice in choices])
    found: list[tuple[float, int, list[tuple[Cube, Candidates]], int]] = []
    for order, cell in enumerate(cells):
        parts = [(choice, left) for choice, left in zip(choices, reduced, strict=True) if choice[0] == cell]
        kept = [((*whole.cube, choice), left) for choice, left in parts if left is not None]
        work = sum(float(left.sum()) for _, left in kept)
        found.append((work, order, kept, len(parts) - len(kept)))
    _, _, kept, n_refuted = min(found, key=lambda one: one[:2])
    return kept, n_refuted


def _narrowest(candidates: Candidates) -> list[int]:
    """Return some cells with the fewest candidates, at least two each."""
    widths: NDArray[np.int32] = candidates.sum(axis=1, dtype=np.int32)
    several = np.flatnonzero(widths > 1)
    fewest = several[np.argsort(widths[several], kind="stable")][:_TRIED_CELLS]
    return [int(cell) for cell in fewest if widths[cell] == widths[fewest[0]]]


def _reduced(puzzle: Puzzle, cubes: Iterable[Cube]) -> list[Candidates | None]:
    """Return what singles leave of some cubes; None for one without a solution."""
    puzzles, found = [within(puzzle, cube) for cube in cubes], list[Candidates | None]()
    size = batch_size(puzzle.geometry)
    for start in range(0, len(puzzles), size):
        for left in reduce_all(puzzles[start : start + size], "singles"):
            found.append(None if left.contradiction else left.candidates)
    return found


def cuts(cubes: Iterable[Cube]) -> list[Cube]:
    """Return all that was cut to make some cubes, each behind its parts: what they have in front of their last cell."""
    fronts = {cube[:length] for cube in cubes for length in range(len(cube))}
    return sorted(fronts, key=len, reverse=True)
