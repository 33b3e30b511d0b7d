"""Batches of puzzles as they are sent to workers, and checks of the results that workers return, grid by grid."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import StoppedError, StopReason, short
from sudoku_encode.formats.entries import PuzzleBatch, SourceItem
from sudoku_encode.puzzles.arrays import Int64s, has_repeats
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, fault
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Event, SolutionsFound

# Batches: many puzzles on one board as arrays, which another process answers together.


class GivensBatch(NamedTuple):
    """Puzzles on one board, as they are sent to a worker.

    Attributes:
        numbers: int64 (m,), the number of each.
        givens: uint8 (m, n_cells), 0 for a blank.
    """

    numbers: Int64s
    givens: Grids


def growing_batches(located: Iterator[SourceItem], first: int, most: int) -> Iterator[list[SourceItem]]:
    """Yield batches of entries and blocks, each with twice as many puzzles as the one before, up to `most`."""
    size, rest = first, deque[SourceItem]()
    while batch := take_up_to(located, rest, size):
        yield batch
        size = min(most, 2 * size)


def take_up_to(located: Iterator[SourceItem], rest: deque[SourceItem], size: int) -> list[SourceItem]:
    """Return entries and blocks with up to `size` puzzles; `rest` gets the remainder of a block that is too large."""
    items, n_taken = [], 0
    while n_taken < size and (item := rest.popleft() if rest else next(located, None)) is not None:
        room = size - n_taken
        if isinstance(item.item, PuzzleBatch) and len(item.item) > room:
            rest.append(SourceItem(item.number + room, item.source, item.item.part(room, len(item.item))))
            item = item._replace(item=item.item.part(0, room))
        items.append(item)
        n_taken += n_puzzles(item)
    return items


def n_puzzles(located: SourceItem) -> int:
    """Return how many puzzles an entry (0 or 1) or a block contains."""
    content = located.item
    return len(content) if isinstance(content, PuzzleBatch) else int(isinstance(content.content, Puzzle))


def givens_of(located: SourceItem, board: Geometry) -> Grids:
    """Return the givens of an entry or a block, uint8 (m, n_cells)."""
    content = located.item
    if isinstance(content, PuzzleBatch):
        return content.givens
    return (
        content.content.givens[None] if isinstance(content.content, Puzzle) else np.empty((0, board.n_cells), np.uint8)
    )


def givens_batch(items: list[SourceItem], board: Geometry) -> GivensBatch:
    """Return the puzzles of some entries and blocks."""
    numbers = [np.arange(item.number, item.number + n_puzzles(item), dtype=np.int64) for item in items]
    return GivensBatch(np.concatenate(numbers), np.concatenate([givens_of(item, board) for item in items]))


def grids_fault(number: int, puzzle: Puzzle, grids: Grids) -> str:
    """Return why grids, uint8 (m, n_cells), are not solutions of a puzzle; "" if they are."""
    if not isinstance(grids, np.ndarray) or grids.dtype != np.uint8:
        return f"the executor's answer for puzzle {number} is not an array of grids"
    reason = fault(puzzle, grids)
    return f"the executor's answer for puzzle {number} is {reason}" if reason else ""


def solution_fault(item: tuple[int, Puzzle], answer: object, events: Sequence[Event]) -> str:
    """Return why an answer that should be a solution (n_cells,), None or StoppedError is wrong; "" if it is not."""
    return grids_fault(*item, answer[None]) if isinstance(answer, np.ndarray) else ""


def count_fault(
    limit: int | None, item: tuple[int, Puzzle], answer: Count | StoppedError, events: Sequence[Event]
) -> str:
    """Return why an answer is not a valid count; "" if it is. Whether the number is right is not checked.

    Args:
        limit: on solutions: a count that reaches it is not complete.
        item: the number of the puzzle, and the puzzle.
        answer: from the executor.
        events: that came with it.
    """
    if isinstance(answer, StoppedError):
        return ""
    value, complete, stopped = answer.value, answer.complete, answer.stopped
    if type(value) is not int or value < 0:
        return f"the executor's answer for puzzle {item[0]} is not a number: {short(repr(value))}"
    if type(complete) is not bool or type(stopped) not in (str, StopReason) or complete == bool(stopped):
        return f"the executor's answer for puzzle {item[0]} does not say whether it is complete"
    if limit is not None and value + complete > limit:
        return f"the executor's answer for puzzle {item[0]} lists {value} solutions, but the limit is {limit}"
    return ""


def listing_fault(
    limit: int | None, item: tuple[int, Puzzle], answer: Count | StoppedError, events: Sequence[Event]
) -> str:
    """Return why an answer is not the count of the solutions that the events list; "" if it is."""
    if fault_text := count_fault(limit, item, answer, events):
        return fault_text
    listed = [event.grids for event in events if isinstance(event, SolutionsFound)]
    for grids in listed:
        if fault_text := grids_fault(*item, grids):
            return fault_text
    if has_repeats(np.concatenate(listed or [np.empty((0, item[1].geometry.n_cells), np.uint8)])):
        return f"the executor's answer for puzzle {item[0]} lists a solution twice"
    total = sum(map(len, listed))
    if isinstance(answer, Count) and answer.value != total:
        return f"the executor's answer for puzzle {item[0]} lists {total} solutions, but says {answer.value}"
    return ""


def listed_grids_fault(item: tuple[int, Puzzle], answer: object, events: Sequence[Event]) -> str:
    """Return why the grids that the events list are not solutions; "" if they are."""
    return next(
        filter(None, (grids_fault(*item, event.grids) for event in events if isinstance(event, SolutionsFound))), ""
    )
