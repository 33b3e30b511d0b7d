"""The arrays that a search on any board works on, and those of the propagators of constraints."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint32s
from sudoku_encode.puzzles.geometry import Geometry, units_of_cells
from sudoku_encode.puzzles.puzzle import Puzzle, require_plain

# Places in `AnyState.counts`: guesses open; 1 when all is done; length of the trail; 1 when the start is propagated;
# guesses open that count twice; cells open at the start; units with such cells; all guesses so far.
GUESSES, DONE, TRAIL, READY, DOUBLED, OPEN_CELLS, OPEN_UNITS, TRIED = range(8)


# How many cells are few.
MOST_FEW = 60


class FewOpen(NamedTuple):
    """Room for the last open cells of a board, whose fillings are counted at once: see `few_open_kernel`.

    Open cells have numbers from 0 on; a set of them is a number with a bit for each. The first row of the last three
    arrays is for the board, and each other one for a guess.
    """

    # int64 (places, rules): for each place where a state keeps a cell, the cell's unit of each rule; the number of
    # units where it has no such unit.
    units: Int64s
    members: Int64s  # (units + 1,): the open cells of each unit; 0 between two counts
    cells: Int64s  # (MOST_FEW,): where a state keeps each of the open cells
    near: Int64s  # (65,): for each the open cells that share a unit and a candidate with it; 0 behind the last one
    values: Int64s  # (MOST_FEW, n_values): for each value the cells that may have it
    masks: Int64s  # (MOST_FEW, MOST_FEW): the candidates of each cell
    fields: Int64s  # (MOST_FEW, 6): numbers that the kernel describes


@lru_cache(maxsize=64)
def _unit_rows(board: Geometry) -> tuple[Int64s, int]:
    """Return the units of each cell, as in `FewOpen`, and the number of units."""
    rows = board.units_of_cells.astype(np.int64)
    n_units = int(rows.max(initial=-1)) + 1
    rows[rows < 0] = n_units
    return rows, n_units


def few_open(board: Geometry, places: Int64s | None = None) -> FewOpen:
    """Return room for the last open cells of a board, which a state keeps at some places, by default by number."""
    rows, n_units = _unit_rows(board)
    if places is not None:
        cells, rows = rows, np.full((int(places.max()) + 1, rows.shape[1]), n_units, np.int64)
        rows[places] = cells
    return FewOpen(
        rows,
        np.zeros(n_units + 1, np.int64),
        np.zeros(MOST_FEW, np.int64),
        np.zeros(65, np.int64),
        np.zeros((MOST_FEW, board.n_values), np.int64),
        np.zeros((MOST_FEW, MOST_FEW), np.int64),
        np.zeros((MOST_FEW, 6), np.int64),
    )


class AnyState(NamedTuple):
    """A search on any board.

    A set of values is a signed number, bit 0 for value 1: of 64 values the last is the sign. Numbers of cells and units
    are unsigned, since compiled code checks every signed index for being negative.

    Cells that the first propagation fills are left out of the tables then: they stand behind the end of each row.
    """

    units: Uint32s  # (units, n_values): the units that hold every value
    sizes: Int64s  # (units,): how many cells of each unit, from its first on, are in use
    needed: Int64s  # (units,): the values that these must take
    # uint32 (n_cells, rules): for each cell its unit of each rule that holds every value; the number of units where
    # there is no such unit.
    units_of_cell: Uint32s
    peers: Uint32s  # the peers of all cells, one cell after the other
    starts: Int64s  # (n_cells + 1,): where the peers of each cell start
    ends: Int64s  # (n_cells,): where those end that are in use
    masks: Int64s  # (n_cells,): the candidates of each cell
    trail_cells: Uint32s  # the cells that lost candidates, in order
    trail_masks: Int64s  # the candidates of each before
    # uint32 (n_cells,): the cells that are open after the first propagation; `counts` says how many.
    open_cells: Uint32s
    open_units: Uint32s  # (units,): the units with such cells
    queue: Uint32s  # (n_cells,): cells with one candidate left, to be propagated
    dirty: Uint32s  # (units,): units that lost a candidate, to be checked
    marked: Bools  # (units + 1,): whether a unit is among those; true behind the last unit
    guess_cells: Uint32s  # (n_cells,): for each guess its cell
    guess_bits: Int64s  # (n_cells,): the value tried there, as a bit
    guess_marks: Int64s  # (n_cells,): how long the trail was before
    guess_twice: Bools  # (n_cells,): whether the guess also stands for its opposite, and counts twice
    every: Int64s  # (2,): the set of all values; 1 where every rule's units hold every value
    counts: Int64s  # (8,): see GUESSES and those after it
    few: FewOpen  # for a search that counts


@lru_cache(maxsize=64)
def _unit_tables(board: Geometry) -> tuple[Uint32s, Uint32s]:
    """Return the units that hold every value, and those of each cell, as in `AnyState`."""
    rules = board.full_rules
    units = np.concatenate([np.empty((0, board.n_values), np.int32), *(rule.units for rule in rules)]).astype(np.uint32)
    numbers = units_of_cells(rules, board.n_cells)
    homes = np.where(numbers < 0, len(units), numbers).astype(np.uint32)
    return units, homes


def any_state(board: Geometry, masks: Int64s) -> AnyState:
    """Return a search over these candidates, int64 (n_cells,); nothing is propagated yet."""
    n = board.n_cells
    # Most constraints add units that do not hold every value: the tables of the board without them will do.
    base = board.base
    units, homes = _unit_tables(board if base is None or len(base.full_rules) < len(board.full_rules) else base)
    peers, starts = board.peer_table
    every = np.array([(1 << board.n_values) - 1, len(board.full_rules) == len(board.rules)], np.uint64)
    counts = np.zeros(8, np.int64)
    # More cells in a unit than values: there is nothing to search.
    counts[DONE] = board.oversized_unit is not None
    # Every entry of the trail removes at least one candidate.
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
        few_open(board),
    )


@lru_cache(maxsize=64)
def _masks_by_given(n: int) -> Int64s:
    """Return the candidates of a blank, and those of a cell with each given, int64 (n + 1,), a bit per value."""
    return np.array([(1 << n) - 1, *(1 << value for value in range(n))], np.uint64).view(np.int64)


def masks_of(puzzle: Puzzle) -> Int64s:
    """Return the candidates of each cell by its own given or pencilmarks alone, int64 (n_cells,), a bit per value."""
    require_plain(puzzle)
    if puzzle.pencilmarks is None:
        return _masks_by_given(puzzle.geometry.n_values)[puzzle.givens]
    bits = np.uint64(1) << np.arange(puzzle.geometry.n_values, dtype=np.uint64)
    masks: Int64s = (puzzle.candidates * bits).sum(axis=1, dtype=np.uint64).view(np.int64)
    return masks


# The propagators of constraints.

# Kinds of propagators; those with a smaller number are cheaper, and run first. A list of starts has one entry more, the
# end of the last item.
#
# RELATION: two cells. `data`: for each value of the first cell the set of values of the second that are allowed with
#     it; then the other way round.
# CLAUSE: at least one cell holds one of its values in the clause. `factors`: these sets of values.
# SETS: cells that differ hold one of several sets of values. `data`: the number of sets, the sets.
# SUMS: several parts have the same sum, one of a set of amounts. `factors`: how much a step of a cell's value adds;
#     where that is below 0, steps are counted from the greatest value downwards. `data`: the number of parts, the
#     amounts as a set of bits, the mask of amounts in use, the start amount of each part, the starts of each part's
#     cells among those of the propagator.
# BOUNDS: the same, for more amounts than a word has bits, and for cells that differ: a part consists of groups of cells
#     that differ and have the same factor. `data`: the number of parts, the least and the greatest amount, the starts
#     of each part's groups, the starts of each group's cells.
# AUTOMATON: `data`: for each layer the number of its first state, then the number of all states; the starts of each
#     state's transitions; the transitions, each a bit and the next state.
# DISTINCT: an automaton whose cells all differ; `data` is the same.
# COUNTS: each class of values comes one of several numbers of times, and every value that the cells can hold is in one.
#     The cells stand in groups that differ. `data`: the number of groups, the number of classes, the starts of each
#     group's cells; for each class its values, and the allowed numbers as a set of bits.
# SAME_COUNTS: each value comes as often in each of several parts. The cells of a part stand in groups that differ.
#     `data`: the number of parts, the number of cells of each; the starts of each part's groups, from the first number
#     on; the starts of each group's cells.
# VISIBLE: a number of cells are greater than all before them. `data`: the allowed numbers as a set of bits; 1 if all
#     cells differ.
# CUT_LINE: a line can be cut into pieces of a sum. `data`: the sum; how many sums before its first cell are tried: 1
#     for a line, all below the sum for a loop.
# SUM_BETWEEN: cells that differ have two ends, and those between hold one of several sets of values. `data`: the number
#     of pairs of ends, the number of cells less 1; for each pair the first, the last, and the values of all other
#     cells, as sets; the starts, from the first number on, of the sets of each number of cells from 0; the sets.
# EACH_CLASS: a value of each class occurs. `data`: the number of sets of classes; for each set its values and how many
#     classes it has.
# INDEXED_LINE: the cell at a place holds v if and only if the v-th holds the place. `data`: the place, from 0.
# EQUAL_WHERE: a cell, then pairs of cells: it equals the second cell of each pair whose first cell holds a value.
#     `data`: that value, as a set.
# RUNS: the value of the first cell, and an offset, is 1 and the lengths of arms: how many cells they have before the
#     first that differs from the second cell. `data`: the offset, the number of arms, the starts of each arm's cells.
# CONNECTED: the cells that hold a value of a set are connected. `data`: the set, the least and the greatest number of
#     cells, the number of cells, the width of the table after it; for each cell those that touch it, then -1.
# REGIONS: cells of the numbers of regions, then the cells that are divided. `data`: the number of regions, and as for
#     CONNECTED from the number of cells on.
(
    RELATION,
    CLAUSE,
    INDEXED_LINE,
    EQUAL_WHERE,
    SETS,
    SUMS,
    BOUNDS,
    EACH_CLASS,
    COUNTS,
    SAME_COUNTS,
    VISIBLE,
    CUT_LINE,
    SUM_BETWEEN,
    AUTOMATON,
    DISTINCT,
    RUNS,
    CONNECTED,
    REGIONS,
) = range(18)
N_KINDS = 18
# Places in `Propagators.progress`: the work done; the number of guesses; how many propagators, from the first on, are
# in use; after how much work all are used, and the search is restarted; the number of solutions; how much a
# contradiction adds to weights; 1 where the search did not end soon; how many cells the grid has; how many cells, from
# the first on, are guessed before the grid is full; the number of guesses that led to a contradiction at once.
EFFORT, GUESSED, ASKED, AGAIN, FOUND, BLAME, LATE, GRID, EARLY, CONFLICTS = range(10)
# A weight grows by this at first, so that it can grow by slightly more later.
WEIGHT = 2**10
# Amounts from 0 to this number are bits of a word without its sign.
MOST_BITS = 62


class Propagators(NamedTuple):
    """The m propagators of a puzzle's constraints, in flat arrays."""

    kinds: Int64s  # (m,): the kind of each, such as RELATION
    starts: Int64s  # (m + 1,): where the cells of each start
    cells: Uint32s  # the cells of all propagators, one after the other
    factors: Int64s  # a number for each of those, whose meaning depends on the kind
    places: Int64s  # (m,): where the numbers of each start in `data`
    data: Int64s  # the numbers of all propagators, see the kinds
    costs: Int64s  # (m,): about how long a run takes, 1 for a relation
    once: Bools  # (m,): whether a second run directly after the first removes nothing
    user_starts: Int64s  # (n_cells + 1,): where the propagators of each cell start
    users: Uint32s  # the propagators of all cells
    # (n_cells, words): for each cell those that differ from it, as bits, 64 in a word; no rows if the board is large.
    near: Int64s
    # (n_cells,): how often a cell was part of contradictions, late ones counting more, and the sizes of its units and
    # propagators.
    weights: Int64s
    # (n_values,): how often a guess of each value was a contradiction at once, late ones counting more.
    value_weights: Int64s
    waiting: Uint32s  # (N_KINDS, m): ring buffers of propagators to run
    rings: Int64s  # (2, N_KINDS): of each ring the first place, and the number of entries
    marked: Bools  # (m,): whether a propagator waits
    scratch: Int64s  # room for the running propagator
    progress: Int64s  # (10,): see EFFORT and those after it


class ConstrainedState(NamedTuple):
    """A search on a board with constraints."""

    board: AnyState  # the search on the board alone
    propagators: Propagators  # of the constraints

    @property
    def counts(self) -> Int64s:
        """See `AnyState`."""
        return self.board.counts
