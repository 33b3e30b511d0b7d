"""The methods `allsat` and `allsat:ENCODING`: all models of an encoding, without blocking clauses."""

import time
from collections.abc import Iterator

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.methods.one_solution import emit_large
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.events import SolverFigures, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import allsat

# How many literals are propagated between two looks at the deadline: some tens of milliseconds.
_PROPAGATIONS_PER_CALL = 1 << 18
# How many bytes a batch of solutions may take: it stays in the cache while the solutions are checked.
_BATCH_BYTES = 1 << 17


def solutions(
    puzzle: Puzzle, deadline: Deadline, encoding: str = "extended", reduction: str | None = None, amo: str = "pairwise"
) -> Iterator[Grids]:
    """Yield all solutions in batches, the first one by itself; see `solvers.allsat`."""
    from sudoku_encode.solvers.allsat_kernel import search

    emit_large(puzzle, "writing the clauses")
    encoded = encode(puzzle, encoding, reduction=reduction, amo=amo)
    state = allsat.state_of(encoded)
    n_cells, seconds = len(state.base), 0.0
    size, most = 1, max(1, _BATCH_BYTES // n_cells)
    while not state.counts[allsat.DONE]:
        deadline()
        begun = time.monotonic()
        out = np.empty((size, n_cells), np.uint8)
        batch = out[: search(state, out, _PROPAGATIONS_PER_CALL)]
        if state.counts[allsat.FULL]:
            state = allsat.with_more_room(state)
        seconds += time.monotonic() - begun
        conflicts, decisions, propagations, restarts = state.counts[list(allsat.FIGURES)].tolist()
        size_of_formula = encoded.cnf.n_variables, encoded.cnf.n_clauses
        emit(SolverFigures("allsat", *size_of_formula, conflicts, decisions, propagations, restarts, seconds))
        if len(batch):
            yield batch
            size = min(2 * size, most)
