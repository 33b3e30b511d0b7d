"""Anti-king: cells that touch differ, at a side or a corner; in a cube at a face, an edge or a corner."""

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
    return different.units(_pairs(here), "anti-king")


def scope(here: Placed) -> Iterator[int]:
    """Return the cells of the pairs."""
    return different.cells(_pairs(here))


def _pairs(here: Placed) -> tuple[tuple[int, int], ...]:
    moves = product((-1, 0, 1), repeat=len(here.board.coordinates[0]))
    return neighbours(here.board, tuple(move for move in moves if any(move)))
