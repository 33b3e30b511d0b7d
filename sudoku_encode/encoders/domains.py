"""The order and the log encoding, in which the variables of a cell encode the index of its value in its domain.

A value of a cell is then a conjunction of literals, so that a conflict of two peers is one clause.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.reduction import Reduction, VariableScheme
from sudoku_encode.formula.cnf import Cnf, Group, Literals, by_width
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

Sizes = NDArray[np.int64]


def number_domains(candidates: Candidates, per_domain: Callable[[Sizes], Sizes]) -> tuple[Sizes, Sizes, Literals]:
    """Number the variables of all cells, cell by cell; a domain of k values has `per_domain(k)`.

    Return the sizes of the domains (n_cells,), the index of each value in its domain (n_cells, n_values), and the
    number of the first variable of each cell, int32 (n_cells, 1).
    """
    sizes = candidates.sum(axis=1)
    counts = per_domain(sizes)
    first = (np.cumsum(counts) - counts + 1).astype(np.int32)
    return sizes, np.cumsum(candidates, axis=1) - 1, first[:, None]


def with_conflicts(
    puzzle: Puzzle, reduced: Reduction, domain_clauses: list[Group], literals: Literals, n: int
) -> tuple[Cnf, Literals]:
    """Return the formula of the domain clauses, the conflicts between peers and the givens, with its literals.

    Domain clauses exclude assignments of a cell's variables that stand for no value.
    """
    groups = [*domain_clauses, *_conflicts(puzzle.geometry, reduced.candidates, literals)]
    fixed = (puzzle.givens > 0)[:, None] & puzzle.candidates & reduced.candidates
    given = literals[fixed]
    groups.append(Group.of("given", given[given != 0][:, None]))
    groups += _clauses("pencilmark", -literals[(puzzle.givens == 0)[:, None] & ~puzzle.candidates & reduced.candidates])
    return Cnf.of(n, groups), literals


def _conflicts(board: Geometry, candidates: Candidates, literals: Literals) -> list[Group]:
    """Return a clause for every edge and value: the ends do not both hold it."""
    if not candidates.all():
        # A cell with one candidate has no variable: its clauses name the peer alone, once for all such cells.
        single = candidates.sum(axis=1) == 1
        groups = []
        for value in range(board.n_values):
            pairs = board.edges[candidates[board.edges, value].all(axis=1)]
            both = pairs[~single[pairs].any(axis=1)]
            groups += _clauses("amo-unit", -literals[both, value].reshape(len(both), 2 * literals.shape[2]))
            peers = np.unique(pairs[:, ::-1][single[pairs]])
            groups += _clauses("amo-unit", -literals[peers, value])
        return groups
    # All domains are equal: values with the same literal positions share one pattern over the edges.
    used: NDArray[np.bool_] = literals[0] != 0
    groups = []
    for kind in sorted({tuple(row) for row in used.tolist()}):
        places, values = np.flatnonzero(kind), np.flatnonzero((used == kind).all(axis=1))
        table = literals[:, values][:, :, places].transpose(0, 2, 1).reshape(-1, len(values))
        rows = board.edges[:, :, None] * len(places) + np.arange(len(places), dtype=np.int32)
        pattern = -(rows.reshape(len(rows), -1) + 1).astype(np.int32)
        groups.append(Group("amo-unit", pattern, np.ascontiguousarray(table)))
    return groups


def _clauses(name: str, padded: Literals) -> list[Group]:
    """Return padded clauses (m, width) without their zeros."""
    return by_width(name, padded[padded != 0], np.count_nonzero(padded, axis=1))


# The order encoding: a variable means that a cell's value comes after the i-th of its domain.

_ORDER_NUMBERING = "variable cell * ({n} - 1) + i: the cell's value is greater than i, for i = 1 .. {n} - 1"


def encode_order(puzzle: Puzzle, reduced: Reduction, amo: str, duplicates: bool) -> tuple[Cnf, Literals]:
    """Encode with k - 1 variables for a domain of k values; `after i` implies `after i - 1`.

    Source: Tamura et al. 2009.
    Differs: all-different is a clause per edge and value, with no ordering of the peers.
    """
    literals, n = order_literals(reduced)
    # A value in the middle of its domain: after the one before, and not after itself.
    after, not_after = literals[(literals != 0).all(axis=2)].T
    order = Group.of("order", np.stack([not_after, after], axis=1))
    return with_conflicts(puzzle, reduced, [order], literals, n)


def order_literals(reduced: Reduction) -> tuple[Literals, int]:
    """Return `Encoding.literals` for this encoding, and the number of variables."""
    sizes, place, first = number_domains(reduced.candidates, lambda k: k - 1)
    after = np.where(reduced.candidates & (place > 0), first + place - 1, 0)
    not_after = np.where(reduced.candidates & (place < sizes[:, None] - 1), -(first + place), 0)
    return np.stack([after, not_after], axis=2).astype(np.int32), int((sizes - 1).sum())


ORDER_VARIABLES = VariableScheme(_ORDER_NUMBERING, order_literals)


# The log encoding: the variables are the binary digits of the index of a value in its domain.

_LOG_NUMBERING = "variable cell * {bits} + i + 1: binary digit i of the cell's value less 1, for i = 0 .. {bits} - 1"


def encode_log(puzzle: Puzzle, reduced: Reduction, amo: str, duplicates: bool) -> tuple[Cnf, Literals]:
    """Encode with ceil(log2 k) variables for a domain of k values; unused codes are excluded.

    Source: Iwama & Miyazaki 1994; Van Gelder 2008.
    """
    literals, n = log_literals(reduced)
    sizes = reduced.candidates.sum(axis=1)
    unused = []
    for size in np.flatnonzero(np.bincount(sizes)).tolist():
        width = int(_bits(np.array(size)))
        cells = sizes == size
        digit = np.abs(literals[cells][reduced.candidates[cells]].reshape(-1, size, literals.shape[2])[:, 0])
        for code in range(size, 1 << width):
            sign = np.where(code >> np.arange(width) & 1, -1, 1)
            unused.append(Group.of("alo-cell", digit[:, :width] * sign))
    return with_conflicts(puzzle, reduced, unused, literals, n)


def log_literals(reduced: Reduction) -> tuple[Literals, int]:
    """Return `Encoding.literals` for this encoding, and the number of variables."""
    sizes, place, first = number_domains(reduced.candidates, _bits)
    bits = _bits(sizes)
    digit = np.arange(max(1, int(bits.max())))
    sign = np.where(place[:, :, None] >> digit & 1, 1, -1)
    used = reduced.candidates[:, :, None] & (digit < bits[:, None, None])
    return np.where(used, sign * (first[:, :, None] + digit), 0).astype(np.int32), int(bits.sum())


def _bits(sizes: Sizes) -> Sizes:
    """Return the number of binary digits for 0 .. size - 1."""
    return np.ceil(np.log2(sizes)).astype(np.int64)


LOG_VARIABLES = VariableScheme(_LOG_NUMBERING, log_literals)
