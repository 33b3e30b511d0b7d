"""The 9x9 board in nine vectors: one for each place in a box, a lane for each box, a bit for each value.

So a rule is applied to all boxes at once: vector 3 * r + c has the cells in row r and column c of every box, lane
4 * band + stack is the box, and its bits are the candidates of that cell. Lanes without a box always have all bits.

Three rules are enough, since together they find all naked and hidden singles and all locked candidates:

1. A cell with one candidate takes it from its box.
2. A value with one place in a box is put there.
3. A value that may be in a row of a box stays only where the other two boxes of the band can take it in the other two
   rows; and so with columns.

A value that is placed has no place left in the other rows of its box, so the third rule takes it from its row in the
boxes beside; and a value with one place left in a row leaves its box no other row, so the second rule finds it.

A board may have more units of nine cells, such as diagonals. The first two rules are applied to them one by one, where
the three rules find nothing more, and their cells are guessed first: when they are filled, the rest is a plain board.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry, distinct_units, tiling
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.search.state import masks_of

# For mypy the elements are plain ints, as in compiled code.
Frames = NDArray[Any]

ALL_VALUES = 511
# A frame: nine vectors of sixteen lanes, then how many guesses before it count twice, and which further units have no
# open cell, a bit each; and room, so that frames begin at multiples of 64 bytes.
BOARD = 144
DOUBLED, FULL, FRAME = BOARD, BOARD + 1, 160
# At most this many open cells are always connected in a state of pairs: where every open cell has two candidates and
# every open value two places in each unit, each choice in one of them settles all, and both choices are sound. Such a
# value is open in as many rows as it has pairs of places, and so it has four places or six. Places of it that share a
# box share a row or a column too (else a place between them would be in the box as well, a third one), so walking from
# place to place in rows and columns, in turn, alternates between those that have it and those that have not. Six cells
# are six places of two values, one circle; or four places of three values each. Two of these share two cells: side by
# side in both, or across in both, so that they agree; and all three do, since the three rectangles lie side by side.
CONNECTED_CELLS = 6
# The further units are bits of 16.
_MAX_UNITS = 15
# Behind the frames: the number of contradictions in each box, a lane each.
WEIGHTS = 82 * FRAME
# The lanes that are boxes, a bit each.
BOXES = 0x777
# Places in `Vectors9State.counts`: the next frame to search, -1 when all is done; 1 when all is done;
# contradictions; solutions.
LEVEL, DONE, FAILED, FOUND = range(4)

_ROWS, _COLUMNS = np.divmod(np.arange(81), 9)
# Where each cell is in a frame, int64 (81,).
PLACES = 16 * (3 * (_ROWS % 3) + _COLUMNS % 3) + 4 * (_ROWS // 3) + _COLUMNS // 3


class Vectors9State(NamedTuple):
    """A search on the 9x9 board, perhaps with more units."""

    # int16: the board at the start, then a frame for each open guess, without the guessed value; see FRAME and WEIGHTS.
    frames: Frames
    counts: Int64s  # (4,): see LEVEL and those after it
    units: Int64s  # (units, 9): of the units besides rows, columns and boxes, where their cells are in a frame


def is_plain(board: Geometry) -> bool:
    """Return whether a board has the cells and units of the plain 9x9 board; names do not matter."""
    return board.is_classic and board.n_values == 9


@lru_cache(maxsize=64)
def _further_units(board: Geometry) -> Int64s | None:
    """Return the units besides rows, columns and boxes, (units, 9); None for a board that does not fit the vectors."""
    if (board.shape, board.n_cells, board.n_values) != ((9, 9), 81, 9):
        return None
    plain = distinct_units(tiling("", board.shape, block) for block in ((1, 9), (9, 1), (3, 3)))
    units = distinct_units(board.rules)
    further = sorted(units - plain)
    if not plain <= units or len(further) > _MAX_UNITS or any(len(unit) != 9 for unit in further):
        return None
    return np.array(further, np.int64).reshape(len(further), 9)


def is_of_vectors9(board: Geometry) -> bool:
    """Return whether a board has the cells and units of the plain 9x9 board, and no others but some of nine cells."""
    return _further_units(board) is not None


def empty_state(board: Geometry) -> Vectors9State:
    """Return room for a search on a board for which `is_of_vectors9` is true."""
    further = _further_units(board)
    if further is None:
        raise ValueError(f"{board.name}: not the 9x9 board")
    return Vectors9State(np.zeros(WEIGHTS + 16, np.int16), np.zeros(4, np.int64), PLACES[further])


def kind_of(state: Vectors9State) -> tuple[int, ...]:
    """Return a tuple whose length compiled code is made for: 0 for the plain board, 1 where it has further units."""
    return (0,) * min(1, len(state.units))


def vectors9_state(puzzle: Puzzle) -> Vectors9State:
    """Return a search of a puzzle; nothing is propagated yet."""
    state = empty_state(puzzle.geometry)
    state.frames[:BOARD] = ALL_VALUES
    state.frames[PLACES] = masks_of(puzzle)
    return state
