"""The extended encoding once more, as plainly as it can be written, to compare a CNF with clause by clause.

It shares no code with `encoders`. Variable `cell * n + value` says that the cell holds the value; cells are numbered
from 0 in reading order, values from 1.
"""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.puzzle import Puzzle

Clause = frozenset[int]


def clauses(puzzle: Puzzle) -> Iterator[Clause]:
    """Yield the clauses that say what a solution is, some of them more than once."""
    n = puzzle.geometry.n_values
    cells, values = range(puzzle.geometry.n_cells), range(1, n + 1)
    for cell in cells:
        yield frozenset(cell * n + value for value in values)
        for one, other in combinations(values, 2):
            yield frozenset((-(cell * n + one), -(cell * n + other)))
    for rule in puzzle.geometry.rules:
        for unit in rule.units.tolist():
            for value in values:
                if len(unit) == n:
                    yield frozenset(cell * n + value for cell in unit)
                for first, second in combinations(unit, 2):
                    yield frozenset((-(first * n + value), -(second * n + value)))
    for cell, given in enumerate(puzzle.givens.tolist()):
        if given:
            yield frozenset((cell * n + given,))
        elif puzzle.pencilmarks is not None:
            for value in values:
                if not puzzle.pencilmarks[cell, value - 1]:
                    yield frozenset((-(cell * n + value),))


def blocking(puzzle: Puzzle, grid: list[int]) -> Clause:
    """Return the clause that excludes one solution: some blank holds another value."""
    n = puzzle.geometry.n_values
    return frozenset(-(cell * n + grid[cell]) for cell in puzzle.blanks.tolist())


def sentence(puzzle: Puzzle, clause: Clause) -> str:
    """Say a clause in words of the board, shortened."""
    n = puzzle.geometry.n_values
    parts = []
    for literal in sorted(clause, key=abs)[:4]:
        cell, value = divmod(abs(literal) - 1, n)
        inside = cell < puzzle.geometry.n_cells
        name = puzzle.geometry.label(cell) if inside else f"variable {abs(literal)}"
        parts.append(f"{name} {'is' if literal > 0 else 'is not'} {value + 1}" if inside else name)
    more = f" or {len(clause) - 4} more" if len(clause) > 4 else ""
    return f"({' or '.join(parts)}{more})" if parts else "(the empty clause)"
