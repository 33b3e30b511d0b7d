"""Work in a process of its own, which can be ended at any moment and whose memory can be limited. Knows no Sudoku.

A library that works for an hour inside one call looks at no deadline and takes no Ctrl-C, and may end its process. Here
that process is another one: the caller goes on.

Where the system cannot copy a process (`fork`), such as on Windows, the work is done in the caller's own: then it ends
in time only as far as it looks at its deadline, and what it raises is raised.
"""

import gc
import math
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, NoReturn, TypeVar

from sudoku_encode.errors import Died, InternalError, MethodError, Stopped, SudokuError, printable
from sudoku_encode.run import pipes
from sudoku_encode.run.counting import OUT_OF_MEMORY
from sudoku_encode.run.events import Compiling, Event, emit, observing
from sudoku_encode.run.interrupts import uninterrupted
from sudoku_encode.storage.outputs import temporary

T = TypeVar("T")
Work = Callable[[], Iterable[T]]

# How often the deadline is checked while there is no message.
POLL_SECONDS = 0.02
# How long a process may go on after it has compiled something: to save it on disk, and to check its deadline.
_SETTLING_SECONDS = 0.5
# How much of the end of what a process printed is searched for the reason why it died.
_LAST_OUTPUT_BYTES = 500
# Linux writes there how much memory this process has; nowhere else can a limit be set on what it adds to that.
_USED_PAGES = Path("/proc/self/statm")


class Item(NamedTuple):
    """Something that the work yielded."""

    value: Any


class End(NamedTuple):
    """The work has ended by itself, or raised an error."""

    error: BaseException | None = None


Message = Item | Event | End


class Child(Generic[T]):
    """A process that does some work and sends what that yields, and the events meanwhile.

    It starts as a copy of this process, with all that is loaded here, and ends with this process, even where that is
    killed. What it prints is not shown.

    Attributes:
        pipe: ready to be read when there is a message; see `pipes.wait`.
        compiling_until: the time of `time.monotonic` before which it must not be ended, since it compiles something:
            ended in the middle, that would begin anew in each run and never be finished.
    """

    def __init__(self, work: Work[T], memory: int | None = None) -> None:
        self.compiling_until = -math.inf
        self._process, self._ended = 0, False
        self._printed = _output_file()
        self.pipe, child_end = pipes.pipe()
        lifeline, self._lifeline = os.pipe()
        try:
            with uninterrupted():
                # Not multiprocessing's own process, which a process that is one of its daemons may not start.
                self._process = os.fork()
                if self._process == 0:
                    # The copy must exit here on every path: if it returned, it would do the parent's work once more.
                    try:
                        # The parent ends this process when Ctrl-C is pressed.
                        signal.signal(signal.SIGINT, signal.SIG_IGN)
                        # The garbage collector would look at all that is loaded, and so make a copy of it.
                        gc.freeze()
                        os.close(self._lifeline)
                        self.pipe.close()
                        _capture_output(self._printed)
                        _run(work, child_end, lifeline, memory)
                    finally:
                        os._exit(1)
        except BaseException:
            # Ctrl-C was pressed meanwhile, or there is no room for another process.
            self.stop()
            raise
        finally:
            os.close(child_end)
            os.close(lifeline)

    def receive(self) -> Message:
        """Wait for the next message and return it.

        Raises:
            Died: the process ended without an `End`, whatever its status, or was killed; or what it sent is no message.
        """
        try:
            message: Message = self.pipe.receive()
        except EOFError:
            status = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
            self._ended = True
            raise Died(f"its process {_cause(status, self._printed)}") from None
        except Exception as error:
            raise Died(printable(f"its process sent what cannot be read: {error}")) from error
        if isinstance(message, Compiling):
            self.compiling_until = math.inf if message.busy else time.monotonic() + _SETTLING_SECONDS
        return message

    def stop(self) -> None:
        """End the process, whatever it is doing, and wait until it is gone."""
        if self._process and not self._ended:
            self._ended = True
            # It is gone already where Ctrl-C came after it ended and before that was noted.
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._process, signal.SIGKILL)
                os.waitpid(self._process, 0)
        if not self.pipe.closed:
            self.pipe.close()
            os.close(self._lifeline)
            self._printed.close()


def can_fork() -> bool:
    """Say whether work can be done in a process of its own."""
    return hasattr(os, "fork")


def can_limit_memory() -> bool:
    """Say whether the memory of work can be limited."""
    return can_fork() and _USED_PAGES.exists()


def stream(work: Work[T], tick: Callable[[], None] = lambda: None, memory: int | None = None) -> Generator[T]:
    """Yield what some work yields in a process of its own; the process ends when no more is wanted.

    Events of the work reach the observer here.

    Args:
        work: returns or yields things that can be pickled.
        tick: called here every 20 ms, but not while something is compiled; it raises Stopped when the time is over.
        memory: how many bytes the process may add to what it starts with.

    Raises:
        Stopped: by `tick` or by the work; or the process ran out of memory.
        Died: the process ended without an answer, or was killed.
        MethodError: memory cannot be limited here.
        SudokuError: raised by the work.
        InternalError: the work raised anything else; the message says what.
    """
    check_memory_limit(memory)
    if not can_fork():
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


def check_memory_limit(memory: int | None) -> None:
    """Refuse a limit on memory where none can be set.

    Raises:
        MethodError: there is one.
    """
    if memory is not None and not can_limit_memory():
        raise MethodError("a limit on memory (--memory) can be set on Linux only, not on this system")


def _run(work: Work[T], pipe: int, lifeline: int, memory: int | None) -> NoReturn:
    """Send what the work yields, then end the process without flushing buffers: what is in them is its parent's."""
    end, sending = End(), threading.Lock()

    def send(message: Message) -> None:
        # An event may come from another thread than what the work yields.
        with sending:
            pipes.send(pipe, message)

    try:
        _end_with_parent(lifeline)
        _limit_memory(memory)
        with observing(send):
            for item in work():
                send(Item(item))
    except (Stopped, SudokuError, InternalError) as error:
        end = End(error)
    except BaseException as error:
        # Libraries in C++ may raise an error of their own kind that names C++'s. C code that gets no memory may fail
        # without an error, which is a SystemError.
        lacks_memory = memory is not None and isinstance(error, SystemError)
        if lacks_memory or isinstance(error, MemoryError) or "std::bad_alloc" in str(error):
            end = End(Stopped(OUT_OF_MEMORY))
        else:
            end = End(InternalError(printable(f"{type(error).__name__}: {error}")))
    with suppress(BaseException):
        send(end)
    os._exit(0)


def _end_with_parent(lifeline: int) -> None:
    """Have the system end this process when the parent is gone, even one that was killed.

    No thread could do that, since a library at work may never let one run. `lifeline` is the reading end of a pipe of
    this process alone (the system notes one process for a pipe). The parent alone has the writing end and never writes:
    that end is closed when the parent ends, and then the system sends SIGIO, which ends this process.
    """
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def _output_file() -> IO[bytes]:
    """Return a file for what a process prints: in memory where that is possible, since a disk may be full."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("printed"), "w+b")
    return temporary(tempfile.TemporaryFile)


def _capture_output(printed: IO[bytes]) -> None:
    """Write what this process prints to a file: the last line that a library prints may say why it died."""
    os.dup2(printed.fileno(), 1)
    os.dup2(printed.fileno(), 2)
    # New objects: another thread of the parent may have locked the old ones at the fork, and nothing here unlocks them.
    sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115


def _limit_memory(memory: int | None) -> None:
    """Limit the memory that this process may add to what it has."""
    if memory is None:
        return
    import resource

    with suppress(OSError, ValueError, OverflowError):
        data = int(_USED_PAGES.read_text(encoding="ascii").split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (data + memory,) * 2)


def _cause(status: int, printed: IO[bytes]) -> str:
    """Say how a process ended that sent no reason, such as `was killed by SIGABRT: std::bad_alloc`.

    Args:
        status: its exit code; minus the number of the signal that killed it.
        printed: what it printed.
    """
    cause = f"ended with status {status}"
    if status < 0:
        named = -status in {number.value for number in signal.Signals}
        cause = f"was killed by {signal.Signals(-status).name if named else f'signal {-status}'}"
        # The system kills processes when its memory is used up, and libraries that get no memory abort or crash.
        cause += ", perhaps for want of memory" if -status in (signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV) else ""
    printed.seek(max(0, printed.seek(0, os.SEEK_END) - _LAST_OUTPUT_BYTES))
    lines = printed.read(_LAST_OUTPUT_BYTES).decode(errors="replace").strip().splitlines()
    return f"{cause}: {printable(lines[-1])}" if lines else cause
