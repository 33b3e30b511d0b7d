"""Anti-taxicab: equal values d are not d steps apart, along the sides of cells."""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values
from sudoku_encode.puzzles.neighbours import place_of


def violated(here: Placed, values: Values) -> bool:
    """Say whether two are."""
    return any(values[a] == values[b] == steps for a, b, steps in _pairs(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a clause for each pair of cells as far apart as a value says."""
    for first, second, steps in _pairs(here):
        if steps <= here.n:
            yield Clause(((first, -steps), (second, -steps)))


def scope(here: Placed) -> Iterator[int]:
    """Yield all cells."""
    yield from range(here.board.n_cells)


def _pairs(here: Placed) -> Iterator[tuple[int, int, int]]:
    places = [place_of(here.board, cell) for cell in range(here.board.n_cells)]
    for first, second in combinations(range(here.board.n_cells), 2):
        steps = sum(abs(one - other) for one, other in zip(places[first], places[second], strict=True))
        yield first, second, steps
