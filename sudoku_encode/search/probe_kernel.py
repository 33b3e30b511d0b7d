"""Random probes into the search tree, compiled."""

import numpy as np

from sudoku_encode.puzzles.arrays import Floats
from sudoku_encode.run.compiling import compiled
from sudoku_encode.search.any_kernel import fewest, restrict, undo
from sudoku_encode.search.state import TRAIL, AnyState


@compiled
def probe(state: AnyState, random: np.random.Generator, out: Floats) -> None:
    """Go down the tree at random, again and again.

    Args:
        state: propagated, with open guesses neither before nor after.
        random: chooses among the children of a node, each as likely as the other.
        out: (probes, 2); takes the solutions and the nodes that each probe stands for.
    """
    root = state.counts[TRAIL]
    for at in range(len(out)):
        weight = nodes = 1.0
        sound = True
        while sound:
            cell, size, _ = fewest(state, False)
            if cell < 0:
                break
            weight *= size
            nodes += weight
            mask = state.masks[cell]
            for _ in range(int(random.random() * size)):
                mask &= mask - 1
            sound = restrict(state, cell, mask & -mask)
        out[at, 0] = weight if sound else 0.0
        out[at, 1] = nodes
        undo(state, root)
