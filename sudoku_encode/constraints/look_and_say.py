"""Look-and-say: as many cells as a number says hold the value that follows it, for each pair of numbers."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Allowed, Primitive, automaton, values_that
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether another number of cells hold a value."""
    held = [values[cell] for cell in here.cells]
    return any(held.count(value) != times for times, value in _pairs(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield for each value an automaton that counts it; a value that is never there is out."""
    for times, value in _pairs(here):
        if times:
            yield _counter(here, times, value)
        else:
            for cell in here.cells:
                yield Allowed(cell, values_that(here.n, value.__ne__))


def unfit(here: Placed) -> str:
    """Refuse numbers that are no pairs, and values that the board does not have."""
    if len(here.numbers) % 2:
        return f"{len(here.numbers)} numbers are no pairs; write how often, and then which value"
    wrong = next((value for _, value in _pairs(here) if not 1 <= value <= here.n), None)
    if wrong is not None:
        return f"{wrong} is no value from 1 to {here.n}"
    return ""


def impossible(here: Placed) -> str:
    """Refuse more cells than there are, for a value or for all of them, and two numbers for a value."""
    most = len(here.cells)
    wrong = next((times for times, _ in _pairs(here) if not 0 <= times <= most), None)
    if wrong is not None:
        return f"0 to {most} cells hold a value, never {wrong}"
    times_of: dict[int, int] = {}
    for times, value in _pairs(here):
        if times_of.setdefault(value, times) != times:
            return f"{times_of[value]} and {times} cells should hold {value}"
    needed = sum(times_of.values())
    return f"its values take {needed} cells, and {most} are here" if needed > most else ""


def _counter(here: Placed, times: int, counted: int) -> Primitive:
    def step(seen: int, value: int) -> int | None:
        after = seen + (value == counted)
        return after if after <= times else None

    return automaton(here.cells, here.n, 0, step, lambda seen: seen == times)


def _pairs(here: Placed) -> list[tuple[int, int]]:
    return list(zip(here.numbers[::2], here.numbers[1::2], strict=True))
