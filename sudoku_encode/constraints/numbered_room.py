"""Numbered room: the X-th cell holds the clue, where X is the value of the first cell."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether the X-th cell does not exist or holds another value."""
    line = [values[cell] for cell in c.cells]
    return line[0] > len(line) or line[line[0] - 1] != c.number(0)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a clause for each X."""
    first = c.cells[0]
    for x in range(1, c.n + 1):
        clue = ((c.cells[x - 1], c.number(0)),) if x <= len(c.cells) else ()
        yield Clause(((first, -x), *clue))


def unfit(c: BoundConstraint) -> str:
    """Return why the number is not a value of the board."""
    return "" if 1 <= c.number(0) <= c.n else f"not a value: {c.number(0)} (1 to {c.n})"
