"""Tasks that run ahead on threads: their results come in the order of the tasks, all of them, and nothing runs on."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice

import pytest

from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.run.threads import in_order

Task = Callable[[Callable[[], None]], Iterator[int]]


def numbers(first: int, many: int, seconds: float, go_on: Callable[[], None]) -> Iterator[int]:
    for number in range(first, first + many):
        go_on()
        time.sleep(seconds)
        yield number


def nothing() -> None:
    pass


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_order(n_threads: int) -> None:
    """Results come in order though later tasks are faster."""
    tasks: list[Task] = [partial(numbers, 0, 5, 0.02), partial(numbers, 5, 0, 0.0), partial(numbers, 5, 100, 0.0)]
    assert list(in_order(tasks, n_threads, nothing)) == list(range(105))


def test_unwanted_task_ends() -> None:
    """A task whose results are not wanted any more ends."""
    begun, ended = threading.Event(), threading.Event()

    def waiting(go_on: Callable[[], None]) -> Iterator[int]:
        assert begun.wait(60)
        yield from range(3)

    def endless(go_on: Callable[[], None]) -> Iterator[int]:
        begun.set()
        try:
            for number in count():
                go_on()
                yield number
        finally:
            ended.set()

    tasks: list[Task] = [waiting, endless]
    results = in_order(tasks, 2, nothing)
    assert list(islice(results, 2)) == [0, 1]
    results.close()
    assert ended.is_set()


def test_errors_in_order() -> None:
    """An error of a task comes after its results and those before it."""

    def failing(go_on: Callable[[], None]) -> Iterator[int]:
        yield 3
        raise SudokuError("a fault")

    tasks: list[Task] = [partial(numbers, 0, 3, 0.01), failing, partial(numbers, 4, 3, 0.0)]
    results = in_order(tasks, 3, nothing)
    assert list(islice(results, 4)) == [0, 1, 2, 3]
    with pytest.raises(SudokuError, match="a fault"):
        next(results)


def test_deadline() -> None:
    """The deadline ends tasks that yield nothing."""

    def silent(go_on: Callable[[], None]) -> Iterator[int]:
        while True:
            go_on()
            time.sleep(0.001)
        yield 0

    looks = count()

    def tick() -> None:
        if next(looks) == 3:
            raise StoppedError("time limit")

    with pytest.raises(StoppedError, match="time limit"):
        list(in_order([silent, silent], 2, tick))
