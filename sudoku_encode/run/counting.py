"""How many solutions there are, and when that is complete.

A method yields its solutions in batches, each once. It ends by itself only when it has proved that there are no more;
what stops it before that raises `Stopped`. So `complete` always means that it is proved.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sudoku_encode.errors import InternalError, Stopped, short
from sudoku_encode.run.events import Event, Found, Progress, emit, observing

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle

OUT_OF_MEMORY = "out of memory"
INTERRUPTED = "interrupted"
# Why a count that takes long has no answer yet: its caller goes on with it.
IN_PARTS = "it takes long, and is done in parts"


@dataclass(frozen=True, repr=False)
class Count:
    """How many solutions there are.

    Attributes:
        value: how many were found.
        complete: whether it is proved that there are no more. Then there are exactly `value`, else at least.
        stopped: what ended the search, where it is not complete.

    >>> str(Count(7, True)), str(Count(2, False, "limit of 2")), str(Count(0, False, "time limit"))
    ('7', 'at least 2', 'not known')
    """

    value: int
    complete: bool
    stopped: str = ""

    def __repr__(self) -> str:
        """Return the fields on one short line."""
        return f"Count(value={self.value}, complete={self.complete}, stopped={short(self.stopped, 30)!r})"

    def __str__(self) -> str:
        """Return the number as far as it is known: `7`, `at least 2`, or `not known` where no solution was found."""
        if self.complete:
            return str(self.value)
        return f"at least {self.value}" if self.value else "not known"


@dataclass
class Floor:
    """How many solutions a puzzle has at least, by the progress of all that worked on it one after the other.

    Attributes:
        value: the largest number that was reported. Numbers are never added: two methods find the same solutions.
    """

    value: int = 0

    def note(self, event: Event) -> None:
        """Take an event into account."""
        if isinstance(event, Progress):
            self.value = max(self.value, event.found)

    def note_listed(self, event: Event) -> None:
        """Take an event into account where solutions are listed: what was counted besides is not in the list."""
        if isinstance(event, Found):
            self.value += len(event.grids)

    def under(self, counted: Count) -> Count:
        """Return a count that is not below what was reported before; a complete count as it is."""
        if counted.complete or counted.value >= self.value:
            return counted
        return replace(counted, value=self.value)


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
        raise _exit_error(error) from error


def _exit_error(error: SystemExit) -> InternalError:
    """Return the error to raise for a library's `sys.exit`: status 0 would pass for the end of a complete search."""
    return InternalError(f"a library tried to end the program with status {error.code}")


def count_or_stopped(counting: "Callable[[], int | Count]") -> Count:
    """Count the solutions; where that is stopped, by Ctrl-C too, the count is the largest that was reported meanwhile.

    Args:
        counting: returns the number of solutions, all of them; or a `Count`, which may be incomplete. Its `Progress`
            says how many solutions there are at least.

    Raises:
        InternalError: the method tried to end the program; or it says that there are fewer than were reported.
    """
    floor = Floor()

    def observe(event: Event) -> None:
        floor.note(event)
        emit(event)

    try:
        with observing(observe):
            counted = counting()
        found = counted if isinstance(counted, Count) else Count(counted, True)
    except SystemExit as error:
        raise _exit_error(error) from error
    except (Stopped, KeyboardInterrupt, MemoryError) as reason:
        found = Count(0, False, stop_reason(reason))
    if found.complete and found.value < floor.value:
        raise InternalError(f"{floor.value} solutions were found, and then {found.value} counted as all")
    return floor.under(found)


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
        return Count(value, False, stop_reason(reason))
    return Count(value, True)


def stop_reason(reason: BaseException) -> str:
    """Say in a few words what stopped some work: a limit, Ctrl-C, or that there is no more memory."""
    if isinstance(reason, KeyboardInterrupt):
        return INTERRUPTED
    return OUT_OF_MEMORY if isinstance(reason, MemoryError) else str(reason)
