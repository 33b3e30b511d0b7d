"""What a search works on, and what it knows of a board."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.geometry import Cells, Geometry
from sudoku_encode.puzzle import Puzzle

# A set of values as bits of a signed number, bit 0 for value 1: of 64 values the last is the sign.
Masks = NDArray[np.int64]


class AnyState(NamedTuple):
    """A search on any board.

    Attributes:
        units: int32 (units, n_values): the units that hold every value.
        homes: int32 (n_cells, rules): for each cell its unit of each rule that holds every value; -1 for none.
        peers: int32: the peers of all cells, one cell after the other.
        starts: int64 (n_cells + 1,): where the peers of each cell start.
        masks: int64 (n_cells,): the candidates of each cell.
        trail_cells: int32: the cells that lost candidates, in order.
        trail_masks: int64: what each had before.
        open_cells: int32 (n_cells,): the cells that are open after the first propagation; `counts` says how many.
        open_units: int32 (units,): the units with such cells.
        queue: int32 (n_cells,): cells with one candidate left, to be propagated.
        dirty: int32 (units,): units that lost a candidate, to be looked through.
        marked: bool (units,): whether a unit is among those.
        guess_cells: int32 (n_cells,): for each guess its cell.
        guess_bits: int64 (n_cells,): the value tried there, as a bit.
        guess_marks: int64 (n_cells,): how long the trail was before.
        guess_twice: bool (n_cells,): whether the guess stands for its opposite too, and counts twice.
        every: int64 (2,): the set of all values; 1 where every rule's units hold every value.
        counts: int64 (7,): guesses open; 1 when all is done; length of the trail; 1 when the start is propagated; how
            many open guesses count twice; how many cells are open at the start; how many units.
    """

    units: Cells
    homes: Cells
    peers: Cells
    starts: NDArray[np.int64]
    masks: Masks
    trail_cells: Cells
    trail_masks: Masks
    open_cells: Cells
    open_units: Cells
    queue: Cells
    dirty: Cells
    marked: NDArray[np.bool_]
    guess_cells: Cells
    guess_bits: Masks
    guess_marks: NDArray[np.int64]
    guess_twice: NDArray[np.bool_]
    every: Masks
    counts: NDArray[np.int64]


@lru_cache(maxsize=16)
def _tables(board: Geometry) -> tuple[Cells, Cells, Cells, NDArray[np.int64]]:
    """Units, homes, peers and starts, as in `AnyState`."""
    rules = board.full_rules
    units = np.concatenate([np.empty((0, board.n_values), np.int32), *(rule.units for rule in rules)])
    homes = np.full((board.n_cells, len(rules)), -1, np.int32)
    first = 0
    for column, rule in enumerate(rules):
        homes[rule.units, column] = np.arange(first, first + len(rule.units), dtype=np.int32)[:, None]
        first += len(rule.units)
    peers = np.concatenate([np.empty(0, np.int32), *board.peers])
    return units, homes, peers, np.cumsum([0, *map(len, board.peers)], dtype=np.int64)


def any_state(board: Geometry, masks: Masks) -> AnyState:
    """Return a search of the given candidates; nothing is propagated yet."""
    n = board.n_cells
    units, homes, peers, starts = _tables(board)
    every = np.array([(1 << board.n_values) - 1, len(board.full_rules) == len(board.rules)], np.uint64)
    counts = np.zeros(7, np.int64)
    # More cells in a unit than values: there is nothing to search.
    counts[1] = board.clique is not None
    # Every entry of the trail takes a candidate at least.
    room = n * board.n_values
    return AnyState(
        units,
        homes,
        peers,
        starts,
        masks,
        np.empty(room, np.int32),
        np.empty(room, np.int64),
        np.empty(n, np.int32),
        np.empty(len(units), np.int32),
        np.empty(n, np.int32),
        np.empty(len(units), np.int32),
        np.zeros(len(units), np.bool_),
        np.empty(n, np.int32),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.zeros(n, np.bool_),
        every.view(np.int64),
        counts,
    )


def masks_of(puzzle: Puzzle) -> Masks:
    """Return the candidates of each cell by its own given or pencilmarks, int64 (n_cells,)."""
    bits = np.uint64(1) << np.arange(puzzle.geometry.n_values, dtype=np.uint64)
    masks: Masks = (puzzle.candidates * bits).sum(axis=1, dtype=np.uint64).view(np.int64)
    return masks
