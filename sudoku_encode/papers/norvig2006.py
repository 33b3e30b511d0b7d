"""Constraint propagation, then search on the cell with the fewest candidates.

Two rules are applied whenever a candidate is eliminated from a cell: (1) if one candidate is left in the cell, it is
eliminated from the peers; (2) if one place is left for the value in a unit, it is assigned there. When neither helps
any more, each candidate of a cell with the fewest (the first of them) is tried, depth first.

Source: Norvig 2006, Solving Every Sudoku Puzzle (norvig.com/sudoku.html); the [50] of chapter 4 of the GTSPS thesis.
Differs: the search goes on after the first solution and lists all. The candidates are bit masks, and what was
    eliminated is written down and restored, where the original copies the candidates before each guess. All givens are
    assigned before the first propagation. Rule 2 holds only in units that have as many cells as there are values. The
    thesis says that the solver is for 9x9 only (its Table 4.7); nothing in it is.
"""

from collections.abc import Callable, Iterator

import numpy as np

from sudoku_encode.papers.brute_force import buffers, counted
from sudoku_encode.papers.norvig2006_state import DONE, TRIED, UNDONE, State
from sudoku_encode.puzzles.arrays import Uint64s
from sudoku_encode.puzzles.geometry import Geometry, units_of_cells
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step

# About how many cells the kernel looks at between two calls of `tick`, some tens of milliseconds.
CELLS_PER_CALL = 2**24


def start(puzzle: Puzzle) -> State:
    """Assign the givens (and eliminate what pencilmarks exclude); nothing is propagated yet."""
    board = puzzle.geometry
    n = board.n_cells
    units = [np.empty((0, board.n_values), np.int32), *(rule.units for rule in board.full_rules)]
    starts = np.cumsum([0, *map(len, board.peers)])
    bits = np.uint64(1) << np.arange(board.n_values, dtype=np.uint64)
    masks: Uint64s = (puzzle.candidates * bits).sum(axis=1, dtype=np.uint64)
    gone = masks ^ bits.sum(dtype=np.uint64)
    cells = np.flatnonzero(gone)
    # Every entry takes a candidate at least.
    trail_cells, trail_masks = np.zeros(n * board.n_values, np.int32), np.zeros(n * board.n_values, np.uint64)
    trail_cells[: len(cells)], trail_masks[: len(cells)] = cells, gone[cells]
    return State(
        np.concatenate(units),
        units_of_cells(board.full_rules, n),
        np.concatenate(board.peers).astype(np.int32),
        starts.astype(np.int64),
        masks,
        trail_cells,
        trail_masks,
        np.zeros(n, np.int32),
        np.zeros(n, np.uint64),
        np.zeros(n, np.int64),
        np.array([0, len(cells), 0, 0, 0, 0], np.int64),
    )


def propagate(state: State) -> bool:
    """Propagate what was eliminated; say whether no contradiction was found."""
    from sudoku_encode.papers.norvig2006_kernel import propagate_all

    return propagate_all(state)


def run(state: State, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield the solutions from where the search is, the first one by itself, then larger and larger batches."""
    from sudoku_encode.papers.norvig2006_kernel import search

    for out in buffers(len(state.masks)):
        if state.counts[DONE]:
            return
        tick()
        found = search(state, out, CELLS_PER_CALL)
        if found:
            yield out[:found].copy()


def unsupported_reason(board: Geometry) -> str:
    """Return why a board does not fit bit masks, or an empty string."""
    return "" if board.n_values <= 64 else "it is for up to 64 values"


def solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions in batches."""
    if puzzle.clash is None:
        yield from run(start(puzzle), tick)


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield what propagation alone does, and how many values were guessed and undone."""
    if puzzle.clash is not None:
        yield Step("two givens clash: nothing to propagate", "end", because=puzzle.clash[:2])
        return
    alone, state = start(puzzle), start(puzzle)
    tick()
    if propagate(alone):
        left = np.count_nonzero(alone.masks & (alone.masks - np.uint64(1)))
        text = f"propagation alone: {len(puzzle.blanks) - left} of {len(puzzle.blanks)} blanks filled"
        values = range(1, puzzle.geometry.n_values + 1)
        candidates = [[value for value in values if mask >> (value - 1) & 1] for mask in alone.masks.tolist()]
        yield Step(text, "candidates", "propagation", data={"candidates": candidates})
    else:
        yield Step("propagation alone: a contradiction", "note", "propagation")
    yield from counted(
        run(state, tick), lambda: {"guessed": int(state.counts[TRIED]), "undone": int(state.counts[UNDONE])}
    )
