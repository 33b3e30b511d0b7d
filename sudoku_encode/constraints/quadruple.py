"""Quadruple: the cells contain the values, each at least as often as it is named."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the cells contain a value too rarely."""
    cell_values = [values[cell] for cell in c.cells]
    return any(cell_values.count(value) < c.numbers.count(value) for value in c.numbers)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield clauses for each value that k cells must hold: of any set of all cells but k - 1, one holds it."""
    for value in dict.fromkeys(c.numbers):
        k = c.numbers.count(value)
        for cells in combinations(c.cells, len(c.cells) - k + 1):
            yield Clause(tuple((cell, value) for cell in cells))


def unfit(c: BoundConstraint) -> str:
    """Return why a number is not a value of the board, or why there are more values than cells."""
    wrong = next((value for value in c.numbers if not 1 <= value <= c.n), None)
    if wrong is not None:
        return f"not a value: {wrong} (1 to {c.n})"
    if len(c.numbers) > len(c.cells):
        return f"{len(c.numbers)} values for {len(c.cells)} cells"
    return ""
