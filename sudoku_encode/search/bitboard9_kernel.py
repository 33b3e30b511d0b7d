"""The search on the plain 9x9 board, compiled; `bitboard9` says how the board is held."""

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled, compiled_without_gil, lowest, ones
from sudoku_encode.search.bitboard9 import (
    DIRTY,
    DONE,
    DOUBLED,
    FAILED,
    FILLED,
    FIRSTS,
    FOUND,
    FRAME,
    LEVEL,
    PEERS,
    PLACES,
    SPARE,
    Bitboard9State,
    Bitboards,
)
from sudoku_encode.search.bitboard9_settle_kernel import rows_with, settle


@compiled
def _best_pair(frame: Bitboards, two: tuple[int, int, int]) -> tuple[int, int]:
    """Return band and place of the cell with two candidates that its peers have most, other such cells above all."""
    best, best_band, score = 0, 0, -1
    for band in range(3):
        left = two[band]
        while left:
            bit = left & -left
            left ^= bit
            peers = PEERS[lowest(bit), band]
            sum_of = 0
            for at in range(0, FILLED, 3):
                if frame[at + band] & bit:
                    for other in range(3):
                        hit = frame[at + other] & peers[other]
                        sum_of += ones(hit) + 3 * ones(hit & two[other])
            if sum_of > score:
                best, best_band, score = bit, band, sum_of
    return best_band, best


@compiled
def _branch(frame: Bitboards, two: tuple[int, int, int], careful: bool) -> tuple[int, int]:
    """Choose a word and a place in it to guess: in a cell of two candidates, a row of two places, or any open cell."""
    band, bit = 0, 0
    if careful:
        band, bit = _best_pair(frame, two)
    else:
        band = 0 if two[0] else 1 if two[1] else 2
        bit = two[band] & -two[band]
    if bit == 0:
        for at in range(FILLED):
            word = frame[at]
            # Take the first place from each row, and the next: then the rows that had two are those that ended there.
            rest = word & (word - FIRSTS)
            least = rest & ~(rest & ((rest | SPARE) - FIRSTS))
            pairs = rows_with(rest) & ~rows_with(rest ^ least)
            if pairs:
                pairs &= word
                return at, pairs & -pairs
        for other in range(3):
            open_cells = PLACES & ~frame[FILLED + other]
            if open_cells:
                band, bit = other, open_cells & -open_cells
    at = band
    while not frame[at] & bit:
        at += 3
    return at, bit


@compiled
def _paired(frame: Bitboards) -> bool:
    """Say whether no value has a single place left in a column where it is open."""
    for value in range(9):
        once = twice = 0
        for band in range(3):
            word = frame[3 * value + band] & ~frame[FILLED + band]
            for row in range(3):
                columns = word >> 10 * row & 511
                twice |= once & columns
                once |= columns
        if once & ~twice:
            return False
    return True


@compiled
def _write(frame: Bitboards, grid: NDArray[np.uint8]) -> None:
    for value in range(9):
        for band in range(3):
            word = frame[3 * value + band]
            for row in range(3):
                grid[27 * band + 9 * row + lowest(word >> 10 * row)] = value + 1


@compiled_without_gil
def run(state: Bitboard9State, out: Grids, stop: int, doubling: bool, work: int) -> int:
    """Go on until `stop` solutions are found, `work` frames are looked at, or all is done.

    Args:
        state: the search.
        out: takes the first solutions of this call, as many as it has room for.
        stop: how many solutions to find.
        doubling: count the two halves of a state of pairs by one of them.
        work: how many frames to look at.

    Returns:
        How many solutions were found.
    """
    frames, counts = state
    level, failed, all_found = counts[LEVEL], counts[FAILED], counts[FOUND]
    found = 0
    while level >= 0 and work > 0 and found < stop:
        work -= 1
        frame = frames[level]
        # Better choices cost more; they pay where most of them fail.
        careful = failed >= 2 * all_found
        sound, two, more = settle(frame, careful)
        if not sound:
            failed += 1
            level -= 1
            continue
        open_cells = 81 - ones(frame[FILLED]) - ones(frame[FILLED + 1]) - ones(frame[FILLED + 2])
        if open_cells == 0:
            if found < len(out):
                _write(frame, out[found])
            found += 1 << frame[DOUBLED]
            all_found += 1
            level -= 1
            continue
        at, bit = _branch(frame, two, careful)
        row = rows_with(bit)
        if doubling and not more and _paired(frame):
            # Every open cell has two candidates, every value two places in each unit: each choice settles all that
            # hangs together with it, and all of that turned round is sound as well. One of the two will do.
            if open_cells == 4 and found >= len(out):
                found += 2 << frame[DOUBLED]
                all_found += 1
                level -= 1
                continue
            frame[DOUBLED] += 1
        else:
            for entry in range(FRAME):
                frames[level + 1, entry] = frame[entry]
            frame[at] = frame[at] & ~bit
            frame[DIRTY] = 1 << at
            level += 1
        frames[level, at] = frames[level, at] & ~row | bit
        frames[level, DIRTY] = 1 << at
    counts[LEVEL], counts[FAILED], counts[FOUND] = level, failed, all_found
    counts[DONE] = level < 0
    return found


@compiled
def _reset(state: Bitboard9State, givens: NDArray[np.uint8]) -> None:
    """Start on other givens."""
    frame = state.frames[0]
    frame[:FILLED] = PLACES
    frame[FILLED:FRAME] = 0
    frame[DIRTY] = (1 << FILLED) - 1
    for band in range(3):
        taken = 0
        for place in range(27):
            value = givens[27 * band + place]
            if value:
                taken |= 1 << (place + place // 9)
        for at in range(band, FILLED, 3):
            frame[at] = frame[at] & ~taken
        for place in range(27):
            value = givens[27 * band + place]
            if value:
                # Where a row has the value twice, this empties the first of its cells.
                bit = 1 << (place + place // 9)
                at = 3 * (value - 1) + band
                frame[at] = frame[at] & ~rows_with(bit) | bit
    state.counts[:] = 0


@compiled_without_gil
def run_all(
    state: Bitboard9State,
    givens: Grids,
    limit: int,
    grids: Grids,
    found: Int64s,
    at: Int64s,
    work: int,
) -> None:
    """Solve puzzle after puzzle, from number `at[0]` on, until about `work` frames are looked at.

    Args:
        state: room for a search; `at[1]` says whether it is in the middle of a puzzle.
        givens: (puzzles, 81).
        limit: up to how many solutions to count.
        grids: (puzzles, 81); takes the first solution of each.
        found: (puzzles,); takes the counts.
        at: the puzzle at work, and whether it was begun.
        work: about how many frames to look at.
    """
    share = 4096
    while at[0] < len(givens) and work > 0:
        puzzle = at[0]
        if not at[1]:
            _reset(state, givens[puzzle])
            at[1] = 1
        first = puzzle if found[puzzle] == 0 else len(givens)
        found[puzzle] += run(state, grids[first : puzzle + 1], limit - found[puzzle], True, share)
        ended = state.counts[DONE] or found[puzzle] >= limit
        work -= 16 if ended else share
        if ended:
            found[puzzle] = min(found[puzzle], limit)
            at[0] += 1
            at[1] = 0
