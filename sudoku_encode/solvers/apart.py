"""Run a library that cannot be interrupted in a process of its own, which can.

A counter that works for an hour inside one call hears no clock and no Ctrl-C. Its process does not have to listen: it
is ended.
"""

import fcntl
import os
import signal
from collections.abc import Callable, Iterator
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, NoReturn, TypeVar

from sudoku_encode.errors import InternalError, MethodError, Stopped

T = TypeVar("T")

# How long at most between two ticks, in seconds.
_PATIENCE = 0.05


def package(name: str, what: str) -> Any:
    """Load an optional package.

    Raises:
        MethodError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise MethodError(f"{what} needs the package {name}: pip install 'sudoku-encode[counters]'") from error


def apart(work: Callable[[], Iterator[T]], tick: Callable[[], None]) -> Iterator[T]:
    """Yield what `work` yields in a process of its own; the process ends when nobody wants more.

    Args:
        work: starts there with all that is loaded here. What it yields must be picklable.
        tick: called here every 50 ms; it raises Stopped when the time is over.

    Raises:
        Stopped: by `tick`; or the process ran out of memory or was killed.
        InternalError: `work` raised something; the message says what.
    """
    ours, theirs = Pipe(duplex=False)
    alive, held = os.pipe()
    # Not multiprocessing's own process, which a process that is itself one of its daemons may not start.
    process = os.fork()
    if process == 0:
        os.close(held)
        ours.close()
        _work(work, theirs, alive)
    theirs.close()
    os.close(alive)
    try:
        while True:
            tick()
            while not ours.poll(_PATIENCE):
                tick()
            kind, what = ours.recv()
            if kind == "end":
                return
            if kind == "raised":
                raise InternalError(what)
            yield what
    except EOFError:
        raise Stopped("its process was killed, perhaps for want of memory") from None
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        ours.close()
        os.close(held)


def _work(work: Callable[[], Iterator[T]], pipe: Connection, alive: int) -> NoReturn:
    """Send what `work` yields, then end the process without anything that belongs to its parent, such as buffers."""
    try:
        # The parent decides about Ctrl-C.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _end_with_parent(alive)
        for item in work():
            pipe.send(("item", item))
        pipe.send(("end", None))
    except MemoryError:
        # Says as much as being killed for it.
        os._exit(1)
    except BaseException as error:
        pipe.send(("raised", f"{type(error).__name__}: {error}"))
    finally:
        os._exit(0)


def _end_with_parent(alive: int) -> None:
    """Have the system end this process when the parent is gone, even one that was killed.

    No thread could do that, since a library at work may never let one run. The parent holds the other end of the pipe
    `alive` and never writes: its end is closed only with it, and then the system sends SIGIO, which ends a process.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(alive, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC)
