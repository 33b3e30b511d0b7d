"""The parts of a puzzle that have nothing to do with each other, compiled."""

from sudoku_encode.puzzles.arrays import Int32s
from sudoku_encode.run.compiling import compiled
from sudoku_encode.search.state import AnyState


@compiled
def components(state: AnyState, part: Int32s) -> int:
    """Number the parts of the open cells that share no candidate within a unit.

    Args:
        state: propagated.
        part: (n_cells,); takes the number of each cell's part, -1 for a cell with one candidate.

    Returns:
        How many parts there are.
    """
    masks = state.masks
    for cell in range(len(masks)):
        part[cell] = -1 if masks[cell] & (masks[cell] - 1) == 0 else -2
    found = 0
    for first in range(len(masks)):
        if part[first] != -2:
            continue
        part[first] = found
        state.queue[0] = first
        done, queued = 0, 1
        while done < queued:
            cell = state.queue[done]
            done += 1
            for at in range(state.starts[cell], state.starts[cell + 1]):
                peer = state.peers[at]
                if part[peer] == -2 and masks[peer] & masks[cell]:
                    part[peer] = found
                    state.queue[queued] = peer
                    queued += 1
        found += 1
    return found
