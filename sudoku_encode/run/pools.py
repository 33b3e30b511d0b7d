"""Where work is done: in processes of this machine that can be ended at their limits, or wherever an executor runs it.

A pool that is made from a text, or by a function, can be made again after its workers are lost. One that was given
ready-made cannot.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, cast

from sudoku_encode.errors import MethodError, SudokuError, printable, short
from sudoku_encode.run import machine
from sudoku_encode.run.child_work import end_with_parent
from sudoku_encode.run.limits import MAX_PROCESSES
from sudoku_encode.run.machine import cores
from sudoku_encode.run.tasks import Job, Workers, stop

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor

# The names that multiprocessing has for the ways to start a process.
_CONTEXTS = {machine.FORK: "fork", machine.SERVER: "forkserver", machine.SPAWN: "spawn"}
# How often a process looks whether the one that made it is still there.
_PARENT_SECONDS = 0.5


class Pool:
    """Where work is done. As a context manager it is closed at the end.

    Args:
        processes: how many work at a time on this machine, where `make` is None.
        make: makes the workers, when the first task is submitted.
        renewable: whether they can be made again.

    Attributes:
        is_here: whether the work is done in processes of this machine that are forked for it.
    """

    def __init__(self, processes: int = 1, make: Callable[[], Workers] | None = None, renewable: bool = False) -> None:
        self.processes, self.make, self.renewable = processes, make, renewable
        self.is_here = make is None
        self._workers: Workers | None = None

    @property
    def size(self) -> int:
        """How many tasks may be at work at a time; 0 while a cluster has no worker."""
        return self.processes if self.is_here else self.workers.size()

    @property
    def workers(self) -> Workers:
        """The workers, made when they are first asked for.

        Raises:
            SudokuError: they cannot be made.
        """
        if self._workers is None:
            assert self.make is not None, "work here has no executor"
            self._workers = self.make()
        return self._workers

    def submit(self, task: Callable[..., Any], *arguments: object) -> "Future[Any]":
        """Hand a task out.

        Raises:
            BrokenExecutor: the workers are lost.
            SudokuError: the executor takes no work, or cannot be made.
        """
        from concurrent.futures import BrokenExecutor, Future

        executor = self.workers.executor
        try:
            future = executor.submit(task, *arguments)
        except BrokenExecutor:
            raise
        # An executor may be anybody's, and raise anything.
        except Exception as error:
            why = printable(short(str(error) or type(error).__name__, 200))
            raise SudokuError(f"the executor takes no work: {why}") from error
        if not isinstance(future, Future):
            raise SudokuError(f"the executor takes no work: expected a Future, got {short(repr(future))}")
        return future

    @property
    def is_broken(self) -> bool:
        """Whether the workers are lost."""
        return self._workers is not None and self._workers.is_broken()

    def drop(self) -> None:
        """End workers that are lost; the next task is handed to new ones, if the pool is `renewable`."""
        workers, self._workers = self._workers, None
        if workers is not None:
            with suppress(Exception):
                workers.close()

    def stop(self, job: Job) -> None:
        """Have the tasks of a job end at once, as far as they look at that."""
        if self._workers is not None:
            # The client may be about to end, and workers that cannot be reached stop no one else.
            with suppress(Exception):
                self._workers.stop(job)

    def close(self) -> None:
        """End what was begun for the pool; an executor that was given goes on."""
        workers, self._workers = self._workers, None
        if workers is not None:
            workers.close()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def local_pool(processes: int = 1) -> Pool:
    """Return a pool of processes of this machine, each of which is forked for its work and ended at its limits."""
    return Pool(processes)


ONE = local_pool()
"""One process of this machine."""

ExecutorLike: TypeAlias = "Executor | str | Callable[[], Executor] | Pool"
"""An executor; a text that says which, such as `processes:8`; or a function that makes one."""


def pool_of(executor: "ExecutorLike") -> Pool:
    """Return the pool of an executor, or of what makes one.

    Args:
        executor: an executor; a text as for the option --executor; or a function that makes one, also again after its
            workers are lost.

    Raises:
        SudokuError: not an executor, or an unknown text.
    """
    from concurrent.futures import Executor

    if isinstance(executor, Pool):
        return executor
    if isinstance(executor, str):
        return Pool(make=_maker(executor), renewable=True)
    if isinstance(executor, Executor):
        return Pool(make=partial(_given, executor))
    if callable(executor):
        return Pool(make=partial(_made_by, executor), renewable=True)
    raise MethodError(f"not an executor: {short(repr(executor))}; give one, a text ({usage()}), or a function")


def _given(executor: "Executor") -> Workers:
    return _described(executor, lambda: None)


def _made_by(make: "Callable[[], Executor]") -> Workers:
    from concurrent.futures import Executor

    executor = make()
    if not isinstance(executor, Executor):
        raise MethodError(f"the function for an executor returned {short(repr(executor))}")
    return _described(executor, partial(_shut_down, executor))


def _described(executor: "Executor", close: Callable[[], None]) -> Workers:
    """Return the workers of any executor."""
    if type(executor).__module__.startswith("distributed."):
        from sudoku_encode.run import dask_pool

        return dask_pool.described(executor, close)
    n_workers = getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    return Workers(executor, lambda: int(n_workers or cores()), stop, close)


def _shut_down(executor: "Executor") -> None:
    executor.shutdown(wait=False, cancel_futures=True)


class ExecutorModule(Protocol):
    """The module of a kind of executor."""

    def connect(self, text: str, /) -> Workers:
        """Return the workers that a text names."""
        ...


class ExecutorKind(NamedTuple):
    """A kind of executor that a text names.

    Attributes:
        form: of the text.
        help: a description.
        module: the name of an `ExecutorModule`.
    """

    form: str
    help: str
    module: str


EXECUTORS = {
    "processes": ExecutorKind("processes:N", "N processes of this machine", __name__),
    "threads": ExecutorKind("threads:N", "N threads, for compiled methods", __name__),
    "tcp": ExecutorKind("tcp://HOST:PORT", "a Dask scheduler", "sudoku_encode.run.dask_pool"),
    "tls": ExecutorKind("tls://HOST:PORT", "the same, encrypted", "sudoku_encode.run.dask_pool"),
    "scheduler-file": ExecutorKind(
        "scheduler-file:FILE", "the one that wrote this file", "sudoku_encode.run.dask_pool"
    ),
}
"""The kinds of executors, by the beginning of their texts."""


def usage() -> str:
    """Return the forms of the texts."""
    return ", ".join(kind.form for kind in EXECUTORS.values())


def _maker(text: str) -> Callable[[], Workers]:
    """Return a function that makes the workers that a text names; raise SudokuError for an unknown text."""
    begin, colon, rest = text.partition(":")
    kind = EXECUTORS.get(begin)
    if kind is None or not colon or not rest or ("//" in kind.form) != rest.startswith("//"):
        raise SudokuError(f"no executor is called {short(text)!r}: write {usage()}")
    if kind.form.endswith(":N"):
        _number(text, rest)
    module = cast("ExecutorModule", import_module(kind.module))
    return partial(module.connect, text)


def _number(text: str, digits: str) -> int:
    if not (digits.isascii() and digits.isdecimal() and 1 <= int(digits[:9]) <= MAX_PROCESSES):
        raise SudokuError(f"--executor {short(text)}: write a number from 1 to {MAX_PROCESSES} behind the colon")
    return int(digits)


def connect(text: str) -> Workers:
    """Return the processes or the threads that a text names."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

    kind, _, digits = text.partition(":")
    number = _number(text, digits)
    if kind == "threads":
        threads = ThreadPoolExecutor(number)
        return Workers(threads, lambda: number, stop, partial(_shut_down, threads))
    # As in `child`: forked processes inherit the modules of this process.
    context = multiprocessing.get_context(_CONTEXTS[machine.start_method()])
    lifeline, other_end = os.pipe()
    machine.keep_private(other_end)
    processes = ProcessPoolExecutor(number, context, initializer=_begin, initargs=(os.getpid(), lifeline))
    return Workers(processes, lambda: number, stop, partial(_kill, processes, (lifeline, other_end)))


def _kill(executor: "ProcessPoolExecutor", pipe: tuple[int, ...]) -> None:
    """End the processes of an executor, whatever they are doing: it waits for the tasks at work otherwise."""
    # Python 3.14 has a method for this.
    processes = list((getattr(executor, "_processes", None) or {}).values())
    manager = getattr(executor, "_executor_manager_thread", None)
    for process in processes:
        process.kill()
    executor.shutdown(wait=False, cancel_futures=True)
    if manager is not None:
        # It closes its pipe when the processes are gone; Python may write to that pipe at its own end.
        manager.join(_PARENT_SECONDS)
    lifeline, other_end = pipe
    os.close(lifeline)
    machine.close_private(other_end)


def _begin(parent: int, lifeline: int) -> None:
    """Have this process ignore Ctrl-C, and end when its parent, which has the other end of the pipe, is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.getppid() == parent:
        # Opened anew, since the system notes one process for an open file, and the copies share this one.
        with suppress(OSError):
            end_with_parent(os.open(f"/proc/self/fd/{lifeline}", os.O_RDONLY | os.O_NONBLOCK))
    threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: int) -> None:
    """End this process when another one is gone."""
    import multiprocessing
    from multiprocessing.connection import wait

    above = multiprocessing.parent_process()
    if os.getppid() != parent and above is not None:
        wait([above.sentinel])
    while os.getppid() == parent:
        time.sleep(_PARENT_SECONDS)
    os._exit(1)
