"""The extended encoding, written a second time as plainly as possible, to compare a CNF with clause by clause.

It shares no code with `encoders`. Variable `cell * n + value` says that the cell holds the value; cells are numbered
from 0 in reading order, hidden cells after those of the grid, values from 1. Constraints have more variables after
these: see `plain_constraints`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import InternalError
from sudoku_encode.proving import plain_constraints
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    ConnectedCells,
    Domain,
    EqualSums,
    Primitive,
    Regions,
    Relation,
    Runs,
    Sum,
    Unit,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.puzzle import Grids, Puzzle


def each_once(puzzle: Puzzle) -> dict[int, Numbers]:
    """Return the clauses that define a solution, each once, by their width, a clause of sorted literals a row.

    Raises:
        MethodError: the constraints have too many.
    """
    families_by_width: defaultdict[int, list[Numbers]] = defaultdict(list)
    for family in clauses(puzzle):
        families_by_width[family.shape[1]].append(family)
    rows = {width: np.sort(np.concatenate(families), axis=1) for width, families in families_by_width.items()}
    return {width: clauses[np.unique(keys(clauses), return_index=True)[1]] for width, clauses in rows.items()}


def keys(*tables: Numbers) -> NDArray[np.int64]:
    """Return a number for each row of some tables of one width: the same for equal rows, and for no others."""
    rows = np.concatenate(tables)
    if rows.shape[1] <= 2:
        # Two literals fit in 64 bits.
        return rows.astype(np.int64) @ (np.int64(1) << (32 * np.arange(rows.shape[1], dtype=np.int64)))
    return np.unique(rows, axis=0, return_inverse=True)[1].ravel().astype(np.int64)


def n_variables(puzzle: Puzzle) -> int:
    """Return how many variables the formula of a puzzle has.

    Raises:
        MethodError: the constraints have too many clauses.
    """
    return _constraints(puzzle)[1] if puzzle.constraints else puzzle.candidates.size


@lru_cache(maxsize=2)
def _constraints(puzzle: Puzzle) -> tuple[tuple[Numbers, ...], int]:
    """Return the clauses of the constraints, those of a width together, and how many variables there are."""
    clauses_of_constraints, n = plain_constraints.clauses(puzzle)
    by_width: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for clause in clauses_of_constraints:
        by_width[len(clause)].append(clause)
    return tuple(np.array(rows, np.int32).reshape(len(rows), width) for width, rows in by_width.items()), n


def clauses(puzzle: Puzzle) -> Iterator[Numbers]:
    """Yield the clauses that define a solution, a clause a row; some of them come more than once."""
    n = puzzle.geometry.n_values
    variable = np.arange(1, puzzle.extended.geometry.n_cells * n + 1, dtype=np.int32).reshape(-1, n)
    # Each cell holds a value, and no two.
    yield variable
    for first, second in combinations(range(n), 2):
        yield -variable[:, [first, second]]
    for rule in puzzle.geometry.rules:
        for value in range(n):
            # No two cells of a unit hold the same value; with as many cells as values, one of them holds it.
            places = variable[rule.units, value]
            if places.shape[1] == n:
                yield places
            for first, second in combinations(range(places.shape[1]), 2):
                yield -places[:, [first, second]]
    given = np.flatnonzero(puzzle.givens)
    yield variable[given, puzzle.givens[given] - 1, None]
    if puzzle.pencilmarks is not None:
        yield -variable[: len(puzzle.givens)][(puzzle.givens == 0)[:, None] & ~puzzle.pencilmarks][:, None]
    if puzzle.constraints:
        yield from _constraints(puzzle)[0]


def blocking(puzzle: Puzzle, grids: Grids) -> Numbers:
    """Return for each of some solutions, (m, n_cells), the clause that excludes it: some blank holds another value."""
    blanks = puzzle.blanks
    return -(blanks * puzzle.geometry.n_values + grids[:, blanks]).astype(np.int32)


def counted(puzzle: Puzzle, unproved: Set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return clauses that follow, by counting in units with as many cells as values, from clauses that are not listed.

    If each cell of such a unit holds a value, and no two the same, then none holds two, and each value is in one. The
    same with cells and values exchanged. `unproved` lists clauses, each as its sorted literals.
    """
    n, follow = puzzle.geometry.n_values, set[tuple[int, ...]]()
    for rule in puzzle.geometry.rules:
        for unit in rule.units if rule.units.shape[1] == n else ():
            table = unit[:, None].astype(np.int64) * n + np.arange(1, n + 1)
            for rows in (np.sort(table, axis=0), np.sort(table, axis=0).T):
                # Each row contains a true variable, and no column two. So each column contains one, and no row two.
                some_row, some_column = ({tuple(line) for line in lines.tolist()} for lines in (rows, rows.T))
                two_in_row, two_in_column = (
                    {(-b, -a) for line in lines for a, b in combinations(line, 2)} for lines in (some_row, some_column)
                )
                if unproved.isdisjoint(some_row) and unproved.isdisjoint(two_in_column):
                    follow |= (some_column | two_in_row) & unproved
    return follow


def sentence(puzzle: Puzzle, clause: Sequence[int], number: Callable[[int], int] = int) -> str:
    """Return a clause in words, shortened; `number` returns the number to show for an auxiliary variable."""
    n, board = puzzle.geometry.n_values, puzzle.extended.geometry
    parts = []
    for literal in sorted(clause, key=abs)[:4]:
        cell, value = divmod(abs(literal) - 1, n)
        is_cell = cell < board.n_cells
        name = board.cell_name(cell) if is_cell else f"variable {number(abs(literal))}"
        parts.append(f"{name} {'is' if literal > 0 else 'is not'} {board.shown(value + 1) if is_cell else 'true'}")
    more = f" or {len(clause) - 4} more" if len(clause) > 4 else ""
    return f"({' or '.join(parts)}{more})" if parts else "(the empty clause)"


# The primitives of constraints, compared with their definitions.
#
# The clauses of a constraint come from `lower`, which encoders use too. So for constraints of few cells all values are
# tried here: values that the primitives exclude the definition must exclude too, or a solution could be missing. The
# code that evaluates primitives is used nowhere else.

# How many combinations of values are tried of all constraints of a puzzle together, those of the fewest cells first.
MOST_TRIED = 150_000

# For each cell the value that it has in each combination, int64 (m,).
_Values = Mapping[int, NDArray[np.int64]]
_Truth = NDArray[np.bool_]


def compare_definitions(puzzle: Puzzle) -> int:
    """Compare constraints of few cells with their definitions on all values; return how many were compared.

    Raises:
        InternalError: the primitives of a constraint exclude values that its definition allows.
    """
    n, n_untried, compared = puzzle.geometry.n_values, MOST_TRIED, 0
    for bound, cells in sorted(((bound, bound.scope_cells) for bound in puzzle.placed), key=lambda one: len(one[1])):
        if not cells or bound.own_hidden_cells():
            continue
        n_untried -= n ** len(cells)
        if n_untried < 0:
            break
        _compare_definition(bound, cells)
        compared += 1
    return compared


def _compare_definition(bound: BoundConstraint, cells: tuple[int, ...]) -> None:
    tried = np.indices((bound.n,) * len(cells)).reshape(len(cells), -1) + 1
    values_of = dict(zip(cells, tried, strict=True))
    allowed = np.ones(tried.shape[1], bool)
    for primitive in expanded(bound.primitives(), bound.n):
        allowed &= holds(primitive, values_of, tried.shape[1])
    grid = [1] * bound.board.n_cells
    for values in tried[:, ~allowed].T.tolist():
        for cell, value in zip(cells, values, strict=True):
            grid[cell] = value
        if not bound.violated(grid):
            where = ", ".join(f"{bound.board.cell_name(cell)} = {grid[cell]}" for cell in cells)
            raise InternalError(f"`{bound.constraint.text(bound.board)}` allows {where}, but its primitives do not")


def holds(primitive: Primitive, values_of: _Values, m: int) -> _Truth:  # noqa: PLR0912  -- a case for each class
    """Return for each of m combinations of values whether a primitive holds, bool (m,)."""
    truth = np.ones(m, bool)
    match primitive:
        case Unit(cells, _):
            for index, cell in enumerate(cells):
                for other in cells[:index]:
                    truth &= values_of[cell] != values_of[other]
        case Domain(cell, values):
            truth = _table([values], values_of[cell].max(initial=1))[0, values_of[cell] - 1]
        case Clause(literals):
            truth = np.zeros(m, bool)
            for cell, value in literals:
                truth |= (values_of[cell] == value) if value > 0 else (values_of[cell] != -value)
        case Relation(first, second, allowed):
            truth = _table(allowed, values_of[second].max(initial=1))[values_of[first] - 1, values_of[second] - 1]
        case Sum(cells, coefficients, total, _):
            truth = _total(cells, coefficients, values_of, m) == total
        case EqualSums(parts):
            sums = [_total(part, (1,) * len(part), values_of, m) for part in parts]
            for other_sum in sums[1:]:
                truth &= other_sum == sums[0]
        case Automaton():
            truth = _accepted(primitive, values_of, m)
        case ConnectedCells():
            truth = _are_connected(primitive, values_of)
        case Regions():
            truth = _are_regions(primitive, values_of, m)
        case Runs():
            truth = _fit_runs(primitive, values_of, m)
    return truth


def _is_connected(inside: _Truth, edges: Sequence[tuple[int, int]]) -> _Truth:
    """Return for each column of (cells, m) whether the cells in it are connected."""
    reached = inside & (np.cumsum(inside, axis=0) == 1)
    for _ in inside:
        for first, second in (*edges, *(edge[::-1] for edge in edges)):
            reached[second] |= inside[second] & reached[first]
    return np.asarray((reached == inside).all(axis=0))


def _are_connected(connected: ConnectedCells, values_of: _Values) -> _Truth:
    """Return in which combinations the cells with values of a set are connected, and their number is right."""
    inside = np.stack([np.isin(values_of[cell], list(values_in(connected.values))) for cell in connected.cells])
    number = inside.sum(axis=0)
    fits = (connected.least <= number) & (number <= connected.most)
    return np.asarray(fits & _is_connected(inside, connected.edges))


def _fit_runs(runs: Runs, values_of: _Values, m: int) -> _Truth:
    """Return in which combinations the value of the control cell is the total length of the arms."""
    total = np.ones(m, np.int64)
    for arm in runs.arms:
        is_same = np.ones(m, bool)
        for cell in arm:
            is_same = is_same & (values_of[cell] == values_of[runs.first])
            total += is_same
    return np.asarray(total == values_of[runs.control] + runs.offset)


def _are_regions(regions: Regions, values_of: _Values, m: int) -> _Truth:
    """Return which combinations are regions with each value once, numbered by their first cells."""
    truth, most = np.ones(m, bool), np.zeros(m, np.int64)
    for cell in regions.labels:
        truth &= values_of[cell] <= most + 1
        most = np.maximum(most, values_of[cell])
    for number in range(1, regions.n_regions + 1):
        inside = np.stack([values_of[cell] == number for cell in regions.labels])
        truth &= (inside.sum(axis=0) == len(inside) // regions.n_regions) & _is_connected(inside, regions.edges)
    for (cell, label), (other, other_label) in combinations(zip(regions.cells, regions.labels, strict=True), 2):
        truth &= (values_of[cell] != values_of[other]) | (values_of[label] != values_of[other_label])
    return truth


def _table(sets: Sequence[int], n: int) -> _Truth:
    """Return which values from 1 to n are in some sets, bool (sets, n)."""
    return np.array([[values >> value & 1 for value in range(n)] for values in sets], bool)


def _total(cells: tuple[int, ...], coefficients: tuple[int, ...], values_of: _Values, m: int) -> NDArray[np.int64]:
    total = np.zeros(m, np.int64)
    for cell, coefficient in zip(cells, coefficients, strict=True):
        total += coefficient * values_of[cell]
    return total


def _accepted(automaton: Automaton, values_of: _Values, m: int) -> _Truth:
    """Return which combinations lead to the end; -1 is the state of those that lead nowhere."""
    state = np.zeros(m, np.int64)
    for cell, layer in zip(automaton.cells, automaton.layers, strict=True):
        table = np.full((max(step[0] for step in layer) + 2, int(values_of[cell].max()) + 1), -1)
        for before, value, after in layer:
            table[before, value] = after
        state = table[state, values_of[cell]]
    return np.asarray(state == 0)
