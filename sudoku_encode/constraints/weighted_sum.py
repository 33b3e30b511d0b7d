"""Weighted sum: the cells, each times its coefficient, add up to a number; they may be equal."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, total
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether they add up to something else."""
    amount, *coefficients = here.numbers
    return sum(times * values[cell] for times, cell in zip(coefficients, here.cells, strict=True)) != amount


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield the sum."""
    amount, *coefficients = here.numbers
    yield total(here.cells, amount, coefficients)


def unfit(here: Placed) -> str:
    """Refuse another number of coefficients than of cells."""
    wanted, found = len(here.cells), len(here.numbers) - 1
    return "" if found == wanted else f"{found} coefficients after the sum, for {wanted} cells"


def impossible(here: Placed) -> str:
    """Refuse a sum that no values have."""
    amount, *coefficients = here.numbers
    least = sum(min(times, times * here.n) for times in coefficients)
    most = sum(max(times, times * here.n) for times in coefficients)
    return "" if least <= amount <= most else f"the sum is {least} to {most}, never {amount}"
