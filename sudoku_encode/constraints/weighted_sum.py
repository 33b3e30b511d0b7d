"""Weighted sum: the cells, each times its coefficient, add up to the number; values may repeat."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the sum is wrong."""
    amount, *coefficients = c.numbers
    return sum(times * values[cell] for times, cell in zip(coefficients, c.cells, strict=True)) != amount


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield the sum."""
    amount, *coefficients = c.numbers
    yield total(c.cells, amount, coefficients)


def unfit(c: BoundConstraint) -> str:
    """Return why the numbers of coefficients and of cells differ."""
    n_cells, n_coefficients = len(c.cells), len(c.numbers) - 1
    return "" if n_coefficients == n_cells else f"{n_coefficients} coefficients after the sum, for {n_cells} cells"


def impossible(c: BoundConstraint) -> str:
    """Return why no values have the sum."""
    amount, *coefficients = c.numbers
    least = sum(min(times, times * c.n) for times in coefficients)
    most = sum(max(times, times * c.n) for times in coefficients)
    return "" if least <= amount <= most else f"impossible sum {amount}: expected {least} to {most}"
