"""The method `allsat`: all models of an encoding, without blocking clauses."""

from collections.abc import Iterator

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import allsat

_WORK = 1 << 19
_BATCH_BYTES = 1 << 17


def solutions(
    puzzle: Puzzle,
    deadline: Deadline,
    encoding: str = "extended",
    reduction: str | None = None,
    amo: str = "pairwise",
) -> Iterator[Grids]:
    """Yield all solutions in batches."""
    from sudoku_encode.solvers import allsat_kernel

    state = allsat.state_of(encode(puzzle, encoding, reduction=reduction, amo=amo))
    size, most = 1, max(1, _BATCH_BYTES // len(state.base))
    while not state.counts[allsat.DONE]:
        deadline()
        out = np.zeros((size, len(state.base)), np.uint8)
        batch = out[: allsat_kernel.search(state, out, _WORK)]
        if state.counts[allsat.FULL]:
            state = allsat.with_more_room(state)
        if len(batch):
            yield batch
            size = min(2 * size, most)
