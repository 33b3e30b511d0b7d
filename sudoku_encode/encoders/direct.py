"""The direct encoding: a variable means that a cell holds a value. Also the encoding with triads.

The variants differ in their groups of clauses:

| group    | meaning                                 |
|----------|-----------------------------------------|
| alo-cell | each cell holds a value                 |
| amo-cell | no cell holds two values                |
| alo-unit | each value is in a cell of a full unit  |
| amo-unit | no value is twice in a unit             |
"""

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.reduction import Reduction, VariableScheme
from sudoku_encode.formula.cardinality import at_most_one
from sudoku_encode.formula.cnf import Cnf, Group, Literals, each_once, in_order
from sudoku_encode.puzzles.arrays import freeze
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_encode.encoders.encoding import MakeCnf

# The clauses of the rules of boards up to this number of cells are kept, for the next puzzle.
_MAX_KEPT_CELLS = 1024


def uncovered_cell_reason(board: Geometry) -> str:
    """Return why a cell could hold two values, which only full units exclude; empty if each cell is in one."""
    covered = np.zeros(board.n_cells, bool)
    for rule in board.rules:
        if rule.units.shape[1] >= board.n_values:
            covered[rule.units] = True
    if covered.all():
        return ""
    uncovered = board.cell_name(int(np.argmin(covered)))
    return f"{uncovered} is in no unit of {board.n_values} cells, so it could hold two values"


def short_unit_reason(board: Geometry) -> str:
    """Return why "each value in each unit" does not imply "no value twice" on a board; empty if it does."""
    for rule in board.rules:
        if rule.units.shape[1] != board.n_values:
            return f"rule {rule.name} has units of {rule.units.shape[1]} cells for {board.n_values} values"
    return uncovered_cell_reason(board)


def direct_encoder(*groups: str) -> "MakeCnf":
    """Return the encoder with these groups of clauses."""

    def rules(board: Geometry, reduced: Reduction, amo: str, duplicates: bool) -> tuple[list[Group], int, Literals]:
        """Return the clauses of the rules, the number of variables, and those of the candidates."""
        x, n = number_candidates(reduced)
        clauses: list[Group] = []
        for group, sets in _at_least_one_sets(board, reduced, x, groups, duplicates):
            clauses += at_least_one(group, drop_zeros(sets))
        if "amo-cell" in groups:
            more, n = at_most_one("amo-cell", amo, drop_zeros(x.T), n)
            clauses += more
        if "amo-unit" in groups:
            more, n = _at_most_one_per_unit(board, x, amo, duplicates, n)
            clauses += more
        return clauses, n, freeze(x)

    # Puzzles that are not reduced share these, and so the text that is written of them.
    @lru_cache(maxsize=2)
    def rules_of_board(board: Geometry, amo: str, duplicates: bool) -> tuple[list[Group], int, Literals]:
        every = np.ones((board.n_cells, board.n_values), bool)
        return rules(board, Reduction(every, np.zeros(board.n_cells, bool)), amo, duplicates)

    def encode(puzzle: Puzzle, reduced: Reduction, amo: str, duplicates: bool) -> tuple[Cnf, Literals]:
        if reduced.candidates.all() and not reduced.decided.any() and puzzle.geometry.n_cells <= _MAX_KEPT_CELLS:
            clauses, n, x = rules_of_board(puzzle.geometry, amo, duplicates)
        else:
            clauses, n, x = rules(puzzle.geometry, reduced, amo, duplicates)
        return Cnf.of(n, [*clauses, *unit_clauses(puzzle, x)]), x[:, :, None]

    return encode


minimal = direct_encoder("alo-cell", "amo-unit")
efficient = direct_encoder("alo-cell", "amo-cell", "amo-unit")
extended = direct_encoder("alo-cell", "alo-unit", "amo-cell", "amo-unit")
dual = direct_encoder("amo-cell", "alo-unit")


def _at_least_one_sets(
    board: Geometry, reduced: Reduction, x: Literals, groups: Sequence[str], duplicates: bool
) -> list[tuple[str, Literals]]:
    """Return the sets of which one literal holds, by group: sets as columns (values, sets), padded with 0."""
    tables = [("alo-cell", x.T)] if "alo-cell" in groups else []
    if "alo-unit" not in groups:
        return tables
    placed = reduced.candidates & reduced.decided[:, None]
    for rule in board.full_rules:
        open_sets = ~placed[rule.units].any(axis=1).ravel()
        tables.append(("alo-unit", unit_sets(x, rule.units)[:, open_sets]))
    if duplicates or not tables:
        return tables
    # If the places of a value in a box are all in one row, the box may repeat the set of the row.
    names, sets = zip(*tables, strict=True)
    return list(zip(names, each_once(sets), strict=True))


def candidate_literals(reduced: Reduction) -> tuple[Literals, int]:
    """Return `Encoding.literals` for this encoding, and the number of variables."""
    x, n = number_candidates(reduced)
    return x[:, :, None], n


VARIABLES = VariableScheme("variable cell * {n} + value: the cell holds the value", candidate_literals)


def number_candidates(reduced: Reduction) -> tuple[Literals, int]:
    """Return a variable for every candidate of an undecided cell, cell by cell, 0 for none; and their number."""
    open_candidates = reduced.candidates & ~reduced.decided[:, None]
    x = np.zeros(open_candidates.shape, np.int32)
    count = int(np.count_nonzero(open_candidates))
    x[open_candidates] = np.arange(1, count + 1, dtype=np.int32)
    return x, count


def drop_zeros(sets: Literals) -> list[Literals]:
    """Remove the zeros from sets of literals (size, sets), and return one table for each resulting size."""
    sizes = np.count_nonzero(sets, axis=0)
    if len(sizes) and sizes.min() == len(sets):
        return [np.ascontiguousarray(sets)]
    # Numbers of 16 bits are sorted many times as fast as longer ones.
    sets = sets.T[np.argsort(sizes.astype(np.int16), kind="stable")]
    literals, start, tables = sets[sets != 0], 0, []
    for size, number in enumerate(np.bincount(sizes).tolist()):
        if size and number:
            tables.append(np.ascontiguousarray(literals[start : start + number * size].reshape(-1, size).T))
            start += number * size
    return tables


def at_least_one(name: str, tables: Sequence[Literals]) -> list[Group]:
    """Return the clauses that at least one literal of each set (a column) holds."""
    return [Group(name, in_order(len(table)), table) for table in tables]


def unit_clauses(puzzle: Puzzle, x: Literals) -> list[Group]:
    """Return unit clauses for the givens and for values that pencilmarks exclude, if they have variables."""
    given = np.where(puzzle.givens[:, None] > 0, x, 0)[puzzle.candidates]
    excluded = np.where(puzzle.givens[:, None] == 0, -x, 0)[~puzzle.candidates]
    return [
        Group.of("given", given[given != 0][:, None]),
        Group.of("pencilmark", excluded[excluded != 0][:, None]),
    ]


def unit_sets(x: Literals, units: NDArray[np.int32]) -> Literals:
    """Return the variables of each value in each unit, (cells per unit, units * values)."""
    return x[units].transpose(1, 0, 2).reshape(units.shape[1], -1)


def _at_most_one_per_unit(board: Geometry, x: Literals, amo: str, duplicates: bool, n: int) -> tuple[list[Group], int]:
    if amo != "pairwise":
        tables = [table for rule in board.rules for table in drop_zeros(unit_sets(x, rule.units))]
        groups, more = at_most_one("amo-unit", amo, tables, n)
        return _pairs_once(groups, n), more
    pairs = board.edges
    if duplicates:
        both = [np.stack(np.triu_indices(rule.units.shape[1], 1), axis=1) for rule in board.rules]
        pairs = np.concatenate(
            [rule.units[:, pair].reshape(-1, 2) for rule, pair in zip(board.rules, both, strict=True)]
        )
    if x.all():
        return [Group("amo-unit", -(pairs + 1), x)], n
    ends, conflicts = np.ascontiguousarray(pairs.T), [np.empty((2, 0), np.int32)]
    # One value at a time, so that only pairs of remaining candidates are stored.
    for variables in np.ascontiguousarray(x.T):
        first, second = variables[ends]
        both_open = np.flatnonzero((first != 0) & (second != 0))
        conflicts.append(np.stack([first[both_open], second[both_open]]))
    return [Group("amo-unit", -in_order(2), np.concatenate(conflicts, axis=1))], n


def _pairs_once(groups: Sequence[Group], n: int) -> list[Group]:
    """Return the groups without repeated pairs, which units may share; a pair has only variables up to n."""
    direct = [group for group in groups if group.table.max() <= n]
    if not direct:
        return list(groups)
    (pairs,) = each_once([np.concatenate([-chunk.T for group in direct for chunk in group.chunks()], axis=1)])
    others = [group for group in groups if group.table.max() > n]
    return [*others, Group("amo-unit", np.array([[-1, -2]], np.int32), pairs)]


# The encoding with triads: a variable for each value in the cells that a line and a box share.


def not_classic_reason(board: Geometry) -> str:
    """Return why a board is not a square with square boxes and only the rules row, column and box; empty if it is."""
    return "" if board.is_classic else "it needs a square with square boxes and just the rules row, column and box"


def triads(puzzle: Puzzle, reduced: Reduction, amo: str, duplicates: bool) -> tuple[Cnf, Literals]:
    """Encode with a variable for each value in each triad, the k cells that a line and a box share.

    A triad has a value iff exactly one of its cells holds it; of the k triads of a line, or of a box in one direction,
    exactly one has it. No other clauses connect lines and boxes.

    Source: Dillon, tdoku, other_minisat.cc (encoding 3, augmented).
    """
    n = puzzle.geometry.n_values
    k = isqrt(n)
    x, count = number_candidates(reduced)
    cells = np.arange(n * n).reshape(n, n)
    # (triads, k): those along rows line by line, then those along columns column by column.
    members = np.concatenate([cells.reshape(-1, k), cells.T.reshape(-1, k)])
    triad = (count + 1 + np.arange(2 * n * k * n, dtype=np.int32)).reshape(2, n, k, n)
    flat = triad.reshape(-1, n)
    definition = np.concatenate([x[members].transpose(1, 0, 2), -flat[None]]).reshape(k + 1, -1)
    # In both directions: a line's k triads, and a box's k triads, those of k neighbouring lines at one place.
    lines = triad.transpose(2, 0, 1, 3).reshape(k, -1)
    boxes = triad.reshape(2, k, k, k, n).transpose(2, 0, 1, 3, 4).reshape(k, -1)
    sets: dict[str, Literals] = {
        "cell": np.ascontiguousarray(x.T),
        "triad": definition,
        "line": lines,
        "box": boxes,
    }
    groups: list[Group] = []
    for name, table in sets.items():
        groups += at_least_one(f"alo-{name}", [table])
        groups += at_most_one(f"amo-{name}", amo, [table], 0)[0]
    return Cnf.of(count + triad.size, [*groups, *unit_clauses(puzzle, x)]), x[:, :, None]
