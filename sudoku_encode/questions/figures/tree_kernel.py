"""The size of a search tree, compiled."""

import numpy as np

from sudoku_encode.run.compiling import compiled_with_arrays
from sudoku_encode.search.any_kernel import begin, run
from sudoku_encode.search.state import DONE, READY, AnyState


@compiled_with_arrays
def guesses(state: AnyState, work: int) -> int:
    """Go on with a search, a guess or a solution at a time.

    Args:
        state: a search, which finds all solutions in the end.
        work: after how many guesses and solutions to return, though not all is done.

    Returns:
        How many guesses were made.
    """
    nowhere = np.empty((0, 0), np.uint8)
    if not state.counts[READY] and not state.counts[DONE]:
        begin(state, True)
    made = 0
    while not state.counts[DONE] and work > 0:
        # With the least of work it makes one guess, or takes one solution.
        made += 1 - run(state, nowhere, 1, False, 1)
        work -= 1
    return made
