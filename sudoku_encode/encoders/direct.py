"""The direct encoding: a variable says that a cell holds a value.

The variants differ in which of four groups of clauses they have:

| group    | says                                    |
|----------|-----------------------------------------|
| alo-cell | each cell holds a value                 |
| amo-cell | no cell holds two                       |
| alo-unit | each value is somewhere in a full unit  |
| amo-unit | no value is twice in a unit             |
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.formula.cardinality import at_most_one
from sudoku_encode.formula.cnf import Cnf, Group, Literals, each_once, in_order
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_encode.encoders.encoding import MakeCnf

NUMBERING = "variable cell * {n} + value: the cell holds the value"


def needs_full_cover(board: Geometry) -> str:
    """Refuse a board where a cell could hold two values: nothing but counting in a full unit forbids it."""
    covered = np.zeros(board.n_cells, bool)
    for rule in board.rules:
        if rule.units.shape[1] >= board.n_values:
            covered[rule.units] = True
    if covered.all():
        return ""
    loose = board.cell_name(int(np.argmin(covered)))
    return f"{loose} is in no unit of {board.n_values} cells, so it could hold two values"


def needs_only_full_units(board: Geometry) -> str:
    """Refuse a board on which `each value in each unit` does not imply `no value twice`."""
    for rule in board.rules:
        if rule.units.shape[1] != board.n_values:
            return f"rule {rule.name} has units of {rule.units.shape[1]} cells for {board.n_values} values"
    return needs_full_cover(board)


def encoder(*groups: str) -> "MakeCnf":
    """Return the encoder with these groups of clauses."""

    def encode(puzzle: Puzzle, reduced: Reduction, amo: str, duplicates: bool) -> tuple[Cnf, Literals]:
        x, n = number_candidates(reduced)
        clauses: list[Group] = []
        for group, sets in _sets(puzzle.geometry, reduced, x, groups, duplicates):
            clauses += at_least_one(group, drop_zeros(sets))
        if "amo-cell" in groups:
            more, n = at_most_one("amo-cell", amo, drop_zeros(x.T), n)
            clauses += more
        if "amo-unit" in groups:
            more, n = _at_most_one_per_unit(puzzle.geometry, x, amo, duplicates, n)
            clauses += more
        return Cnf.of(n, [*clauses, *unit_clauses(puzzle, x)]), x[:, :, None]

    return encode


minimal = encoder("alo-cell", "amo-unit")
efficient = encoder("alo-cell", "amo-cell", "amo-unit")
extended = encoder("alo-cell", "alo-unit", "amo-cell", "amo-unit")
dual = encoder("amo-cell", "alo-unit")


def _sets(
    board: Geometry, reduced: Reduction, x: Literals, groups: Sequence[str], duplicates: bool
) -> list[tuple[str, Literals]]:
    """Return what must have one literal that holds, by group: sets as columns (values, sets), with zeros."""
    tables = [("alo-cell", x.T)] if "alo-cell" in groups else []
    if "alo-unit" not in groups:
        return tables
    placed = reduced.candidates & reduced.decided[:, None]
    for rule in board.full_rules:
        open_sets = ~placed[rule.units].any(axis=1).ravel()
        tables.append(("alo-unit", unit_sets(x, rule.units)[:, open_sets]))
    if duplicates or not tables:
        return tables
    # Where a value's places in a box are all in one row, the box may say the same as the row.
    names, sets = zip(*tables, strict=True)
    return list(zip(names, each_once(sets), strict=True))


def candidate_literals(reduced: Reduction) -> tuple[Literals, int]:
    """Return what `Encoding.literals` is for this encoding, and how many variables that takes."""
    x, n = number_candidates(reduced)
    return x[:, :, None], n


def number_candidates(reduced: Reduction) -> tuple[Literals, int]:
    """Number a variable for every candidate of an undecided cell, cell by cell.

    Returns:
        int32 (n_cells, n_values), 0 where there is none, and how many there are.
    """
    open_candidates = reduced.candidates & ~reduced.decided[:, None]
    x = np.zeros(open_candidates.shape, np.int32)
    count = int(np.count_nonzero(open_candidates))
    x[open_candidates] = np.arange(1, count + 1, dtype=np.int32)
    return x, count


def drop_zeros(sets: Literals) -> list[Literals]:
    """Take the zeros out of sets of literals (size, sets), and return the rest as one table per size that is left."""
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
    """Return the clauses that one literal of each set (a column) holds."""
    return [Group(name, in_order(len(table)), table) for table in tables]


def unit_clauses(puzzle: Puzzle, x: Literals) -> list[Group]:
    """Return as unit clauses the givens, and what pencilmarks exclude, as far as they still have variables."""
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
        pairs = np.concatenate([rule.units[:, at].reshape(-1, 2) for rule, at in zip(board.rules, both, strict=True)])
    if x.all():
        return [Group("amo-unit", -(pairs + 1), x)], n
    ends, conflicts = np.ascontiguousarray(pairs.T), [np.empty((2, 0), np.int32)]
    # One value at a time, so that only pairs of live candidates are ever held for more than a moment.
    for variables in np.ascontiguousarray(x.T):
        first, second = variables[ends]
        kept = np.flatnonzero((first != 0) & (second != 0))
        conflicts.append(np.stack([first[kept], second[kept]]))
    return [Group("amo-unit", -in_order(2), np.concatenate(conflicts, axis=1))], n


def _pairs_once(groups: Sequence[Group], n: int) -> list[Group]:
    """Return the groups without pairs that came before: some ways exclude pairs directly, and units may share them.

    Args:
        groups: of all units.
        n: the number of variables without the auxiliary ones; a clause of these alone is a pair.
    """
    direct = [group for group in groups if group.table.max() <= n]
    if not direct:
        return list(groups)
    (pairs,) = each_once([np.concatenate([-chunk.T for group in direct for chunk in group.chunks()], axis=1)])
    others = [group for group in groups if group.table.max() > n]
    return [*others, Group("amo-unit", np.array([[-1, -2]], np.int32), pairs)]
