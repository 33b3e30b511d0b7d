"""Work in a process of its own, which can be ended at any moment and whose memory can be limited. Knows no Sudoku.

A library that works for an hour inside one call looks at no deadline and takes no Ctrl-C, and may end its process. Here
that process is another one: the caller goes on. `machine` says how it is started.

Where each process is a new Python, as on Windows, only work with limits is done in one; other work is done in the
caller's own: then it ends in time only as far as it looks at its deadline, and what it raises is raised.
"""

import math
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Generic, Protocol, TypeVar

from sudoku_encode.errors import InternalError, MethodError, ProcessDiedError, printable
from sudoku_encode.run import child_work, machine
from sudoku_encode.run.child_work import USED_PAGES, End, Ends, Item, Message, Request, Task, Work
from sudoku_encode.run.events import Compiling, emit
from sudoku_encode.run.machine import uninterrupted

T = TypeVar("T")

# How often the deadline is checked while there is no message.
POLL_SECONDS = 0.02
# How long a process may go on after it has compiled something: to save it on disk, and to check its deadline.
_SETTLING_SECONDS = 0.5
# Preparations that take a process at least and at most so long are made once by the server of processes.
_LONG_SECONDS, _TOO_LONG_SECONDS = 0.05, 2.0
# How much of the end of what a process printed is searched for the reason why it died.
_LAST_OUTPUT_BYTES = 500


class Child(Generic[T]):
    """A process that does some work and sends the items that it yields, and its events.

    It ends with this process, even if that is killed, and all that it started ends with it. Its output is not shown.
    Work that cannot be forked from here must be a function of a module, or a partial of one. It may add so many bytes
    to what it starts with; `load` is called in a process that is not a copy of this one, before its memory is limited.

    Raises:
        ProcessDiedError: it cannot be started.
    """

    def __init__(self, work: Work[T], memory: int | None = None, load: Callable[[], None] | None = None) -> None:
        # The time of `time.monotonic` before which it must not be ended, since it compiles something: ended in the
        # middle, that would begin anew in each run and never be finished.
        self.compiling_until = -math.inf
        self._process: Process | None = None
        self._printed = child_work.memory_file()
        # Ready to be read when there is a message; see `pipes.wait`.
        self.pipe, child_end = child_work.socket_pipe() if os.name == "nt" else child_work.pipe()
        lifeline, self._lifeline = os.pipe()
        machine.keep_private(self._lifeline)
        try:
            with uninterrupted():
                ends = Ends(child_end, lifeline, self._printed.fileno())
                self._process = start(work, memory, load, ends)
        except BaseException:
            # Ctrl-C was pressed meanwhile, or there is no room for another process.
            self.stop()
            raise
        finally:
            os.close(child_end) if isinstance(child_end, int) else child_end.close()
            os.close(lifeline)

    def receive(self) -> Message:
        """Wait for the next message and return it.

        Raises:
            ProcessDiedError: the process ended without an `End`, with any status, or was killed; or it sent data that
                cannot be read.
        """
        try:
            message: Message = self.pipe.receive()
        except EOFError:
            status = self._process.wait() if self._process else 0
            self._process = None
            raise ProcessDiedError(f"its process {_cause(status, self._printed)}") from None
        except Exception as error:
            raise ProcessDiedError(printable(f"its process sent a message that cannot be read: {error}")) from error
        if isinstance(message, Compiling):
            self.compiling_until = math.inf if message.busy else time.monotonic() + _SETTLING_SECONDS
        return message

    def took(self, call: Callable[[], object], seconds: float) -> None:
        """Note how long the process took for a call that others after it will make too, to prepare for their work."""
        served = machine.start_method() == machine.SERVER
        if served and _LONG_SECONDS <= seconds <= _TOO_LONG_SECONDS:
            from sudoku_encode.run import fork_server

            fork_server.teach(pickle.dumps(call))

    def stop(self) -> None:
        """End the process, whatever it is doing, and wait until it is gone."""
        # The end of the lifeline alone ends it, but is not waited for.
        if not self.pipe.closed:
            self.pipe.close()
            machine.close_private(self._lifeline)
            self._printed.close()
        if self._process:
            process, self._process = self._process, None
            process.kill()


def is_apart(limited: bool) -> bool:
    """Return whether work, with limits on time or memory or without, is done in a process of its own."""
    return limited or machine.start_method() != machine.SPAWN


def can_limit_memory() -> bool:
    """Return whether the memory of work can be limited."""
    return hasattr(os, "fork") and USED_PAGES.exists()


def stream(
    work: Work[T], tick: Callable[[], None] = lambda: None, memory: int | None = None, limited: bool = False
) -> Generator[T]:
    """Yield the items of some work in a process of its own; the process ends when the generator is closed.

    Events of the work reach the observer here. The work is a function of a module, or a partial of one, which returns
    or yields things that can be pickled; it may add so many bytes of memory to what it starts with. `tick` is called
    here every 20 ms, but not while something is compiled, unless it must end the work even if a process costs much
    (`limited`).

    Raises:
        StoppedError: by `tick` or by the work; or the process ran out of memory.
        ProcessDiedError: the process ended without an answer, or was killed.
        MethodError: memory cannot be limited here.
        SudokuError: raised by the work.
        InternalError: the work raised anything else; the message says what.
    """
    check_memory_limit(memory)
    if not is_apart(limited or memory is not None):
        for item in work():
            yield item
            tick()
        return
    child = Child(work, memory)
    try:
        while True:
            while not child.pipe.ready(POLL_SECONDS):
                if time.monotonic() >= child.compiling_until:
                    tick()
            message = child.receive()
            if isinstance(message, Item):
                yield message.value
            elif isinstance(message, End):
                if message.error is not None:
                    raise message.error
                return
            else:
                emit(message)
    finally:
        child.stop()


class Background(Generic[T]):
    """Some work in a process of its own, beside work here that looks at it now and then.

    Attributes:
        items: what it has yielded so far.
        is_complete: whether it has yielded all.

    Raises:
        ProcessDiedError: the process cannot be started.
    """

    def __init__(self, work: Work[T]) -> None:
        self.items: list[T] = []
        self.is_complete = False
        self._child: Child[T] | None = Child(work)

    @property
    def is_running(self) -> bool:
        """Whether it may yield more."""
        return self._child is not None

    def look(self) -> None:
        """Take the items that have arrived; the work has ended where its process was stopped or died."""
        while self._child and self._child.pipe.ready():
            try:
                message = self._child.receive()
            except ProcessDiedError as death:
                message = End(death)
            if isinstance(message, Item):
                self.items.append(message.value)
            elif isinstance(message, End):
                self.is_complete = message.error is None
                self.close()

    def close(self) -> None:
        """End the process."""
        if self._child:
            child, self._child = self._child, None
            child.stop()


def check_memory_limit(memory: int | None) -> None:
    """Refuse a limit on memory where none can be set.

    Raises:
        MethodError: there is one.
    """
    if memory is not None and not can_limit_memory():
        raise MethodError("a limit on memory (--memory) can be set on Linux only, not on this system")


def _cause(status: int, printed: IO[bytes]) -> str:
    """Return how a process with an exit code and an output ended, such as `was killed by SIGABRT: std::bad_alloc`."""
    cause = f"ended with status {status}"
    if status < 0:
        named = -status in {number.value for number in signal.Signals}
        cause = f"was killed by {signal.Signals(-status).name if named else f'signal {-status}'}"
        # The system kills processes when its memory is used up, and libraries that get no memory abort or crash.
        memory = [getattr(signal, name, 0) for name in ("SIGKILL", "SIGABRT", "SIGSEGV")]
        cause += ", perhaps because memory ran out" if -status in memory else ""
    printed.seek(max(0, printed.seek(0, os.SEEK_END) - _LAST_OUTPUT_BYTES))
    lines = printed.read(_LAST_OUTPUT_BYTES).decode(errors="replace").strip().splitlines()
    return f"{cause}: {printable(lines[-1])}" if lines else cause


# Starting processes, in one of three ways; see `machine`.


class Process(Protocol):
    """A process that was started, however that was done."""

    def wait(self) -> int:
        """Wait until it has ended; return its exit code, minus the number of a signal that killed it."""
        ...

    def kill(self) -> None:
        """End it with all that it started, and wait until it is gone."""
        ...


def start(work: Work[T], memory: int | None, load: Callable[[], None] | None, ends: Ends) -> Process:
    """Start a process that does some work and may add some bytes of memory to what it starts with; `ends` are copied.

    `load` is called in a process that is not a copy of this one, before its memory is limited.

    Raises:
        ProcessDiedError: it cannot be started.
        InternalError: the work cannot be sent to it.
    """
    method = machine.start_method()
    if method == machine.FORK:
        return _fork(work, memory, ends)
    try:
        request = _request(work, memory, load)
    except Exception as error:
        # Work of others, such as a function in a function, is risked where it can be.
        if hasattr(os, "fork") and machine.VARIABLE not in os.environ:
            return _fork(work, memory, ends)
        raise InternalError(printable(f"the work cannot be sent to another process: {error}")) from error
    if method == machine.SPAWN:
        return _SpawnedProcess(request, ends)
    from sudoku_encode.run import fork_server

    return fork_server.start(request, ends)


def _request(work: Work[T], memory: int | None, load: Callable[[], None] | None) -> bytes:
    """Return some work as a process can read it that is not a copy of this one."""
    from sudoku_encode.run.machine import is_on_one_core
    from sudoku_encode.run.tasks import current_job

    task = pickle.dumps(Task(work, load, is_on_one_core(), current_job()), pickle.HIGHEST_PROTOCOL)
    folder = ""
    # The folder may have been removed.
    with suppress(OSError):
        folder = str(Path.cwd())
    return pickle.dumps(Request(folder, dict(os.environ), sys.path, memory, task), pickle.HIGHEST_PROTOCOL)


def _fork(work: Work[T], memory: int | None, ends: Ends) -> "_ForkedProcess":
    """Start a copy of this process."""
    # Not multiprocessing's own process, which a process that is one of its daemons may not start.
    with machine.locked_quiet_threads():
        pid = os.fork()
        if pid:
            return _ForkedProcess(pid)
        # The copy must exit here on every path: if it returned, it would do the parent's work once more.
        try:
            child_work.begin(ends)
            child_work.run(lambda: _limited(work, memory), ends, memory)
        finally:
            os._exit(1)


def _limited(work: Work[T], memory: int | None) -> Iterable[T]:
    """Return the items of some work, within a limit on the memory of this process."""
    child_work.limit_memory(memory)
    return work()


class _ForkedProcess:
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
            machine.kill_session(self._pid)
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def kill(self) -> None:
        """End it with all that it started, and wait until it is gone."""
        machine.kill_session(self._pid)
        # It is gone already where Ctrl-C came after it ended and before that was noted.
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


class _SpawnedProcess:
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
            machine.python("from sudoku_encode.run.child_work import run_spawned; run_spawned()"),
            stdin=subprocess.PIPE,
            stdout=ends.printed,
            stderr=ends.printed,
            bufsize=0,
            **options,
        )
        assert self._process.stdin is not None
        self._input = self._process.stdin.fileno()
        machine.keep_private(self._input)
        share: Any = getattr(ends.messages, "share", None)
        # Where it ends before it has read all, that is found when it is waited for.
        with suppress(OSError):
            child_work.send(self._input, (share(self._process.pid) if share else ends.messages, request))

    def wait(self) -> int:
        """Wait until it has ended; return its exit code, minus the number of a signal that killed it."""
        status = self._process.wait()
        self._close()
        return status

    def kill(self) -> None:
        """End it with all that it started, and wait until it is gone."""
        if hasattr(os, "killpg"):
            machine.kill_session(self._process.pid)
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        """Close its standard input."""
        machine.forget_private(self._input)
        if self._process.stdin is not None:
            self._process.stdin.close()
