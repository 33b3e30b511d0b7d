"""Anti-taxicab: two cells with the same value d are not exactly d steps apart, counted along the axes."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values
from sudoku_encode.puzzles.neighbours import place_of


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells with the same value are that many steps apart."""
    return any(values[a] == values[b] == steps for a, b, steps in _pairs(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a clause for each pair of cells whose distance is a value of the board."""
    for first, second, steps in _pairs(c):
        if steps <= c.n:
            yield Clause(((first, -steps), (second, -steps)))


def scope(c: BoundConstraint) -> Iterator[int]:
    """Yield all cells."""
    yield from range(c.board.n_cells)


def _pairs(c: BoundConstraint) -> Iterator[tuple[int, int, int]]:
    places = [place_of(c.board, cell) for cell in range(c.board.n_cells)]
    for first, second in combinations(range(c.board.n_cells), 2):
        steps = sum(abs(one - other) for one, other in zip(places[first], places[second], strict=True))
        yield first, second, steps
