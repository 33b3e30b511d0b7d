"""`each` on any executor: some items travel there together, and their answers come back in the order of the items."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from sudoku_encode.errors import InterruptedRunError, StoppedError, printable, short
from sudoku_encode.run.chunks import Chunks, all_of
from sudoku_encode.run.counting import INTERRUPTED
from sudoku_encode.run.each_here import Task, each_here
from sudoku_encode.run.events import Event, Found, Progress, Remark, emit
from sudoku_encode.run.executor import LATER, Later, spread
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import Pool
from sudoku_encode.run.stopping import go_on

T = TypeVar("T")
R = TypeVar("R")

# How many solutions, in bytes, come back together at most, besides those of the last item; and of one item. One with
# more is asked again here, where they come as they are found.
_TOGETHER_BYTES, _ITEM_BYTES = 1 << 24, 1 << 26
# How many chunks may wait for one before them, and how many bytes of solutions they may have.
_WAITING_CHUNKS, _WAITING_BYTES = 256, 1 << 28


class _Answered(NamedTuple, Generic[R]):
    """What comes back of an item.

    Attributes:
        events: in their order.
        answer: what the task answered, or what stopped it.
        seconds: how long that took.
    """

    events: tuple[Event, ...]
    answer: R | StoppedError
    seconds: float


class Work(NamedTuple, Generic[T, R]):
    """What is done with items, wherever that is.

    Attributes:
        task: yields the answers for some items.
        limits: for each item.
        load: called with the first item where the processes are made.
        prepare: called in the process with its first item.
    """

    task: Task[T, R]
    limits: Limits
    load: Callable[[T], None] | None
    prepare: Callable[[T], None] | None


class Returned(NamedTuple, Generic[T, R]):
    """What may come back for an item.

    Attributes:
        types: of answers, besides StoppedError.
        usable: says why an answer with its events cannot be used; empty where it can.
    """

    types: tuple[type, ...]
    usable: Callable[[T, R | StoppedError, Sequence[Event]], str]

    def wrong(self, item: T, answered: _Answered[R]) -> str:
        """Say why an answer cannot be used; empty where it can."""
        if not isinstance(answered.answer, (StoppedError, *self.types)):
            wanted = " or ".join(one.__name__ for one in self.types)
            return f"an answer of the executor is of the type {type(answered.answer).__name__}, and not {wanted}"
        try:
            return self.usable(item, answered.answer, answered.events)
        # It is of the right type, and its parts may still be anything.
        except Exception as error:
            return printable(short(f"an answer of the executor cannot be read: {type(error).__name__}: {error}", 200))


def each_elsewhere(
    work: Work[T, R],
    chunks: Chunks[T],
    pool: Pool,
    on_event: Callable[[T, Event], None],
    returned: Returned[T, R],
) -> Iterator[tuple[T, R | StoppedError, float]]:
    """Yield each item with its answer and how many seconds that took; see `each`, which says what is raised."""
    turn = _Turn(work, chunks, pool, on_event, returned)
    try:
        yield from turn.all_answers()
    except KeyboardInterrupt:
        if turn.items:
            yield turn.items[0], InterruptedRunError(INTERRUPTED), 0.0
        raise


class _Turn(Generic[T, R]):
    """Hands chunks out, and delivers their answers in turn.

    Attributes:
        items: those of the chunk whose turn it is that have no answer so far.
    """

    def __init__(
        self,
        work: Work[T, R],
        chunks: Chunks[T],
        pool: Pool,
        on_event: Callable[[T, Event], None],
        returned: Returned[T, R],
    ) -> None:
        self.work, self.chunks, self.pool, self.on_event, self.returned = work, chunks, pool, on_event, returned
        self.items: list[T] = []
        self._handed_out: dict[int, list[T]] = {}
        self._ready: dict[int, list[_Answered[R]] | StoppedError] = {}

    def all_answers(self) -> Iterator[tuple[T, R | StoppedError, float]]:
        """Yield the items with their answers and seconds."""
        number = 0
        task = partial(_answered, self.work)
        for done, found in spread(task, self._to_hand_out(), self.pool, usable=self._wrong_form):
            self._ready[done] = found
            if not isinstance(found, StoppedError):
                self.chunks.took(sum(answered.seconds for answered in found))
            while number in self._ready:
                self.items = self._handed_out.pop(number)
                yield from self._delivered(self._ready.pop(number))
                number += 1
                self.items = self._handed_out.get(number, [])

    def _to_hand_out(self) -> Iterator[list[T] | Later]:
        number = 0
        while True:
            if len(self._ready) > _WAITING_CHUNKS or sum(map(_n_bytes, self._ready.values())) > _WAITING_BYTES:
                yield LATER
                continue
            if not (some := self.chunks.next()):
                return
            self._handed_out[number] = some
            if not self.items:
                self.items = some
            number += 1
            yield some

    def _wrong_form(self, number: int, found: list[_Answered[R]]) -> str:
        """Say why these cannot be answers for the first items of a chunk, or for all; empty where they can."""
        if type(found) is not list or not 1 <= len(found) <= len(self._handed_out[number]):
            return f"what came back is no list of answers for up to {len(self._handed_out[number])} items"
        return "" if all(map(_is_answered, found)) else "what came back has an answer of another form"

    def _delivered(self, found: list[_Answered[R]] | StoppedError) -> Iterator[tuple[T, R | StoppedError, float]]:
        """Yield the answers for a chunk; what has none, since a worker died or too much was found, is asked again."""
        if isinstance(found, StoppedError):
            if len(self.items) > 1:
                # One of them may be what ends the workers: the others have their answers all the same.
                yield from self._asked_again(self._elsewhere(1))
            else:
                yield self.items.pop(0), found, 0.0
            return
        for answered in found:
            if wrong := self.returned.wrong(self.items[0], answered):
                emit(Remark(f"{wrong}; it is asked again here"))
            if wrong or isinstance(answered.answer, _TooLarge):
                yield from self._asked_again(self._here())
            else:
                answer = self._observed(self.items[0], answered)
                yield self.items.pop(0), answer, answered.seconds
        if self.items:
            yield from self._asked_again(self._elsewhere(len(self.items)))

    def _here(self) -> Iterator[tuple[T, R | StoppedError, float]]:
        """Work on the next item here."""
        one, work = all_of(self.items[:1], 1), self.work
        return each_here(work.task, one, work.limits, work.prepare, self.on_event, load=work.load)

    def _elsewhere(self, at_a_time: int) -> Iterator[tuple[T, R | StoppedError, float]]:
        """Hand the items out once more, some at a time."""
        chunks = all_of(self.items[:], at_a_time)
        return _Turn(self.work, chunks, self.pool, self.on_event, self.returned).all_answers()

    def _asked_again(
        self, answers: Iterator[tuple[T, R | StoppedError, float]]
    ) -> Iterator[tuple[T, R | StoppedError, float]]:
        for _, answer, seconds in answers:
            yield self.items.pop(0), answer, seconds

    def _observed(self, item: T, answered: _Answered[R]) -> R | StoppedError:
        """Pass on the events of an item and return its answer, or the StoppedError that the observer raises."""
        try:
            for event in answered.events:
                self.on_event(item, event)
        except StoppedError as reason:
            return reason
        return answered.answer


def _is_answered(one: object) -> bool:
    """Say whether something has the form of what comes back of an item."""
    return (
        isinstance(one, _Answered)
        and isinstance(one.seconds, float | int)
        and isinstance(one.events, tuple)
        and all(map(_is_event, one.events))
    )


def _is_event(event: object) -> bool:
    """Say whether something is an event, as far as it is looked at where it is observed."""
    if isinstance(event, Found):
        return isinstance(event.grids, np.ndarray)
    if isinstance(event, Progress):
        return isinstance(event.text, str) and type(event.found) is int
    return isinstance(event.text, str) if isinstance(event, Remark) else isinstance(event, Event)


def _n_bytes(found: list[_Answered[R]] | StoppedError) -> int:
    """Return how large the solutions are that came back of a chunk."""
    if isinstance(found, StoppedError):
        return 0
    return sum(event.grids.nbytes for one in found for event in one.events if isinstance(event, Found))


class _TooLarge(StoppedError):
    """An item has more solutions than can be sent together."""


def _answered(work: Work[T, R], items: list[T]) -> list[_Answered[R]]:
    """Return the answers for some items, in whatever process; at least for the first."""
    answers: list[_Answered[R]] = []
    events: list[Event] = []
    n_bytes = n_bytes_of_item = 0

    def observe(item: T, event: Event) -> None:
        nonlocal n_bytes_of_item
        if isinstance(event, Found):
            n_bytes_of_item += event.grids.nbytes
            if n_bytes_of_item > _ITEM_BYTES:
                raise _TooLarge("more solutions than can be sent together")
        if events and isinstance(event, Progress) and isinstance(last := events[-1], Progress):
            events.pop()
            event = event.after(last)
        events.append(event)

    if work.load is not None:
        work.load(items[0])
    chunks = all_of(items, len(items))
    working = each_here(work.task, chunks, work.limits, work.prepare, observe, load=work.load, tick=go_on)
    with closing(working):
        for _, answer, seconds in working:
            answers.append(_Answered(() if isinstance(answer, _TooLarge) else tuple(events), answer, seconds))
            n_bytes, n_bytes_of_item = n_bytes + n_bytes_of_item, 0
            events.clear()
            if n_bytes > _TOGETHER_BYTES:
                break
    return answers
