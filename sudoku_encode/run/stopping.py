"""How a task learns, wherever it runs, that its client wants no more of it. Knows no Sudoku.

To cancel a task that has begun does nothing on most executors, so a task looks often at what says that it must end:
the jobs that were stopped in this process, which a cluster's client can reach; on the client's own machine a file that
the client makes; and there whether the client still runs, since one that was killed says nothing.
"""

import os
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from sudoku_encode.errors import StoppedError
from sudoku_encode.run.counting import INTERRUPTED
from sudoku_encode.storage.outputs import temporary

# How often a task asks the system; a process notes the jobs that were stopped in it in no time.
_LOOK_SECONDS = 0.2
# The number of a process may be given to another one after it ended. Then a task goes on, as on another machine.
_stopped: set[str] = set()


class Job(NamedTuple):
    """Some tasks that are handed out together, and who is their client.

    Attributes:
        name: no other job has it.
        host: the client's machine.
        process: the client's number there.
        flag: a file there; it is made when the job is stopped.
    """

    name: str
    host: str
    process: int
    flag: str


class _Current:
    """The job of the task at work, and when the system was asked last whether it goes on."""

    def __init__(self, job: Job) -> None:
        self.job, self.asked = job, time.monotonic()


_current: ContextVar[_Current | None] = ContextVar("current", default=None)


def new_job() -> Job:
    """Return a job of this process."""
    name = uuid4().hex
    return Job(name, _host(), os.getpid(), str(Path(temporary(tempfile.gettempdir)) / f"sudoku-encode-stop-{name}"))


@cache
def _host() -> str:
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
    """Remove what said that a job was stopped: none of its tasks is at work any more."""
    _stopped.discard(job.name)
    with suppress(OSError):
        Path(job.flag).unlink()


def current_job() -> Job | None:
    """Return the job of the task at work, if there is one."""
    current = _current.get()
    return None if current is None else current.job


@contextmanager
def at_work_on(job: Job) -> Iterator[None]:
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
