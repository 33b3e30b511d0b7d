"""Many pieces of work in several processes: answers and events in order, whatever is ready first."""

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.errors import InterruptedRunError, ProcessDiedError, StoppedError
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, Progress, SolutionsFound, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import local_pool

N_ITEMS = 40


def answers_of(found: Iterator[tuple[int, object, float]]) -> dict[int, object]:
    """Return the answers of each item."""
    return {item: answer for item, answer, _ in found}


def slow_first(item: int) -> int:
    """Answer the first item last."""
    emit(Step(f"begun {item}"))
    time.sleep(0.3 if item == 0 else 0.002)
    emit(Step(f"ended {item}"))
    return item * item


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2, 5])
def test_order(processes: int) -> None:
    """Answers and their events come in the order of the items."""
    seen: list[str] = []

    def observe(item: int, event: Event) -> None:
        assert isinstance(event, Step)
        seen.append(f"{event.text} of {item}")

    found = []
    for item, answer, _ in each(
        partial(one_by_one, slow_first), range(N_ITEMS), pool=local_pool(processes), chunk=4, on_event=observe
    ):
        seen.append(f"answer of {item}")
        found.append((item, answer))
    assert found == [(item, item * item) for item in range(N_ITEMS)]
    assert seen == [
        text
        for item in range(N_ITEMS)
        for text in (f"begun {item} of {item}", f"ended {item} of {item}", f"answer of {item}")
    ]


def test_several_processes(tmp_path: Path) -> None:
    """Several processes work at a time."""

    def answer(item: int) -> bool:
        """Return whether the other item is worked on meanwhile."""
        (tmp_path / str(item)).touch()
        until = time.monotonic() + 20
        while not (tmp_path / str(1 - item)).exists() and time.monotonic() < until:
            time.sleep(0.01)
        return (tmp_path / str(1 - item)).exists()

    assert [found for *found, _ in each(partial(one_by_one, answer), range(2), pool=local_pool(2))] == [
        [0, True],
        [1, True],
    ]


def test_groups() -> None:
    """Each group is worked on by one process."""

    def answer(item: int) -> int:
        return os.getpid()

    found = each(partial(one_by_one, answer), range(30), pool=local_pool(2), group=lambda item: item // 10)
    processes = [process for _, process, _ in found]
    groups = [set(processes[first : first + 10]) for first in (0, 10, 20)]
    assert [len(group) for group in groups] == [1, 1, 1]
    assert len(set.union(*groups)) == 3


def test_dying_process() -> None:
    """A process that dies or hangs costs one answer and no place."""

    def answer(item: int) -> int:
        if item == 3:
            os._exit(7)
        if item == 5:
            time.sleep(60)
        return item

    found = answers_of(each(partial(one_by_one, answer), range(9), Limits(seconds=0.5), pool=local_pool(3), chunk=3))
    assert list(found) == list(range(9))
    assert isinstance(found[3], ProcessDiedError)
    assert isinstance(found[5], StoppedError)
    assert str(found[5]) == "time limit"
    assert [item for item, answer in found.items() if answer == item] == [0, 1, 2, 4, 6, 7, 8]


@pytest.mark.parametrize("processes", [1, 3])
def test_stopped_item(processes: int) -> None:
    """Where the observer stops an item the others are answered."""

    def observe(item: int, event: Event) -> None:
        if item == 4:
            raise StoppedError("the disk is full")

    found = answers_of(
        each(partial(one_by_one, slow_first), range(8), pool=local_pool(processes), chunk=8, on_event=observe)
    )
    assert list(found) == list(range(8))
    assert str(found.pop(4)) == "the disk is full"
    assert found == {item: item * item for item in found}


@pytest.mark.slow
def test_bounded_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solutions that wait are bounded and none is lost."""
    monkeypatch.setattr("sudoku_encode.run.each_here._WAITING_BYTES", 4000)

    def answers(items: list[int]) -> Iterator[int]:
        for item in items:
            time.sleep(0.2 if item == 0 else 0)
            for number in range(50):
                emit(SolutionsFound(np.full((1, 100), number, np.uint8)))
            yield item

    listed: dict[int, list[int]] = {}

    def observe(item: int, event: Event) -> None:
        assert isinstance(event, SolutionsFound)
        listed.setdefault(item, []).append(int(event.grids[0, 0]))

    found = list(each(answers, range(20), Limits(seconds=5), pool=local_pool(3), chunk=2, on_event=observe))
    assert [(item, answer) for item, answer, _ in found] == [(item, item) for item in range(20)]
    assert listed == {item: list(range(50)) for item in range(20)}
    assert list(listed) == list(range(20))


def test_latest_progress() -> None:
    """Of progress that waits the last is passed on."""

    def answer(item: int) -> int:
        time.sleep(0.3 if item == 0 else 0)
        for number in range(100):
            emit(Progress(f"{number}"))
        return item

    seen: dict[int, list[str]] = {}

    def observe(item: int, event: Event) -> None:
        assert isinstance(event, Progress)
        seen.setdefault(item, []).append(event.text)

    assert len(list(each(partial(one_by_one, answer), range(3), pool=local_pool(3), chunk=1, on_event=observe))) == 3
    assert [texts[-1] for texts in seen.values()] == ["99"] * 3
    # While it waits it keeps the first ones, and then the last.
    assert len(seen[2]) < 100


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c() -> None:
    """Ctrl-C interrupts the next item after the answers before it."""

    def answer(item: int) -> int:
        if item == 2:
            os.kill(os.getppid(), signal.SIGINT)
            time.sleep(60)
        return item

    found: list[tuple[int, object]] = []

    def collect() -> None:
        for item, known, _ in each(partial(one_by_one, answer), range(50), pool=local_pool(2), chunk=1):
            found.append((item, known))

    with pytest.raises(KeyboardInterrupt):
        collect()
    *before, (item, stopped) = found
    # Item 1 may have been answered when item 2 began, or not.
    assert before in ([(0, 0)], [(0, 0), (1, 1)])
    assert item == len(before)
    assert isinstance(stopped, InterruptedRunError)
