"""The extended encoding, written a second time as plainly as possible, to compare a CNF with clause by clause.

It shares no code with `encoders`. Variable `cell * n + value` says that the cell holds the value; cells are numbered
from 0 in reading order, values from 1.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.puzzles.puzzle import Grids, Puzzle


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
