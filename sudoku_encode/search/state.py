"""What a search works on, and what it knows of a board."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint32s
from sudoku_encode.puzzles.geometry import Geometry, units_of_cells
from sudoku_encode.puzzles.puzzle import Puzzle, require_plain

# Places in `AnyState.counts`: guesses open; 1 when all is done; length of the trail; 1 when the start is propagated;
# guesses open that count twice; cells open at the start; units with such cells.
GUESSES, DONE, TRAIL, READY, DOUBLED, OPEN_CELLS, OPEN_UNITS = range(7)


class AnyState(NamedTuple):
    """A search on any board.

    A set of values is a signed number, bit 0 for value 1: of 64 values the last is the sign. Numbers of cells and units
    have no sign, since compiled code has every signed index looked at: is it negative?

    What the first propagation fills is left out of the tables then: it stands behind the end of each row.

    Attributes:
        units: uint32 (units, n_values): the units that hold every value.
        sizes: int64 (units,): how many cells of each unit, from its first on, are looked at.
        needed: int64 (units,): the values that these must take.
        units_of_cell: uint32 (n_cells, rules): for each cell its unit of each rule that holds every value; where there
            is none, the number of units, which no unit has.
        peers: uint32: the peers of all cells, one cell after the other.
        starts: int64 (n_cells + 1,): where the peers of each cell start.
        ends: int64 (n_cells,): where those end that are looked at.
        masks: int64 (n_cells,): the candidates of each cell.
        trail_cells: uint32: the cells that lost candidates, in order.
        trail_masks: int64: what each had before.
        open_cells: uint32 (n_cells,): the cells that are open after the first propagation; `counts` says how many.
        open_units: uint32 (units,): the units with such cells.
        queue: uint32 (n_cells,): cells with one candidate left, to be propagated.
        dirty: uint32 (units,): units that lost a candidate, to be looked through.
        marked: bool (units + 1,): whether a unit is among those; true for what is none.
        guess_cells: uint32 (n_cells,): for each guess its cell.
        guess_bits: int64 (n_cells,): the value tried there, as a bit.
        guess_marks: int64 (n_cells,): how long the trail was before.
        guess_twice: bool (n_cells,): whether the guess stands for its opposite too, and counts twice.
        every: int64 (2,): the set of all values; 1 where every rule's units hold every value.
        counts: int64 (7,): see GUESSES and those after it.
    """

    units: Uint32s
    sizes: Int64s
    needed: Int64s
    units_of_cell: Uint32s
    peers: Uint32s
    starts: Int64s
    ends: Int64s
    masks: Int64s
    trail_cells: Uint32s
    trail_masks: Int64s
    open_cells: Uint32s
    open_units: Uint32s
    queue: Uint32s
    dirty: Uint32s
    marked: Bools
    guess_cells: Uint32s
    guess_bits: Int64s
    guess_marks: Int64s
    guess_twice: Bools
    every: Int64s
    counts: Int64s


@lru_cache(maxsize=16)
def _unit_tables(board: Geometry) -> tuple[Uint32s, Uint32s]:
    """Return the units that hold every value, and those of each cell, as in `AnyState`."""
    rules = board.full_rules
    units = np.concatenate([np.empty((0, board.n_values), np.int32), *(rule.units for rule in rules)]).astype(np.uint32)
    numbers = units_of_cells(rules, board.n_cells)
    homes = np.where(numbers < 0, len(units), numbers).astype(np.uint32)
    return units, homes


def any_state(board: Geometry, masks: Int64s) -> AnyState:
    """Return a search of the given candidates; nothing is propagated yet."""
    n = board.n_cells
    # Most constraints add units that do not hold every value; then these tables are those of the board without them.
    base = board.base
    units, homes = _unit_tables(board if base is None or len(base.full_rules) < len(board.full_rules) else base)
    peers, starts = board.peer_table
    every = np.array([(1 << board.n_values) - 1, len(board.full_rules) == len(board.rules)], np.uint64)
    counts = np.zeros(7, np.int64)
    # More cells in a unit than values: there is nothing to search.
    counts[DONE] = board.oversized_unit is not None
    # Every entry of the trail takes a candidate at least.
    room = n * board.n_values
    return AnyState(
        units.copy(),
        np.full(len(units), board.n_values, np.int64),
        np.full(len(units), every[0], np.uint64).view(np.int64),
        homes,
        peers.astype(np.uint32),
        starts.copy(),
        starts[1:].copy(),
        masks,
        np.empty(room, np.uint32),
        np.empty(room, np.int64),
        np.empty(n, np.uint32),
        np.empty(len(units), np.uint32),
        np.empty(n, np.uint32),
        np.empty(len(units), np.uint32),
        np.arange(len(units) + 1) == len(units),
        np.empty(n, np.uint32),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.zeros(n, np.bool_),
        every.view(np.int64),
        counts,
    )


def masks_of(puzzle: Puzzle) -> Int64s:
    """Return the candidates of each cell by its own given or pencilmarks, int64 (n_cells,)."""
    require_plain(puzzle)
    if puzzle.pencilmarks is None:
        every = np.uint64((1 << puzzle.geometry.n_values) - 1)
        values = np.uint64(1) << (puzzle.givens - np.uint8(1)).astype(np.uint64)
        return np.where(puzzle.givens > 0, values, every).view(np.int64)
    bits = np.uint64(1) << np.arange(puzzle.geometry.n_values, dtype=np.uint64)
    masks: Int64s = (puzzle.candidates * bits).sum(axis=1, dtype=np.uint64).view(np.int64)
    return masks
