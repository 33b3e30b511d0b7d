"""What an executor returned for a puzzle is looked at here before it is believed: each grid by the rules."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import Stopped
from sudoku_encode.methods.pieces import Piece
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, fault
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Event, Found

if TYPE_CHECKING:
    from sudoku_encode.methods.batches import Batch


def wrong_grids(number: int, puzzle: Puzzle, grids: Grids) -> str:
    """Say what is wrong with grids, (m, n_cells), that should be solutions; empty where nothing is."""
    reason = fault(puzzle, grids)
    return f"the executor's answer for puzzle {number} is {reason}" if reason else ""


def wrong_solution(item: tuple[int, Puzzle], answer: object, events: Sequence[Event]) -> str:
    """Say what is wrong with an answer that should be a solution (n_cells,), None, or what stopped the search."""
    return wrong_grids(*item, np.asarray(answer)[None]) if isinstance(answer, np.ndarray) else ""


def wrong_listing(item: tuple[int, Puzzle], answer: object, events: Sequence[Event]) -> str:
    """Say what is wrong with an answer that should be the number of solutions, all of which are among the events."""
    number, total = item[0], 0
    for event in events:
        if isinstance(event, Found):
            total += len(event.grids)
            if wrong := wrong_grids(*item, event.grids):
                return wrong
    if isinstance(answer, Count) and answer.value != total:
        return f"the executor's answer for puzzle {number} is {total} solutions, and says {answer.value}"
    return ""


def wrong_found(item: tuple[int, Puzzle], answer: object, events: Sequence[Event]) -> str:
    """Say what is wrong with the solutions among the events."""
    return next(filter(None, (wrong_grids(*item, event.grids) for event in events if isinstance(event, Found))), "")


def wrong_batch(board: Geometry, piece: Piece, answer: "Batch | Stopped", events: Sequence[Event]) -> str:
    """Say what is wrong with a batch of answers for some puzzles on a board."""
    if isinstance(answer, Stopped):
        return ""
    if answer.grids.shape != piece.givens.shape or answer.counts.shape != piece.numbers.shape:
        return f"the executor's answer for puzzle {piece.numbers[0]} and those after it is for {len(answer.counts)}"
    solved = answer.counts > 0
    if fault(Puzzle.of(board), answer.grids[solved], piece.givens[solved]):
        for number, givens, grid in zip(piece.numbers[solved], piece.givens[solved], answer.grids[solved], strict=True):
            if wrong := wrong_grids(int(number), Puzzle(board, givens), grid[None]):
                return wrong
    return ""
