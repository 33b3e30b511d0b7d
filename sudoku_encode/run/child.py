"""Work in a process of its own, which can be ended at any moment and whose memory can be limited. Knows no Sudoku.

A library that works for an hour inside one call looks at no deadline and takes no Ctrl-C, and may end its process. Here
that process is another one: the caller goes on. How it is started is said in `starting`.

Where each process is a new Python, as on Windows, only work with limits is done in one; other work is done in the
caller's own: then it ends in time only as far as it looks at its deadline, and what it raises is raised.
"""

import math
import os
import pickle
import signal
import time
from collections.abc import Callable, Generator
from typing import IO, Generic, TypeVar

from sudoku_encode.errors import MethodError, ProcessDiedError, printable
from sudoku_encode.run import pipes, processes, starting
from sudoku_encode.run.child_work import USED_PAGES, End, Ends, Item, Message, Work
from sudoku_encode.run.events import Compiling, emit
from sudoku_encode.run.interrupts import uninterrupted

T = TypeVar("T")

# How often the deadline is checked while there is no message.
POLL_SECONDS = 0.02
# How long a process may go on after it has compiled something: to save it on disk, and to check its deadline.
_SETTLING_SECONDS = 0.5
# What takes a process so long, a server of processes does once for all of them; but not what would make it wait.
_LONG_SECONDS, _TOO_LONG_SECONDS = 0.05, 2.0
# How much of the end of what a process printed is searched for the reason why it died.
_LAST_OUTPUT_BYTES = 500


class Child(Generic[T]):
    """A process that does some work and sends what that yields, and the events meanwhile.

    It ends with this process, even where that is killed, and all that it started ends with it. What it prints is not
    shown.

    Args:
        work: what it does. It must be a function of a module, or a partial of one, where it cannot be forked from here.
        memory: how many bytes it may add to what it starts with.
        load: called in a process that is not a copy of this one, before its memory is limited.

    Attributes:
        pipe: ready to be read when there is a message; see `pipes.wait`.
        compiling_until: the time of `time.monotonic` before which it must not be ended, since it compiles something:
            ended in the middle, that would begin anew in each run and never be finished.

    Raises:
        ProcessDiedError: it cannot be started.
    """

    def __init__(self, work: Work[T], memory: int | None = None, load: Callable[[], None] | None = None) -> None:
        self.compiling_until = -math.inf
        self._process: processes.Process | None = None
        self._printed = pipes.memory_file()
        self.pipe, child_end = pipes.socket_pipe() if os.name == "nt" else pipes.pipe()
        lifeline, self._lifeline = os.pipe()
        starting.keep_private(self._lifeline)
        try:
            with uninterrupted():
                ends = Ends(child_end, lifeline, self._printed.fileno())
                self._process = processes.start(work, memory, load, ends)
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
            ProcessDiedError: the process ended without an `End`, whatever its status, or was killed; or what it sent
                is no message.
        """
        try:
            message: Message = self.pipe.receive()
        except EOFError:
            status = self._process.wait() if self._process else 0
            self._process = None
            raise ProcessDiedError(f"its process {_cause(status, self._printed)}") from None
        except Exception as error:
            raise ProcessDiedError(printable(f"its process sent what cannot be read: {error}")) from error
        if isinstance(message, Compiling):
            self.compiling_until = math.inf if message.busy else time.monotonic() + _SETTLING_SECONDS
        return message

    def took(self, call: Callable[[], object], seconds: float) -> None:
        """Note how long the process took for a call that others after it will make too, to prepare for their work."""
        served = starting.start_method() == starting.SERVER
        if served and _LONG_SECONDS <= seconds <= _TOO_LONG_SECONDS:
            from sudoku_encode.run import fork_server

            fork_server.teach(pickle.dumps(call))

    def stop(self) -> None:
        """End the process, whatever it is doing, and wait until it is gone."""
        # The end of the lifeline alone ends it, but is not waited for.
        if not self.pipe.closed:
            self.pipe.close()
            starting.close_private(self._lifeline)
            self._printed.close()
        if self._process:
            process, self._process = self._process, None
            process.kill()


def is_apart(limited: bool) -> bool:
    """Return whether work is done in a process of its own.

    Args:
        limited: whether it has limits on time or memory.
    """
    return limited or starting.start_method() != starting.SPAWN


def can_limit_memory() -> bool:
    """Say whether the memory of work can be limited."""
    return hasattr(os, "fork") and USED_PAGES.exists()


def stream(
    work: Work[T], tick: Callable[[], None] = lambda: None, memory: int | None = None, limited: bool = False
) -> Generator[T]:
    """Yield what some work yields in a process of its own; the process ends when no more is wanted.

    Events of the work reach the observer here.

    Args:
        work: a function of a module, or a partial of one, which returns or yields things that can be pickled.
        tick: called here every 20 ms, but not while something is compiled; it raises StoppedError when the time is
            over.
        memory: how many bytes the process may add to what it starts with.
        limited: whether `tick` must end the work, even if a process costs much.

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


def check_memory_limit(memory: int | None) -> None:
    """Refuse a limit on memory where none can be set.

    Raises:
        MethodError: there is one.
    """
    if memory is not None and not can_limit_memory():
        raise MethodError("a limit on memory (--memory) can be set on Linux only, not on this system")


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
        memory = [getattr(signal, name, 0) for name in ("SIGKILL", "SIGABRT", "SIGSEGV")]
        cause += ", perhaps for want of memory" if -status in memory else ""
    printed.seek(max(0, printed.seek(0, os.SEEK_END) - _LAST_OUTPUT_BYTES))
    lines = printed.read(_LAST_OUTPUT_BYTES).decode(errors="replace").strip().splitlines()
    return f"{cause}: {printable(lines[-1])}" if lines else cause
