"""Exact cover by dancing links: Knuth's Algorithm X in C, from the package miniexact.

The cover is made from the board, and shares no code with the encoders. An option puts a value into a
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
from sudoku_encode.solvers.table import load_package

Numbers = NDArray[np.int64]

# Answers of miniexact: another solution, or no more solutions.
_SOLUTION, _NO_MORE = 10, 20
# A batch is yielded when it has this many solutions, or after this many seconds.
_BATCH_SOLUTIONS, _BATCH_SECONDS = 4096, 0.01
# How often a count reports the number of solutions so far.
_REPORT_SECONDS = 0.1


@dataclass(frozen=True, eq=False)
class Cover:
    """The exact cover problem that remains after the givens."""

    # The items of each option, int64 (options, items of an option); -1 where a cell is in no unit of a rule.
    items: Numbers
    cells: Numbers  # the cell of each option, (options,)
    values: Numbers  # the value of each option, from 1, (options,)
    primary: Numbers  # items that must be covered; an item may be in no option, and then there is no solution
    secondary: Numbers  # items that may be covered


def unsupported_reason(board: Geometry) -> str:
    """Return an empty string: every board is supported."""
    return ""


def solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions in batches, uint8 (m, n_cells), each solution once.

    The library ignores deadlines while it searches, so it runs in a process of its own, and `tick` is called every 20
    ms. The solutions of the last hundredth of a second before it is stopped are lost.

    Raises:
        StoppedError: by `tick`, or the process was killed.
        MethodError: the package miniexact is not installed.
        InternalError: the library failed.

    Source: Knuth, The Art of Computer Programming 4B, section 7.2.2.1; Heisinger, miniexact.
    """
    load_package("miniexact", "dancing links")
    cover = exact_cover(puzzle)
    if cover is None:
        return
    if not len(cover.primary):
        yield puzzle.givens[None]
        return
    yield from stream(partial(_batches, puzzle.givens, cover), tick)


def count(puzzle: Puzzle, tick: Callable[[], None]) -> int:
    """Return the number of solutions; they are found one by one, but not turned into grids.

    The number so far is emitted as `Progress`.

    Raises:
        StoppedError: by `tick`, or the process was killed.
        MethodError: the package miniexact is not installed.
        InternalError: the library failed.
    """
    load_package("miniexact", "dancing links")
    cover = exact_cover(puzzle)
    if cover is None or not len(cover.primary):
        return 0 if cover is None else 1
    return next(stream(partial(_counts, cover), tick))


def _counts(cover: Cover) -> Iterator[int]:
    """Yield the number of solutions that the library finds; the number so far is emitted meanwhile."""
    n_solutions, reported = 0, -math.inf
    for _ in _solved(cover):
        n_solutions += 1
        if time.monotonic() - reported > _REPORT_SECONDS:
            emit(Progress.of_solutions(n_solutions))
            reported = time.monotonic()
    yield n_solutions


def exact_cover(puzzle: Puzzle) -> Cover | None:
    """Return the cover problem that remains after the givens; None if there is plainly no solution."""
    board, n = puzzle.geometry, puzzle.geometry.n_values
    if board.oversized_unit:
        return None
    cells, values = np.nonzero(puzzle.candidates)
    units = board.units_of_cells[cells]
    # After the items of the cells come those of the values in each unit.
    unit_items = np.where(units < 0, -1, board.n_cells + units * n + values[:, None])
    items = np.concatenate([cells[:, None], unit_items], axis=1)
    full = [rule.units.shape[1] == n for rule in board.rules for _ in rule.units]
    primary = np.concatenate([np.ones(board.n_cells, bool), np.repeat(np.array(full, bool), n)])

    given = puzzle.givens[cells] > 0
    covered = np.bincount(items[given][items[given] >= 0], minlength=len(primary))
    if covered.max(initial=0) > 1:
        return None
    # The last element is for -1, which means no item.
    free = ~given & ~np.append(covered > 0, False)[items].any(axis=1)
    uncovered = covered == 0
    if not free.any() and (uncovered & primary).any():
        return None
    return Cover(
        items[free],
        cells[free],
        values[free] + 1,
        np.flatnonzero(uncovered & primary),
        np.flatnonzero(uncovered & ~primary),
    )


def _batches(givens: Grids, cover: Cover) -> Iterator[Grids]:
    """Yield the solutions that the library finds."""
    chosen: list[int] = []
    # The first solution is a batch by itself.
    n_solutions, sent = 0, -_BATCH_SECONDS
    for solver in _solved(cover):
        chosen += solver.selected_options()
        n_solutions += 1
        if n_solutions == _BATCH_SOLUTIONS or time.monotonic() - sent > _BATCH_SECONDS:
            yield _grids(givens, cover, chosen, n_solutions)
            chosen, n_solutions, sent = [], 0, time.monotonic()
    if n_solutions:
        yield _grids(givens, cover, chosen, n_solutions)


def _grids(givens: Grids, cover: Cover, chosen: list[int], n_solutions: int) -> Grids:
    """Return the grids of solutions, from the numbers (from 1) of their options in a row."""
    options = np.frombuffer(array("i", chosen), np.int32).reshape(n_solutions, -1) - 1
    grids = np.repeat(givens[None], n_solutions, axis=0)
    grids[np.arange(n_solutions)[:, None], cover.cells[options]] = cover.values[options]
    return grids


def _solved(cover: Cover) -> Iterator[Any]:
    """Yield the solver once for each solution, which it then contains."""
    solver = load_package("miniexact", "dancing links").miniexacts_x()
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
