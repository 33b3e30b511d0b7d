"""Tasks at workers: their jobs, how they are told to stop, and how they run. Knows no Sudoku.

Cancelling a task that has begun does nothing on most executors, so a task often checks whether it must end: by the jobs
that were stopped in this process, which a cluster's client can reach; on the client's own machine by a file that the
client makes; and there by whether the client still runs, since one that was killed tells nobody.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import uuid4

from sudoku_encode.errors import (
    INTERRUPTED,
    OUT_OF_MEMORY,
    InternalError,
    MethodError,
    StoppedError,
    SudokuError,
    printable,
)
from sudoku_encode.run.events import ignore, observing
from sudoku_encode.run.machine import on_one_core
from sudoku_encode.storage.outputs import make_temporary

if TYPE_CHECKING:
    from concurrent.futures import Executor


# How often a task asks the system; a process notes the jobs that were stopped in it in no time.
_LOOK_SECONDS = 0.2
# The number of a process may be given to another one after it ended. Then a task goes on, as on another machine.
_stopped: set[str] = set()


class Job(NamedTuple):
    """Some tasks that are handed out together, and who is their client."""

    name: str  # no other job has it
    host: str  # the client's machine
    process: int  # the client's number there
    flag: str  # a file there; it is made when the job is stopped


class _Current:
    """The job of the task at work, and when the system was asked last whether it goes on."""

    def __init__(self, job: Job) -> None:
        self.job, self.asked = job, time.monotonic()


_current: ContextVar[_Current | None] = ContextVar("current", default=None)


def new_job() -> Job:
    """Return a job of this process."""
    name = uuid4().hex
    return Job(
        name, _host(), os.getpid(), str(Path(make_temporary(tempfile.gettempdir)) / f"sudoku-encode-stop-{name}")
    )


@cache
def _host() -> str:
    # Imported here: most commands have no workers.
    import socket

    return socket.gethostname()


def stop_here(name: str) -> None:
    """Have all tasks of a job in this process stop."""
    _stopped.add(name)


def stop(job: Job) -> None:
    """Have all tasks of a job stop, in this process and in others of this machine."""
    stop_here(job.name)
    # Where that cannot be written a task ends with its part of the work, some seconds later.
    with suppress(OSError):
        Path(job.flag).touch()


def forget(job: Job) -> None:
    """Remove the marks of a stopped job, when none of its tasks is at work any more."""
    _stopped.discard(job.name)
    with suppress(OSError):
        Path(job.flag).unlink()


def current_job() -> Job | None:
    """Return the job of the task at work, if there is one."""
    current = _current.get()
    return None if current is None else current.job


@contextmanager
def inside_job(job: Job) -> Iterator[None]:
    """Let `go_on` look at a job meanwhile."""
    token = _current.set(_Current(job))
    try:
        yield
    finally:
        _current.reset(token)


def go_on() -> None:
    """Return if the client of the task at work still wants it. To call it often costs little.

    Raises:
        StoppedError: the client has stopped the job, or is gone.
    """
    current = _current.get()
    if current is None:
        return
    job = current.job
    if job.name in _stopped:
        raise StoppedError(INTERRUPTED)
    now = time.monotonic()
    if now - current.asked < _LOOK_SECONDS or job.host != _host() or job.process == os.getpid():
        return
    current.asked = now
    if Path(job.flag).exists() or not _is_alive(job.process):
        raise StoppedError(INTERRUPTED)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


@dataclass(frozen=True, eq=False)
class Workers:
    """An executor with further functions."""

    executor: "Executor"  # takes the tasks
    size: Callable[[], int]  # returns how many tasks may be at work at a time; 0 while there is no worker
    stop: Callable[[Job], None]  # called with a job whose tasks should end at once
    close: Callable[[], None]  # ends all that was started for the executor
    # Returns whether the workers are lost for ever, if the executor does not raise BrokenExecutor then.
    is_broken: Callable[[], bool] = lambda: False


# Running a task at a worker.

T = TypeVar("T")
R = TypeVar("R")

# The packages whose versions must be the same wherever a task runs, besides this package and Python.
_COMPARED = ("numpy", "numba", "ortools", "python-sat")


class TaskId(NamedTuple):
    """Identifies a task: sent with it and returned with its result, so that no result is taken for another."""

    job: Job  # of all tasks that are handed out together
    number: int  # of the task
    versions: tuple[str, ...]  # the client's


class TaskResult(NamedTuple):
    """The result of a task, or the error that it raised."""

    task_id: TaskId
    result: Any
    error: Exception | None = None


@cache
def versions() -> tuple[str, ...]:
    """Return the versions of this package, of Python and of what finds solutions, each behind its name.

    >>> versions()[1].startswith("Python 3.")
    True
    """
    # Loaded here: it takes a tenth of the time of `--help`.
    from importlib import metadata

    from sudoku_encode import __version__

    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    return f"sudoku-encode {__version__}", python, *(f"{name} {metadata.version(name)}" for name in _COMPARED)


def version_fault(theirs: tuple[str, ...], where: str) -> str:
    """Return how the versions somewhere differ from those here; "" if they do not."""
    pairs = zip(versions(), theirs, strict=False)
    different = [f"{there} and not {ours}" for ours, there in pairs if ours != there]
    return f"{where} has {', '.join(different)}: install the same versions there" if different else ""


def run(task: Callable[[T], R], item: T, task_id: TaskId) -> TaskResult:
    """Run a task; called at the worker."""
    if wrong := version_fault(task_id.versions, "the client"):
        return TaskResult(task_id, None, MethodError(wrong))
    try:
        with inside_job(task_id.job), on_one_core(), observing(ignore):
            return TaskResult(task_id, task(item))
    except MemoryError:
        return TaskResult(task_id, None, StoppedError(OUT_OF_MEMORY))
    except (StoppedError, SudokuError, InternalError) as error:
        return TaskResult(task_id, None, error)
    except Exception as error:
        return TaskResult(task_id, None, InternalError(printable(f"{type(error).__name__}: {error}")))
