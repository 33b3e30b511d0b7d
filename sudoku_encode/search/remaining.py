"""What a search that has not ended still has to do: boards that share no solution, and that have the rest between them.

A search goes down one side of each guess first and keeps the other side for later. So what is left is the board that it
would look at next, and for each open guess the board where the guess is taken back and its value is gone.
"""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.search import blocks, vectors9
from sudoku_encode.search.blocks import LANES, BlocksState
from sudoku_encode.search.constrained_state import ConstrainedState
from sudoku_encode.search.state import DONE, DOUBLED, GUESSES, READY, TRAIL, AnyState
from sudoku_encode.search.vectors9 import Vectors9State

# Boards are packed again at the other end into as much memory as this at most.
_MAX_BYTES = 1 << 28


class Rest(NamedTuple):
    """A board that a search still has to look at.

    Attributes:
        candidates: bool (n_cells, n_values).
        doubled: its solutions count 2**doubled times.
    """

    candidates: Candidates
    doubled: int


def remaining(state: AnyState | Vectors9State | BlocksState | ConstrainedState, n_values: int) -> list[Rest]:
    """Return what a search still has to do, in the order in which it would go on; nothing where it has ended.

    What was found so far and what the boards have, doubled as often as they say, is what the whole has. Nothing is
    doubled where no call asked for that. No two boards share a solution.

    Args:
        state: of a search that has stopped between two calls, or has not begun. It is not changed.
        n_values: of the board.
    """
    if isinstance(state, AnyState | ConstrainedState):
        found = _of_any(state.board if isinstance(state, ConstrainedState) else state)
    elif isinstance(state, Vectors9State):
        found = _of_frames(state.frames, state.counts[vectors9.LEVEL], vectors9.FRAME, vectors9.BOARD, vectors9.PLACES)
    else:
        size = LANES * (blocks.n_vectors(state) + 1)
        found = _of_frames(state.frames, state.counts[blocks.LEVEL], size, size - LANES, state.places)
    return [Rest(_candidates(masks, n_values), doubled) for masks, doubled in found]


def _of_frames(frames: Int64s, level: int, size: int, doubled: int, places: Int64s) -> list[tuple[Int64s, int]]:
    """Return the boards in the frames up to the one that is looked at next, that one first."""
    rows = frames[: (int(level) + 1) * size].reshape(-1, size)[::-1]
    masks = rows[:, places].astype(np.int64) & (2**LANES - 1)
    return list(zip(masks, rows[:, doubled].tolist(), strict=True))


def _of_any(state: AnyState) -> list[tuple[Int64s, int]]:
    """Return the board at hand, and those that taking back the guesses one by one leads to."""
    counts = state.counts
    if counts[DONE]:
        return []
    masks, doubled, trail = state.masks.copy(), int(counts[DOUBLED]), int(counts[TRAIL])
    found = [(masks.copy(), doubled)]
    for guess in range(int(counts[GUESSES]) - 1, -1, -1) if counts[READY] else ():
        mark = int(state.guess_marks[guess])
        # Of several entries for a cell the earliest has what it had at that mark.
        masks[state.trail_cells[mark:trail][::-1]] = state.trail_masks[mark:trail][::-1]
        trail = mark
        if state.guess_twice[guess]:
            # It stands for its opposite too, which is not looked at.
            doubled -= 1
            continue
        cell = state.guess_cells[guess]
        masks[cell] ^= state.guess_bits[guess]
        found.append((masks.copy(), doubled))
        masks[cell] ^= state.guess_bits[guess]
    return found


def _candidates(masks: Int64s, n_values: int) -> Candidates:
    values = np.arange(n_values, dtype=np.uint64)
    return (masks.view(np.uint64)[:, None] >> values & np.uint64(1)).astype(bool)


def packed(boards: Sequence[Candidates]) -> bytes:
    """Return the candidates of some boards as a few bytes each: the boards of one search have much in common."""
    return zlib.compress(np.packbits(np.array(boards, np.bool_)).tobytes(), 6)


def unpacked(data: bytes, geometry: Geometry, n_boards: int) -> Bools:
    """Return the boards that were packed, bool (n_boards, n_cells, n_values).

    Raises:
        FormatError: these are no boards of this kind.
    """
    size = geometry.n_cells * geometry.n_values
    try:
        packer = zlib.decompressobj()
        bits = np.frombuffer(packer.decompress(data, _MAX_BYTES), np.uint8)
    except zlib.error as error:
        raise FormatError(f"these are no packed boards: {error}") from error
    if not packer.eof or n_boards < 1 or len(bits) != -(-n_boards * size // 8):
        raise FormatError(f"these are no packed boards of {geometry.name}, of which there should be {n_boards}")
    return np.unpackbits(bits, count=n_boards * size).astype(bool).reshape(n_boards, geometry.n_cells, -1)


def narrowed(puzzle: Puzzle, candidates: Candidates) -> Puzzle:
    """Return a puzzle with fewer candidates."""
    return replace(puzzle, pencilmarks=candidates)
