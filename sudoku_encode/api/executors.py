"""Where the public functions have work done: here, or on an executor of the caller's."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sudoku_encode.run.pools import ExecutorLike, Pool, here, pool_of

T = TypeVar("T")


@contextmanager
def at_work_on(executor: "ExecutorLike | None", processes: int = 1) -> Generator[Pool]:
    """Yield where work is done, by default in some processes here; an executor that was given is not ended after it.

    Raises:
        SudokuError: it is no executor.
    """
    if executor is None:
        yield here(processes)
        return
    pool = pool_of(executor)
    try:
        yield pool
    finally:
        if pool is not executor:
            pool.close()


def on(executor: "ExecutorLike | None", work: Callable[[Pool], Iterator[T]], processes: int = 1) -> Iterator[T]:
    """Return what some work yields, while its pool is open.

    Raises:
        SudokuError: it is no executor; at once.
    """
    if executor is not None:
        pool_of(executor)

    def yielded() -> Iterator[T]:
        with at_work_on(executor, processes) as pool:
            yield from work(pool)

    return yielded()
