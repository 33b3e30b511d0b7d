"""Answer many items, each within limits: if one of them ends its process, all others are still answered."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TypeVar

from sudoku_encode.errors import StoppedError
from sudoku_encode.run.child import check_memory_limit
from sudoku_encode.run.each_here import ItemBatches, Task, each_here
from sudoku_encode.run.events import Event, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool

T = TypeVar("T")
R = TypeVar("R")

# How many items a process is given at a time at most. Of several processes each is given one at first, and then as many
# as take at least and at most this long, so that none is left with many hard ones. On a busy machine all takes longer,
# and with fewer items at a time more of it would be to make processes. Sending a batch to another machine costs more.
BATCH_ITEMS = 1024
_BATCH_SECONDS, _BATCH_SECONDS_ELSEWHERE = (0.2, 0.6), (1.0, 4.0)
# Returns why an item's answer with its events cannot be used; an empty string if it can.
ResultFault = Callable[[T, R | StoppedError, Sequence[Event]], str]


def one_by_one(answer: Callable[[T], R], items: list[T]) -> Iterator[R | StoppedError]:
    """Yield the answer for each item; where StoppedError is raised, that is the answer."""
    for item in items:
        try:
            yield answer(item)
        except StoppedError as reason:
            yield reason


def each(
    task: Task[T, R],
    items: Iterable[T],
    limits: Limits | None = None,
    *,
    pool: Pool = ONE,
    chunk: int = BATCH_ITEMS,
    steady: bool = False,
    group: Callable[[T], object] | None = None,
    load: Callable[[T], None] | None = None,
    prepare: Callable[[T], None] | None = None,
    on_event: Callable[[T, Event], None] | None = None,
    types: tuple[type, ...] = (object,),
    usable: ResultFault[T, R] | None = None,
) -> Generator[tuple[T, R | StoppedError, float]]:
    """Yield each item with its answer and how many seconds that took, in order; other processes compute the answers.

    The task yields the answers for some items, in their order; see `one_by_one`. Events that it emits belong to the
    item that is answered next; they reach `on_event` here, by default the observer. The limits are for each item; that
    on solutions is not used here, the task must keep to it. For an executor the task, the items, `load` and `prepare`
    must be picklable.

    A process gets up to `chunk` items at a time. `steady` batches do not depend on time and on the number of processes,
    because the answer for an item depends on those before it in the same process. Neighbouring items of one `group` go
    to one process, because one uses results of another; then these groups are the batches.

    `load` is called with the first item where the processes are made, here or at a worker, if there are others or
    limits: each of them inherits the modules and results that it loads. `prepare` is called in the process with its
    first item, before the time of that begins. An answer from an executor that is not of `types`, or cannot be used,
    such as a grid that is not a solution (`usable` returns why), is computed here.

    If a limit was passed, the process died, or the task or `on_event` raised StoppedError, that is the answer, and
    another process continues with the next item. After Ctrl-C, InterruptedRunError is that for the next item, before
    KeyboardInterrupt.

    Raises:
        KeyboardInterrupt: after Ctrl-C.
        MethodError: memory cannot be limited here.
        SudokuError: raised by the task or `on_event`.
        InternalError: the task raised anything else; without other processes, that is raised as it is.
    """
    limits, on_event = limits or Limits(), on_event or _pass_on
    check_memory_limit(limits.memory)
    first = 1 if steady or not pool.is_here or pool.processes > 1 else chunk
    seconds = _BATCH_SECONDS if pool.is_here else _BATCH_SECONDS_ELSEWHERE
    loaded = _loading(items, load, limits) if load is not None and pool.is_here else iter(items)
    batches = ItemBatches(loaded, chunk, first, steady=steady, group=group, seconds=seconds)
    if pool.is_here:
        yield from each_here(task, batches, limits, prepare, on_event, load=load, processes=pool.processes)
        return
    from sudoku_encode.run.elsewhere import ResultCheck, Work, each_elsewhere

    check: ResultCheck[T, R] = ResultCheck(types, usable or _no_fault)
    yield from each_elsewhere(Work(task, limits, load, prepare), batches, pool, on_event, check)


def _loading(items: Iterable[T], load: Callable[[T], None], limits: Limits) -> Iterator[T]:
    """Yield the items, after calling `load` with the first if there are others or limits."""
    # An only item's process loads what it turns out to need, but within limits that must not count.
    remaining = iter(items)
    for first in remaining:
        if limits.need_a_process:
            load(first)
        yield first
        for number, item in enumerate(remaining):
            if not number and not limits.need_a_process:
                load(first)
            yield item


def _no_fault(item: object, answer: object, events: object) -> str:
    return ""


def _pass_on(item: object, event: Event) -> None:
    emit(event)
