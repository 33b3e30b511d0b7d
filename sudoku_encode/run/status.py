"""The word for an answer in its record. Imports nothing heavy: every command uses it."""

from enum import StrEnum
from typing import TYPE_CHECKING

from sudoku_encode.errors import StopReason

if TYPE_CHECKING:
    from sudoku_encode.run.counting import Count


class Status(StrEnum):
    """The word for an answer in its record."""

    SOLVED = "solved"
    UNIQUE = "unique"
    SEVERAL = "several"
    NO_SOLUTION = "no solution"
    DRAWN = "drawn"
    STEP = "step"
    STUCK = "stuck"
    SHOWN = "shown"
    PROVED = "proved"
    SAME = "same"
    DIFFERENT = "different"
    ESTIMATED = "estimated"
    BAD_INPUT = "bad input"
    REFUSED = "refused"
    # Not complete, because of:
    LIMIT = "limit"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"


# The statuses of answers that are not complete.
INCOMPLETE = frozenset((Status.LIMIT, Status.TIMEOUT, Status.MEMORY, Status.INTERRUPTED, Status.STOPPED))


def status_of_stop(reason: str) -> Status:
    """Return the status of an answer that was stopped for a reason."""
    return Status(reason.status) if isinstance(reason, StopReason) else Status.STOPPED


def status_of_count(count: "Count") -> Status:
    """Return the status of a number of solutions."""
    if not count.complete:
        return status_of_stop(count.stopped)
    return (Status.NO_SOLUTION, Status.UNIQUE, Status.SEVERAL)[min(count.value, 2)]
