"""How many solutions there are, and when that is complete.

A method yields its solutions in batches, each once. It ends by itself only when it has proved that there are no more;
whatever stops it before is a `Stopped`. So `complete` is never a matter of opinion.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_encode.errors import InternalError, Stopped, short
from sudoku_encode.run.events import Progress, emit

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle

OUT_OF_MEMORY = "out of memory"
INTERRUPTED = "interrupted"


@dataclass(frozen=True, repr=False)
class Count:
    """How many solutions there are.

    Attributes:
        value: how many were found.
        complete: whether it is proved that there are no more. Then there are exactly `value`, else at least.
        stopped: what ended the search, where it is not complete.

    >>> str(Count(7, True)), str(Count(2, False, "limit of 2"))
    ('7', 'at least 2')
    """

    value: int
    complete: bool
    stopped: str = ""

    def __repr__(self) -> str:
        """Say what is known, in little room."""
        return f"Count(value={self.value}, complete={self.complete}, stopped={short(self.stopped, 30)!r})"

    def __str__(self) -> str:
        """Say the number as it is known."""
        return str(self.value) if self.complete else f"at least {self.value}"


def checked(puzzle: "Puzzle", batches: "Iterable[Grids]", limit: int | None) -> "Iterator[Grids]":
    """Yield the batches of a method up to a number of solutions, each checked against the rules first.

    Raises:
        Stopped: the limit is reached, whether or not there are more; or the method stopped.
        InternalError: a grid is no solution, or the method tried to end the program.
    """
    from sudoku_encode.puzzles.puzzle import check

    found = 0
    try:
        for batch in batches:
            check(puzzle, batch)
            within = batch if limit is None else batch[: limit - found]
            found += len(within)
            if len(within):
                yield within
            if found == limit:
                raise Stopped(f"limit of {limit}")
    except SystemExit as error:
        raise _ended_the_program(error) from error


def _ended_the_program(error: SystemExit) -> InternalError:
    """Return what a library's `sys.exit` is here: with status 0 it would pass for the end of a complete search."""
    return InternalError(f"a library tried to end the program with status {error.code}")


def count_or_stopped(counting: "Callable[[], int | Count]") -> Count:
    """Count without listing; what stops that, Ctrl-C included, leaves nothing known.

    Args:
        counting: returns the number of solutions, or where it knows better itself what is complete, a `Count`.

    Raises:
        InternalError: the method tried to end the program.
    """
    try:
        found = counting()
        return found if isinstance(found, Count) else Count(found, True)
    except SystemExit as error:
        raise _ended_the_program(error) from error
    except (Stopped, KeyboardInterrupt, MemoryError) as reason:
        return Count(0, False, _why(reason))


def tally(batches: "Iterable[Grids]") -> Count:
    """Count the solutions in some batches; what stops them, Ctrl-C included, makes the count incomplete.

    How many there are so far is emitted as `Progress`.
    """
    value = 0
    try:
        for batch in batches:
            value += len(batch)
            emit(Progress.of_solutions(value))
    except (Stopped, KeyboardInterrupt, MemoryError) as reason:
        return Count(value, False, _why(reason))
    return Count(value, True)


def _why(reason: BaseException) -> str:
    if isinstance(reason, KeyboardInterrupt):
        return INTERRUPTED
    return OUT_OF_MEMORY if isinstance(reason, MemoryError) else str(reason)
