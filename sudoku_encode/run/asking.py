"""Ask a question about puzzles: here, in a process that can be ended, or on an executor.

A question is a frozen dataclass of its options, which knows how to answer itself. `ask` and `ask_each` are the only way
to run one: they hold its limits, check what comes back from elsewhere, and return an `Answer`.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Generic, TypeVar

from sudoku_encode.errors import StoppedError
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, SolutionsFound, emit
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.pools import ONE, Pool
from sudoku_encode.run.status import Status, status_of_stop

R = TypeVar("R")
# The number of a puzzle, for the caller, and the puzzle.
Numbered = tuple[int, Puzzle]
OnEvent = Callable[[Numbered, Event], None]

_NO_LIMITS = Limits()


@dataclass(frozen=True)
class Answer(Generic[R]):
    """The answer to a question about a puzzle."""

    value: R | None  # None if the work was stopped before anything was known
    status: Status
    stopped: str = ""  # what ended the work; empty if the answer is complete
    method: str = ""  # that answered; empty if the question has no method
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether more work would not change the answer."""
        return not self.stopped

    @property
    def required(self) -> R:
        """The value.

        Raises:
            StoppedError: the work was stopped before anything was known.
        """
        if self.value is None:
            raise StoppedError(self.stopped)
        return self.value


class Question(Generic[R]):
    """A question about a puzzle; each kind is a frozen dataclass of its options."""

    # Of the values, for answers from elsewhere.
    types: ClassVar[tuple[type, ...]] = (object,)

    def require(self, puzzle: Puzzle) -> None:
        """Check that the question can be asked about a puzzle.

        Raises:
            SudokuError: it cannot.
        """

    def answer(self, item: Numbered, deadline: Deadline) -> R:
        """Return the value of the answer for a puzzle.

        Raises:
            StoppedError: the deadline was reached before anything was known.
        """
        raise NotImplementedError

    def judge(self, puzzle: Puzzle, value: R) -> tuple[Status, str]:
        """Return the status of an answer, and what ended the work if it is not complete."""
        raise NotImplementedError

    def method_of(self, value: R | None) -> str:
        """Return the method that answered; empty if the question has none."""
        return ""

    def fault(self, item: Numbered, value: R, events: Sequence[Event]) -> str:
        """Return why a value from elsewhere cannot be right; "" if nothing speaks against it."""
        return ""

    def load(self, item: Numbered) -> None:
        """Load libraries and compiled code, so that processes forked from this one need not."""

    def warm_up(self, item: Numbered) -> None:
        """Compile or load in the process of a puzzle, before its time begins."""

    def rescue(self, item: Numbered, reason: str, solutions: Grids | None) -> R | None:
        """Return the value that is known of a puzzle whose work was stopped; None if nothing is.

        Args:
            item: the puzzle with its number.
            reason: what ended the work.
            solutions: the solutions in the last `SolutionsFound` event, (m, n_cells), if there was one.
        """
        return None


def ask(question: Question[R], puzzle: Puzzle, limits: Limits = _NO_LIMITS, pool: Pool = ONE) -> Answer[R]:
    """Return the answer for a puzzle; without limits that need a process, it is computed in this one.

    Raises:
        SudokuError: the question does not fit the puzzle.
    """
    question.require(puzzle)
    if not pool.is_here or limits.need_a_process:
        ((_, answer),) = ask_each(question, [(1, puzzle)], limits, pool)
        return answer
    begun = time.monotonic()
    try:
        value: R | StoppedError = question.answer((1, puzzle), limits.start())
    except StoppedError as reason:
        value = reason
    return answer_of(question, (1, puzzle), value, time.monotonic() - begun)


def ask_each(
    question: Question[R],
    puzzles: Iterable[Numbered],
    limits: Limits = _NO_LIMITS,
    pool: Pool = ONE,
    on_event: OnEvent | None = None,
) -> Iterator[tuple[Numbered, Answer[R]]]:
    """Yield each puzzle with its answer, in order, within limits that are enforced by ending processes.

    Args:
        question: what is asked.
        puzzles: with their numbers; the question fits them.
        limits: for each puzzle.
        pool: where to answer, and how many puzzles at a time.
        on_event: called with a puzzle and each event; by default events go to the observer.
    """
    solutions: dict[int, Grids] = {}

    def observe(item: Numbered, event: Event) -> None:
        if isinstance(event, SolutionsFound):
            solutions[item[0]] = event.grids
        elif on_event is not None:
            on_event(item, event)
        else:
            emit(event)

    results = each(
        partial(one_by_one, partial(_answer, question, limits)),
        puzzles,
        limits,
        pool=pool,
        load=question.load,
        prepare=question.warm_up if limits.seconds is not None else None,
        on_event=observe,
        types=question.types,
        usable=partial(_fault, question),
    )
    for item, value, seconds in results:
        yield item, answer_of(question, item, value, seconds, solutions.pop(item[0], None))


# Other processes get functions of a module, or partials of these.
def _answer(question: Question[R], limits: Limits, item: Numbered) -> R:
    return question.answer(item, limits.start())


def _fault(question: Question[R], item: Numbered, value: R | StoppedError, events: Sequence[Event]) -> str:
    return "" if isinstance(value, StoppedError) else question.fault(item, value, events)


def answer_of(
    question: Question[R], item: Numbered, value: R | StoppedError, seconds: float, solutions: Grids | None = None
) -> Answer[R]:
    """Return the answer with a value, or with the error that ended the work.

    Args:
        question: what was asked.
        item: the puzzle with its number.
        value: the value or the error.
        seconds: that it took.
        solutions: solutions that were found before the work was ended.
    """
    if isinstance(value, StoppedError):
        reason = value.reason
        rescued = question.rescue(item, reason, solutions)
        if rescued is None:
            return Answer(None, status_of_stop(reason), reason, question.method_of(None), seconds)
        value = rescued
    status, stopped = question.judge(item[1], value)
    return Answer(value, status, stopped, question.method_of(value), seconds)
