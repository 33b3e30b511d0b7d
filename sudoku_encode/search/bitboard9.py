"""The plain 9x9 board as words: for each value and each band of three rows the places where it may be.

A word has ten bits for each of the three rows of a band, nine columns and a spare bit, so that a carry out of one row
does not run into the next. What locked candidates leave of a word is looked up in tables.

Source: the idea is that of the fastest scalar 9x9 solvers of the enjoysudoku forum (fsss2, JCZSolve).
"""

from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

# int64: compiled code would make floats of sums of signed and unsigned numbers. To mypy their elements are plain ints.
Bitboards = NDArray[Any]

# The first bit of each row of a word, its nine places, its spare bit.
FIRSTS = 1 | 1 << 10 | 1 << 20
PLACES = 511 * FIRSTS
SPARE = 512 * FIRSTS
# A frame: 27 words of places (word 3 * value + band), then the cells filled in each band, the words to be looked at (a
# bit each) and how many guesses before it count twice.
FILLED, DIRTY, DOUBLED, FRAME = 27, 30, 31, 32
# Places in `Bitboard9State.counts`: the frame at work, -1 when all is done; 1 when all is done; contradictions;
# solutions.
LEVEL, DONE, FAILED, FOUND = range(4)


class Bitboard9State(NamedTuple):
    """A search on the plain 9x9 board.

    Attributes:
        frames: int64 (82, 32): a frame for each open guess, and the one at work. A guess is made on a copy of the
            frame; the frame itself goes on without it.
        counts: int64 (4,): see LEVEL and those after it.
    """

    frames: Bitboards
    counts: Int64s


def is_plain(board: Geometry) -> bool:
    """Say whether a board has the cells and units of the plain 9x9 board, whatever they are called."""
    return board.is_classic and board.n_values == 9


def empty_state() -> Bitboard9State:
    """Return room for a search."""
    return Bitboard9State(np.zeros((82, FRAME), np.int64), np.zeros(4, np.int64))


def bitboard9_state(puzzle: Puzzle) -> Bitboard9State:
    """Return a search of a puzzle on the plain 9x9 board; nothing is propagated yet."""
    state = empty_state()
    bits = np.int64(1) << np.array([10 * row + column for row in range(3) for column in range(9)], np.int64)
    allowed = puzzle.candidates.T.reshape(9, 3, 27)
    state.frames[0, :FILLED] = (allowed * bits).sum(axis=2, dtype=np.int64).ravel()
    state.frames[0, DIRTY] = (1 << 27) - 1
    return state


def _boxes_of_rows() -> Bitboards:
    """For nine places of a row the boxes that they are in, 3 bits."""
    return np.array([sum(1 << box for box in range(3) if row >> 3 * box & 7) for row in range(512)], np.int64)


def _kept() -> Bitboards:
    """For the boxes that each row of a band has places in (9 bits) the places that a band of three rows can use.

    The three rows take a value in three different boxes, so a place is of use if it is part of such a choice.
    """
    choices = [[(row, box) for row, box in enumerate(order)] for order in permutations(range(3))]
    kept = np.zeros(512, np.int64)
    for index in range(512):
        for choice in choices:
            if all(index >> (3 * row + box) & 1 for row, box in choice):
                kept[index] |= sum(7 << (10 * row + 3 * box) for row, box in choice)
    return kept


def _kept_elsewhere() -> Bitboards:
    """For the columns in which a band has places the places that it leaves the other two bands.

    Where a box has places in one column only, the other boxes of its stack cannot use that column.
    """
    kept = np.full(512, PLACES, np.int64)
    for columns, box in product(range(512), range(3)):
        inside = columns >> 3 * box & 7
        if inside & (inside - 1) == 0:
            kept[columns] &= ~np.int64((inside << 3 * box) * FIRSTS)
    return kept


def _peers() -> Bitboards:
    """For the number of a bit in a word, its band and a band the places there of the cell's peers, (30, 3, 3)."""
    peers = np.zeros((30, 3, 3), np.int64)
    for cell, other in product(range(81), repeat=2):
        (row, column), (to_row, to_column) = divmod(cell, 9), divmod(other, 9)
        same_box = row // 3 == to_row // 3 and column // 3 == to_column // 3
        if cell != other and (row == to_row or column == to_column or same_box):
            peers[10 * (row % 3) + column, row // 3, to_row // 3] |= np.int64(1 << (10 * (to_row % 3) + to_column))
    return peers


_N = np.arange(512)
_NEXT = (_N << 1 & 0o666) | (_N >> 2 & 0o111)
_AFTER = (_N << 2 & 0o444) | (_N >> 1 & 0o333)

BOXES_OF_ROWS, KEPT, KEPT_ELSEWHERE, PEERS = _boxes_of_rows(), _kept(), _kept_elsewhere(), _peers()
# For nine columns the two ways to turn the three columns of each stack, side by side, and the other way round.
TURNS = (_NEXT | _AFTER << 9).astype(np.int64)
TURNS_SWAPPED = (_AFTER | _NEXT << 9).astype(np.int64)
