"""Many pieces of work, each within limits: where one ends its process, all others are still answered."""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from multiprocessing.connection import wait
from typing import Generic, TypeVar

from sudoku_encode.errors import Hung, Interrupted, Stopped
from sudoku_encode.run.child import Child, End, Item, can_fork, check_memory_limit
from sudoku_encode.run.counting import INTERRUPTED
from sudoku_encode.run.events import Event, emit, observed
from sudoku_encode.run.limits import Limits

T = TypeVar("T")
R = TypeVar("R")
# Yields an answer for each of some items, in their order.
Task = Callable[[list[T]], Iterator[R | Stopped]]

# How many items a process is given at a time.
CHUNK_ITEMS = 1024
# The work stops by itself when its time is over, and then sends what it has. So its process is ended a little later.
_GRACE_FACTOR, _GRACE_SECONDS = 1.05, 0.1
# How long a process may prepare for its first item, such as load what is compiled, before the time of that begins.
_PREPARE_SECONDS = 120.0
_NEVER = float("inf")
_TOO_FEW = "a task ended without an answer for each item"


def allowed_seconds(seconds: float) -> float:
    """Return after how many seconds a process is ended whose work should have stopped by itself after `seconds`."""
    return max(seconds * _GRACE_FACTOR, seconds + _GRACE_SECONDS)


def one_by_one(answer: Callable[[T], R], items: list[T]) -> Iterator[R | Stopped]:
    """Yield the answer for each item; where Stopped is raised, that is the answer."""
    for item in items:
        try:
            yield answer(item)
        except Stopped as reason:
            yield reason


def each(
    task: Task[T, R],
    items: Iterable[T],
    limits: Limits | None = None,
    *,
    processes: int = 1,
    chunk: int = CHUNK_ITEMS,
    prepare: Callable[[T], None] | None = None,
    on_event: Callable[[T, Event], None] | None = None,
) -> Iterator[tuple[T, R | Stopped]]:
    """Yield each item with its answer; the answers are worked out in other processes.

    Args:
        task: yields the answers for some items, in their order; see `one_by_one`. Events that it emits belong to the
            item that is answered next.
        items: what the task is called with, some at a time.
        limits: for each item; the limit on solutions is not used here, the task must keep to it.
        processes: how many work at a time, where there can be any. With more than one, answers come in the order in
            which they are ready.
        chunk: how many items a process is given at a time.
        prepare: called in the process with its first item, before the time of that begins.
        on_event: called in this process with an item and its event; by default events go to the observer.

    Yields:
        The items with their answers; where a limit was passed, the process died, or the task or `on_event` raised
        Stopped, that is the answer, and another process goes on with the next. After Ctrl-C, Interrupted for the items
        at work, before KeyboardInterrupt is raised.

    Raises:
        KeyboardInterrupt: after Ctrl-C.
        MethodError: memory cannot be limited here.
        SudokuError: raised by the task or `on_event`.
        InternalError: the task raised anything else; where there are no other processes, it is raised as it is.
    """
    limits, on_event = limits or Limits(), on_event or _pass_on
    check_memory_limit(limits.memory)
    chunks = _chunks(items, chunk)
    if can_fork():
        yield from _in_processes(task, chunks, limits, processes, prepare, on_event)
        return
    for some in chunks:
        yield from _in_this_process(task, some, prepare, on_event)


def _in_processes(
    task: Task[T, R],
    chunks: Iterator[list[T]],
    limits: Limits,
    processes: int,
    prepare: Callable[[T], None] | None,
    on_event: Callable[[T, Event], None],
) -> Iterator[tuple[T, R | Stopped]]:
    workers: list[_Worker[T, R]] = []
    try:
        while True:
            while len(workers) < processes and (following := next(chunks, None)):
                workers.append(_Worker(task, following, limits, prepare, on_event))
            if not workers:
                return
            soonest = min(worker.ends for worker in workers)
            # Where no item has a limit on time, it waits until there is a message.
            seconds = None if soonest == _NEVER else max(0.0, soonest - time.monotonic())
            wait([worker.pipe for worker in workers], seconds)
            for worker in workers:
                yield from worker.answers()
            for worker in workers:
                if not worker.items:
                    worker.stop()
            workers = [worker for worker in workers if worker.items]
    except KeyboardInterrupt:
        for worker in workers:
            if worker.items:
                yield worker.items[0], Interrupted(INTERRUPTED)
        raise
    finally:
        for worker in workers:
            worker.stop()


def _pass_on(item: object, event: Event) -> None:
    emit(event)


class _Worker(Generic[T, R]):
    """A process that works on some items; where it dies or is ended, a new process goes on with the next item.

    Attributes:
        items: those without an answer so far.
        ends: the time of `time.monotonic` at which it is ended if there is no answer for the next.
    """

    def __init__(
        self,
        task: Task[T, R],
        items: list[T],
        limits: Limits,
        prepare: Callable[[T], None] | None,
        on_event: Callable[[T, Event], None],
    ) -> None:
        self.task, self.items, self.limits, self.prepare, self.on_event = task, items, limits, prepare, on_event
        self._start()

    def _start(self) -> None:
        self.ends = _NEVER if self.limits.seconds is None else time.monotonic() + _PREPARE_SECONDS
        self._child: Child[object] = Child(partial(_work, self.task, self.items, self.prepare), self.limits.memory)
        self.pipe = self._child.pipe

    def answers(self) -> Iterator[tuple[T, R | Stopped]]:
        """Yield the answers that have been sent, without waiting; end the process where its time is over."""
        while self.items:
            try:
                # A message in the pipe was sent in time, even if this process reads it late: so it is read first.
                if not self.pipe.poll():
                    if time.monotonic() < max(self.ends, self._child.compiling_until):
                        return
                    raise Hung("time limit")
                answer = self._message()
            except Stopped as reason:
                answer = (reason,)
                self._child.stop()
            if answer:
                yield self.items.pop(0), answer[0]
                if self._child.pipe.closed and self.items:
                    self._start()

    def _message(self) -> tuple[R | Stopped] | None:
        """Read a message, and return the answer if it is one.

        Raises:
            Stopped: by the task or the observer; or the process died.
        """
        message = self._child.receive()
        if isinstance(message, End):
            if message.error is not None:
                raise message.error
            raise RuntimeError(_TOO_FEW)
        if not isinstance(message, Item):
            self.on_event(self.items[0], message)
            return None
        # The time of the next item starts when it is prepared for, or when the answer before it comes.
        if self.limits.seconds is not None:
            self.ends = time.monotonic() + allowed_seconds(self.limits.seconds)
        return message.value or None

    def stop(self) -> None:
        self._child.stop()


# Sent when a process begins with its first item, after preparing. An answer is sent as a tuple of one.
_PREPARED = ()


def _work(
    task: Task[T, R], items: list[T], prepare: Callable[[T], None] | None
) -> Iterator[tuple[R | Stopped] | tuple[()]]:
    if prepare is not None:
        prepare(items[0])
    yield _PREPARED
    for answer in task(items):
        yield (answer,)


def _in_this_process(
    task: Task[T, R], items: list[T], prepare: Callable[[T], None] | None, on_event: Callable[[T, Event], None]
) -> Iterator[tuple[T, R | Stopped]]:
    """Yield the items with their answers, from this process; after each that was stopped the task starts anew."""

    def observe(event: Event) -> None:
        if items:
            on_event(items[0], event)

    while items:
        try:
            for answer in observed(_work(task, list(items), prepare), observe):
                if answer:
                    yield items.pop(0), answer[0]
            if items:
                raise RuntimeError(_TOO_FEW)
        except Stopped as reason:
            yield items.pop(0), reason
        except KeyboardInterrupt:
            yield items[0], Interrupted(INTERRUPTED)
            raise


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    remaining = iter(items)
    while chunk := list(islice(remaining, size)):
        yield chunk
