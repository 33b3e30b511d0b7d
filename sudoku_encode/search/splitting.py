"""Split a puzzle into others that have its solutions between them."""

import heapq
from dataclasses import replace

import numpy as np

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.search.state import any_state, masks_of


def split(puzzle: Puzzle, parts: int) -> list[Puzzle]:
    """Split a puzzle into others, no two of which share a solution, and which have its solutions between them.

    The one with the most candidates is split again and again: a cell with the fewest, into a puzzle for each of them.

    Returns:
        At least `parts` puzzles, or all that there are; none when what units say shows that there is no solution.
        What differs is in their pencilmarks.
    """
    from sudoku_encode.search.any_kernel import fewest, settle_all

    plain = lowered(puzzle).puzzle
    board = plain.geometry
    # The number breaks ties, since arrays cannot be compared.
    heap: list[tuple[float, int, Int64s]] = [(0.0, 0, masks_of(plain))] if board.oversized_unit is None else []
    whole: list[Int64s] = []
    number = 0
    while heap and len(heap) + len(whole) < parts:
        state = any_state(board, heapq.heappop(heap)[2])
        if not settle_all(state):
            continue
        cell, _, _ = fewest(state, False)
        if cell < 0:
            whole.append(state.masks)
            continue
        mask = int(state.masks[cell])
        while mask:
            child = state.masks.copy()
            child[cell] = mask & -mask
            mask &= mask - 1
            number += 1
            heapq.heappush(heap, (-float(np.log2(np.bitwise_count(child.view(np.uint64))).sum()), number, child))
    return [_narrowed(puzzle, masks) for masks in [*whole, *(masks for _, _, masks in sorted(heap, key=_number))]]


def _number(entry: tuple[float, int, Int64s]) -> int:
    return entry[1]


def _narrowed(puzzle: Puzzle, masks: Int64s) -> Puzzle:
    values = np.arange(puzzle.geometry.n_values, dtype=np.uint64)
    marks = (masks.view(np.uint64)[:, None] >> values & np.uint64(1)).astype(bool)
    return replace(puzzle, pencilmarks=marks)
