"""`each` on any executor: items are sent in batches, and their answers are delivered in the order of the items."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from sudoku_encode.errors import INTERRUPTED, InterruptedRunError, StoppedError, printable, short
from sudoku_encode.run.each_here import ItemBatches, Task, batches_of, each_here
from sudoku_encode.run.events import Event, Progress, Remark, SolutionsFound, emit
from sudoku_encode.run.executor import NOT_READY, NotReady, spread
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import Pool
from sudoku_encode.run.tasks import go_on

T = TypeVar("T")
R = TypeVar("R")

# How many bytes of solutions come back together at most, besides those of the last item; and for one item. An item with
# more is answered again here, where solutions arrive as they are found.
_TOGETHER_BYTES, _ITEM_BYTES = 1 << 24, 1 << 26
# How many batches may wait for an earlier one, and how many bytes of solutions they may have.
_WAITING_BATCHES, _WAITING_BYTES = 256, 1 << 28


class _ItemResult(NamedTuple, Generic[R]):
    """The result of an item, as a worker returns it."""

    events: tuple[Event, ...]  # in their order
    answer: R | StoppedError  # of the task, or what stopped it
    seconds: float  # how long that took


class Work(NamedTuple, Generic[T, R]):
    """The work on items."""

    task: Task[T, R]  # yields the answers for some items
    limits: Limits  # for each item
    load: Callable[[T], None] | None  # called with the first item where the processes are made
    prepare: Callable[[T], None] | None  # called in the process with its first item


class ResultCheck(NamedTuple, Generic[T, R]):
    """The check of the results of items."""

    types: tuple[type, ...]  # of answers, besides StoppedError
    # Returns why an answer with its events cannot be used; "" if it can.
    usable: Callable[[T, R | StoppedError, Sequence[Event]], str]

    def fault(self, item: T, answered: _ItemResult[R]) -> str:
        """Return why an answer cannot be used; "" if it can."""
        if not isinstance(answered.answer, (StoppedError, *self.types)):
            expected = " or ".join(kind.__name__ for kind in self.types)
            return f"an answer of the executor has the type {type(answered.answer).__name__}; expected {expected}"
        try:
            return self.usable(item, answered.answer, answered.events)
        # The type is right, but its fields may be anything.
        except Exception as error:
            return printable(short(f"an answer of the executor cannot be read: {type(error).__name__}: {error}", 200))


def each_elsewhere(
    work: Work[T, R],
    batches: ItemBatches[T],
    pool: Pool,
    on_event: Callable[[T, Event], None],
    check: ResultCheck[T, R],
) -> Iterator[tuple[T, R | StoppedError, float]]:
    """Yield each item with its answer and how many seconds that took; see `each`, also for the errors."""
    turn = _Ordering(work, batches, pool, on_event, check)
    try:
        yield from turn.all_answers()
    except KeyboardInterrupt:
        if turn.items:
            yield turn.items[0], InterruptedRunError(INTERRUPTED), 0.0
        raise


class _Ordering(Generic[T, R]):
    """Hands batches out, and delivers their answers in order."""

    def __init__(
        self,
        work: Work[T, R],
        batches: ItemBatches[T],
        pool: Pool,
        on_event: Callable[[T, Event], None],
        check: ResultCheck[T, R],
    ) -> None:
        self.work, self.batches, self.pool, self.on_event, self.check = work, batches, pool, on_event, check
        self.items: list[T] = []  # those of the current batch without an answer so far
        self._handed_out: dict[int, list[T]] = {}
        self._ready: dict[int, list[_ItemResult[R]] | StoppedError] = {}

    def all_answers(self) -> Iterator[tuple[T, R | StoppedError, float]]:
        """Yield the items with their answers and seconds."""
        number = 0
        task = partial(_answer_items, self.work)
        for done, results in spread(task, self._to_hand_out(), self.pool, usable=self._form_fault):
            self._ready[done] = results
            if not isinstance(results, StoppedError):
                self.batches.took(sum(answered.seconds for answered in results))
            while number in self._ready:
                self.items = self._handed_out.pop(number)
                yield from self._deliver(self._ready.pop(number))
                number += 1
                self.items = self._handed_out.get(number, [])

    def _to_hand_out(self) -> Iterator[list[T] | NotReady]:
        number = 0
        while True:
            if len(self._ready) > _WAITING_BATCHES or sum(map(_n_bytes, self._ready.values())) > _WAITING_BYTES:
                yield NOT_READY
                continue
            if not (items := self.batches.next()):
                return
            self._handed_out[number] = items
            if not self.items:
                self.items = items
            number += 1
            yield items

    def _form_fault(self, number: int, results: list[_ItemResult[R]]) -> str:
        """Return why results are not valid for the first items of a batch; "" if they are."""
        if type(results) is not list or not 1 <= len(results) <= len(self._handed_out[number]):
            return f"the result is not a list of answers for up to {len(self._handed_out[number])} items"
        return "" if all(map(_is_item_result, results)) else "the result contains an invalid answer"

    def _deliver(self, results: list[_ItemResult[R]] | StoppedError) -> Iterator[tuple[T, R | StoppedError, float]]:
        """Yield the answers for a batch; repeat items without one, since a worker died or there were too many grids."""
        if isinstance(results, StoppedError):
            if len(self.items) > 1:
                # One of them may end the workers: the others get their answers all the same.
                yield from self._repeat(self._on_executor(1))
            else:
                yield self.items.pop(0), results, 0.0
            return
        for answered in results:
            if wrong := self.check.fault(self.items[0], answered):
                emit(Remark(f"{wrong}; computing it again here"))
            if wrong or isinstance(answered.answer, _TooLarge):
                yield from self._repeat(self._on_this_machine())
            else:
                answer = self._observed(self.items[0], answered)
                yield self.items.pop(0), answer, answered.seconds
        if self.items:
            yield from self._repeat(self._on_executor(len(self.items)))

    def _on_this_machine(self) -> Iterator[tuple[T, R | StoppedError, float]]:
        """Work on the next item here."""
        item, work = batches_of(self.items[:1], 1), self.work
        return each_here(work.task, item, work.limits, work.prepare, self.on_event, load=work.load)

    def _on_executor(self, at_a_time: int) -> Iterator[tuple[T, R | StoppedError, float]]:
        """Hand the items out once more, some at a time."""
        batches = batches_of(self.items[:], at_a_time)
        return _Ordering(self.work, batches, self.pool, self.on_event, self.check).all_answers()

    def _repeat(
        self, answers: Iterator[tuple[T, R | StoppedError, float]]
    ) -> Iterator[tuple[T, R | StoppedError, float]]:
        for _, answer, seconds in answers:
            yield self.items.pop(0), answer, seconds

    def _observed(self, item: T, answered: _ItemResult[R]) -> R | StoppedError:
        """Pass on the events of an item and return its answer, or the StoppedError that the observer raises."""
        try:
            for event in answered.events:
                self.on_event(item, event)
        except StoppedError as reason:
            return reason
        return answered.answer


def _is_item_result(result: object) -> bool:
    """Return whether an object is a valid `_ItemResult`."""
    return (
        isinstance(result, _ItemResult)
        and isinstance(result.seconds, float | int)
        and isinstance(result.events, tuple)
        and all(map(_is_event, result.events))
    )


def _is_event(event: object) -> bool:
    """Return whether an object is a valid event, as far as observers use it."""
    if isinstance(event, SolutionsFound):
        return isinstance(event.grids, np.ndarray)
    if isinstance(event, Progress):
        return isinstance(event.text, str) and type(event.found) is int
    return isinstance(event.text, str) if isinstance(event, Remark) else isinstance(event, Event)


def _n_bytes(results: list[_ItemResult[R]] | StoppedError) -> int:
    """Return the size of the solutions in the results of a batch."""
    if isinstance(results, StoppedError):
        return 0
    return sum(event.grids.nbytes for one in results for event in one.events if isinstance(event, SolutionsFound))


class _TooLarge(StoppedError):
    """An item has more solutions than can be sent together."""


def _answer_items(work: Work[T, R], items: list[T]) -> list[_ItemResult[R]]:
    """Return the answers for some items, at least for the first; this runs at the worker."""
    answers: list[_ItemResult[R]] = []
    events: list[Event] = []
    n_bytes = n_bytes_of_item = 0

    def observe(item: T, event: Event) -> None:
        nonlocal n_bytes_of_item
        if isinstance(event, SolutionsFound):
            n_bytes_of_item += event.grids.nbytes
            if n_bytes_of_item > _ITEM_BYTES:
                raise _TooLarge("more solutions than can be sent together")
        if events and isinstance(event, Progress) and isinstance(last := events[-1], Progress):
            events.pop()
            event = event.after(last)
        events.append(event)

    if work.load is not None:
        work.load(items[0])
    batches = batches_of(items, len(items))
    working = each_here(work.task, batches, work.limits, work.prepare, observe, load=work.load, tick=go_on)
    with closing(working):
        for _, answer, seconds in working:
            answers.append(_ItemResult(() if isinstance(answer, _TooLarge) else tuple(events), answer, seconds))
            n_bytes, n_bytes_of_item = n_bytes + n_bytes_of_item, 0
            events.clear()
            if n_bytes > _TOGETHER_BYTES:
                break
    return answers
