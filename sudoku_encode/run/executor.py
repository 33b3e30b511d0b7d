"""Many independent tasks on any `concurrent.futures.Executor`: threads by default, processes or a cluster as well."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from queue import Empty, Full, Queue
from threading import Event
from typing import TypeVar

from sudoku_encode.errors import Died, Stopped, SudokuError
from sudoku_encode.run.cores import cores

T = TypeVar("T")
R = TypeVar("R")

# How often the deadline is checked while no task is done.
_POLL_SECONDS = 0.05
# How many results of a task may wait until those of the tasks before it have been taken.
_WAITING_RESULTS = 16


def spread(
    task: Callable[[T], R],
    items: Iterable[T],
    executor: Executor,
    window: int,
    tick: Callable[[], None] = lambda: None,
) -> Iterator[tuple[int, R]]:
    """Yield the number of each item, from 0, with what the task makes of it, as they are done.

    Args:
        task: for processes and clusters a function of a module, or a partial of one: it travels with each item.
        items: small plain data that can be pickled, where another process does the work. Taken as they are needed.
        executor: where the tasks run. It is not shut down here.
        window: how many tasks are handed out at a time.
        tick: called 20 times a second; it raises Stopped when the time is over.

    Raises:
        Stopped: by `tick` or a task; tasks that have not begun are cancelled.
        Died: the executor lost its workers.
    """
    numbered = enumerate(items)
    waiting: dict[Future[R], int] = {}
    try:
        while True:
            while len(waiting) < window and (following := next(numbered, None)) is not None:
                number, item = following
                waiting[_submitted(executor, task, item)] = number
            if not waiting:
                return
            done, _ = wait(waiting, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                yield waiting.pop(future), future.result()
            tick()
    except BrokenExecutor as error:
        raise Died(f"the executor lost its workers: {error}") from error
    finally:
        for future in waiting:
            future.cancel()


def _submitted(executor: Executor, task: Callable[[T], R], item: T) -> Future[R]:
    try:
        return executor.submit(task, item)
    except RuntimeError as error:
        raise SudokuError(f"the executor takes no work: {error}") from error


def threads(n_threads: int | None = None) -> ThreadPoolExecutor:
    """Return an executor with threads, by default one for each core: for compiled functions that let others run."""
    return ThreadPoolExecutor(n_threads or cores())


def in_order(
    tasks: Sequence[Callable[[Callable[[], None]], Iterator[R]]], n_threads: int, tick: Callable[[], None]
) -> Generator[R]:
    """Yield what the first task yields, then what the second does and so on, while later tasks run ahead in threads.

    Args:
        tasks: each is called with a function that it calls often, which raises Stopped when no more is wanted of it.
        n_threads: how many tasks run at a time.
        tick: called 20 times a second, and for each result; it raises Stopped when the time is over.

    Raises:
        Stopped: by `tick`, or by a task when its turn comes.
    """
    stop = Event()
    waiting: list[Queue[tuple[R] | None]] = [Queue(_WAITING_RESULTS) for _ in tasks]
    with threads(n_threads) as pool:
        try:
            futures = [pool.submit(_run, task, results, stop) for task, results in zip(tasks, waiting, strict=True)]
            for future, results in zip(futures, waiting, strict=True):
                while (result := _next(results, tick)) is not None:
                    yield result[0]
                future.result()
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _run(task: Callable[[Callable[[], None]], Iterator[R]], results: "Queue[tuple[R] | None]", stop: Event) -> None:
    """Put what a task yields into a queue, and None at its end."""

    def go_on() -> None:
        if stop.is_set():
            raise Stopped("interrupted")

    def put(result: tuple[R] | None) -> None:
        while True:
            try:
                results.put(result, timeout=_POLL_SECONDS)
            except Full:
                go_on()
            else:
                return

    try:
        for result in task(go_on):
            put((result,))
    finally:
        put(None)


def _next(results: "Queue[tuple[R] | None]", tick: Callable[[], None]) -> tuple[R] | None:
    while True:
        tick()
        try:
            return results.get(timeout=_POLL_SECONDS)
        except Empty:
            continue
