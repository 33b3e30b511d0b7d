"""The method `frontier`: counting without listing, in tables that fit the memory."""

from collections.abc import Iterator

from sudoku_encode import frontier
from sudoku_encode.frontier import unsupported_reason
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline

__all__ = ["count", "explain", "unsupported_reason"]


def count(puzzle: Puzzle, deadline: Deadline) -> int:
    """Return the number of solutions; see `frontier.count`."""
    return frontier.count(puzzle, deadline, _table_bytes(deadline), lambda text: emit(Progress(text)))


def explain(puzzle: Puzzle, deadline: Deadline) -> Iterator[Step]:
    """Yield a step for each table, and the number of solutions at the end; see `frontier.explain`."""
    return frontier.explain(puzzle, deadline, _table_bytes(deadline))


def _table_bytes(deadline: Deadline) -> int:
    """Return how many bytes the tables may take: three quarters of the memory, since other arrays need the rest."""
    return frontier.MAX_BYTES if deadline.memory is None else deadline.memory * 3 // 4
