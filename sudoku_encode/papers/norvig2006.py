"""Constraint propagation, then search on the cell with the fewest candidates.

Two rules are applied whenever a candidate is eliminated from a cell: (1) if one candidate is left in the cell, it is
eliminated from the peers; (2) if one place is left for the value in a unit, it is assigned there. When neither
applies any more, each candidate of a cell with the fewest (the first of them) is tried, depth first.

Source: Norvig 2006, Solving Every Sudoku Puzzle (norvig.com/sudoku.html); the [50] of chapter 4 of the GTSPS thesis.
Differs: the search continues after the first solution and lists all. The candidates are bit masks, and eliminations
    are recorded and undone; the original copies the candidates before each guess. All givens are
    assigned before the first propagation. Rule 2 holds only in units that have as many cells as there are values. The
    thesis says that the solver is for 9x9 only (its Table 4.7); nothing in it depends on the size.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.papers.brute_force import MAX_SHOWN_MOVES, explain_search, solution_buffers
from sudoku_encode.puzzles.arrays import Uint64s
from sudoku_encode.puzzles.dead_ends import NONE, DeadEnd, dead_end
from sudoku_encode.puzzles.geometry import Geometry, units_of_cells
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Candidate, Step

if TYPE_CHECKING:
    from sudoku_encode.papers.norvig2006_kernel import State

# About how many cells the kernel visits between two calls of `tick`: some tens of milliseconds.
CELLS_PER_CALL = 2**24


def start(puzzle: Puzzle) -> "State":
    """Return the search with the givens assigned and the pencilmarks applied, before any propagation."""
    from sudoku_encode.papers.norvig2006_kernel import State

    board = puzzle.geometry
    n = board.n_cells
    units = [np.empty((0, board.n_values), np.int32), *(rule.units for rule in board.full_rules)]
    starts = np.cumsum([0, *map(len, board.peers)])
    bits = np.uint64(1) << np.arange(board.n_values, dtype=np.uint64)
    masks: Uint64s = (puzzle.candidates * bits).sum(axis=1, dtype=np.uint64)
    removed = masks ^ bits.sum(dtype=np.uint64)
    cells = np.flatnonzero(removed)
    # Every entry eliminates at least one candidate.
    trail_cells, trail_masks = np.zeros(n * board.n_values, np.int32), np.zeros(n * board.n_values, np.uint64)
    trail_cells[: len(cells)], trail_masks[: len(cells)] = cells, removed[cells]
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


def propagate(state: "State") -> bool:
    """Propagate the eliminations; return False on a contradiction."""
    from sudoku_encode.papers.norvig2006_kernel import propagate_all

    return propagate_all(state)


def run(state: "State", tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield the solutions from the current state of the search: the first alone, then larger and larger batches."""
    from sudoku_encode.papers import norvig2006_kernel as kernel

    for out in solution_buffers(len(state.masks)):
        if state.counts[kernel.DONE]:
            return
        tick()
        n_solutions = kernel.search(state, out, CELLS_PER_CALL)
        if n_solutions:
            yield out[:n_solutions].copy()


def unsupported_reason(board: Geometry) -> str:
    """Return why a board does not fit bit masks, or an empty string."""
    return "" if board.n_values <= 64 else "it supports at most 64 values"


def solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions in batches."""
    if puzzle.clash is None:
        yield from run(start(puzzle), tick)


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the effect of propagation alone, the first guesses, and the numbers of values guessed and undone."""
    from sudoku_encode.papers.norvig2006_kernel import TRIED, UNDONE

    board, state = puzzle.geometry, start(puzzle)
    tick()
    if not propagate(state):
        why = dead_end(board, _candidates(state, board))
        yield Step("propagation alone: a contradiction", "note", "propagation", why.cells)
        yield Step(f"no solution: {why.text}", "end", "propagation", why.cells, data=NONE)
        return
    candidates = _candidates(state, board)
    open_cells = np.count_nonzero(candidates.sum(axis=1) > 1)
    text = f"propagation alone: {len(puzzle.blanks) - open_cells} of {len(puzzle.blanks)} blanks filled"
    listed = [(np.flatnonzero(row) + 1).tolist() for row in candidates]
    yield Step(text, "candidates", "propagation", data={"candidates": listed})
    first_solutions: list[Grids] = []
    yield from _first_guesses(board, state, first_solutions)

    def none_left() -> DeadEnd:
        first = int(state.guess_cells[0])
        return DeadEnd(f"no value is left for the first guess, {board.cell_name(first)}", (first,))

    yield from explain_search(
        chain(first_solutions, run(state, tick)),
        lambda: {"guessed": int(state.counts[TRIED]), "undone": int(state.counts[UNDONE])},
        none_left,
    )


def _candidates(state: "State", board: Geometry) -> Candidates:
    """Return the current candidates, bool (n_cells, n_values)."""
    bits = np.uint64(1) << np.arange(board.n_values, dtype=np.uint64)
    return np.asarray((state.masks[:, None] & bits) > 0)


def _first_guesses(board: Geometry, state: "State", solutions: list[Grids]) -> Iterator[Step]:
    """Yield the first guesses and their outcomes, up to the first solution, which is added to `solutions`."""
    from sudoku_encode.papers.norvig2006_kernel import DONE, GUESSES, PROPAGATED, TRIED, search

    out = np.zeros((1, board.n_cells), np.uint8)
    guesses: list[Candidate] = []
    while state.counts[TRIED] < MAX_SHOWN_MOVES:
        before = int(state.counts[PROPAGATED])
        sound = propagate(state)
        why = DeadEnd() if sound else dead_end(board, _candidates(state, board))
        # The kernel finds the contradiction again; with `work` 1 it stops after the next guess.
        state.counts[PROPAGATED] = before
        if search(state, out, 1):
            solutions.append(out.copy())
            return
        height = int(state.counts[GUESSES])
        if not sound:
            n_standing = 0 if state.counts[DONE] else height - 1
            guesses, undone = guesses[:n_standing], guesses[n_standing:]
            taken = ", ".join(f"{value} in {board.cell_name(cell)}" for cell, value in undone)
            yield Step(
                f"contradiction: {why.text}; taken back: {taken}", "undo", "guess", why.cells, removes=tuple(undone)
            )
        if state.counts[DONE]:
            return
        cell = int(state.guess_cells[height - 1])
        value = int(state.masks[cell]).bit_length()
        others = [at + 1 for at in range(board.n_values) if int(state.guess_masks[height - 1]) >> at & 1]
        guesses.append((cell, value))
        text = f"guess {state.counts[TRIED]}: {value} in {board.cell_name(cell)}"
        values = " ".join(map(str, sorted([value, *others])))
        text += f", one of its candidates {values}" if others else ", its last candidate"
        data = {"depth": height, "left": others}
        yield Step(text, "guess", "guess", (cell,), ((cell, value),), data=data)
