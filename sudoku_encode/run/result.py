"""What a method reports, and when it is complete.

A method yields its solutions in batches, each once. It ends by itself only when it has proved that there are no more;
whatever stops it before is a `Stopped`. So `complete` is never a matter of opinion.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sudoku_encode.errors import InternalError, Stopped
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check

OUT_OF_MEMORY = "out of memory"


@dataclass(frozen=True)
class Budget:
    """How far a method may go.

    Attributes:
        limit: stop at so many solutions, at least 1.
        deadline: stop at this time of `time.monotonic`.
        memory: how many bytes may be added to what the process has; for methods that plan with it.
    """

    limit: int | None = None
    deadline: float | None = None
    memory: int | None = None

    @staticmethod
    def of(limit: int | None = None, seconds: float | None = None, memory: int | None = None) -> "Budget":
        """Return a budget that starts now."""
        return Budget(limit, None if seconds is None else time.monotonic() + seconds, memory)

    @property
    def seconds_left(self) -> float:
        """Seconds until the deadline, infinite without one, never below 0."""
        return float("inf") if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def check_time(self) -> None:
        """Raise Stopped when the time is over."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise Stopped("time limit")


@dataclass(frozen=True)
class Count:
    """How many solutions there are.

    Attributes:
        value: how many were found.
        complete: whether it is proved that there are no more. Then there are exactly `value`, else at least.
        stopped: what ended the search, where it is not complete.
    """

    value: int
    complete: bool
    stopped: str = ""

    def __str__(self) -> str:
        """Say the number as it is known."""
        return str(self.value) if self.complete else f"at least {self.value}"


def checked(puzzle: Puzzle, batches: Iterable[Grids], budget: Budget) -> Iterator[Grids]:
    """Yield the batches of a method up to the limit, each solution checked against the rules first.

    Raises:
        Stopped: the limit is reached, whether or not there are more; or the method stopped.
        InternalError: a grid is no solution, or the method tried to end the program.
    """
    found = 0
    try:
        for batch in batches:
            check(puzzle, batch)
            kept = batch if budget.limit is None else batch[: budget.limit - found]
            found += len(kept)
            if len(kept):
                yield kept
            if found == budget.limit:
                raise Stopped(f"limit of {budget.limit}")
    except SystemExit as error:
        raise _ended_the_program(error) from error


def _ended_the_program(error: SystemExit) -> InternalError:
    """Return what a library's `sys.exit` is here: with status 0 it would pass for the end of a complete search."""
    return InternalError(f"a library tried to end the program with status {error.code}")


def until_stopped(counting: Callable[[], int]) -> Count:
    """Count without listing; what stops that, a key press included, leaves nothing known.

    Raises:
        InternalError: the method tried to end the program.
    """
    try:
        return Count(counting(), True)
    except Stopped as reason:
        return Count(0, False, str(reason))
    except KeyboardInterrupt:
        return Count(0, False, "interrupted")
    except MemoryError:
        return Count(0, False, OUT_OF_MEMORY)
    except SystemExit as error:
        raise _ended_the_program(error) from error


def count(batches: Iterable[Grids]) -> Count:
    """Count the solutions in some batches; what stops them, a key press included, makes the count incomplete."""
    value = 0
    try:
        for batch in batches:
            value += len(batch)
    except Stopped as reason:
        return Count(value, False, str(reason))
    except KeyboardInterrupt:
        return Count(value, False, "interrupted")
    except MemoryError:
        return Count(value, False, OUT_OF_MEMORY)
    return Count(value, True)
