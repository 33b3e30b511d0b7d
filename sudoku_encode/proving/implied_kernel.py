"""Find which clauses follow from a formula by unit propagation, with the watched literals of `hints_kernel`.

Clauses with the same first literal come one after another: what its opposite implies is propagated once for all of
them. These loops run in Python for small formulas and compiled for large ones, as those of `hints_kernel`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving import hints_kernel
from sudoku_encode.proving.hints_kernel import Places, State, assign, begin, propagate, undo

# Places in `State.progress`.
_TRAIL: Final = hints_kernel.TRAIL
_LOOKED: Final = hints_kernel.LOOKED
_NONE: Final = hints_kernel.NONE

# The places in `progress` of `follow`: the next clause; the literal whose opposite is assumed, 0 for none; whether that
# is a contradiction; how long the trail is without the assumption.
NEXT, ASSUMED, CONTRADICTS, ROOT = range(4)


def start(state: State, n_premises: int) -> bool:
    """Propagate the unit clauses of the premises; return whether these contradict each other."""
    begin(state, n_premises)
    return bool(state.progress[hints_kernel.CONFLICT] != _NONE)


def follow(
    state: State,
    n_premises: int,
    order: Places,
    first: NDArray[np.int32],
    follows: NDArray[np.bool_],
    most: int,
    progress: Places,
) -> bool:
    """Decide for the next clauses, in this order, whether they follow; return whether there are more."""
    state.progress[_LOOKED] = 0
    while progress[NEXT] < len(order):
        if state.progress[_LOOKED] > most:
            return True
        clause = order[progress[NEXT]]
        progress[NEXT] += 1
        follows[clause] = _follows(state, n_premises + clause, first[clause], progress)
        state.progress[_LOOKED] += 10
    return False


def _follows(state: State, clause: int, first: int, progress: Places) -> bool:
    """Return whether the negated literals of a clause, of which one comes first, lead to a contradiction."""
    values, middle = state.values, len(state.values) // 2
    if first != progress[ASSUMED]:
        undo(state, progress[ROOT])
        progress[ASSUMED], progress[CONTRADICTS] = first, 0
        if values[middle + first] == 1:
            progress[CONTRADICTS] = 1
        elif values[middle + first] == 0:
            assign(state, -first, _NONE)
            progress[CONTRADICTS] = propagate(state) != _NONE
    if progress[CONTRADICTS] != 0:
        return True
    length = state.progress[_TRAIL]
    contradicts = False
    index = state.starts[clause]
    while state.text[index] != 0 and not contradicts:
        literal = state.text[index]
        if values[middle + literal] == 0:
            assign(state, -literal, _NONE)
        contradicts = values[middle + literal] == 1
        index += 1
    contradicts = contradicts or propagate(state) != _NONE
    undo(state, length)
    return contradicts
