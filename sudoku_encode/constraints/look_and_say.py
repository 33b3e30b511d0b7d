"""Look-and-say: the numbers are pairs (times, value), and exactly so many cells hold the value."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Domain, Primitive, automaton, values_that
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the number of cells with some value is wrong."""
    cell_values = [values[cell] for cell in c.cells]
    return any(cell_values.count(value) != times for times, value in _pairs(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton for each value that counts it; a value with 0 times is excluded."""
    for times, value in _pairs(c):
        if times:
            yield _counter(c, times, value)
        else:
            for cell in c.cells:
                yield Domain(cell, values_that(c.n, value.__ne__))


def unfit(c: BoundConstraint) -> str:
    """Return why the numbers are not pairs, or a value is not one of the board."""
    if len(c.numbers) % 2:
        return f"{len(c.numbers)} numbers are not pairs; expected how often, and then which value"
    wrong = next((value for _, value in _pairs(c) if not 1 <= value <= c.n), None)
    if wrong is not None:
        return f"not a value: {wrong} (1 to {c.n})"
    return ""


def impossible(c: BoundConstraint) -> str:
    """Return why the numbers cannot hold: too many cells, or two numbers for one value."""
    most = len(c.cells)
    wrong = next((times for times, _ in _pairs(c) if not 0 <= times <= most), None)
    if wrong is not None:
        return f"{wrong} cells cannot hold a value: expected 0 to {most}"
    times_of: dict[int, int] = {}
    for times, value in _pairs(c):
        if times_of.setdefault(value, times) != times:
            return f"{times_of[value]} and {times} cells should hold {value}"
    needed = sum(times_of.values())
    return f"its values take {needed} cells, but it has {most}" if needed > most else ""


def _counter(c: BoundConstraint, times: int, counted: int) -> Primitive:
    def step(seen: int, value: int) -> int | None:
        after = seen + (value == counted)
        return after if after <= times else None

    return automaton(c.cells, c.n, 0, step, lambda seen: seen == times)


def _pairs(c: BoundConstraint) -> list[tuple[int, int]]:
    return list(zip(c.numbers[::2], c.numbers[1::2], strict=True))
