"""Exact cover by dancing links: Knuth's Algorithm X in C, from the package miniexact.

The cover is made here from the board, and shares no code with the encoders. An option puts a value into a
cell. It covers the cell, and the value in each unit of the cell. Cells, and values in units with as many cells as there
are values, must be covered once (primary items); values in smaller units at most once (secondary items).
"""

import math
import time
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import InternalError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.child import stream
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.solvers.optional import package

Numbers = NDArray[np.int64]

# What miniexact answers: there is another solution, or there are no more.
_SOLUTION, _NO_MORE = 10, 20
# A batch is yielded when it has this many solutions, or after this many seconds.
_BATCH_SOLUTIONS, _BATCH_SECONDS = 4096, 0.01
# How often a count says how many solutions there are so far.
_REPORT_SECONDS = 0.1


@dataclass(frozen=True, eq=False)
class Cover:
    """The exact cover problem that the givens leave.

    Attributes:
        items: of each option, int64 (options, items of an option), -1 where a cell is in no unit of a rule.
        cells: of each option, (options,).
        values: of each option, from 1, (options,).
        primary: items that must be covered; an item may be in no option, and then there is no solution.
        secondary: items that may be covered.
    """

    items: Numbers
    cells: Numbers
    values: Numbers
    primary: Numbers
    secondary: Numbers


def unsupported_reason(board: Geometry) -> str:
    """Return an empty string: every board is supported."""
    return ""


def solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions in batches, uint8 (m, n_cells), each solution once.

    Args:
        puzzle: any.
        tick: called every 20 ms; the library looks at no deadline while it searches, so that it works in a process of
            its own. What it found in the last hundredth of a second before it is stopped is lost.

    Raises:
        StoppedError: by `tick`, or the process was killed.
        MethodError: the package miniexact is not installed.
        InternalError: the library failed.

    Source: Knuth, The Art of Computer Programming 4B, section 7.2.2.1; Heisinger, miniexact.
    """
    package("miniexact", "dancing links")
    cover = exact_cover(puzzle)
    if cover is None:
        return
    if not len(cover.primary):
        yield puzzle.givens[None]
        return
    yield from stream(partial(_batches, puzzle.givens, cover), tick)


def count(puzzle: Puzzle, tick: Callable[[], None]) -> int:
    """Return the number of solutions; they are found one by one, and not turned into grids.

    How many there are so far is emitted as `Progress`.

    Raises:
        StoppedError: by `tick`, or the process was killed.
        MethodError: the package miniexact is not installed.
        InternalError: the library failed.
    """
    package("miniexact", "dancing links")
    cover = exact_cover(puzzle)
    if cover is None or not len(cover.primary):
        return 0 if cover is None else 1
    return next(stream(partial(_counts, cover), tick))


def _counts(cover: Cover) -> Iterator[int]:
    """Yield the number of solutions that the library finds; how many there are so far is emitted meanwhile."""
    n_solutions, reported = 0, -math.inf
    for _ in _solved(cover):
        n_solutions += 1
        if time.monotonic() - reported > _REPORT_SECONDS:
            emit(Progress.of_solutions(n_solutions))
            reported = time.monotonic()
    yield n_solutions


def exact_cover(puzzle: Puzzle) -> Cover | None:
    """Return what the givens leave to cover, or None where they clash, or a unit is too large, or nothing is left."""
    board, n = puzzle.geometry, puzzle.geometry.n_values
    if board.oversized_unit:
        return None
    cells, values = np.nonzero(puzzle.candidates)
    units = board.units_of_cells[cells]
    # After the items of the cells come those of the values in each unit.
    held = np.where(units < 0, -1, board.n_cells + units * n + values[:, None])
    items = np.concatenate([cells[:, None], held], axis=1)
    full = [rule.units.shape[1] == n for rule in board.rules for _ in rule.units]
    primary = np.concatenate([np.ones(board.n_cells, bool), np.repeat(np.array(full, bool), n)])

    given = puzzle.givens[cells] > 0
    covered = np.bincount(items[given][items[given] >= 0], minlength=len(primary))
    if covered.max(initial=0) > 1:
        return None
    # The last element is for -1, which means no item.
    free = ~given & ~np.append(covered > 0, False)[items].any(axis=1)
    left = covered == 0
    if not free.any() and (left & primary).any():
        return None
    return Cover(
        items[free], cells[free], values[free] + 1, np.flatnonzero(left & primary), np.flatnonzero(left & ~primary)
    )


def _batches(givens: Grids, cover: Cover) -> Iterator[Grids]:
    """Yield the solutions that the library finds."""
    chosen: list[int] = []
    # The first solution is a batch by itself.
    found, sent = 0, -_BATCH_SECONDS
    for solver in _solved(cover):
        chosen += solver.selected_options()
        found += 1
        if found == _BATCH_SOLUTIONS or time.monotonic() - sent > _BATCH_SECONDS:
            yield _grids(givens, cover, chosen, found)
            chosen, found, sent = [], 0, time.monotonic()
    if found:
        yield _grids(givens, cover, chosen, found)


def _grids(givens: Grids, cover: Cover, chosen: list[int], found: int) -> Grids:
    """Return the grids of some solutions, given their options one after the other, each from 1."""
    options = np.frombuffer(array("i", chosen), np.int32).reshape(found, -1) - 1
    grids = np.repeat(givens[None], found, axis=0)
    grids[np.arange(found)[:, None], cover.cells[options]] = cover.values[options]
    return grids


def _solved(cover: Cover) -> Iterator[Any]:
    """Yield the solver once for each solution, each time with that solution in it.

    Raises:
        InternalError: the library reports an error.
    """
    solver = package("miniexact", "dancing links").miniexacts_x()
    number = np.zeros(max(cover.primary.max(initial=0), cover.secondary.max(initial=0)) + 2, np.int64)
    # All primary items must come first.
    number[cover.primary] = [solver.primary(str(item)) for item in cover.primary.tolist()]
    number[cover.secondary] = [solver.secondary(str(item)) for item in cover.secondary.tolist()]
    for option in number[cover.items].tolist():
        solver.add([item for item in option if item])
    while (answer := solver.solve()) == _SOLUTION:
        yield solver
    if answer != _NO_MORE:
        raise InternalError(f"miniexact answers {answer}")
