"""The side of the child process: it works, sends items and events to its parent, and ends with it. Knows no Sudoku."""

import gc
import math
import os
import pickle
import select
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from sudoku_encode.errors import OUT_OF_MEMORY, InternalError, StoppedError, SudokuError, printable
from sudoku_encode.run.events import Event, observing
from sudoku_encode.storage.outputs import make_temporary

if TYPE_CHECKING:
    import socket


# Pipes for messages between processes: anything that can be pickled. Those of multiprocessing do the same, but loading
# them takes longer than solving many a puzzle, and a message takes several times as long.

# Before each message comes how many bytes it has.
_SIZE_BYTES = 8
# The longest time that the system waits at once, since it takes no number of milliseconds beyond 32 bits.
_MAX_WAIT_SECONDS = 1e6


class Receiver:
    """The receiving end of a pipe: the number of an open file, or a socket."""

    def __init__(self, number: int, channel: "socket.socket | None" = None) -> None:
        self._number, self.closed = number, False
        self._read_bytes: Callable[[int], bytes] = partial(os.read, number) if channel is None else channel.recv
        self._close = partial(os.close, number) if channel is None else channel.close

    def fileno(self) -> int:
        """Return the number of the open file."""
        return self._number

    def close(self) -> None:
        """Close this end."""
        self.closed = True
        self._close()

    def ready(self, seconds: float = 0.0) -> bool:
        """Return whether a message, or the end, begins to arrive within some seconds."""
        return wait([self], seconds)

    def receive(self) -> Any:
        """Wait for the next message and return it.

        Raises:
            EOFError: there are no more messages: the other end is closed everywhere.
        """
        size = int.from_bytes(self._read(_SIZE_BYTES), "little")
        return pickle.loads(self._read(size))

    def _read(self, size: int) -> bytes:
        pieces = []
        while size:
            piece = self._read_bytes(size)
            if not piece:
                raise EOFError
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)


def pipe() -> "tuple[Receiver, int]":
    """Return both ends of a new pipe; that to send to is the number of an open file, see `send`."""
    receiving, sending = os.pipe()
    return Receiver(receiving), sending


def socket_pipe() -> "tuple[Receiver, socket.socket]":
    """Return both ends of a pipe of sockets: on Windows a file cannot be waited for, nor given to another process."""
    import socket

    receiving, sending = socket.socketpair()
    return Receiver(receiving.fileno(), receiving), sending


def send(end: "int | socket.socket", message: object) -> None:
    """Send a message to the end of a pipe; that takes as long as the pipe is full.

    Raises:
        OSError: the other end is closed everywhere.
    """
    write: Callable[[memoryview], int] = partial(os.write, end) if isinstance(end, int) else end.send
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    remaining = memoryview(len(data).to_bytes(_SIZE_BYTES, "little") + data)
    while remaining:
        remaining = remaining[write(remaining) :]


def wait(receivers: Iterable[Receiver], seconds: float | None) -> bool:
    """Wait until one of some pipes has a message, or ends; at most some seconds, or for ever. Return whether so."""
    if seconds is not None:
        seconds = min(seconds, _MAX_WAIT_SECONDS)
    if not hasattr(select, "poll"):
        return bool(select.select(list(receivers), [], [], seconds)[0])
    waiting = select.poll()
    for receiver in receivers:
        waiting.register(receiver, select.POLLIN)
    return bool(waiting.poll(None if seconds is None else math.ceil(1000 * seconds)))


def memory_file() -> IO[bytes]:
    """Return a new file: in memory where that is possible, since a disk may be full."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("sudoku-encode"), "w+b")
    return make_temporary(tempfile.TemporaryFile)


T = TypeVar("T")
Work = Callable[[], Iterable[T]]

# Linux writes there how much memory this process has; nowhere else can a limit be set on what it adds to that.
USED_PAGES = Path("/proc/self/statm")


class Item(NamedTuple):
    """Something that the work yielded."""

    value: Any


class End(NamedTuple):
    """The work has ended by itself, or raised an error."""

    error: BaseException | None = None


Message = Item | Event | End


class Ends(NamedTuple):
    """The connections of a process with its parent."""

    messages: "int | socket.socket"  # where messages are sent
    lifeline: int  # the reading end of a pipe whose other end the parent alone has, and to which it never writes
    printed: int  # a file for what the process prints


class Request(NamedTuple):
    """Work for a process that is not a copy of its parent, and what a copy would have."""

    folder: str  # where it works; empty where that was removed
    environment: dict[str, str]  # its variables
    path: list[str]  # where modules are found
    memory: int | None  # how many bytes it may add to what it has when it begins to work
    task: bytes  # a pickled `Task`, which can be read once modules are found


class Task(NamedTuple):
    """The work of a request."""

    work: Callable[[], Iterable[Any]]  # what is done
    load: Callable[[], None] | None  # called before the memory is limited
    one_core: bool  # whether other tasks need the other cores
    job: Any  # what `stopping.go_on` looks at


def begin(ends: Ends) -> None:
    """Separate a process that has just begun from its parent."""
    # The parent ends this process when Ctrl-C is pressed, and with it all that it started, which is of its session.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        with suppress(PermissionError):
            os.setsid()
    # The garbage collector would look at all that is loaded, and so make a copy of it.
    gc.freeze()
    _capture_output(ends.printed)


def run_request(data: bytes, ends: Ends) -> NoReturn:
    """Do the work of a pickled request, and end this process."""
    begin(ends)
    request: Request = pickle.loads(data)
    run(lambda: _requested(request), ends, request.memory)


def _requested(request: Request) -> Iterator[Any]:
    """Yield the items of the work of a request."""
    if request.folder:
        os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.environment)
    sys.path[:] = request.path
    task: Task = pickle.loads(request.task)
    if task.load is not None:
        task.load()
    from sudoku_encode.run.machine import on_one_core
    from sudoku_encode.run.tasks import inside_job

    with ExitStack() as context:
        if task.one_core:
            context.enter_context(on_one_core())
        if task.job is not None:
            context.enter_context(inside_job(task.job))
        limit_memory(request.memory)
        yield from task.work()


def run_spawned() -> NoReturn:
    """Do the work of a request on standard input, which ends when the parent ends, and end this process."""
    lifeline = os.dup(0)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    messages, data = Receiver(lifeline).receive()
    if isinstance(messages, bytes):
        import socket

        messages = socket.fromshare(messages)  # type: ignore[attr-defined]
    if not hasattr(os, "O_ASYNC"):
        threading.Thread(target=_end_at_end, args=(lifeline,), daemon=True).start()
    run_request(data, Ends(messages, lifeline, 1))


def _end_at_end(lifeline: int) -> None:
    """End this process when the parent is gone, where only a thread can look at that."""
    with suppress(OSError):
        os.read(lifeline, 1)
    os._exit(1)


def run(work: Work[T], ends: "Ends", memory: int | None) -> NoReturn:
    """Send the items of the work, then end the process without flushing buffers: their content is the parent's.

    The work limits its memory by `limit_memory`; how many bytes it may add is told, so that a failure is understood.
    """
    end, sending = End(), threading.Lock()

    def send_message(message: Message) -> None:
        # An event may come from another thread than what the work yields.
        with sending:
            send(ends.messages, message)

    try:
        end_with_parent(ends.lifeline)
        with observing(send_message):
            for item in work():
                send_message(Item(item))
    except (StoppedError, SudokuError, InternalError) as error:
        end = End(error)
    except BaseException as error:
        # Libraries in C++ may raise an error of their own kind that names C++'s. C code that gets no memory may fail
        # without an error, which is a SystemError.
        lacks_memory = memory is not None and isinstance(error, SystemError)
        if lacks_memory or isinstance(error, MemoryError) or "std::bad_alloc" in str(error):
            end = End(StoppedError(OUT_OF_MEMORY))
        else:
            end = End(InternalError(printable(f"{type(error).__name__}: {error}")))
    with suppress(BaseException):
        send_message(end)
    # All that it started must end now: if the parent is killed before it can do that, nobody else would.
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def end_with_parent(lifeline: int) -> None:
    """Have the system end this process when the parent is gone, even one that was killed; with all that it started.

    No thread could do that, since a library at work may never let one run. `lifeline` is the reading end of a pipe. The
    writing end is closed when the parent ends, and then the system sends SIGIO, which ends the process that is noted
    for the open file, or the group of processes that this one leads.
    """
    if not hasattr(os, "O_ASYNC"):
        return
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    pid = os.getpid()
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -pid if os.getpgrp() == pid else pid)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    # A parent that was gone before sends nothing.
    waiting = select.poll()
    waiting.register(lifeline, 0)
    if waiting.poll(0):
        os._exit(1)


def _capture_output(printed: int) -> None:
    """Redirect the output of this process to a file: the last line that a library prints may say why it died."""
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    # New objects: another thread of the parent may have locked the old ones at the fork, and nothing here unlocks them.
    sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115


def limit_memory(memory: int | None) -> None:
    """Limit the memory that this process may add to what it has."""
    if memory is None:
        return
    import resource

    with suppress(OSError, ValueError, OverflowError):
        data = int(USED_PAGES.read_text(encoding="ascii").split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (data + memory,) * 2)
