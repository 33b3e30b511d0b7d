"""Tasks on executors that do what they like: each has one answer, or it is said that it has none."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_encode.errors import InternalError, MethodError, ProcessDiedError, StoppedError, SudokuError
from sudoku_encode.run import tasks
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, Progress, Remark, SolutionsFound, emit, observing
from sudoku_encode.run.executor import NOT_READY, NotReady, spread
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import Pool, pool_of
from sudoku_encode.run.tasks import go_on
from tests.helpers.faulty_executors import Breaks, Cancels, Changes, Confuses, Direct, Loses, Raises, Twice

N_ITEMS = 40
EACH = {item: item * item for item in range(N_ITEMS)}


def square(item: int) -> int:
    """Return the square."""
    return item * item


def answers(executor: Any, items: Any = range(N_ITEMS), **options: Any) -> tuple[dict[int, Any], list[str]]:
    """Return what a task makes of each item, and the remarks; fail where a number comes twice."""
    found: dict[int, Any] = {}
    remarks: list[str] = []

    def observe(event: Event) -> None:
        assert isinstance(event, Remark)
        remarks.append(event.text)

    with observing(observe):
        for number, answer in spread(options.pop("task", square), items, executor, **options):
            assert number not in found
            found[number] = answer
    return found, remarks


def test_task_run_twice() -> None:
    """A task that runs twice is answered once."""
    executor = Twice()
    assert answers(executor) == (EACH, [])
    assert executor.n_run == 2 * N_ITEMS


def test_cancelled_task() -> None:
    """A task that is cancelled is handed out again."""
    found, remarks = answers(Cancels())
    assert found == EACH
    assert remarks[0] == "task 2 is handed out again: it was cancelled"


def test_lost_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that is lost is handed out again after its time."""
    monkeypatch.setattr("sudoku_encode.run.executor._OVERDUE_SECONDS", 0.1)
    found, remarks = answers(Loses(), overdue_seconds=0.0)
    assert found == EACH
    assert remarks[0] == "task 1 is handed out again: no answer came in 0 s"


def test_raising_executor() -> None:
    """An executor that raises is asked again and a task without an answer is named."""
    found, remarks = answers(Raises())
    assert found == EACH
    assert remarks[0] == "task 0 is handed out again: RuntimeError: the network is down"
    found, _ = answers(Raises(every=1), range(2))
    wrong = "^the executor gives no answers: task . was handed out 3 times; the last time RuntimeError: the network"
    with pytest.raises(ProcessDiedError, match=wrong):
        answers(Raises(every=1))
    assert [type(answer) for answer in found.values()] == [ProcessDiedError, ProcessDiedError]
    assert str(found[1]) == "task 1 was handed out 3 times; the last time RuntimeError: the network is down"


def test_result_of_other_task() -> None:
    """The result of another task is not taken."""
    found, remarks = answers(Confuses())
    assert found == EACH
    assert remarks[0] == "task 3 is handed out again: the executor answered with the result of task 2"


def test_not_a_result() -> None:
    """What is no result at all is not taken."""

    class Lies(Direct):
        def answer(self, future: Any, number: int, run: Any) -> None:
            future.set_result(7 if number == 5 else run())

    found, remarks = answers(Lies())
    assert found == EACH
    assert remarks == ["task 5 is handed out again: the executor's answer is not a result of this task"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda said: said._replace(error=KeyboardInterrupt()),
            "with an error that no task raises: KeyboardInterrupt()",
        ),
        (lambda said: said._replace(error="late"), "with an error that no task raises: 'late'"),
        (lambda said: said._replace(task_id=None), "is not a result of this task"),
        (tuple, "is not a result of this task"),
        (lambda said: said._replace(task_id=said.task_id._replace(number=np.arange(2))), "cannot be read: ValueError"),
    ],
)
def test_other_type(change: Callable[[Any], Any], words: str) -> None:
    """An answer of another form is not taken."""
    found, remarks = answers(Changes(change, lambda number: number == 5))
    assert found == EACH
    assert len(remarks) == 1
    assert words in remarks[0]


@pytest.mark.parametrize("error", [SystemExit(0), KeyboardInterrupt(), GeneratorExit(), StopIteration()])
def test_exit_at_worker(error: BaseException) -> None:
    """What ends a program at a worker does not end the client."""

    class Ends(Direct):
        def answer(self, future: Any, number: int, run: Any) -> None:
            if number == 5:
                future.set_exception(error)
            else:
                future.set_result(run())

    found, remarks = answers(Ends())
    assert found == EACH
    assert remarks[0].startswith(f"task 5 is handed out again: {type(error).__name__}: ")


@pytest.mark.parametrize(
    ("submit", "words"),
    [
        (lambda: int("x"), "invalid literal for int.*"),
        (lambda: 1 / 0, "division by zero"),
        (lambda: next(iter(())), "StopIteration"),
        (lambda: 7, "expected a Future, got 7"),
    ],
)
def test_no_work_accepted(submit: Callable[[], Any], words: str) -> None:
    """An executor that takes no work is refused in one line."""

    class Refuses(Executor):
        def submit(self, task: Callable[..., Any], /, *arguments: Any, **more: Any) -> Any:
            return submit()

    with pytest.raises(SudokuError, match=f"^the executor takes no work: {words}$"):
        answers(Refuses())


def test_unusable_result() -> None:
    """A result that cannot be used is not taken and the task is handed out again."""

    class Once:
        """Finds fault with the first result for each of some tasks, or with each one."""

        def __init__(self, always: bool) -> None:
            self.always, self.seen = always, set[int]()

        def __call__(self, number: int, result: int) -> str:
            if number % 10 or (number in self.seen and not self.always):
                return ""
            self.seen.add(number)
            return f"{result} breaks a rule"

    found, remarks = answers(Direct(), usable=Once(always=False))
    assert found == EACH
    assert remarks[1] == "task 10 is handed out again: 100 breaks a rule"
    found, _ = answers(Direct(), usable=Once(always=True))
    assert {number for number, answer in found.items() if isinstance(answer, ProcessDiedError)} == {0, 10, 20, 30}
    assert str(found[30]) == "task 30 was handed out 3 times; the last time 900 breaks a rule"


def test_lost_workers() -> None:
    """Workers that are lost are made again and only what is missing is handed out."""
    made: list[Direct] = []

    def make() -> Executor:
        made.append(Breaks(at=7) if len(made) < 3 else Direct())
        return made[-1]

    found, remarks = answers(make)
    assert found == EACH
    assert len(made) == 4
    assert sum(executor.n_run for executor in made) == N_ITEMS
    assert remarks[0] == "the workers were lost (a worker was killed); their tasks are handed out again"


def test_executor_lost() -> None:
    """An executor that cannot be made again is named as lost."""
    with pytest.raises(ProcessDiedError, match=r"^the executor lost its workers: a worker was killed$"):
        answers(Breaks(at=7))


def kill_at_13(item: int) -> int:
    """End the process at one item."""
    if item == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return item * item


def test_deadly_task() -> None:
    """A task that ends its workers is named and all others are answered."""
    found, _ = answers("processes:2", task=kill_at_13)
    killer = found.pop(13)
    assert found == {number: square for number, square in EACH.items() if number != 13}
    assert isinstance(killer, ProcessDiedError)
    assert str(killer) == "task 13 ended its worker 3 times"


def kill_once(item: int, folder: Path) -> int:
    """End the process at every seventh item, the first time."""
    if item % 7 == 0 and not (folder / str(item)).exists():
        (folder / str(item)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item * item


def test_killed_processes(tmp_path: Path) -> None:
    """Processes that are killed lose nothing."""
    assert answers("processes:2", task=partial(kill_once, folder=tmp_path))[0] == EACH


def test_dependent_items() -> None:
    """Items may depend on results."""
    waiting = [1, 2, 3]
    open_items = 3

    def items() -> Iterator[int | NotReady]:
        while open_items:
            yield waiting.pop() if waiting else NOT_READY

    found = {}
    with ThreadPoolExecutor(2) as threads:
        for number, result in spread(square, items(), threads):
            assert not isinstance(result, StoppedError)
            found[number] = result
            open_items -= 1
            if result < 100:
                waiting.extend([result + 1, result + 2])
                open_items += 2
    # From 1, 2 and 3 on: x is followed by x * x + 1 and x * x + 2.
    expected, todo = [], [1, 2, 3]
    while todo:
        expected.append(todo.pop() ** 2)
        todo += [expected[-1] + 1, expected[-1] + 2] if expected[-1] < 100 else []
    assert sorted(found.values()) == sorted(expected)


def stop_or_fail(item: int) -> int:
    """Raise what a task may raise."""
    if item == 1:
        raise StoppedError("time limit")
    if item == 2:
        raise MemoryError
    if item == 3:
        raise SudokuError("there is no value 7")
    raise ZeroDivisionError("division by zero")


def test_stopped_and_failed() -> None:
    """What stops a task is its answer and its errors are raised."""
    found, _ = answers(Direct(), [1, 2], task=stop_or_fail)
    found_1, _ = answers(Direct(), [1], task=stop_or_fail)
    assert (str(found_1[0]), [type(answer) for answer in found.values()]) == (
        "time limit",
        [StoppedError, StoppedError],
    )
    assert str(found[1]) == "out of memory"
    with pytest.raises(SudokuError, match="there is no value 7"):
        answers(Direct(), [3], task=stop_or_fail)
    with pytest.raises(InternalError, match="ZeroDivisionError: division by zero"):
        answers(Direct(), [4], task=stop_or_fail)


def test_other_versions() -> None:
    """Workers with other versions are refused by name."""

    class Older(Direct):
        def submit(self, task: Any, /, *arguments: Any, **more: Any) -> Any:
            here = tasks.versions
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(tasks, "versions", lambda: ("sudoku-encode 0.1.0", *here()[1:]))
                return super().submit(task, *arguments)

    wrong = r"^the client has sudoku-encode \S+ and not sudoku-encode 0.1.0: install the same versions there$"
    with pytest.raises(MethodError, match=wrong):
        answers(Older())


def wait_until_stopped(folder: Path) -> None:
    """Work until the client wants no more, and say so."""
    (folder / f"begun-{os.getpid()}").touch()
    try:
        while True:
            time.sleep(0.01)
            go_on()
    finally:
        (folder / f"ended-{os.getpid()}").touch()


def names(folder: Path, begin: str) -> set[str]:
    """Return what follows in the names of a folder's files that begin so."""
    return {path.name.partition("-")[2] for path in folder.glob(f"{begin}-*")}


@pytest.mark.parametrize("make", [partial(ThreadPoolExecutor, 1), partial(ProcessPoolExecutor, 2)])
def test_client_stopped(make: Any, tmp_path: Path) -> None:
    """Tasks at work end when the client is stopped."""

    def tick() -> None:
        if names(tmp_path, "begun"):
            raise StoppedError("time limit")

    executor = make()
    with executor, pytest.raises(StoppedError, match="time limit"):
        list(spread(wait_until_stopped, [tmp_path] * 2, executor, tick=tick))
    # Here the executor has waited for all its tasks: had one not stopped, it would wait still.
    assert names(tmp_path, "begun") == names(tmp_path, "ended")


def test_client_killed(tmp_path: Path) -> None:
    """Tasks at work end when their client was killed."""
    client = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, pathlib\n"
            "from tests.run import test_executor\n"
            "from sudoku_encode.run.executor import spread\n"
            "list(spread(test_executor.wait_until_stopped, [pathlib.Path(sys.argv[1])] * 2, 'processes:2'))",
            str(tmp_path),
        ],
        cwd=Path(__file__).parents[2],
    )
    while len(names(tmp_path, "begun")) < 2:
        assert client.poll() is None
        time.sleep(0.01)
    client.kill()
    client.wait()
    workers = [int(name) for name in names(tmp_path, "begun")]
    while any(map(is_running, workers)):
        time.sleep(0.01)


def is_running(process: int) -> bool:
    """Return whether there is a process, and it is no zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("processes:0", "--executor processes:0: expected a number from 1 to "),
        ("processes:x", "--executor processes:x: expected a number from 1 to "),
        ("threads:", "no executor is called 'threads:': write processes:N, threads:N, "),
        ("tcp:host:1", "no executor is called 'tcp:host:1': write "),
        ("mpi:4", "no executor is called 'mpi:4': write "),
    ],
)
def test_unknown_name(text: str, message: str) -> None:
    """A text that names no executor is refused."""
    with pytest.raises(SudokuError) as refused:
        pool_of(text)
    assert str(refused.value).startswith(message)


def test_not_an_executor() -> None:
    """What is no executor is refused."""
    with pytest.raises(MethodError, match=r"^not an executor: 7; give one, a text"):
        pool_of(7)  # type: ignore[arg-type]
    with pytest.raises(MethodError, match=r"^the function for an executor returned 7$"):
        answers(lambda: 7)


def emit_and_square(item: int) -> int:
    """Emit what a method may, and return the square."""
    import numpy as np

    emit(Progress(f"begun {item}"))
    emit(SolutionsFound(np.full((item % 3, 4), item, np.uint8)))
    if item == 5:
        raise StoppedError("time limit")
    return item * item


def seen_of(pool: Pool, **options: Any) -> tuple[list[tuple[int, object]], list[tuple[int, int]]]:
    """Return the answers of `each` in their order, and how many solutions of which item were emitted."""
    emitted: list[tuple[int, int]] = []

    def observe(item: int, event: Event) -> None:
        if isinstance(event, SolutionsFound):
            emitted.append((item, len(event.grids)))

    task = partial(one_by_one, emit_and_square)
    found: list[tuple[int, object]] = [
        (item, str(answer) if isinstance(answer, StoppedError) else answer)
        for item, answer, _ in each(task, range(N_ITEMS), pool=pool, on_event=observe, **options)
    ]
    return found, emitted


@cache
def seen_of_here() -> tuple[list[tuple[int, object]], list[tuple[int, int]]]:
    return seen_of(Pool())


@pytest.mark.slow
@pytest.mark.parametrize("executor", [Direct, Twice, Cancels, Raises, Confuses, lambda: "processes:2"])
def test_each_elsewhere(executor: Any) -> None:
    """Each gives the same elsewhere as here."""
    with pool_of(executor()) as pool:
        elsewhere = seen_of(pool)
    assert elsewhere == seen_of_here()
    assert elsewhere[0][5] == (5, "time limit")


def kill_worker_at_3(item: int) -> int:
    """End the process that works on one item, not one that was forked from it."""
    if item == 3:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    return item


def test_deadly_item() -> None:
    """An item that ends the worker itself is named and its neighbours are answered."""
    with pool_of("processes:2") as pool:
        found = [answer for _, answer, _ in each(partial(one_by_one, kill_worker_at_3), range(8), pool=pool)]
    assert isinstance(found[3], ProcessDiedError)
    assert [answer for answer in found if not isinstance(answer, ProcessDiedError)] == [0, 1, 2, 4, 5, 6, 7]


@pytest.mark.slow
def test_too_many_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    """An item with too many solutions to send is asked here."""
    monkeypatch.setattr("sudoku_encode.run.elsewhere._ITEM_BYTES", 6)
    executor = Direct()
    assert seen_of(pool_of(executor)) == seen_of_here()


def test_time_limit() -> None:
    """A limit on time holds within a task elsewhere."""

    def slow(item: int) -> int:
        time.sleep(60 if item == 1 else 0)
        return item

    with ThreadPoolExecutor(1) as threads:
        found = [
            str(answer)
            for _, answer, _ in each(partial(one_by_one, slow), range(3), Limits(seconds=0.2), pool=pool_of(threads))
        ]
    assert found == ["0", "time limit", "2"]
