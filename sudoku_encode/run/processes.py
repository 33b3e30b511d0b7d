"""Processes of their own, started in one of three ways; see `starting`. Knows no Sudoku."""

import os
import pickle
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sudoku_encode.errors import InternalError, printable
from sudoku_encode.run import child_work, pipes, starting
from sudoku_encode.run.child_work import Ends, Request, Task, Work

T = TypeVar("T")


class Process(Protocol):
    """A process that was started, however that was done."""

    def wait(self) -> int:
        """Wait until it has ended; return its exit code, minus the number of a signal that killed it."""
        ...

    def kill(self) -> None:
        """End it with all that it started, and wait until it is gone."""
        ...


def start(work: Work[T], memory: int | None, load: Callable[[], None] | None, ends: Ends) -> Process:
    """Start a process that does some work.

    Args:
        work: what it does.
        memory: how many bytes it may add to what it starts with.
        load: called in a process that is not a copy of this one, before its memory is limited.
        ends: what connects the process with this one; they are copied.

    Raises:
        ProcessDiedError: it cannot be started.
        InternalError: the work cannot be sent to it.
    """
    method = starting.start_method()
    if method == starting.FORK:
        return _fork(work, memory, ends)
    try:
        request = _request(work, memory, load)
    except Exception as error:
        # Work of others, such as a function in a function, is risked where it can be.
        if hasattr(os, "fork") and starting.VARIABLE not in os.environ:
            return _fork(work, memory, ends)
        raise InternalError(printable(f"the work cannot be sent to a process of its own: {error}")) from error
    if method == starting.SPAWN:
        return _Spawned(request, ends)
    from sudoku_encode.run import fork_server

    return fork_server.start(request, ends)


def _request(work: Work[T], memory: int | None, load: Callable[[], None] | None) -> bytes:
    """Return some work as a process can read it that is not a copy of this one."""
    from sudoku_encode.run.cores import is_on_one_core
    from sudoku_encode.run.stopping import current_job

    task = pickle.dumps(Task(work, load, is_on_one_core(), current_job()), pickle.HIGHEST_PROTOCOL)
    folder = ""
    # The folder may have been removed.
    with suppress(OSError):
        folder = str(Path.cwd())
    return pickle.dumps(Request(folder, dict(os.environ), sys.path, memory, task), pickle.HIGHEST_PROTOCOL)


def _fork(work: Work[T], memory: int | None, ends: Ends) -> "_Forked":
    """Start a copy of this process."""
    # Not multiprocessing's own process, which a process that is one of its daemons may not start.
    with starting.locked_quiet_threads():
        pid = os.fork()
        if pid:
            return _Forked(pid)
        # The copy must exit here on every path: if it returned, it would do the parent's work once more.
        try:
            child_work.begin(ends)
            child_work.run(lambda: _limited(work, memory), ends, memory)
        finally:
            os._exit(1)


def _limited(work: Work[T], memory: int | None) -> Iterable[T]:
    """Return what some work yields within a limit on the memory of this process."""
    child_work.limit_memory(memory)
    return work()


class _Forked:
    """A copy of this process.

    Args:
        pid: its number.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid

    def wait(self) -> int:
        """Wait until it has ended; return its exit code, minus the number of a signal that killed it."""
        if hasattr(os, "waitid"):
            # Until it is waited for in the other way, nothing else has its number.
            os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT)
            starting.kill_session(self._pid)
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def kill(self) -> None:
        """End it with all that it started, and wait until it is gone."""
        starting.kill_session(self._pid)
        # It is gone already where Ctrl-C came after it ended and before that was noted.
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


class _Spawned:
    """A new Python, whose standard input says what it does and ends with this process.

    Args:
        request: what it does.
        ends: what connects it with this process; its lifeline is its standard input.
    """

    def __init__(self, request: bytes, ends: Ends) -> None:
        import subprocess

        options: dict[str, Any] = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        if isinstance(ends.messages, int):
            options = {"pass_fds": [ends.messages], "start_new_session": True}
        self._process = subprocess.Popen(
            starting.python("from sudoku_encode.run.child_work import run_spawned; run_spawned()"),
            stdin=subprocess.PIPE,
            stdout=ends.printed,
            stderr=ends.printed,
            bufsize=0,
            **options,
        )
        assert self._process.stdin is not None
        self._input = self._process.stdin.fileno()
        starting.keep_private(self._input)
        share: Any = getattr(ends.messages, "share", None)
        # Where it ends before it has read all, that is found when it is waited for.
        with suppress(OSError):
            pipes.send(self._input, (share(self._process.pid) if share else ends.messages, request))

    def wait(self) -> int:
        """Wait until it has ended; return its exit code, minus the number of a signal that killed it."""
        status = self._process.wait()
        self._close()
        return status

    def kill(self) -> None:
        """End it with all that it started, and wait until it is gone."""
        if hasattr(os, "killpg"):
            starting.kill_session(self._process.pid)
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        """Close its standard input."""
        starting.forget_private(self._input)
        if self._process.stdin is not None:
            self._process.stdin.close()
