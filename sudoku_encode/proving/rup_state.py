"""The arrays that the compiled checker works on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving.numbers import Numbers, clause_starts

# int64 (7,): where in the text the next step is; the number of the last clause; how many clauses were derived; the
# stamp of the last one; the step that was looked at last; the number that is at fault there; literals looked at.
Progress = NDArray[np.int64]


class Tables(NamedTuple):
    """Arrays that the checker works on.

    Attributes:
        where: int64 (clauses of the formula and steps,): where in the text each clause starts; -1, it is deleted.
        names: int32 (steps,): the number of each clause that was derived.
        stamps: int64 (2 * variables + 1,), the literals from -variables up: when a literal was found to be true last,
            as the number of clauses that had been looked at.
    """

    where: NDArray[np.int64]
    names: Numbers
    stamps: NDArray[np.int64]


def start(formula: Numbers, proof: Numbers, n_variables: int) -> tuple[Numbers, Tables, Progress]:
    """Return the formula and the proof as one text, the tables, and the progress before the first step."""
    starts = clause_starts(formula)
    # Each step that derives something has two zeros.
    room = np.count_nonzero(proof == 0)
    where = np.concatenate([starts, np.full(room, -1, np.int64)])
    tables = Tables(where, np.zeros(room, np.int32), np.zeros(2 * n_variables + 1, np.int64))
    return np.concatenate([formula, proof]), tables, np.array([len(formula), len(starts), 0, 0, 0, 0, 0], np.int64)
