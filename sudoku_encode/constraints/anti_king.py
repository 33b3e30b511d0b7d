"""Anti-king: cells that touch at a side or a corner differ; in a cube at a face, an edge or a corner."""

from collections.abc import Iterator
from itertools import product

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values
from sudoku_encode.puzzles.neighbours import neighbours


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells that touch are equal."""
    return common.has_equal_cells(values, _pairs(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit for each pair."""
    return common.group_units(_pairs(c), "anti-king")


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the pairs."""
    return common.group_cells(_pairs(c))


def _pairs(c: BoundConstraint) -> tuple[tuple[int, int], ...]:
    moves = product((-1, 0, 1), repeat=len(c.board.coordinates[0]))
    return neighbours(c.board, tuple(move for move in moves if any(move)))
