"""Many pieces of work, each within limits: where one ends its process, all others are still answered."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TypeVar

from sudoku_encode.errors import StoppedError
from sudoku_encode.run.child import check_memory_limit
from sudoku_encode.run.chunks import Chunks
from sudoku_encode.run.each_here import Task, each_here
from sudoku_encode.run.events import Event, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool

T = TypeVar("T")
R = TypeVar("R")

# How many items a process is given at a time at most. Of several processes each is given one at first, and then as many
# as take at least and at most this long, so that none is left with many hard ones. On a busy machine all takes longer,
# and with fewer items at a time more of it would be to make processes. To hand a chunk to another machine costs more.
CHUNK_ITEMS = 1024
_CHUNK_SECONDS, _CHUNK_SECONDS_ELSEWHERE = (0.2, 0.6), (1.0, 4.0)
# Says why an item's answer with its events cannot be used; empty where it can.
Usable = Callable[[T, R | StoppedError, Sequence[Event]], str]


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
    chunk: int = CHUNK_ITEMS,
    steady: bool = False,
    group: Callable[[T], object] | None = None,
    load: Callable[[T], None] | None = None,
    prepare: Callable[[T], None] | None = None,
    on_event: Callable[[T, Event], None] | None = None,
    types: tuple[type, ...] = (object,),
    usable: Usable[T, R] | None = None,
) -> Generator[tuple[T, R | StoppedError, float]]:
    """Yield each item with its answer and how many seconds that took; the answers are worked out in other processes.

    Args:
        task: yields the answers for some items, in their order; see `one_by_one`. Events that it emits belong to the
            item that is answered next.
        items: what the task is called with, some at a time.
        limits: for each item; the limit on solutions is not used here, the task must keep to it.
        pool: where the work is done. Where that is not here, what the task, the items, `load` and `prepare` consist of
            must be such that it can be pickled.
        chunk: how many items a process is given at a time at most.
        steady: whether the items are cut the same way however long they take and however many processes there are:
            where the answer for an item depends on those before it in the same process.
        group: what items share that are next to each other and go to one process, since one needs what is worked out
            for another; then they are not cut otherwise.
        load: called with the first item where the processes are made, here or at a worker: what it loads or works out
            and keeps, each of them has.
        prepare: called in the process with its first item, before the time of that begins.
        on_event: called in this process with an item and its event; by default events go to the observer.
        types: of which an answer is, where it is not StoppedError. What comes back from a pool that is not here and is
            of
            no such type is not used, and the item is answered here.
        usable: says why what came back from there cannot be used, such as a solution that is none.

    Yields:
        The items with their answers and seconds, in order. Where a limit was passed, the process died, or the task or
        `on_event` raised StoppedError, that is the answer, and another process goes on with the next. After Ctrl-C,
        Interrupted for the next item, before KeyboardInterrupt is raised.

    Raises:
        KeyboardInterrupt: after Ctrl-C.
        MethodError: memory cannot be limited here.
        SudokuError: raised by the task or `on_event`.
        InternalError: the task raised anything else; where there are no other processes, it is raised as it is.
    """
    limits, on_event = limits or Limits(), on_event or _pass_on
    check_memory_limit(limits.memory)
    first = 1 if steady or not pool.is_here or pool.processes > 1 else chunk
    seconds = _CHUNK_SECONDS if pool.is_here else _CHUNK_SECONDS_ELSEWHERE
    loaded = _loading(items, load) if load is not None and pool.is_here else iter(items)
    chunks = Chunks(loaded, chunk, first, steady=steady, group=group, seconds=seconds)
    if pool.is_here:
        yield from each_here(task, chunks, limits, prepare, on_event, load=load, processes=pool.processes)
        return
    from sudoku_encode.run.elsewhere import Returned, Work, each_elsewhere

    returned: Returned[T, R] = Returned(types, usable or _any)
    yield from each_elsewhere(Work(task, limits, load, prepare), chunks, pool, on_event, returned)


def _loading(items: Iterable[T], load: Callable[[T], None]) -> Iterator[T]:
    """Yield the items; with the first one is loaded what processes made later then have."""
    for number, item in enumerate(items):
        if not number:
            load(item)
        yield item


def _any(item: object, answer: object, events: object) -> str:
    return ""


def _pass_on(item: object, event: Event) -> None:
    emit(event)
