"""Where work is done: in processes of this machine that can be ended at their limits, or wherever an executor runs it.

Workers that were made from a text or by a function can be made again after they are lost; those of an executor that the
caller made cannot.
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
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, Union, cast

from sudoku_encode.errors import MethodError, SudokuError, printable, short
from sudoku_encode.run import machine
from sudoku_encode.run.child_work import end_with_parent
from sudoku_encode.run.limits import MAX_PROCESSES
from sudoku_encode.run.machine import cores
from sudoku_encode.run.tasks import Job, Workers, stop

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor

# The names of the ways to start a process, in this program and in multiprocessing.
_CONTEXTS = {machine.FORK: "fork", machine.SERVER: "forkserver", machine.SPAWN: "spawn"}
# How often a worker checks that its parent still runs.
_PARENT_SECONDS = 0.5


class Pool:
    """Where work is done. You can use it as a context manager, which closes it.

    Work is done in so many processes of this machine at a time, forked for it (`is_here`), or by the workers of `make`,
    made when they are first needed; if it is `renewable`, it makes new ones after these are lost.
    """

    def __init__(self, processes: int = 1, make: Callable[[], Workers] | None = None, renewable: bool = False) -> None:
        self.processes, self.make, self.renewable = processes, make, renewable
        self.is_here = make is None
        self._workers: Workers | None = None

    @property
    def size(self) -> int:
        """How many tasks can run at a time; 0 while a cluster has no worker."""
        return self.processes if self.is_here else self.workers.size()

    @property
    def workers(self) -> Workers:
        """The workers, made when they are first needed.

        Raises:
            SudokuError: they cannot be made.
        """
        if self._workers is None:
            assert self.make is not None, "a pool of processes of this machine has no workers"
            self._workers = self.make()
        return self._workers

    def submit(self, task: Callable[..., Any], *arguments: object) -> "Future[Any]":
        """Hand a task to the executor.

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
        # The executor of a user may raise any exception.
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
        """Close workers that are lost; the next task makes new ones, if the pool is `renewable`."""
        workers, self._workers = self._workers, None
        if workers is not None:
            with suppress(Exception):
                workers.close()

    def stop(self, job: Job) -> None:
        """Ask the tasks of a job to end; a running task ends when it next looks for the request."""
        if self._workers is not None:
            # The connection to the workers may be closed already, and workers out of reach must not stop the caller.
            with suppress(Exception):
                self._workers.stop(job)

    def close(self) -> None:
        """Close the workers that the pool made; an executor that the caller made keeps running."""
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
"""A pool of one process of this machine."""

ExecutorLike: TypeAlias = Union["Executor", str, Callable[[], "Executor"], Pool]
"""An executor; a text that names one, such as `processes:8`; a function that makes one; or a pool."""


def pool_of(executor: "ExecutorLike") -> Pool:
    """Return a pool whose tasks run on an executor.

    It is given as an executor; a text as for the option --executor; a function that makes an executor, which is called
    again after its workers are lost; or a pool, which is returned as it is.

    Raises:
        SudokuError: not an executor, or an unknown text.
    """
    from concurrent.futures import Executor

    if isinstance(executor, Pool):
        return executor
    if isinstance(executor, str):
        return Pool(make=_maker(executor), renewable=True)
    if isinstance(executor, Executor):
        return Pool(make=partial(_workers_of_caller, executor))
    if callable(executor):
        return Pool(make=partial(_workers_of_function, executor), renewable=True)
    raise MethodError(f"not an executor: {short(repr(executor))}; give one, a text ({usage()}), or a function")


def _workers_of_caller(executor: "Executor") -> Workers:
    """Return the workers of an executor that the caller made, which is never shut down."""
    return _workers_of(executor, lambda: None)


def _workers_of_function(make: "Callable[[], Executor]") -> Workers:
    """Return the workers of an executor that a function makes, which is shut down in the end."""
    from concurrent.futures import Executor

    executor = make()
    if not isinstance(executor, Executor):
        raise MethodError(f"the function for an executor returned {short(repr(executor))}")
    return _workers_of(executor, partial(_shut_down, executor))


def _workers_of(executor: "Executor", close: Callable[[], None]) -> Workers:
    """Return the workers of any executor, with the function that closes it."""
    if type(executor).__module__.startswith("distributed."):
        from sudoku_encode.run import dask_pool

        return dask_pool.described(executor, close)
    n_workers = getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    return Workers(executor, lambda: int(n_workers or cores()), stop, close)


def _shut_down(executor: "Executor") -> None:
    """Cancel the waiting tasks of an executor; do not wait for the running ones."""
    executor.shutdown(wait=False, cancel_futures=True)


class ExecutorModule(Protocol):
    """A module that makes the workers of a kind of executor."""

    def connect(self, text: str, /) -> Workers:
        """Return the workers that a text names."""
        ...


class ExecutorKind(NamedTuple):
    """A kind of executor that a text names."""

    form: str  # the form of its texts
    help: str  # a description of the executor
    module: str  # the name of an `ExecutorModule`


EXECUTORS = {
    "processes": ExecutorKind("processes:N", "N processes of this machine", __name__),
    "threads": ExecutorKind("threads:N", "N threads, for compiled methods", __name__),
    "tcp": ExecutorKind("tcp://HOST:PORT", "a Dask scheduler", "sudoku_encode.run.dask_pool"),
    "tls": ExecutorKind("tls://HOST:PORT", "a Dask scheduler, encrypted", "sudoku_encode.run.dask_pool"),
    "scheduler-file": ExecutorKind(
        "scheduler-file:FILE", "the Dask scheduler that wrote this file", "sudoku_encode.run.dask_pool"
    ),
}
"""The kinds of executors, by the word before the first colon of their texts."""


def usage() -> str:
    """Return the forms of the texts that name executors, for messages."""
    return ", ".join(kind.form for kind in EXECUTORS.values())


def _maker(text: str) -> Callable[[], Workers]:
    """Return a function that makes the workers that a text names; raise SudokuError for an unknown text."""
    word, colon, rest = text.partition(":")
    kind = EXECUTORS.get(word)
    if kind is None or not colon or not rest or ("//" in kind.form) != rest.startswith("//"):
        raise SudokuError(f"no executor is called {short(text)!r}: write {usage()}")
    if kind.form.endswith(":N"):
        _number(text, rest)
    module = cast("ExecutorModule", import_module(kind.module))
    return partial(module.connect, text)


def _number(text: str, digits: str) -> int:
    """Return the number of workers in a text; raise SudokuError if it is not from 1 to MAX_PROCESSES."""
    if not (digits.isascii() and digits.isdecimal() and 1 <= int(digits[:9]) <= MAX_PROCESSES):
        raise SudokuError(f"--executor {short(text)}: expected a number from 1 to {MAX_PROCESSES} after the colon")
    return int(digits)


def connect(text: str) -> Workers:
    """Return the workers of a text such as `processes:8` or `threads:8`: processes or threads of this machine."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

    kind, _, digits = text.partition(":")
    number = _number(text, digits)
    if kind == "threads":
        threads = ThreadPoolExecutor(number)
        return Workers(threads, lambda: number, stop, partial(_shut_down, threads))
    # Processes are started as in `run.child`: forked ones inherit the modules of this process.
    context = multiprocessing.get_context(_CONTEXTS[machine.start_method()])
    # Nothing is written to this pipe. When this process ends, its writing end closes, which ends the workers.
    lifeline, other_end = os.pipe()
    machine.keep_private(other_end)
    processes = ProcessPoolExecutor(number, context, initializer=_start_worker, initargs=(os.getpid(), lifeline))
    return Workers(processes, lambda: number, stop, partial(_kill, processes, (lifeline, other_end)))


def _kill(executor: "ProcessPoolExecutor", pipe: tuple[int, ...]) -> None:
    """Kill the processes of an executor, and close the pipe; its own `shutdown` would wait for running tasks."""
    # From Python 3.14 on there is a method for this, `kill_workers`.
    processes = list((getattr(executor, "_processes", None) or {}).values())
    manager = getattr(executor, "_executor_manager_thread", None)
    for process in processes:
        process.kill()
    executor.shutdown(wait=False, cancel_futures=True)
    if manager is not None:
        # This thread of the executor closes a pipe of its own when the processes are gone. Wait for that: Python may
        # write to the pipe when it exits.
        manager.join(_PARENT_SECONDS)
    lifeline, other_end = pipe
    os.close(lifeline)
    machine.close_private(other_end)


def _start_worker(parent: int, lifeline: int) -> None:
    """Have a worker ignore Ctrl-C, and end when its parent, which holds the writing end of the pipe, is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.getppid() == parent:
        # Each worker opens the pipe anew: the system sends the signal of an open file to one process, and workers that
        # inherit the file share it.
        with suppress(OSError):
            end_with_parent(os.open(f"/proc/self/fd/{lifeline}", os.O_RDONLY | os.O_NONBLOCK))
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """Wait until the parent is gone, and end this process."""
    import multiprocessing
    from multiprocessing.connection import wait

    creator = multiprocessing.parent_process()
    # With a forkserver, the server is the parent for the system, but multiprocessing knows who asked for this process.
    if os.getppid() != parent and creator is not None:
        wait([creator.sentinel])
    while os.getppid() == parent:
        time.sleep(_PARENT_SECONDS)
    os._exit(1)
