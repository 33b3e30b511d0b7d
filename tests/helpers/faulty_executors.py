"""Executors that do what the real ones may: run a task twice, lose one, break, or answer with something else."""

import pickle
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any


class Direct(Executor):
    """Runs each task at once, in this thread, after it has been pickled as for another machine.

    Attributes:
        n_submitted: how many tasks it was given.
        n_run: how many it ran.
    """

    _max_workers = 2

    def __init__(self) -> None:
        self.n_submitted = self.n_run = 0

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **more: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        number = self.n_submitted
        self.n_submitted += 1
        task, arguments = pickle.loads(pickle.dumps((task, arguments)))
        try:
            self.answer(future, number, lambda: self._run(task, arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def _run(self, task: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        self.n_run += 1
        return pickle.loads(pickle.dumps(task(*arguments)))

    def answer(self, future: "Future[Any]", number: int, run: Callable[[], Any]) -> None:
        """Answer the task that was submitted as `number`; here with its result."""
        future.set_result(run())


class Twice(Direct):
    """Runs each task twice and answers once."""

    def answer(self, future: "Future[Any]", number: int, run: Callable[[], Any]) -> None:
        run()
        future.set_result(run())


class Cancels(Direct):
    """Cancels every third task."""

    def answer(self, future: "Future[Any]", number: int, run: Callable[[], Any]) -> None:
        if number % 3 == 2:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(run())


class Loses(Direct):
    """Never answers every fifth task."""

    def answer(self, future: "Future[Any]", number: int, run: Callable[[], Any]) -> None:
        if number % 5 != 1:
            future.set_result(run())


class Raises(Direct):
    """Raises an error of its own for some tasks: `every` 1 for all."""

    def __init__(self, every: int = 5) -> None:
        super().__init__()
        self.every = every

    def answer(self, future: "Future[Any]", number: int, run: Callable[[], Any]) -> None:
        if number % self.every == 0:
            raise RuntimeError("the network is down")
        future.set_result(run())


class Confuses(Direct):
    """Answers every fifth task with the result of the one before."""

    def __init__(self) -> None:
        super().__init__()
        self.before: Any = None

    def answer(self, future: "Future[Any]", number: int, run: Callable[[], Any]) -> None:
        result = run()
        future.set_result(self.before if number % 5 == 3 else result)
        self.before = result


class Changes(Direct):
    """Changes what comes back of some tasks.

    Args:
        change: makes of an answer what comes back.
        changes: says of the number of a submission whether its answer is changed; by default each.
    """

    def __init__(self, change: Callable[[Any], Any], changes: Callable[[int], bool] = lambda number: True) -> None:
        super().__init__()
        self.change, self.changes = change, changes

    def answer(self, future: "Future[Any]", number: int, run: Callable[[], Any]) -> None:
        answer = run()
        future.set_result(self.change(answer) if self.changes(number) else answer)


class Breaks(Direct):
    """Breaks at some tasks, and takes none after that."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at, self.broken = at, False

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **more: Any) -> "Future[Any]":
        if self.broken:
            raise BrokenExecutor("a worker was killed")
        return super().submit(task, *arguments)

    def answer(self, future: "Future[Any]", number: int, run: Callable[[], Any]) -> None:
        self.broken |= number == self.at
        if self.broken:
            raise BrokenExecutor("a worker was killed")
        future.set_result(run())
