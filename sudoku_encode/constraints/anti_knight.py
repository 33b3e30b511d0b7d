"""Anti-knight: cells a knight's move apart differ: two steps along a side and one along another, in a cube too."""

from collections.abc import Iterator
from itertools import product

from sudoku_encode.constraints import different
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values
from sudoku_encode.puzzles.neighbours import neighbours


def violated(here: Placed, values: Values) -> bool:
    """Say whether two are equal."""
    return different.is_wrong(values, _pairs(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit for each pair."""
    return different.units(_pairs(here), "anti-knight")


def scope(here: Placed) -> Iterator[int]:
    """Return the cells of the pairs."""
    return different.cells(_pairs(here))


def _pairs(here: Placed) -> tuple[tuple[int, int], ...]:
    moves = product(range(-2, 3), repeat=len(here.board.coordinates[0]))
    return neighbours(here.board, tuple(move for move in moves if sorted(map(abs, move))[-3:] in ([1, 2], [0, 1, 2])))
