"""What the order and the log encoding share: a cell's variables stand for the place of its value in its domain.

A value of a cell is then a conjunction of literals, so that `two peers do not both hold it` is one clause.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.formula.cnf import Cnf, Group, Literals, by_width
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

Sizes = NDArray[np.int64]


def number_domains(candidates: Candidates, per_domain: Callable[[Sizes], Sizes]) -> tuple[Sizes, Sizes, Literals]:
    """Number the variables of all cells, cell by cell.

    Args:
        candidates: the domains, bool (n_cells, n_values).
        per_domain: how many variables a domain of k values needs.

    Returns:
        The domains' sizes (n_cells,), the place of each value in its domain (n_cells, n_values), and the number of
        each cell's first variable, int32 (n_cells, 1).
    """
    sizes = candidates.sum(axis=1)
    counts = per_domain(sizes)
    first = (np.cumsum(counts) - counts + 1).astype(np.int32)
    return sizes, np.cumsum(candidates, axis=1) - 1, first[:, None]


def with_conflicts(
    puzzle: Puzzle, reduced: Reduction, domain_clauses: list[Group], literals: Literals, n: int
) -> tuple[Cnf, Literals]:
    """Add the conflicts between peers and the givens, and return the formula with its literals.

    Args:
        puzzle: what is encoded.
        reduced: its candidates.
        domain_clauses: which values of a cell's variables mean something.
        literals: see `Encoding.literals`.
        n: the number of variables.
    """
    groups = [*domain_clauses, *_conflicts(puzzle.geometry, reduced.candidates, literals)]
    fixed = (puzzle.givens > 0)[:, None] & puzzle.candidates & reduced.candidates
    given = literals[fixed]
    groups.append(Group.of("given", given[given != 0][:, None]))
    groups += _clauses("pencilmark", -literals[(puzzle.givens == 0)[:, None] & ~puzzle.candidates & reduced.candidates])
    return Cnf.of(n, groups), literals


def _conflicts(board: Geometry, candidates: Candidates, literals: Literals) -> list[Group]:
    """Return a clause for every edge and value: not both ends hold it."""
    if not candidates.all():
        # A cell with one candidate has no variable: a clause with it names its peer alone, once for all such cells.
        single = candidates.sum(axis=1) == 1
        groups = []
        for value in range(board.n_values):
            pairs = board.edges[candidates[board.edges, value].all(axis=1)]
            both = pairs[~single[pairs].any(axis=1)]
            groups += _clauses("amo-unit", -literals[both, value].reshape(len(both), 2 * literals.shape[2]))
            peers = np.unique(pairs[:, ::-1][single[pairs]])
            groups += _clauses("amo-unit", -literals[peers, value])
        return groups
    # All domains are alike: the values that take the same literals of a cell share one pattern over the edges.
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
