"""How many variables and clauses encodings have, by arithmetic: no clause is made.

Of a whole puzzle an encoding has what it has of the empty board, and unit clauses for givens and pencilmarks. Of what
singles leave, the numbers of an `Open` determine it: the functions below, which the table of encodings names, say how.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pkgutil import resolve_name
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.encoding import CONTRADICTION, Choice, encode, encode_reduced
from sudoku_encode.encoders.many import encode_many_reduced
from sudoku_encode.encoders.reduction import Reductions, reduce_all
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.puzzles.geometry import Cells, Geometry, Rule, units_of_cells
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

Counts = NDArray[np.int64]


class Sizes(NamedTuple):
    """The numbers of variables and of clauses of some puzzles, int64 (m,) each."""

    variables: Counts
    clauses: Counts


@dataclass(frozen=True, eq=False)
class Open:
    """What singles leave of some puzzles on one board, in numbers, for at-most-one by pairs and each clause once.

    Attributes:
        domains: int64 (m, n_cells): how many candidates each cell has, 0 where it is decided.
        unit_values: int64 (m,): values that have no place yet in a full unit; those with the same places as in a unit
            before are not counted.
        conflicts: int64 (m,): peers with a candidate in common, each pair once for each such candidate.
    """

    domains: Counts
    unit_values: Counts
    conflicts: Counts

    @property
    def cells(self) -> Counts:
        """How many cells are not decided, (m,)."""
        counted: Counts = np.count_nonzero(self.domains, axis=1)
        return counted

    @property
    def candidates(self) -> Counts:
        """How many candidates they have together, (m,)."""
        counted: Counts = self.domains.sum(axis=1)
        return counted

    @property
    def cell_pairs(self) -> Counts:
        """How many pairs of candidates of one cell there are, (m,)."""
        counted: Counts = (self.domains * (self.domains - 1) // 2).sum(axis=1)
        return counted


def minimal(left: Open) -> Sizes:
    """Return the sizes of `direct.minimal`."""
    return Sizes(left.candidates, left.cells + left.conflicts)


def efficient(left: Open) -> Sizes:
    """Return the sizes of `direct.efficient`."""
    return Sizes(left.candidates, left.cells + left.cell_pairs + left.conflicts)


def extended(left: Open) -> Sizes:
    """Return the sizes of `direct.extended`."""
    return Sizes(left.candidates, left.cells + left.unit_values + left.cell_pairs + left.conflicts)


def dual(left: Open) -> Sizes:
    """Return the sizes of `direct.dual`."""
    return Sizes(left.candidates, left.unit_values + left.cell_pairs)


def order(left: Open) -> Sizes:
    """Return the sizes of `order.encode`."""
    steps = np.maximum(left.domains - 1, 0)
    return Sizes(steps.sum(axis=1), np.maximum(steps - 1, 0).sum(axis=1) + left.conflicts)


def log(left: Open) -> Sizes:
    """Return the sizes of `log.encode`."""
    bits = np.ceil(np.log2(np.maximum(left.domains, 1))).astype(np.int64)
    unused = np.where(left.domains > 0, (1 << bits) - left.domains, 0)
    return Sizes(bits.sum(axis=1), unused.sum(axis=1) + left.conflicts)


def whole(puzzles: Sequence[Puzzle], encoding: str, amo: str) -> Sizes:
    """Return the sizes of an encoding of some puzzles on one board that leaves nothing out."""
    empty, variables, clauses = _of_empty_board(puzzles[0].geometry, encoding, amo)
    given = np.stack([puzzle.givens for puzzle in puzzles])
    # A value is as many unit clauses as it has literals, the same in all cells of the empty board; 0 is no given.
    of_value = np.concatenate([[0], np.count_nonzero(empty[0], axis=1)])
    excluded = [np.count_nonzero(~puzzle.candidates[puzzle.givens == 0]) for puzzle in puzzles]
    return Sizes(np.full(len(puzzles), variables), clauses + of_value[given].sum(axis=1) + excluded)


@lru_cache(maxsize=64)
def _of_empty_board(board: Geometry, encoding: str, amo: str) -> tuple[NDArray[np.int32], int, int]:
    """Return the literals of the first cell of an empty board, (1, n_values, width), and its variables and clauses."""
    encoded = encode(Puzzle.of(board), encoding, reduction="none", amo=amo)
    return encoded.literals[:1].copy(), encoded.cnf.n_variables, encoded.cnf.n_clauses


def reduced(puzzles: Sequence[Puzzle], left: Reductions, counted: Open, encoding: str, amo: str) -> Sizes:
    """Return the sizes of an encoding of what singles leave of some puzzles on one board.

    Args:
        puzzles: at least one.
        left: what singles leave of them.
        counted: that in numbers; see `count_open`.
        encoding: a key of ENCODINGS that takes a reduction.
        amo: a key of AT_MOST_ONE.
    """
    name = ENCODINGS[encoding].size
    if amo == "pairwise" and name:
        found: Sizes = resolve_name(name)(counted)
        failed = np.array([bool(reason) for reason in left.contradictions])
        none = CONTRADICTION.n_variables, CONTRADICTION.n_clauses
        return Sizes(*(np.where(failed, *both) for both in zip(none, found, strict=True)))
    made = [one.cnf for one in encode_many_reduced(puzzles, list(left), Choice(encoding, amo))]
    return Sizes(*np.array([[cnf.n_variables, cnf.n_clauses] for cnf in made], np.int64).T)


def after_singles(puzzle: Puzzle, choice: Choice) -> tuple[int, int, str]:
    """Return the variables and clauses that `--reduce singles` leaves of a puzzle, and why there is no solution, if so.

    Args:
        puzzle: any that the encoding takes.
        choice: an encoding that takes a reduction, and its options.
    """
    low = lowered(puzzle)
    reductions = reduce_all([low.puzzle], "singles")
    (reduction,) = reductions
    if low.primitives or choice.duplicates:
        # Arithmetic counts units, and each clause once.
        encoded = encode_reduced(puzzle, reduction, choice)
        return encoded.cnf.n_variables, encoded.cnf.n_clauses, encoded.contradiction
    counted = count_open(low.puzzle.geometry, reductions)
    variables, clauses = reduced([low.puzzle], reductions, counted, choice.encoding, choice.amo)
    return int(variables[0]), int(clauses[0]), reduction.contradiction


def count_open(board: Geometry, left: Reductions) -> Open:
    """Count what singles leave of some puzzles on a board; of one without a solution the numbers say nothing."""
    candidates = left.candidates & ~left.decided[:, :, None]
    unit_values = np.zeros(len(candidates), np.int64)
    for rule in board.full_rules:
        unit_values += np.count_nonzero(candidates[:, rule.units].any(axis=2), axis=(1, 2))
    unit_values -= _same_places(board, candidates)
    # Sets of values as bits.
    values = np.packbits(candidates, axis=2)
    both = np.bitwise_count(values[:, board.edges[:, 0]] & values[:, board.edges[:, 1]])
    return Open(candidates.sum(axis=2, dtype=np.int64), unit_values, both.sum(axis=(1, 2), dtype=np.int64))


def _same_places(board: Geometry, candidates: Candidates) -> Counts:
    """Count the values whose places in a full unit are those in a unit of a rule before, (m,).

    Both units have all these places then. There are at least two of them, since a single one would be decided.
    """
    found = np.zeros(len(candidates), np.int64)
    none = np.zeros_like(candidates[:, :1])
    with_no_cell = np.concatenate([candidates, none], axis=1)
    for shared, others, first_of_unit in _overlaps(board):
        same = with_no_cell[:, shared].any(axis=2) & ~with_no_cell[:, others].any(axis=2)
        found += np.count_nonzero(np.logical_or.reduceat(same, first_of_unit, axis=1), axis=(1, 2))
    return found


@lru_cache(maxsize=8)
def _overlaps(board: Geometry) -> list[tuple[Cells, Cells, NDArray[np.intp]]]:
    """Return for each full rule which of its units have two cells or more in common with a unit of a rule before.

    Returns:
        The cells that two units share (p, n_values), those that one of them has alone (p, 2 * n_values), both padded
        with `n_cells`, which is no cell; and where in them those of another unit of the rule begin.
    """
    found = []
    for later, rule in enumerate(board.full_rules):
        pairs = [_shared_cells(board, earlier, rule) for earlier in board.full_rules[:later]]
        units, shared, others = (np.concatenate(part) for part in zip(*pairs, strict=True)) if pairs else ((),) * 3
        if not len(units):
            continue
        in_order = np.argsort(units, kind="stable")
        first_of_unit = np.flatnonzero(np.diff(units[in_order], prepend=-1))
        found.append((shared[in_order], others[in_order], first_of_unit))
    return found


def _shared_cells(board: Geometry, one: Rule, other: Rule) -> tuple[Cells, Cells, Cells]:
    """Return for units of two rules with two cells in common the second's number, and the cells as `_overlaps` does."""
    unit_of_one, unit_of_other = (units_of_cells([rule], board.n_cells)[:, 0] for rule in (one, other))
    in_both = (unit_of_one >= 0) & (unit_of_other >= 0)
    pairs, sizes = np.unique(np.stack([unit_of_one, unit_of_other])[:, in_both], axis=1, return_counts=True)
    first, second = pairs[:, sizes > 1]
    of_first, of_second = one.units[first], other.units[second]
    is_shared = unit_of_other[of_first] == second[:, None]
    is_shared_too = unit_of_one[of_second] == first[:, None]
    shared = np.where(is_shared, of_first, board.n_cells)
    alone = [np.where(is_shared, board.n_cells, of_first), np.where(is_shared_too, board.n_cells, of_second)]
    return second, shared, np.concatenate(alone, axis=1)
