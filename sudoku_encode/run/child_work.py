"""What a process of its own does: it works, sends what that yields, and ends with its parent. Knows no Sudoku."""

import gc
import os
import pickle
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from sudoku_encode.errors import InternalError, StoppedError, SudokuError, printable
from sudoku_encode.run import pipes
from sudoku_encode.run.counting import OUT_OF_MEMORY
from sudoku_encode.run.events import Event, observing

if TYPE_CHECKING:
    import socket

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
    """What connects a process with its parent.

    Attributes:
        messages: where messages are sent.
        lifeline: the reading end of a pipe whose other end the parent alone has, and to which it never writes.
        printed: a file for what the process prints.
    """

    messages: "int | socket.socket"
    lifeline: int
    printed: int


class Request(NamedTuple):
    """Work for a process that is not a copy of its parent, and what a copy would have.

    Attributes:
        folder: where it works; empty where that was removed.
        environment: its variables.
        path: where modules are found.
        memory: how many bytes it may add to what it has when it begins to work.
        task: a pickled `Task`, which can be read once modules are found.
    """

    folder: str
    environment: dict[str, str]
    path: list[str]
    memory: int | None
    task: bytes


class Task(NamedTuple):
    """The work of a request.

    Attributes:
        work: what is done.
        load: called before the memory is limited.
        one_core: whether other tasks need the other cores.
        job: what `stopping.go_on` looks at.
    """

    work: Callable[[], Iterable[Any]]
    load: Callable[[], None] | None
    one_core: bool
    job: Any


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
    """Do what a pickled request says, and end this process."""
    begin(ends)
    request: Request = pickle.loads(data)
    run(lambda: _requested(request), ends, request.memory)


def _requested(request: Request) -> Iterator[Any]:
    """Yield what the work of a request yields."""
    if request.folder:
        os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.environment)
    sys.path[:] = request.path
    task: Task = pickle.loads(request.task)
    if task.load is not None:
        task.load()
    from sudoku_encode.run.cores import on_one_core
    from sudoku_encode.run.stopping import at_work_on

    with ExitStack() as context:
        if task.one_core:
            context.enter_context(on_one_core())
        if task.job is not None:
            context.enter_context(at_work_on(task.job))
        limit_memory(request.memory)
        yield from task.work()


def run_spawned() -> NoReturn:
    """Do what is requested on standard input, whose end is the end of the parent, and end this process."""
    lifeline = os.dup(0)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    messages, data = pipes.Receiver(lifeline).receive()
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
    """Send what the work yields, then end the process without flushing buffers: what is in them is its parent's.

    Args:
        work: what is done; it limits its memory by `limit_memory`.
        ends: what connects this process with its parent.
        memory: how many bytes it may add, so that a failure is understood.
    """
    end, sending = End(), threading.Lock()

    def send(message: Message) -> None:
        # An event may come from another thread than what the work yields.
        with sending:
            pipes.send(ends.messages, message)

    try:
        end_with_parent(ends.lifeline)
        with observing(send):
            for item in work():
                send(Item(item))
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
        send(end)
    # What it started ends now: should the parent be killed before it can end that, nobody else would.
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
    """Write what this process prints to a file: the last line that a library prints may say why it died."""
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
