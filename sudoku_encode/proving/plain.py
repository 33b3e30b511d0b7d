"""The extended encoding, written a second time as plainly as possible, to compare a CNF with clause by clause.

It shares no code with `encoders`. Variable `cell * n + value` says that the cell holds the value; cells are numbered
from 0 in reading order, values from 1. Constraints have more variables after these: see `plain_constraints`.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving import plain_constraints
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.puzzles.puzzle import Grids, Puzzle


def each_once(puzzle: Puzzle) -> dict[int, Numbers]:
    """Return the clauses that say what a solution is, each once, by their width, a clause of sorted literals a row.

    Raises:
        MethodError: the constraints have too many.
    """
    found: defaultdict[int, list[Numbers]] = defaultdict(list)
    for family in clauses(puzzle):
        found[family.shape[1]].append(family)
    rows = {width: np.sort(np.concatenate(families), axis=1) for width, families in found.items()}
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
    return _constraints(puzzle)[1] if puzzle.constraints else puzzle.geometry.n_cells * puzzle.geometry.n_values


@lru_cache(maxsize=2)
def _constraints(puzzle: Puzzle) -> tuple[tuple[Numbers, ...], int]:
    """Return the clauses of the constraints, those of a width together, and how many variables there are."""
    found, n = plain_constraints.clauses(puzzle)
    by_width: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for clause in found:
        by_width[len(clause)].append(clause)
    return tuple(np.array(rows, np.int32).reshape(len(rows), width) for width, rows in by_width.items()), n


def clauses(puzzle: Puzzle) -> Iterator[Numbers]:
    """Yield the clauses that say what a solution is, a clause a row; some of them come more than once."""
    n = puzzle.geometry.n_values
    variable = np.arange(1, puzzle.geometry.n_cells * n + 1, dtype=np.int32).reshape(-1, n)
    # Each cell holds a value, and no two.
    yield variable
    for one, other in combinations(range(n), 2):
        yield -variable[:, [one, other]]
    for rule in puzzle.geometry.rules:
        for value in range(n):
            # No two cells of a unit hold the same value; with as many cells as values, one of them holds it.
            places = variable[rule.units, value]
            if places.shape[1] == n:
                yield places
            for one, other in combinations(range(places.shape[1]), 2):
                yield -places[:, [one, other]]
    given = np.flatnonzero(puzzle.givens)
    yield variable[given, puzzle.givens[given] - 1, None]
    if puzzle.pencilmarks is not None:
        yield -variable[(puzzle.givens == 0)[:, None] & ~puzzle.pencilmarks][:, None]
    if puzzle.constraints:
        yield from _constraints(puzzle)[0]


def blocking(puzzle: Puzzle, grids: Grids) -> Numbers:
    """Return for each of some solutions, (m, n_cells), the clause that excludes it: some blank holds another value."""
    blanks = puzzle.blanks
    return -(blanks * puzzle.geometry.n_values + grids[:, blanks]).astype(np.int32)


def sentence(puzzle: Puzzle, clause: list[int]) -> str:
    """Say a clause in words of the board, shortened."""
    n = puzzle.geometry.n_values
    parts = []
    for literal in sorted(clause, key=abs)[:4]:
        cell, value = divmod(abs(literal) - 1, n)
        inside = cell < puzzle.geometry.n_cells
        name = puzzle.geometry.cell_name(cell) if inside else f"variable {abs(literal)}"
        parts.append(f"{name} {'is' if literal > 0 else 'is not'} {value + 1}" if inside else name)
    more = f" or {len(clause) - 4} more" if len(clause) > 4 else ""
    return f"({' or '.join(parts)}{more})" if parts else "(the empty clause)"
