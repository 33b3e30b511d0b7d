"""What was read, cut into pieces: many puzzles on one board as arrays, which another process answers together."""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sudoku_encode.formats.entries import Block, Located
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle


class Piece(NamedTuple):
    """Some puzzles on one board.

    Attributes:
        numbers: int64 (m,), the number of each.
        givens: uint8 (m, n_cells), 0 for a blank.
    """

    numbers: Int64s
    givens: Grids


def pieces_of(located: Iterator[Located], first: int, most: int) -> Iterator[list[Located]]:
    """Yield what holds some puzzles at a time, cut the same way however long they take: each has twice as many."""
    size, rest = first, deque[Located]()
    while some := taken(located, rest, size):
        yield some
        size = min(most, 2 * size)


def taken(located: Iterator[Located], rest: deque[Located], size: int) -> list[Located]:
    """Return what holds some puzzles, or all that is left; the rest of a block that is too large comes next."""
    some, n_puzzles = [], 0
    while n_puzzles < size and (one := rest.popleft() if rest else next(located, None)) is not None:
        room = size - n_puzzles
        if isinstance(one.found, Block) and len(one.found) > room:
            rest.append(Located(one.number + room, one.source, one.found.part(room, len(one.found))))
            one = one._replace(found=one.found.part(0, room))
        some.append(one)
        n_puzzles += size_of(one)
    return some


def size_of(located: Located) -> int:
    """Return how many puzzles there are."""
    found = located.found
    return len(found) if isinstance(found, Block) else int(isinstance(found.found, Puzzle))


def givens_of(located: Located, board: Geometry) -> Grids:
    """Return the givens, uint8 (m, n_cells)."""
    found = located.found
    if isinstance(found, Block):
        return found.givens
    return found.found.givens[None] if isinstance(found.found, Puzzle) else np.empty((0, board.n_cells), np.uint8)


def piece_of(some: list[Located], board: Geometry) -> Piece:
    """Return the puzzles of what was read."""
    numbers = [np.arange(one.number, one.number + size_of(one), dtype=np.int64) for one in some]
    return Piece(np.concatenate(numbers), np.concatenate([givens_of(one, board) for one in some]))
