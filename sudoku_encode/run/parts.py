"""A tree of numbered parts on any executor: a part that takes long returns its rest as further parts. No Sudoku.

The first parts are 1, 2, 3, and those that part 17 leaves are 17.1, 17.2 and so on. A part is answered once, and the
work is done when all parts have answers, including those that other parts left.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Generic, NamedTuple, Protocol, TypeVar

from sudoku_encode.errors import StoppedError
from sudoku_encode.run.executor import NOT_READY, NotReady, spread
from sudoku_encode.run.pools import Pool

P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)
Q = TypeVar("Q")


class PartResult(Protocol[P_co]):
    """The answer of a task for a part."""

    @property
    def unfinished(self) -> Sequence[P_co]:
        """The parts that it left."""
        ...


A = TypeVar("A", bound="PartResult[object]")
# Of part 17.2, (17, 2).
Number = tuple[int, ...]


def as_text(number: Number) -> str:
    """Return the number of a part as people read it.

    >>> as_text((17, 2))
    '17.2'
    """
    return ".".join(map(str, number))


class Work(NamedTuple, Generic[P, Q, A]):
    """The work on parts."""

    task: Callable[[Q], A]  # a function of a module, or a partial of one, which an executor can run
    # Returns the argument of the task, from the number of a part, the part, and whether few parts wait.
    item: Callable[[Number, P, bool], Q]
    # Returns why the answer for a part cannot be used; "" if it can.
    usable: Callable[[Number, P, A], str] = lambda number, part, answer: ""
    # Returns whether the next part should wait until another one is answered.
    must_wait: Callable[[Number], bool] = lambda number: False
    overdue_seconds: float | None = None  # how long a task takes at most


class Parts(Generic[P, Q, A]):
    """The parts of some work, each of which is answered once; some may be answered already, by their numbers."""

    def __init__(self, work: Work[P, Q, A], first: Sequence[P], earlier: Mapping[Number, A] | None = None) -> None:
        self.work, self.earlier = work, earlier or {}
        # How many parts there are so far, how many are answered, and how many of these left parts.
        self.n_parts = self.n_answered = self.n_split = 0
        self._waiting: list[tuple[Number, P]] = []
        self._handed_out: dict[int, tuple[Number, P]] = {}
        self._add((), first)

    def _add(self, parent: Number, parts: Sequence[P]) -> None:
        for number, part in enumerate(parts, start=1):
            # No two numbers are the same, so that parts are never compared.
            heappush(self._waiting, ((*parent, number), part))
        self.n_parts += len(parts)

    def answers(self, pool: Pool, tick: Callable[[], None]) -> Generator[tuple[Number, A | StoppedError]]:
        """Yield the number of each part with its answer, as they come; those that are known already come first.

        A part that is answered by StoppedError, since its worker died again and again or has no memory, leaves no
        parts.

        Raises:
            StoppedError: by `tick`; the workers are lost.
        """
        yield from self._earlier_answers()
        work = self.work
        answers = spread(
            work.task,
            self._items(pool),
            pool,
            tick=tick,
            overdue_seconds=work.overdue_seconds,
            usable=self._usable,
        )
        for task, answer in answers:
            number, _ = self._handed_out.pop(task)
            self._take(number, answer)
            yield number, answer

    def _earlier_answers(self) -> Iterator[tuple[Number, A | StoppedError]]:
        unknown = []
        while self._waiting:
            number, part = heappop(self._waiting)
            if number in self.earlier:
                self._take(number, self.earlier[number])
                yield number, self.earlier[number]
            else:
                unknown.append((number, part))
        # In order, a list is a heap.
        self._waiting = unknown

    def _take(self, number: Number, answer: A | StoppedError) -> None:
        self.n_answered += 1
        if not isinstance(answer, StoppedError):
            self.n_split += bool(answer.unfinished)
            self._add(number, answer.unfinished)  # type: ignore[arg-type]

    def _items(self, pool: Pool) -> Iterator[Q | NotReady]:
        for task in count():
            while not self._waiting or (self._handed_out and self.work.must_wait(self._waiting[0][0])):
                if not self._handed_out:
                    return
                yield NOT_READY
            few = len(self._waiting) < 2 * max(1, pool.size)
            # The first in order: then few wait at a time, and what is listed is needed soon.
            self._handed_out[task] = number, part = heappop(self._waiting)
            yield self.work.item(number, part, few)

    def _usable(self, task: int, answer: A) -> str:
        number, part = self._handed_out[task]
        wrong = self.work.usable(number, part, answer)
        return f"part {as_text(number)}: {wrong}" if wrong else ""

    def in_words(self) -> str:
        """Return how many parts are answered, as the beginning of a sentence."""
        split = f", {self.n_split:,} split themselves" if self.n_split else ""
        return f"{self.n_answered:,} of {self.n_parts:,} parts{split}, "
