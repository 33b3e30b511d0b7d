"""Tasks in threads of this process: for compiled functions that let others run. Knows no Sudoku."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, Full, Queue
from threading import Event
from typing import TypeVar

from sudoku_encode.errors import INTERRUPTED, StoppedError
from sudoku_encode.run.machine import cores

R = TypeVar("R")

# How often the deadline is checked while no task is done.
_POLL_SECONDS = 0.05
# How many results of a task may wait until those of the tasks before it have been taken.
_WAITING_RESULTS = 16


def threads(n_threads: int | None = None) -> ThreadPoolExecutor:
    """Return an executor with threads, by default one for each core: for compiled functions that let others run."""
    return ThreadPoolExecutor(n_threads or cores())


def in_order(
    tasks: Sequence[Callable[[Callable[[], None]], Iterator[R]]], n_threads: int, tick: Callable[[], None]
) -> Generator[R]:
    """Yield the results of the first task, then of the second and so on, while later tasks run ahead in threads.

    Each task is called with a function that it calls often, which raises StoppedError when no more is wanted of it.
    `tick` is called 20 times a second, and for each result.

    Raises:
        StoppedError: by `tick`, or by a task when its turn comes.
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
    """Put the results of a task into a queue, and None at the end."""

    def go_on() -> None:
        if stop.is_set():
            raise StoppedError(INTERRUPTED)

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
