"""X-sum: the first X cells add up to the number, where X is the value of the first cell."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Primitive, Steps, automaton
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the sum is wrong or there are fewer than X cells."""
    line = [values[cell] for cell in c.cells]
    return line[0] > len(line) or sum(line[: line[0]]) != c.number(0)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an automaton that counts down the cells and the sum."""
    yield automaton(c.cells, c.n, *steps(c.number(0)))


def steps(total: int) -> Steps[tuple[int, int]]:
    """Return steps for the X-sum; a state is (cells still to add, sum still to reach)."""
    begin = (-1, total)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        n_cells, rest = (value, total) if state == begin else state
        if n_cells == 0:
            return state if state != begin else None
        n_cells, rest = n_cells - 1, rest - value
        return (n_cells, rest) if (rest == 0 if n_cells == 0 else rest >= 0) else None

    return Steps(begin, step, lambda state: state == (0, 0))


def impossible(c: BoundConstraint) -> str:
    """Return why the first cells never have the sum."""
    longest = min(c.n, len(c.cells))
    most = longest + (longest - 1) * c.n
    if c.differ(c.cells):
        most = max(
            x + sum([value for value in range(c.n, 0, -1) if value != x][: x - 1]) for x in range(1, longest + 1)
        )
    return "" if 1 <= c.number(0) <= most else f"impossible sum {c.number(0)}: expected 1 to {most}"
