"""The compiled search of `hbpnp`: one logic over three ways to hold candidates and to check for violations.

Whatever depends on the data structure is in the functions down to `restore`; the strategies and the backtracking below
them use nothing else of it. All of the state is in arrays, so that `advance` can stop and go on at any round. It is one
file, since numba keeps what it compiled until the file changes, whatever happens to functions of other files. The inner
functions take arrays one by one, since numba counts references to the arrays of a tuple, which takes longer than they.
"""

import numpy as np

from sudoku_encode.papers.hbpnp_state import (
    BACK,
    BLANKS,
    BLANKS_BEFORE,
    CELL,
    DEPTH,
    FOUND,
    GUESSES,
    HBPNP,
    LISTED,
    PLACEMENTS,
    ROUNDS,
    TABLES,
    VALUE,
    State,
)
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Candidates, Grids
from sudoku_encode.run.compiling import compiled_with_arrays

# What a strategy, or a round of them, comes to.
UNCHANGED, CHANGED, CONTRADICTION = 0, 1, 2


@compiled_with_arrays
def in_cells(units: Int64s, grid: Grids, unit: int, value: int) -> bool:
    """Look for a value in the cells of a unit, one after the other."""
    for place in range(units.shape[1]):  # noqa: SIM110 - numba does not compile `any`
        if grid[units[unit, place]] == value:
            return True
    return False


@compiled_with_arrays
def violates_by_scan(units: Int64s, units_of_cells: Int64s, grid: Grids, cell: int, value: int) -> bool:
    """CheckViolation1: say whether a value is in the cell's row, column or box."""
    if in_cells(units, grid, units_of_cells[cell, 0], value) or in_cells(units, grid, units_of_cells[cell, 1], value):
        return True
    return in_cells(units, grid, units_of_cells[cell, 2], value)


@compiled_with_arrays
def violates_by_tables(units_of_cells: Int64s, seen: Candidates, cell: int, value: int) -> bool:
    """CheckViolation2: look into the tables Row, Col and SGrid."""
    row, column, box = units_of_cells[cell, 0], units_of_cells[cell, 1], units_of_cells[cell, 2]
    return bool(seen[row, value - 1] or seen[column, value - 1] or seen[box, value - 1])


@compiled_with_arrays
def violates(state: State, version: int, cell: int, value: int) -> bool:
    """Say whether a value breaks a rule in a cell, as the version finds it out."""
    if version == TABLES:
        return violates_by_tables(state.units_of_cells, state.seen, cell, value)
    return violates_by_scan(state.units, state.units_of_cells, state.grid, cell, value)


@compiled_with_arrays
def build_lists(
    units: Int64s,
    units_of_cells: Int64s,
    grid: Grids,
    marks: Candidates,
    locations: Int64s,
    lists: Grids,
    sizes: Int64s,
) -> int:
    """Build the parallel arrays: scan the puzzle, and for each value the row, column and box of each blank."""
    n_blanks = 0
    for cell in range(len(grid)):
        if grid[cell] == 0:
            size = 0
            for value in range(1, units.shape[1] + 1):
                if marks[cell, value - 1] and not violates_by_scan(units, units_of_cells, grid, cell, value):
                    lists[n_blanks, size] = value
                    size += 1
            locations[n_blanks] = cell
            sizes[n_blanks] = size
            n_blanks += 1
    return n_blanks


@compiled_with_arrays
def prepare(state: State, version: int) -> None:
    """Make the candidates those of the grid, at the start of a strategy; the table always has them."""
    if version != TABLES:
        state.counts[LISTED] = build_lists(
            state.units, state.units_of_cells, state.grid, state.marks, state.locations, state.lists, state.sizes
        )


@compiled_with_arrays
def find(version: int, locations: Int64s, cell: int) -> int:
    """Say where the candidates of a blank are: the cell itself in the table, else search the locations."""
    if version == TABLES:
        return cell
    at = 0
    while locations[at] != cell:
        at += 1
    return at


@compiled_with_arrays
def has(version: int, marks: Candidates, lists: Grids, sizes: Int64s, at: int, value: int) -> bool:
    """Say whether a value is a candidate of the blank whose candidates are there."""
    if version == TABLES:
        return bool(marks[at, value - 1])
    for place in range(sizes[at]):  # noqa: SIM110 - numba does not compile `any`
        if lists[at, place] == value:
            return True
    return False


@compiled_with_arrays
def cross_out(state: State, version: int, cell: int, at: int, value: int) -> None:
    """Remove a candidate from a blank, whose candidates are there."""
    state.marks[cell, value - 1] = False
    if version != TABLES:
        kept = 0
        for place in range(state.sizes[at]):
            if state.lists[at, place] != value:
                state.lists[at, kept] = state.lists[at, place]
                kept += 1
    state.sizes[at] -= 1


@compiled_with_arrays
def enter(
    units: Int64s, units_of_cells: Int64s, marks: Candidates, sizes: Int64s, seen: Candidates, cell: int, value: int
) -> None:
    """Bring the tables up to date after a placement: the value is no candidate of any peer any more."""
    for rule in range(3):
        unit = units_of_cells[cell, rule]
        seen[unit, value - 1] = True
        for place in range(units.shape[1]):
            peer = units[unit, place]
            if marks[peer, value - 1]:
                marks[peer, value - 1] = False
                sizes[peer] -= 1


@compiled_with_arrays
def place(state: State, version: int, cell: int, value: int) -> None:
    """Put a value into a blank."""
    state.grid[cell] = value
    state.counts[BLANKS] -= 1
    state.counts[PLACEMENTS] += 1
    if version == TABLES:
        enter(state.units, state.units_of_cells, state.marks, state.sizes, state.seen, cell, value)


@compiled_with_arrays
def save(state: State, version: int, level: int) -> None:
    """Remember the state before a guess."""
    state.guesses[level, BLANKS_BEFORE] = state.counts[BLANKS]
    state.saved_grid[level] = state.grid
    state.saved_marks[level] = state.marks
    if version == TABLES:
        state.saved_sizes[level] = state.sizes
        state.saved_seen[level] = state.seen


@compiled_with_arrays
def restore(state: State, version: int, level: int) -> None:
    """Return to the state before a guess."""
    state.counts[BLANKS] = state.guesses[level, BLANKS_BEFORE]
    state.grid[:] = state.saved_grid[level]
    state.marks[:] = state.saved_marks[level]
    if version == TABLES:
        state.sizes[:] = state.saved_sizes[level]
        state.seen[:] = state.saved_seen[level]


@compiled_with_arrays
def first_candidate(version: int, marks: Candidates, lists: Grids, sizes: Int64s, at: int, after: int) -> int:
    """Return the smallest candidate above some value, or 0."""
    for value in range(after + 1, marks.shape[1] + 1):
        if has(version, marks, lists, sizes, at, value):
            return value
    return 0


@compiled_with_arrays
def place_all(state: State, version: int, n_wanted: int) -> int:
    """Place what a strategy wants, each after a check, since the candidates are those from before the first of them."""
    for step in range(n_wanted):
        cell, value = state.wanted[step, CELL], state.wanted[step, VALUE]
        # A hidden single of a row may be one of the box too.
        if state.grid[cell] == value:
            continue
        if state.grid[cell] != 0:
            return CONTRADICTION
        # HBPnP checks its guesses only; that is our reading of what it misses, see `hbpnp`.
        if version != HBPNP and violates(state, version, cell, value):
            return CONTRADICTION
        place(state, version, cell, value)
    return CHANGED if n_wanted else UNCHANGED


@compiled_with_arrays
def lone_singles(
    version: int, grid: Grids, marks: Candidates, locations: Int64s, lists: Grids, sizes: Int64s, wanted: Int64s
) -> int:
    """Strategy 1: a blank with one candidate. Return how many there are, or -1 when a blank has none."""
    n_wanted = 0
    for cell in range(len(grid)):
        if grid[cell] == 0:
            at = find(version, locations, cell)
            if sizes[at] == 0:
                return -1
            if sizes[at] == 1:
                wanted[n_wanted, CELL] = cell
                wanted[n_wanted, VALUE] = first_candidate(version, marks, lists, sizes, at, 0)
                n_wanted += 1
    return n_wanted


@compiled_with_arrays
def hidden_single(
    version: int,
    cells: Int64s,
    grid: Grids,
    marks: Candidates,
    locations: Int64s,
    lists: Grids,
    sizes: Int64s,
    value: int,
) -> int:
    """Return the only cell of a unit that has a value as a candidate, or -1."""
    only = -1
    for place in range(len(cells)):
        cell = cells[place]
        if grid[cell] == 0 and has(version, marks, lists, sizes, find(version, locations, cell), value):
            if only >= 0:
                return -1
            only = cell
    return only


@compiled_with_arrays
def hidden_singles(
    version: int,
    units: Int64s,
    grid: Grids,
    marks: Candidates,
    locations: Int64s,
    lists: Grids,
    sizes: Int64s,
    wanted: Int64s,
) -> int:
    """Strategy 2: a value that is a candidate of one blank only of a row, column or box. Return how many there are."""
    n_wanted = 0
    for unit in range(len(units)):
        for value in range(1, units.shape[1] + 1):
            only = hidden_single(version, units[unit], grid, marks, locations, lists, sizes, value)
            if only >= 0:
                wanted[n_wanted, CELL], wanted[n_wanted, VALUE] = only, value
                n_wanted += 1
    return n_wanted


@compiled_with_arrays
def two_candidates(version: int, locations: Int64s, sizes: Int64s, cell: int) -> bool:
    """Say whether a blank has two candidates."""
    return bool(sizes[find(version, locations, cell)] == 2)


@compiled_with_arrays
def lone_pairs(state: State, version: int) -> int:
    """Strategy 3: two blanks of a unit with the same two candidates; no other blank of the unit can have them."""
    units, grid, locations, sizes = state.units, state.grid, state.locations, state.sizes
    outcome = UNCHANGED
    for unit in range(len(units)):
        for first in range(units.shape[1]):
            one = units[unit, first]
            if grid[one] or not two_candidates(version, locations, sizes, one):
                continue
            for second in range(first + 1, units.shape[1]):
                other = units[unit, second]
                if grid[other] == 0 and two_candidates(version, locations, sizes, other):
                    outcome = max(outcome, lone_pair(state, version, unit, one, other))
    return outcome


@compiled_with_arrays
def lone_pair(state: State, version: int, unit: int, one: int, other: int) -> int:
    """If the candidates of the two are the same, cross them out in the rest of the unit."""
    units, grid, locations = state.units, state.grid, state.locations
    marks, lists, sizes = state.marks, state.lists, state.sizes
    at, at_other = find(version, locations, one), find(version, locations, other)
    small = first_candidate(version, marks, lists, sizes, at, 0)
    large = first_candidate(version, marks, lists, sizes, at, small)
    outcome = UNCHANGED
    if has(version, marks, lists, sizes, at_other, small) and has(version, marks, lists, sizes, at_other, large):
        for place in range(units.shape[1]):
            cell = units[unit, place]
            if grid[cell] == 0 and cell not in (one, other):
                at_cell = find(version, locations, cell)
                for value in (small, large):
                    if has(version, marks, lists, sizes, at_cell, value):
                        cross_out(state, version, cell, at_cell, value)
                        outcome = CHANGED
    return outcome


@compiled_with_arrays
def apply(state: State, version: int, strategy: int) -> int:
    """Apply one strategy and say what it comes to."""
    prepare(state, version)
    units, grid, marks, wanted = state.units, state.grid, state.marks, state.wanted
    locations, lists, sizes = state.locations, state.lists, state.sizes
    if strategy == 3:
        return lone_pairs(state, version)
    if strategy == 1:
        n_wanted = lone_singles(version, grid, marks, locations, lists, sizes, wanted)
    else:
        n_wanted = hidden_singles(version, units, grid, marks, locations, lists, sizes, wanted)
    return CONTRADICTION if n_wanted < 0 else place_all(state, version, n_wanted)


@compiled_with_arrays
def one_round(state: State, version: int) -> int:
    """Apply the strategies: HBPnP all three, the others from the first again as soon as one changes anything."""
    state.counts[ROUNDS] += 1
    outcome = UNCHANGED
    for strategy in range(1, 4):
        outcome = max(outcome, apply(state, version, strategy))
        if outcome == CONTRADICTION or (outcome == CHANGED and version != HBPNP):
            break
    return outcome


@compiled_with_arrays
def open_guess(state: State, version: int) -> None:
    """Choose the first blank for the next guess."""
    level = state.counts[DEPTH]
    save(state, version, level)
    state.guesses[level, CELL] = np.argmin(state.grid)
    state.guesses[level, VALUE] = 0
    state.counts[DEPTH] += 1


@compiled_with_arrays
def next_guess(state: State, version: int) -> bool:
    """Place the next candidate of the last guess that has one; say False when none has, so that all is done."""
    while state.counts[DEPTH] > 0:
        level = state.counts[DEPTH] - 1
        restore(state, version, level)
        prepare(state, version)
        cell, value = state.guesses[level, CELL], state.guesses[level, VALUE]
        at = find(version, state.locations, cell)
        value = first_candidate(version, state.marks, state.lists, state.sizes, at, value)
        while value and violates(state, version, cell, value):
            value = first_candidate(version, state.marks, state.lists, state.sizes, at, value)
        if value:
            state.guesses[level, VALUE] = value
            state.counts[GUESSES] += 1
            place(state, version, cell, value)
            return True
        state.counts[DEPTH] -= 1
    return False


@compiled_with_arrays
def advance(state: State, version: int, rounds: int) -> bool:
    """Go on for some rounds, or until `out` is full; say False when the search has ended."""
    for _ in range(rounds):
        if state.counts[FOUND] == len(state.out):
            return True
        if state.counts[BACK]:
            if not next_guess(state, version):
                return False
            state.counts[BACK] = 0
        outcome = one_round(state, version)
        if outcome == CONTRADICTION:
            state.counts[BACK] = 1
        elif state.counts[BLANKS] == 0:
            state.out[state.counts[FOUND]] = state.grid
            state.counts[FOUND] += 1
            state.counts[BACK] = 1
        elif outcome == UNCHANGED:
            open_guess(state, version)
            state.counts[BACK] = 1
    return True
