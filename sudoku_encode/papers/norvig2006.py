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
from itertools import chain

import numpy as np

from sudoku_encode.papers.brute_force import MAX_SHOWN_MOVES, buffers, counted
from sudoku_encode.papers.norvig2006_state import DONE, GUESSES, PROPAGATED, TRIED, UNDONE, State
from sudoku_encode.puzzles.arrays import Uint64s
from sudoku_encode.puzzles.dead_ends import NONE, DeadEnd, dead_end
from sudoku_encode.puzzles.geometry import Geometry, units_of_cells
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Candidate, Step

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
    """Yield what propagation alone does, the first guesses, and how many values were guessed and undone."""
    board, state = puzzle.geometry, start(puzzle)
    tick()
    if not propagate(state):
        why = dead_end(board, _left(state, board))
        yield Step("propagation alone: a contradiction", "note", "propagation", why.cells)
        yield Step(f"no solution: {why.text}", "end", "propagation", why.cells, data=NONE)
        return
    left = _left(state, board)
    open_cells = np.count_nonzero(left.sum(axis=1) > 1)
    text = f"propagation alone: {len(puzzle.blanks) - open_cells} of {len(puzzle.blanks)} blanks filled"
    candidates = [(np.flatnonzero(row) + 1).tolist() for row in left]
    yield Step(text, "candidates", "propagation", data={"candidates": candidates})
    found: list[Grids] = []
    yield from _first_guesses(board, state, found)

    def none_left() -> DeadEnd:
        first = int(state.guess_cells[0])
        return DeadEnd(f"no value is left for the first guess, {board.cell_name(first)}", (first,))

    yield from counted(
        chain(found, run(state, tick)),
        lambda: {"guessed": int(state.counts[TRIED]), "undone": int(state.counts[UNDONE])},
        none_left,
    )


def _left(state: State, board: Geometry) -> Candidates:
    """Return the candidates as they are now, bool (n_cells, n_values)."""
    bits = np.uint64(1) << np.arange(board.n_values, dtype=np.uint64)
    return np.asarray((state.masks[:, None] & bits) > 0)


def _first_guesses(board: Geometry, state: State, found: list[Grids]) -> Iterator[Step]:
    """Make the first guesses, up to the first solution, which is put into `found`; yield each, and what came of it."""
    from sudoku_encode.papers.norvig2006_kernel import search

    out = np.zeros((1, board.n_cells), np.uint8)
    guesses: list[Candidate] = []
    while state.counts[TRIED] < MAX_SHOWN_MOVES:
        before = int(state.counts[PROPAGATED])
        sound = propagate(state)
        why = DeadEnd() if sound else dead_end(board, _left(state, board))
        # The kernel is to find the contradiction again, and with little work to do it stops after the next guess.
        state.counts[PROPAGATED] = before
        if search(state, out, 1):
            found.append(out.copy())
            return
        height = int(state.counts[GUESSES])
        if not sound:
            kept = 0 if state.counts[DONE] else height - 1
            guesses, undone = guesses[:kept], guesses[kept:]
            taken = ", ".join(f"{value} on {board.cell_name(cell)}" for cell, value in undone)
            yield Step(f"contradiction: {why.text}; undone: {taken}", "undo", "guess", why.cells, removes=tuple(undone))
        if state.counts[DONE]:
            return
        cell = int(state.guess_cells[height - 1])
        value = int(state.masks[cell]).bit_length()
        others = [at + 1 for at in range(board.n_values) if int(state.guess_masks[height - 1]) >> at & 1]
        guesses.append((cell, value))
        text = f"guess {state.counts[TRIED]}: {value} on {board.cell_name(cell)}"
        text += f", of {value} {' '.join(map(str, others))}" if others else ", the last one there"
        data = {"depth": height, "left": others}
        yield Step(text, "guess", "guess", (cell,), ((cell, value),), data=data)
