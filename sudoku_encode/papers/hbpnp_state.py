"""The state of a search of `hbpnp`, for its compiled kernel."""

from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle

# The versions. The first two hold candidates in parallel arrays, the last in a table.
HBPNP, UHBPNP, TABLES = 0, 1, 2

# Places in `State.counts`; LISTED is the length of the parallel arrays, BACK says that the next thing is to backtrack.
DEPTH, BLANKS, LISTED, FOUND, BACK, GUESSES, PLACEMENTS, ROUNDS = range(8)

# Places in a row of `State.guesses`.
CELL, VALUE, BLANKS_BEFORE = 0, 1, 2


class State(NamedTuple):
    """A search. A cell is its row * n + its column, so a table by cell is one by row and column; value a is at a - 1.

    Attributes:
        units: rows, columns, boxes, int64 (3n, n).
        units_of_cells: the three units of each cell, int64 (n_cells, 3).
        grid: 0 is a blank.
        counts: see above.
        marks: bool (n_cells, n). In the table version the table L of candidates. In the others what pencilmarks and
            lone pairs leave, for the next time that lists are built.
        sizes: how many candidates there are: by cell with the table, by place in the arrays with the others.
        locations: of the blanks, the first of the two parallel arrays.
        lists: their candidates in ascending order, the second.
        seen: bool (3n, n), whether a unit has a value: the tables Row, Col and SGrid, one below the other.
        saved_grid: the grid before each guess.
        saved_marks: likewise.
        saved_sizes: likewise, of the table version.
        saved_seen: likewise, of the table version.
        guesses: the cell and value of each guess, and how many blanks there were, int64 (guesses, 3).
        wanted: what a strategy is about to place, cell and value.
        out: the full grids that were found.
    """

    units: Int64s
    units_of_cells: Int64s
    grid: Grids
    counts: Int64s
    marks: Candidates
    sizes: Int64s
    locations: Int64s
    lists: Grids
    seen: Candidates
    saved_grid: Grids
    saved_marks: Candidates
    saved_sizes: Int64s
    saved_seen: Candidates
    guesses: Int64s
    wanted: Int64s
    out: Grids


def start(puzzle: Puzzle, version: int, n_out: int = 1024) -> State:
    """Return the search before its first round, with room for `n_out` full grids at a time."""
    board = puzzle.geometry
    n, n_cells, depth = board.n_values, board.n_cells, len(puzzle.blanks) + 1
    tables = depth if version == TABLES else 0
    units = np.concatenate([rule.units for rule in board.rules]).astype(np.int64)
    units_of_cells = np.argsort(units.ravel(), kind="stable").reshape(n_cells, 3) // n
    marks, seen = puzzle.candidates.copy(), np.zeros((3 * n, n), bool)
    if version == TABLES:
        given = np.flatnonzero(puzzle.givens)
        seen[units_of_cells[given], puzzle.givens[given, None].astype(np.intp) - 1] = True
        marks &= ~seen[units_of_cells].any(axis=1)
    counts = np.zeros(8, np.int64)
    counts[BLANKS] = depth - 1
    return State(
        units=units,
        units_of_cells=units_of_cells,
        grid=puzzle.givens.copy(),
        counts=counts,
        marks=marks,
        sizes=np.count_nonzero(marks, axis=1),
        locations=np.zeros(n_cells, np.int64),
        lists=np.zeros((n_cells, n), np.uint8),
        seen=seen,
        saved_grid=np.zeros((depth, n_cells), np.uint8),
        saved_marks=np.zeros((depth, n_cells, n), bool),
        saved_sizes=np.zeros((tables, n_cells), np.int64),
        saved_seen=np.zeros((tables, 3 * n, n), bool),
        guesses=np.zeros((depth, 3), np.int64),
        wanted=np.zeros((3 * n * n, 2), np.int64),
        out=np.zeros((n_out, n_cells), np.uint8),
    )
