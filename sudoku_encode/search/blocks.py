"""Larger squares and cubes in vectors: one for each place in a block, a lane for each block, a bit for each value.

A block is a box of a square, or a k x k x k part of a cube with sides of k * k cells: its layers, in each of the three
directions, are the boxes of a cube. So a rule is applied to all blocks at once. Lane 4 * band + stack is the block; the
blocks of a cube that lie behind each other are in vectors of their own, a slab of them in each. Lanes without a block
always have all bits.

Three rules are enough, since together they find all naked and hidden singles and all locked candidates, as on the plain
9x9 board (see `vectors9`):

1. A cell with one candidate takes it from its boxes.
2. A value with one place in a box is put there.
3. The lines of a box continue in the boxes beside it, and each of these boxes must have a value in another one of these
   lines. A value that may be in a line of a box stays only where the boxes beside can share the other lines.
"""

from functools import cache
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.search.state import FewOpen, few_open, masks_of

# For mypy the elements are plain ints, as in compiled code.
Shorts = NDArray[Any]

LANES = 16
# Smaller boards are searched like any board: compiling for a shape takes longer than most of their puzzles.
_LEAST_CELLS = 100
# How many lines a box may have: the boxes beside it can share the others in 1, 2 or 6 ways; 24 would be too many.
_LINES = (2, 3, 4)
# Places in `BlocksState.counts`: the next frame to search, -1 when all is done; 1 when all is done.
LEVEL, DONE = range(2)


class Shape(NamedTuple):
    """How many cells a block has, and how many blocks there are, in each direction, as lengths of tuples.

    The type of a tuple tells compiled code its length, but not its elements: so the code is compiled for each shape,
    and each loop has a known end.
    """

    layers: tuple[int, ...]  # cells of a block one behind the other; one where the board is a square
    rows: tuple[int, ...]  # cells of a block one below the other
    columns: tuple[int, ...]  # cells of a block side by side
    slabs: tuple[int, ...]  # blocks one behind the other
    bands: tuple[int, ...]  # blocks one below the other
    stacks: tuple[int, ...]  # blocks side by side


class BlocksState(NamedTuple):
    """A search on a board of blocks."""

    # int16: the board at the start, then a frame for each open guess, without the guessed value. A frame has a vector
    # for each slab and place in a block, and one more, whose first lane is the number of guesses before it that count
    # twice.
    frames: Shorts
    weights: Shorts  # int16 (16 * slabs,): how often a contradiction was found in each block
    blocks: Shorts  # int16 (16,): all bits in the lanes that are blocks
    places: Int64s  # (n_cells,): where each cell is in a frame
    lengths: Int64s  # (6,): of the tuples of the shape
    counts: Int64s  # (2,): see LEVEL and DONE
    scratch: Shorts  # int16 (16,): room for one vector
    few: FewOpen  # for a search that counts


@cache
def _lengths(board: Geometry) -> tuple[int, ...] | None:
    """Return the lengths of the tuples of a board's shape; None for a board that is not of blocks."""
    n, k = board.n_values, isqrt(board.n_values)
    if board.n_cells < _LEAST_CELLS or n > LANES:
        return None
    if board.box and board.shape == (n, n):
        rows, columns = board.box
        fits = rows in _LINES and columns in _LINES and board.is_tiled_by([(1, n), (n, 1), (rows, columns)])
        return (1, rows, columns, 1, columns, rows) if fits else None
    blocks = [(1, 1, n), (1, n, 1), (n, 1, 1), (1, k, k), (k, 1, k), (k, k, 1)]
    return (k,) * 6 if board.is_cube and k * k == n and k in _LINES and board.is_tiled_by(blocks) else None


def is_of_blocks(board: Geometry) -> bool:
    """Return whether a board is a large square with boxes or a large cube with all six rules, of up to 16 values."""
    return _lengths(board) is not None


def shape_of(state: BlocksState) -> Shape:
    """Return the shape of the board that a search is on."""
    return Shape(*((0,) * length for length in state.lengths.tolist()))


def n_vectors(state: BlocksState) -> int:
    """Return how many vectors hold the board."""
    return int(np.prod(state.lengths[:4]))


def empty_state(board: Geometry) -> BlocksState:
    """Return a search on the empty board, one for which `is_of_blocks` is true; nothing is propagated yet."""
    lengths = _lengths(board)
    if lengths is None:
        raise ValueError(f"{board.name}: not a board of blocks")
    layers, rows, columns, slabs, _, _ = lengths
    z, y, x = np.indices((1, *board.shape)[-3:], np.int64).reshape(3, -1)
    lanes = 4 * (y // rows) + x // columns
    board_size = LANES * layers * rows * columns * slabs
    places = LANES * ((z * rows + y % rows) * columns + x % columns) + lanes
    state = BlocksState(
        # A frame for the board, and one for each guess, which fills a cell.
        np.zeros((board.n_cells + 1) * (board_size + LANES), np.int16),
        np.zeros(LANES * slabs, np.int16),
        np.where(np.isin(np.arange(LANES), lanes), -1, 0).astype(np.int16),
        places,
        np.array(lengths),
        np.zeros(2, np.int64),
        np.zeros(LANES, np.int16),
        few_open(board, places),
    )
    state.frames[:board_size] = np.array((1 << board.n_values) - 1).astype(np.int16)
    return state


def blocks_state(puzzle: Puzzle) -> BlocksState:
    """Return a search of a puzzle; nothing is propagated yet."""
    state = empty_state(puzzle.geometry)
    state.frames[state.places] = masks_of(puzzle).astype(np.int16)
    return state
