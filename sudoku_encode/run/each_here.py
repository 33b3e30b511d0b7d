"""`each` in processes of this machine, which are started for some items and ended when a limit is passed."""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import groupby, islice
from typing import Generic, TypeVar

from sudoku_encode.errors import INTERRUPTED, TIME_LIMIT, InterruptedRunError, ProcessHungError, StoppedError
from sudoku_encode.run.child import Child, is_apart
from sudoku_encode.run.child_work import End, Item, wait
from sudoku_encode.run.events import Event, Progress, SolutionsFound, observed
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.machine import uninterrupted

T = TypeVar("T")
R = TypeVar("R")
# Yields an answer for each of some items, in their order.
Task = Callable[[list[T]], Iterator[R | StoppedError]]

# How many batches may be at work, or wait for an earlier one; how many bytes of solutions each may have waiting; and
# how many events wait before new ones of progress replace each other.
_WAITING_BATCHES, _WAITING_BYTES, _WAITING_EVENTS = 256, 1 << 26, 64
# The work stops by itself when its time is over, and then sends its results. So its process is ended a little later.
_GRACE_FACTOR, _GRACE_SECONDS = 1.05, 0.1
# How long a process may prepare for its first item, such as load what is compiled, before the time of that begins.
_PREPARE_SECONDS = 120.0
_NEVER = float("inf")
# How often `tick` is called.
_TICK_SECONDS = 0.1
_TOO_FEW = "a task ended without an answer for each item"


class ItemBatches(Generic[T]):
    """Hands out some items at a time: more where those before took little time, fewer where they took long.

    If that must be steady, whatever the time, every second batch is twice as large as the one before. If items are in
    groups, by a key, a batch is a group. A batch should take at least and at most so many seconds.
    """

    def __init__(
        self,
        items: Iterator[T],
        most: int,
        first: int,
        *,
        steady: bool,
        group: Callable[[T], object] | None,
        seconds: tuple[float, float],
    ) -> None:
        self.least_seconds, self.most_seconds = seconds
        self.items, self.most, self.size, self.first, self.steady = items, most, first, first, steady
        self.groups = groupby(items, group) if group else None
        self.n_batches = 0

    def next(self) -> list[T]:
        """Return the next items; an empty list at the end."""
        if self.groups:
            return list(next(self.groups, (None, ()))[1])
        self.n_batches += 1
        if self.steady and self.n_batches > 1 and self.n_batches % 2:
            self.size = min(self.most, 2 * self.size)
        return list(islice(self.items, self.size))

    def took(self, seconds: float) -> None:
        """Note how long a batch took."""
        if self.steady:
            return
        if seconds < self.least_seconds:
            self.size = min(self.most, 2 * self.size)
        elif seconds > self.most_seconds:
            self.size = max(self.first, self.size // 2)


def batches_of(items: list[T], at_a_time: int) -> ItemBatches[T]:
    """Return some items in batches of a constant size."""
    return ItemBatches(iter(items), at_a_time, at_a_time, steady=True, group=None, seconds=(0.0, 0.0))


def allowed_seconds(seconds: float) -> float:
    """Return after how many seconds a process is ended whose work should have stopped by itself after `seconds`."""
    return max(seconds * _GRACE_FACTOR, seconds + _GRACE_SECONDS)


def each_here(
    task: Task[T, R],
    batches: ItemBatches[T],
    limits: Limits,
    prepare: Callable[[T], None] | None,
    on_event: Callable[[T, Event], None],
    *,
    load: Callable[[T], None] | None = None,
    processes: int = 1,
    tick: Callable[[], None] | None = None,
) -> Generator[tuple[T, R | StoppedError, float]]:
    """Yield each item with its answer and how many seconds that took; see `each.each`, also for the errors.

    `load` is called with the first item in a process that is not a copy of this one, before its memory is limited;
    `tick` here some times a second, if there are other processes: its errors end all of them.
    """
    if is_apart(limits.need_a_process):
        new_worker = partial(_Worker, task, limits=limits, load=load, prepare=prepare, on_event=on_event)
        yield from _in_processes(new_worker, batches, processes, tick)
        return
    while items := batches.next():
        yield from _in_this_process(task, items, prepare, on_event)


def _in_processes(
    new_worker: "Callable[[list[T]], _Worker[T, R]]",
    batches: ItemBatches[T],
    processes: int,
    tick: Callable[[], None] | None,
) -> Iterator[tuple[T, R | StoppedError, float]]:
    # In the order of their items: those at work, and those whose answers wait for the first.
    workers: deque[_Worker[T, R]] = deque()
    try:
        while True:
            at_work = [worker for worker in workers if worker.is_at_work]
            while len(at_work) < processes and _have_room(workers) and (following := batches.next()):
                # Ctrl-C between the two would leave a process that is not ended.
                with uninterrupted():
                    workers.append(new_worker(following))
                at_work.append(workers[-1])
            if not workers:
                return
            _receive(at_work, workers[0], tick)
            for worker in at_work:
                if not worker.is_at_work:
                    worker.stop()
                    batches.took(time.monotonic() - worker.begun)
            while workers:
                yield from workers[0].answers()
                if workers[0].items:
                    break
                workers.popleft()
    except KeyboardInterrupt:
        for worker in workers:
            yield from worker.answers()
            if worker.items:
                yield worker.items[0], InterruptedRunError(INTERRUPTED), worker.seconds()
                break
        raise
    finally:
        for worker in workers:
            worker.stop()


def _have_room(workers: "deque[_Worker[T, R]]") -> bool:
    """Return whether more answers may wait."""
    return len(workers) < _WAITING_BATCHES and sum(worker.waiting_bytes for worker in workers) <= _WAITING_BYTES


def _receive(at_work: "list[_Worker[T, R]]", first: "_Worker[T, R]", tick: Callable[[], None] | None) -> None:
    """Receive all messages, after waiting until a process has sent one, its time is over, or `tick` must be called."""
    # A process with too many waiting solutions is not read from; so it waits until it can send.
    read_from = [worker for worker in at_work if worker is first or worker.waiting_bytes <= _WAITING_BYTES]
    most_seconds = _NEVER if tick is None else _TICK_SECONDS
    seconds = min(most_seconds, *(worker.ends - time.monotonic() for worker in read_from))
    # Where no item has a limit on time, it waits until there is a message.
    wait([worker.pipe for worker in read_from], None if seconds == _NEVER else max(0.0, seconds))
    for worker in at_work:
        if worker in read_from:
            worker.receive()
        else:
            worker.begin_time()
    if tick is not None:
        tick()


class _Worker(Generic[T, R]):
    """A process that works on some items; if it dies or is ended, a new process continues with the next item."""

    def __init__(
        self,
        task: Task[T, R],
        items: list[T],
        limits: Limits,
        load: Callable[[T], None] | None,
        prepare: Callable[[T], None] | None,
        on_event: Callable[[T, Event], None],
    ) -> None:
        # `items` are those without an answer so far.
        self.task, self.items, self.limits, self.on_event = task, items, limits, on_event
        self.load, self.prepare = load, prepare
        # With their items events, answers with their seconds, and at last an error that ends all.
        self._received: deque[tuple[T, Event | tuple[R | StoppedError, float] | BaseException]] = deque()
        self._failed = False
        # The size of the solutions that were received and not passed on yet, and when it began with the first item.
        self.waiting_bytes, self.begun = 0, time.monotonic()
        self._start()

    def _start(self) -> None:
        self._item_begun = time.monotonic()
        # The time of `time.monotonic` at which it is ended if there is no answer for the next item.
        self.ends = _NEVER if self.limits.seconds is None else time.monotonic() + _PREPARE_SECONDS
        with uninterrupted():
            work = partial(_work, self.task, self.items, self.prepare)
            load = None if self.load is None else partial(self.load, self.items[0])
            self._child: Child[object] = Child(work, self.limits.memory, load)
            self.pipe = self._child.pipe

    @property
    def is_at_work(self) -> bool:
        """Whether answers are to come."""
        return bool(self.items) and not self._failed

    def seconds(self) -> float:
        """Return how long the next item has been worked on, or waited for."""
        return time.monotonic() - self._item_begun

    def begin_time(self) -> None:
        """Let the time of the next item begin now."""
        self._item_begun = time.monotonic()
        if self.limits.seconds is not None:
            self.ends = time.monotonic() + allowed_seconds(self.limits.seconds)

    def receive(self) -> None:
        """Receive what has been sent, without waiting; end the process where its time is over."""
        while self.is_at_work and self.waiting_bytes <= _WAITING_BYTES:
            try:
                # A message in the pipe was sent in time, even if this process reads it late: so it is read first.
                if not self.pipe.ready():
                    if time.monotonic() < max(self.ends, self._child.compiling_until):
                        return
                    raise ProcessHungError(TIME_LIMIT)
                self._take(self._child.receive())
            except StoppedError as reason:
                self._child.stop()
                self._answer(reason, self.seconds())
            except Exception as error:
                # Earlier answers come first.
                self._failed = True
                self._received.append((self.items[0], error))

    def _take(self, message: object) -> None:
        """Process a message; raise the error of the task, if it is one."""
        if isinstance(message, End):
            if message.error is not None:
                raise message.error
            raise RuntimeError(_TOO_FEW)
        if isinstance(message, Item):
            # The time of the next item begins when it is prepared for, or when the answer before it comes.
            if message.value:
                self.begin_time()
                self._answer(*message.value)
                return
            self._child.took(partial(_prepare, self.load, self.prepare, self.items[0]), self.seconds())
            self.begin_time()
            return
        assert isinstance(message, Event)
        many = len(self._received) >= _WAITING_EVENTS
        if many and isinstance(message, Progress) and isinstance(last := self._received[-1][1], Progress):
            self._received.pop()
            message = message.after(last)
        self.waiting_bytes += message.grids.nbytes if isinstance(message, SolutionsFound) else 0
        self._received.append((self.items[0], message))

    def _answer(self, answer: R | StoppedError, seconds: float) -> None:
        """Note the answer for the next item; if the process is gone, another one continues with the items after it."""
        self._received.append((self.items.pop(0), (answer, seconds)))
        if self._child.pipe.closed and self.items:
            self._start()

    def answers(self) -> Iterator[tuple[T, R | StoppedError, float]]:
        """Yield the answers that were received, and pass on the events between them.

        Where the observer raises StoppedError, that is the answer.
        """
        while self._received:
            item, what = self._received.popleft()
            if isinstance(what, tuple):
                yield item, *what
                continue
            if isinstance(what, BaseException):
                raise what
            self.waiting_bytes -= what.grids.nbytes if isinstance(what, SolutionsFound) else 0
            try:
                self.on_event(item, what)
            except StoppedError as reason:
                yield item, reason, self._dropped()

    def _dropped(self) -> float:
        """Drop what else is known of the first item, and end the process if it works on that; return its seconds."""
        while self._received:
            _, what = self._received.popleft()
            self.waiting_bytes -= what.grids.nbytes if isinstance(what, SolutionsFound) else 0
            if isinstance(what, tuple):
                return what[1]
        self.items.pop(0)
        self._child.stop()
        seconds = self.seconds()
        if self.items:
            self._start()
        return seconds

    def stop(self) -> None:
        """End the process."""
        self._child.stop()


# Sent when a process begins with its first item, after preparing. An answer is sent with its seconds.
_PREPARED = ()


def _prepare(load: Callable[[T], None] | None, prepare: Callable[[T], None] | None, item: T) -> None:
    """Call `load` and `prepare`, as processes do before they work on an item."""
    for call in (load, prepare):
        if call is not None:
            call(item)


def _work(
    task: Task[T, R], items: list[T], prepare: Callable[[T], None] | None
) -> Iterator[tuple[R | StoppedError, float] | tuple[()]]:
    if prepare is not None:
        prepare(items[0])
    yield _PREPARED
    begun = time.monotonic()
    for answer in task(items):
        yield answer, time.monotonic() - begun
        begun = time.monotonic()


def _in_this_process(
    task: Task[T, R], items: list[T], prepare: Callable[[T], None] | None, on_event: Callable[[T, Event], None]
) -> Iterator[tuple[T, R | StoppedError, float]]:
    """Yield the items with their answers, from this process; after each that was stopped the task starts anew."""

    def observe(event: Event) -> None:
        if items:
            on_event(items[0], event)

    begun = time.monotonic()
    while items:
        try:
            for answer in observed(_work(task, list(items), prepare), observe):
                begun = time.monotonic()
                if answer:
                    yield items.pop(0), *answer
            if items:
                raise RuntimeError(_TOO_FEW)
        except StoppedError as reason:
            yield items.pop(0), reason, time.monotonic() - begun
        except KeyboardInterrupt:
            yield items[0], InterruptedRunError(INTERRUPTED), time.monotonic() - begun
            raise
