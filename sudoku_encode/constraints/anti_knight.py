"""Anti-knight: cells a knight's move apart differ: two steps along one axis and one along another, also in a cube."""

from collections.abc import Iterator
from itertools import product

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values
from sudoku_encode.puzzles.neighbours import neighbours


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells a knight's move apart are equal."""
    return common.has_equal_cells(values, _pairs(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit for each pair."""
    return common.group_units(_pairs(c), "anti-knight")


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the pairs."""
    return common.group_cells(_pairs(c))


def _pairs(c: BoundConstraint) -> tuple[tuple[int, int], ...]:
    moves = product(range(-2, 3), repeat=len(c.board.coordinates[0]))
    return neighbours(c.board, tuple(move for move in moves if sorted(map(abs, move))[-3:] in ([1, 2], [0, 1, 2])))
