"""What an executor returned for a puzzle is looked at here before it is believed: each grid by the rules."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import StoppedError, short
from sudoku_encode.methods.pieces import Piece
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, fault
from sudoku_encode.puzzles.repeats import has_repeats
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Event, Found

if TYPE_CHECKING:
    from sudoku_encode.methods.batches import Batch


def wrong_grids(number: int, puzzle: Puzzle, grids: Grids) -> str:
    """Say what is wrong with grids, uint8 (m, n_cells), that should be solutions; empty where nothing is."""
    if not isinstance(grids, np.ndarray) or grids.dtype != np.uint8:
        return f"the executor's answer for puzzle {number} has what are no grids"
    reason = fault(puzzle, grids)
    return f"the executor's answer for puzzle {number} is {reason}" if reason else ""


def wrong_solution(item: tuple[int, Puzzle], answer: object, events: Sequence[Event]) -> str:
    """Say what is wrong with an answer that should be a solution (n_cells,), None, or what stopped the search."""
    return wrong_grids(*item, answer[None]) if isinstance(answer, np.ndarray) else ""


def wrong_count(
    limit: int | None, item: tuple[int, Puzzle], answer: Count | StoppedError, events: Sequence[Event]
) -> str:
    """Say what is wrong with what should be a number of solutions: that it is none, not that it is another.

    Args:
        limit: of the number: a count that reaches it is not complete.
        item: the puzzle with its number.
        answer: that came back.
        events: that came back with it.
    """
    if isinstance(answer, StoppedError):
        return ""
    value, complete, stopped = answer.value, answer.complete, answer.stopped
    if type(value) is not int or value < 0:
        return f"the executor's answer for puzzle {item[0]} is no number: {short(repr(value))}"
    if type(complete) is not bool or type(stopped) is not str or complete == bool(stopped):
        return f"the executor's answer for puzzle {item[0]} does not say whether it is complete"
    if limit is not None and value + complete > limit:
        return f"the executor's answer for puzzle {item[0]} is {value} solutions, at a limit of {limit}"
    return ""


def wrong_listing(
    limit: int | None, item: tuple[int, Puzzle], answer: Count | StoppedError, events: Sequence[Event]
) -> str:
    """Say what is wrong with an answer that should be the number of solutions, all of which are among the events."""
    if wrong := wrong_count(limit, item, answer, events):
        return wrong
    listed = [event.grids for event in events if isinstance(event, Found)]
    for grids in listed:
        if wrong := wrong_grids(*item, grids):
            return wrong
    if has_repeats(np.concatenate(listed or [np.empty((0, item[1].geometry.n_cells), np.uint8)])):
        return f"the executor's answer for puzzle {item[0]} has a solution twice"
    total = sum(map(len, listed))
    if isinstance(answer, Count) and answer.value != total:
        return f"the executor's answer for puzzle {item[0]} is {total} solutions, and says {answer.value}"
    return ""


def wrong_found(item: tuple[int, Puzzle], answer: object, events: Sequence[Event]) -> str:
    """Say what is wrong with the solutions among the events."""
    return next(filter(None, (wrong_grids(*item, event.grids) for event in events if isinstance(event, Found))), "")


def wrong_batch(board: Geometry, piece: Piece, answer: "Batch | StoppedError", events: Sequence[Event]) -> str:
    """Say what is wrong with a batch of answers for some puzzles on a board."""
    if isinstance(answer, StoppedError):
        return ""
    if answer.grids.shape != piece.givens.shape or answer.counts.shape != piece.numbers.shape:
        return f"the executor's answer for puzzle {piece.numbers[0]} and those after it is for {len(answer.counts)}"
    solved = answer.counts > 0
    if fault(Puzzle.of(board), answer.grids[solved], piece.givens[solved]):
        for number, givens, grid in zip(piece.numbers[solved], piece.givens[solved], answer.grids[solved], strict=True):
            if wrong := wrong_grids(int(number), Puzzle(board, givens), grid[None]):
                return wrong
    return ""
