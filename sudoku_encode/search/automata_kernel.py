"""The propagators that read cells by an automaton, compiled, see AUTOMATON and DISTINCT in `constrained_state`."""

from sudoku_encode.run.compiling import inlined, lowest
from sudoku_encode.search.constrained_state import Propagators
from sudoku_encode.search.propagators_kernel import Changes, keep
from sudoku_encode.search.state import AnyState


@inlined
def automaton(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Keep the values of transitions on a way from the first state to the last."""
    start, place = tables.starts[number], tables.places[number]
    n_layers = tables.starts[number + 1] - start
    n_states = tables.data[place + n_layers + 1]
    rows = place + n_layers + 2
    moves = rows + n_states + 1
    scratch = tables.scratch
    scratch[:n_states] = 0
    scratch[0] = 1
    for layer in range(n_layers):
        mask = state.masks[tables.cells[start + layer]]
        for one in range(tables.data[place + layer], tables.data[place + layer + 1]):
            if scratch[one]:
                for at in range(moves + tables.data[rows + one], moves + tables.data[rows + one + 1], 2):
                    if tables.data[at] & mask:
                        scratch[tables.data[at + 1]] = 1
    if scratch[n_states - 1] == 0:
        return -1, n_dirty, trail
    # 2 is for a state on a way from the first to the last.
    scratch[n_states - 1] = 2
    layer = n_layers
    while layer > 0 and queued >= 0:
        layer -= 1
        cell = tables.cells[start + layer]
        mask = state.masks[cell]
        kept = 0
        for one in range(tables.data[place + layer], tables.data[place + layer + 1]):
            if scratch[one]:
                good = 0
                for at in range(moves + tables.data[rows + one], moves + tables.data[rows + one + 1], 2):
                    if tables.data[at] & mask and scratch[tables.data[at + 1]] == 2:
                        good |= tables.data[at]
                if good:
                    scratch[one] = 2
                    kept |= good
        queued, n_dirty, trail = keep(state, cell, kept, queued, n_dirty, trail)
    return queued, n_dirty, trail


@inlined
def distinct(state: AnyState, tables: Propagators, number: int, queued: int, n_dirty: int, trail: int) -> Changes:
    """Do the same as `automaton` where the cells differ: a way has no value twice.

    Of each set of values that the first cells can hold, by itself as its place in `scratch`, the states are kept that
    are reached by it, as bits; after them stand the sets of all layers, and where those of each layer begin.
    """
    start, place = tables.starts[number], tables.places[number]
    n_layers = tables.starts[number + 1] - start
    rows = place + n_layers + 2
    moves = rows + tables.data[place + n_layers + 1] + 1
    scratch = tables.scratch
    size = 1 << state.units.shape[1]
    begins = 2 * size
    scratch[:size] = 0
    scratch[0] = 1
    scratch[size] = 0
    scratch[begins] = size
    end = size + 1
    for layer in range(n_layers):
        mask = state.masks[tables.cells[start + layer]]
        first, following = tables.data[place + layer], tables.data[place + layer + 1]
        scratch[begins + layer + 1] = end
        for which in range(scratch[begins + layer], scratch[begins + layer + 1]):
            held = scratch[which]
            free = mask & ~held
            left = scratch[held]
            while left and free:
                one = first + lowest(left)
                left &= left - 1
                for at in range(moves + tables.data[rows + one], moves + tables.data[rows + one + 1], 2):
                    bit = tables.data[at]
                    if bit & free:
                        if scratch[held | bit] == 0:
                            scratch[end] = held | bit
                            end += 1
                        scratch[held | bit] |= 1 << tables.data[at + 1] - following
    if scratch[begins + n_layers] == end:
        return -1, n_dirty, trail
    layer = n_layers
    while layer > 0 and queued >= 0:
        layer -= 1
        cell = tables.cells[start + layer]
        mask = state.masks[cell]
        first, following = tables.data[place + layer], tables.data[place + layer + 1]
        kept = 0
        for which in range(scratch[begins + layer], scratch[begins + layer + 1]):
            held = scratch[which]
            free = mask & ~held
            left = scratch[held]
            good = 0
            while left and free:
                state_bit = left & -left
                one = first + lowest(left)
                left &= left - 1
                for at in range(moves + tables.data[rows + one], moves + tables.data[rows + one + 1], 2):
                    bit = tables.data[at]
                    if bit & free and scratch[held | bit] >> tables.data[at + 1] - following & 1:
                        kept |= bit
                        good |= state_bit
            scratch[held] = good
        queued, n_dirty, trail = keep(state, cell, kept, queued, n_dirty, trail)
    return queued, n_dirty, trail
