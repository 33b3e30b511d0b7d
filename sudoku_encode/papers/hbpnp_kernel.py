"""The compiled search of `hbpnp`: one logic over three ways to hold candidates and to check for violations.

Only the functions down to `restore_state` depend on the data structure; the strategies and the backtracking below them
call these functions. All of the state is in arrays, so that `run_rounds` can stop after any round and be called again.
It is one file, since numba's cache notices changes of this file only, not of functions in other files. The inner
functions take arrays one by one: numba counts references to the arrays of a tuple, which takes longer than the
functions.
"""

from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

# The versions: the first two hold candidates in parallel arrays, the last in a table.
HBPNP, UHBPNP, TABLES = 0, 1, 2

# Places in `State.counts`, the last three for `Search.work`; LISTED is the length of the parallel arrays, BACK is 1 if
# the next move is to backtrack.
DEPTH, BLANKS, LISTED, FOUND, BACK, GUESSES, PLACEMENTS, ROUNDS = range(8)

# Places in a row of `State.guesses`.
CELL, VALUE, BLANKS_BEFORE = 0, 1, 2


class State(NamedTuple):
    """The state of a search. Cell (row, column) is row * n + column; value a is at a - 1."""

    units: Int64s  # rows, columns, boxes, int64 (3n, n)
    units_of_cells: Int64s  # the three units of each cell, int64 (n_cells, 3)
    grid: Grids  # 0 is a blank
    counts: Int64s  # (8,): see DEPTH
    # (n_cells, n). In the table version the table L of candidates. In the others the candidates that pencilmarks and
    # lone pairs leave, from which lists are built.
    marks: Candidates
    sizes: Int64s  # the number of candidates: by cell in the table version, by place in the arrays in the others
    locations: Int64s  # the blanks: the first of the two parallel arrays
    lists: Grids  # their candidates in ascending order: the second
    seen: Candidates  # (3n, n), whether a unit holds a value: the tables Row, Col and SGrid, one below the other
    saved_grid: Grids  # the grid before each guess
    saved_marks: Candidates  # likewise
    saved_sizes: Int64s  # likewise, of the table version
    saved_seen: Candidates  # likewise, of the table version
    guesses: Int64s  # the cell and value of each guess, and the number of blanks before it, int64 (guesses, 3)
    placements: Int64s  # the cells and values that a strategy is about to place
    out: Grids  # the full grids


def start(puzzle: Puzzle, version: int, n_out: int = 1024) -> State:
    """Return the search before its first round, with room for `n_out` full grids at a time."""
    board = puzzle.geometry
    n, n_cells, depth = board.n_values, board.n_cells, len(puzzle.blanks) + 1
    tables = depth if version == TABLES else 0
    units = np.concatenate([rule.units for rule in board.rules]).astype(np.int64)
    units_of_cells = np.argsort(units.ravel(), kind="stable").reshape(n_cells, 3) // n
    marks, seen = puzzle.candidates.copy(), np.zeros((3 * n, n), bool)
    if version == TABLES:
        given = np.flatnonzero(puzzle.givens)
        seen[units_of_cells[given], puzzle.givens[given, None].astype(np.intp) - 1] = True
        marks &= ~seen[units_of_cells].any(axis=1)
    counts = np.zeros(8, np.int64)
    counts[BLANKS] = depth - 1
    return State(
        units=units,
        units_of_cells=units_of_cells,
        grid=puzzle.givens.copy(),
        counts=counts,
        marks=marks,
        sizes=np.count_nonzero(marks, axis=1),
        locations=np.zeros(n_cells, np.int64),
        lists=np.zeros((n_cells, n), np.uint8),
        seen=seen,
        saved_grid=np.zeros((depth, n_cells), np.uint8),
        saved_marks=np.zeros((depth, n_cells, n), bool),
        saved_sizes=np.zeros((tables, n_cells), np.int64),
        saved_seen=np.zeros((tables, 3 * n, n), bool),
        guesses=np.zeros((depth, 3), np.int64),
        placements=np.zeros((3 * n * n, 2), np.int64),
        out=np.zeros((n_out, n_cells), np.uint8),
    )


# The outcomes of a strategy, and of a round of strategies.
UNCHANGED, CHANGED, CONTRADICTION = 0, 1, 2


@subroutine_with_arrays
def unit_holds(units: Int64s, grid: Grids, unit: int, value: int) -> bool:
    """Check whether a cell of a unit holds a value, one cell after the other."""
    for place in range(units.shape[1]):  # noqa: SIM110 - numba does not compile `any`
        if grid[units[unit, place]] == value:
            return True
    return False


@subroutine_with_arrays
def violates_by_scan(units: Int64s, units_of_cells: Int64s, grid: Grids, cell: int, value: int) -> bool:
    """Check whether a value is in the cell's row, column or box by a scan: CheckViolation1."""
    if unit_holds(units, grid, units_of_cells[cell, 0], value) or unit_holds(
        units, grid, units_of_cells[cell, 1], value
    ):
        return True
    return unit_holds(units, grid, units_of_cells[cell, 2], value)


@subroutine_with_arrays
def violates_by_tables(units_of_cells: Int64s, seen: Candidates, cell: int, value: int) -> bool:
    """Check whether a value is in the cell's row, column or box by the tables: CheckViolation2."""
    row, column, box = units_of_cells[cell, 0], units_of_cells[cell, 1], units_of_cells[cell, 2]
    return bool(seen[row, value - 1] or seen[column, value - 1] or seen[box, value - 1])


@compiled_with_arrays
def violates(state: State, version: int, cell: int, value: int) -> bool:
    """Check whether a value breaks a rule in a cell, in the way of the version."""
    if version == TABLES:
        return violates_by_tables(state.units_of_cells, state.seen, cell, value)
    return violates_by_scan(state.units, state.units_of_cells, state.grid, cell, value)


@subroutine_with_arrays
def build_lists(
    units: Int64s,
    units_of_cells: Int64s,
    grid: Grids,
    marks: Candidates,
    locations: Int64s,
    lists: Grids,
    sizes: Int64s,
) -> int:
    """Build the parallel arrays by a scan of the row, column and box of each blank for each value."""
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
def build_candidates(state: State, version: int) -> None:
    """Build the candidates of the grid at the start of a strategy; the table is always up to date."""
    if version != TABLES:
        state.counts[LISTED] = build_lists(
            state.units, state.units_of_cells, state.grid, state.marks, state.locations, state.lists, state.sizes
        )


@compiled_with_arrays
def list_of_cell(version: int, locations: Int64s, cell: int) -> int:
    """Return the place of the candidates of a blank: the cell itself in the table, else found in the locations."""
    if version == TABLES:
        return cell
    place = 0
    while locations[place] != cell:
        place += 1
    return place


@compiled_with_arrays
def has_candidate(version: int, marks: Candidates, lists: Grids, sizes: Int64s, list_number: int, value: int) -> bool:
    """Check whether a value is a candidate of the blank with this list."""
    if version == TABLES:
        return bool(marks[list_number, value - 1])
    for place in range(sizes[list_number]):  # noqa: SIM110 - numba does not compile `any`
        if lists[list_number, place] == value:
            return True
    return False


@subroutine_with_arrays
def remove_candidate(state: State, version: int, cell: int, list_number: int, value: int) -> None:
    """Remove a candidate from a blank with this list."""
    state.marks[cell, value - 1] = False
    if version != TABLES:
        size = 0
        for place in range(state.sizes[list_number]):
            if state.lists[list_number, place] != value:
                state.lists[list_number, size] = state.lists[list_number, place]
                size += 1
    state.sizes[list_number] -= 1


@subroutine_with_arrays
def add_to_tables(
    units: Int64s, units_of_cells: Int64s, marks: Candidates, sizes: Int64s, seen: Candidates, cell: int, value: int
) -> None:
    """Update the tables after a placement: the value is removed from the candidates of all peers."""
    for rule in range(3):
        unit = units_of_cells[cell, rule]
        seen[unit, value - 1] = True
        for place in range(units.shape[1]):
            peer = units[unit, place]
            if marks[peer, value - 1]:
                marks[peer, value - 1] = False
                sizes[peer] -= 1


@compiled_with_arrays
def place_value(state: State, version: int, cell: int, value: int) -> None:
    """Put a value into a blank."""
    state.grid[cell] = value
    state.counts[BLANKS] -= 1
    state.counts[PLACEMENTS] += 1
    if version == TABLES:
        add_to_tables(state.units, state.units_of_cells, state.marks, state.sizes, state.seen, cell, value)


@subroutine_with_arrays
def save_state(state: State, version: int, level: int) -> None:
    """Save the state before a guess."""
    state.guesses[level, BLANKS_BEFORE] = state.counts[BLANKS]
    state.saved_grid[level] = state.grid
    state.saved_marks[level] = state.marks
    if version == TABLES:
        state.saved_sizes[level] = state.sizes
        state.saved_seen[level] = state.seen


@subroutine_with_arrays
def restore_state(state: State, version: int, level: int) -> None:
    """Restore the state before a guess."""
    state.counts[BLANKS] = state.guesses[level, BLANKS_BEFORE]
    state.grid[:] = state.saved_grid[level]
    state.marks[:] = state.saved_marks[level]
    if version == TABLES:
        state.sizes[:] = state.saved_sizes[level]
        state.seen[:] = state.saved_seen[level]


@subroutine_with_arrays
def first_candidate(version: int, marks: Candidates, lists: Grids, sizes: Int64s, list_number: int, after: int) -> int:
    """Return the smallest candidate above `after`, or 0."""
    for value in range(after + 1, marks.shape[1] + 1):
        if has_candidate(version, marks, lists, sizes, list_number, value):
            return value
    return 0


@subroutine_with_arrays
def place_values(state: State, version: int, n_placements: int) -> int:
    """Place the values of a strategy, each after a check, since the candidates are older than the first placement."""
    for step in range(n_placements):
        cell, value = state.placements[step, CELL], state.placements[step, VALUE]
        # A hidden single of a row may be one of the box too.
        if state.grid[cell] == value:
            continue
        if state.grid[cell] != 0:
            return CONTRADICTION
        # HBPnP checks guesses only: an interpretation, see `hbpnp`.
        if version != HBPNP and violates(state, version, cell, value):
            return CONTRADICTION
        place_value(state, version, cell, value)
    return CHANGED if n_placements else UNCHANGED


@subroutine_with_arrays
def lone_singles(
    version: int, grid: Grids, marks: Candidates, locations: Int64s, lists: Grids, sizes: Int64s, placements: Int64s
) -> int:
    """List the blanks with one candidate (strategy 1); return their number, or -1 if a blank has no candidate."""
    n_placements = 0
    for cell in range(len(grid)):
        if grid[cell] == 0:
            list_number = list_of_cell(version, locations, cell)
            if sizes[list_number] == 0:
                return -1
            if sizes[list_number] == 1:
                placements[n_placements, CELL] = cell
                placements[n_placements, VALUE] = first_candidate(version, marks, lists, sizes, list_number, 0)
                n_placements += 1
    return n_placements


@subroutine_with_arrays
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
    """Return the only blank of a unit with a value as a candidate, or -1."""
    only = -1
    for place in range(len(cells)):
        cell = cells[place]
        if grid[cell] == 0 and has_candidate(
            version, marks, lists, sizes, list_of_cell(version, locations, cell), value
        ):
            if only >= 0:
                return -1
            only = cell
    return only


@subroutine_with_arrays
def hidden_singles(
    version: int,
    units: Int64s,
    grid: Grids,
    marks: Candidates,
    locations: Int64s,
    lists: Grids,
    sizes: Int64s,
    placements: Int64s,
) -> int:
    """List the values with one place in a row, column or box (strategy 2), and return their number."""
    n_placements = 0
    for unit in range(len(units)):
        for value in range(1, units.shape[1] + 1):
            only = hidden_single(version, units[unit], grid, marks, locations, lists, sizes, value)
            if only >= 0:
                placements[n_placements, CELL], placements[n_placements, VALUE] = only, value
                n_placements += 1
    return n_placements


@subroutine_with_arrays
def has_two_candidates(version: int, locations: Int64s, sizes: Int64s, cell: int) -> bool:
    """Check whether a blank has two candidates."""
    return bool(sizes[list_of_cell(version, locations, cell)] == 2)


@subroutine_with_arrays
def lone_pairs(state: State, version: int) -> int:
    """Remove the candidates of two blanks with the same two from the rest of their unit (strategy 3)."""
    units, grid, locations, sizes = state.units, state.grid, state.locations, state.sizes
    outcome = UNCHANGED
    for unit in range(len(units)):
        for first in range(units.shape[1]):
            first_cell = units[unit, first]
            if grid[first_cell] or not has_two_candidates(version, locations, sizes, first_cell):
                continue
            for second in range(first + 1, units.shape[1]):
                second_cell = units[unit, second]
                if grid[second_cell] == 0 and has_two_candidates(version, locations, sizes, second_cell):
                    outcome = max(outcome, lone_pair(state, version, unit, first_cell, second_cell))
    return outcome


@subroutine_with_arrays
def lone_pair(state: State, version: int, unit: int, first_cell: int, second_cell: int) -> int:
    """Remove the two candidates of a blank from the rest of the unit, if another blank has the same two."""
    units, grid, locations = state.units, state.grid, state.locations
    marks, lists, sizes = state.marks, state.lists, state.sizes
    list_of_first, list_of_second = (
        list_of_cell(version, locations, first_cell),
        list_of_cell(version, locations, second_cell),
    )
    small = first_candidate(version, marks, lists, sizes, list_of_first, 0)
    large = first_candidate(version, marks, lists, sizes, list_of_first, small)
    outcome = UNCHANGED
    if has_candidate(version, marks, lists, sizes, list_of_second, small) and has_candidate(
        version, marks, lists, sizes, list_of_second, large
    ):
        for place in range(units.shape[1]):
            cell = units[unit, place]
            if grid[cell] == 0 and cell not in (first_cell, second_cell):
                list_of_peer = list_of_cell(version, locations, cell)
                for value in (small, large):
                    if has_candidate(version, marks, lists, sizes, list_of_peer, value):
                        remove_candidate(state, version, cell, list_of_peer, value)
                        outcome = CHANGED
    return outcome


@compiled_with_arrays
def apply_strategy(state: State, version: int, strategy: int) -> int:
    """Apply a strategy, and return its outcome."""
    build_candidates(state, version)
    units, grid, marks, placements = state.units, state.grid, state.marks, state.placements
    locations, lists, sizes = state.locations, state.lists, state.sizes
    if strategy == 3:
        return lone_pairs(state, version)
    if strategy == 1:
        n_placements = lone_singles(version, grid, marks, locations, lists, sizes, placements)
    else:
        n_placements = hidden_singles(version, units, grid, marks, locations, lists, sizes, placements)
    return CONTRADICTION if n_placements < 0 else place_values(state, version, n_placements)


@subroutine_with_arrays
def run_round(state: State, version: int) -> int:
    """Apply all three strategies in HBPnP; in the other versions stop at the first that changes anything."""
    state.counts[ROUNDS] += 1
    outcome = UNCHANGED
    for strategy in range(1, 4):
        outcome = max(outcome, apply_strategy(state, version, strategy))
        if outcome == CONTRADICTION or (outcome == CHANGED and version != HBPNP):
            break
    return outcome


@compiled_with_arrays
def open_guess(state: State, version: int) -> None:
    """Choose the first blank for the next guess."""
    level = state.counts[DEPTH]
    save_state(state, version, level)
    state.guesses[level, CELL] = np.argmin(state.grid)
    state.guesses[level, VALUE] = 0
    state.counts[DEPTH] += 1


@compiled_with_arrays
def next_guess(state: State, version: int) -> bool:
    """Place the next candidate of the last guess that has one; False if none has: the search has ended."""
    while state.counts[DEPTH] > 0:
        level = state.counts[DEPTH] - 1
        restore_state(state, version, level)
        build_candidates(state, version)
        cell, value = state.guesses[level, CELL], state.guesses[level, VALUE]
        list_number = list_of_cell(version, state.locations, cell)
        value = first_candidate(version, state.marks, state.lists, state.sizes, list_number, value)
        while value and violates(state, version, cell, value):
            value = first_candidate(version, state.marks, state.lists, state.sizes, list_number, value)
        if value:
            state.guesses[level, VALUE] = value
            state.counts[GUESSES] += 1
            place_value(state, version, cell, value)
            return True
        state.counts[DEPTH] -= 1
    return False


@compiled_with_arrays
def run_rounds(state: State, version: int, rounds: int) -> bool:
    """Run `rounds` rounds, or until `out` is full; False if the search has ended."""
    for _ in range(rounds):
        if state.counts[FOUND] == len(state.out):
            return True
        if state.counts[BACK]:
            if not next_guess(state, version):
                return False
            state.counts[BACK] = 0
        outcome = run_round(state, version)
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
