"""Work in a process of its own, which can be ended and whose memory can be limited. Knows no Sudoku.

A library that works for an hour inside one call hears no clock and no Ctrl-C, and may die of what it is given. Its
process does not have to listen: it is ended. Nor does it take anybody with it.
"""

import fcntl
import math
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, NoReturn, TypeVar

from sudoku_encode.errors import Died, InternalError, Stopped, SudokuError, printable
from sudoku_encode.run import events
from sudoku_encode.run.interrupts import uninterrupted

T = TypeVar("T")
R = TypeVar("R")

# How long at most between two ticks, in seconds.
_PATIENCE = 0.02
# Whoever hears the clock stops by itself at the end of its time and says what it knows; it has so much longer to do it.
_SLACK, _GRACE = 1.04, 0.05
# To keep on disk what was compiled, and to hear the clock.
_SETTLING = 0.5
# One process works through so many items.
_ITEMS = 256


def apart(
    work: Callable[[Callable[[T], None]], None], tick: Callable[[], None], memory: int | None = None
) -> Generator[T]:
    """Yield what `work` sends from a process of its own; the process ends when nobody wants more.

    Args:
        work: starts there, with all that is loaded here. It is given the function that sends; what it sends must be
            picklable, and what it prints is lost.
        tick: called here every 20 ms, but not while something is compiled, which happens once on a machine; it raises
            Stopped when the time is over.
        memory: how many bytes the process may add to what it starts with. It holds on Linux.

    Raises:
        Stopped: by `tick` or by `work`; or the process ran out of memory.
        Died: the process ended without a word, whatever its status, or was killed.
        SudokuError: raised by `work`.
        InternalError: `work` raised anything else; the message says what.
    """
    ours, theirs = Pipe(duplex=False)
    alive, held = os.pipe()
    with scratch() as words:
        process, status, patient = 0, None, 0.0
        try:
            _flush()
            with uninterrupted():
                # Not multiprocessing's own process, which a process that is one of its daemons may not start.
                process = os.fork()
                if process == 0:
                    # Whatever happens here, nothing of the parent's may go on: its answers would be given twice.
                    try:
                        # The parent decides about it.
                        signal.signal(signal.SIGINT, signal.SIG_IGN)
                        os.close(held)
                        ours.close()
                        quiet(words)
                        _work(work, theirs, alive, memory)
                    finally:
                        os._exit(1)
                theirs.close()
                os.close(alive)
            while True:
                _wait(ours, tick, patient)
                kind, what = ours.recv()
                if kind == "compiling":
                    events.compiling(what)
                    # Ended in the middle, it would have to be done again, and never come to its end. Once it is done,
                    # whoever hears the clock stops by itself.
                    patient = math.inf if what else time.monotonic() + _SETTLING
                    continue
                if kind == "remark":
                    events.remark(what)
                    continue
                if kind == "end":
                    return
                if kind == "raised":
                    raise what
                yield what
        except EOFError:
            status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            raise Died(f"its process {cause(status, words)}") from None
        finally:
            if process and status is None:
                # A key press may have come between its end and the word of it.
                with suppress(ProcessLookupError, ChildProcessError):
                    os.kill(process, signal.SIGKILL)
                    os.waitpid(process, 0)
            ours.close()
            os.close(held)


def _wait(pipe: Connection, tick: Callable[[], None], patient: float) -> None:
    """Wait until there is something to read; `tick` is called meanwhile, but not before the time `patient`."""
    while True:
        if time.monotonic() >= patient:
            tick()
        if pipe.poll(_PATIENCE):
            return


def _flush() -> None:
    """Print what is still to be printed: a copy of this process would print it too."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def each(
    items: Iterable[T],
    ask: Callable[[T, Callable[[Any], None]], R],
    told: Callable[[T, Any], None],
    seconds: float | None = None,
    memory: int | None = None,
    foreign: bool = False,
) -> Iterator[tuple[T, R | Stopped]]:
    """Yield each item with its answer; with limits, or for foreign code, other processes answer.

    Args:
        items: what to ask about.
        ask: gives the answer for an item, and meanwhile tells its second argument whatever it likes.
        told: called here with an item and what is told about it.
        seconds: for each item. `ask` should stop by itself then, and say what it knows; if it does not, it is ended.
        memory: how many bytes a process may add to what it starts with.
        foreign: whether `ask` runs a library that may end its process, with status 0 too: here that would be the end
            of the program, and look like an answer.

    Yields:
        The items with their answers; where a limit was passed, the process died, or `ask` or `told` raised Stopped,
        that is the answer. After Ctrl-C too, where a process answers.

    Raises:
        KeyboardInterrupt: after Ctrl-C, where `ask` does not make an answer of it.
        SudokuError: raised by `ask` or `told`.
        InternalError: `ask` raised anything else.
    """
    if seconds is None and memory is None and not foreign:
        for item in items:
            try:
                yield item, ask(item, partial(told, item))
            except Stopped as reason:
                yield item, reason
        return
    for chunk in _chunks(items):
        yield from _guarded(chunk, partial(_one_by_one, ask), told, seconds, memory)


def in_order(
    items: Iterable[T], answers: Callable[[list[T]], Iterator[R | Stopped]]
) -> Iterator[tuple[T, R | Stopped]]:
    """Yield each item with its answer, where one process can answer many faster than one by one.

    Args:
        items: what to ask about.
        answers: yields an answer for each of some items, in their order. It may run a library that ends its process.

    Yields:
        The items with their answers; where the process died, that is the answer, and another process goes on.

    Raises:
        KeyboardInterrupt: after Ctrl-C.
        SudokuError: raised by `answers`.
        InternalError: `answers` raised anything else.
    """
    for chunk in _chunks(items):
        yield from _guarded(chunk, lambda some, tell: answers(some), lambda item, what: None, None, None)


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    remaining = iter(items)
    while chunk := list(islice(remaining, _ITEMS)):
        yield chunk


def _guarded(
    items: list[T],
    answers: Callable[[list[T], Callable[[Any], None]], Iterator[R | Stopped]],
    told: Callable[[T, Any], None],
    seconds: float | None,
    memory: int | None,
) -> Iterator[tuple[T, R | Stopped]]:
    """Yield each item with its answer by one process, or by a new one after each that had to be ended or died.

    Args:
        items: what to ask about.
        answers: yields the answers for some items in their order; its second argument sends messages to `told`.
        told: see `each`, as what follows.
        seconds: for each item.
        memory: of a process.
    """
    end = math.inf

    def tick() -> None:
        if time.monotonic() >= end:
            raise Stopped("time limit")

    running: Generator[tuple[bool, Any]] | None = None
    try:
        for at, item in enumerate(items):
            if seconds is not None:
                end = time.monotonic() + allowed(seconds)
            try:
                if running is None:
                    running = apart(partial(_send_all, items[at:], answers), tick, memory)
                answer = _answer(running, partial(told, item))
            except Stopped as reason:
                answer = reason
                if running is not None:
                    # The reason itself holds on to it.
                    running.close()
                running = None
            except KeyboardInterrupt:
                yield item, Stopped("interrupted")
                raise
            yield item, answer
    finally:
        if running is not None:
            running.close()


def allowed(seconds: float) -> float:
    """Return after how many seconds somebody is ended who should have stopped by itself after `seconds`."""
    return max(seconds * _SLACK, seconds + _GRACE)


def _one_by_one(
    ask: Callable[[T, Callable[[Any], None]], R], items: list[T], tell: Callable[[Any], None]
) -> Iterator[R | Stopped]:
    """Yield an answer for each item; what stops one is its answer."""
    for item in items:
        try:
            yield ask(item, tell)
        except Stopped as reason:
            yield reason


def _send_all(
    items: list[T],
    answers: Callable[[list[T], Callable[[Any], None]], Iterator[R | Stopped]],
    send: Callable[[Any], None],
) -> None:
    """Send the answers for some items with True; what is told meanwhile is sent with False."""
    for answer in answers(items, lambda what: send((False, what))):
        send((True, answer))


def _answer(running: Iterator[tuple[bool, Any]], told: Callable[[Any], None]) -> Any:
    """Pass on what is told until there is an answer."""
    for last, what in running:
        if last:
            return what
        told(what)
    raise InternalError("a process ended without an answer")


def _work(work: Callable[[Callable[[T], None]], None], pipe: Connection, alive: int, memory: int | None) -> NoReturn:
    """Send what `work` sends, then end the process without anything that belongs to its parent, such as buffers."""
    last: tuple[str, Any] = ("end", None)
    one = threading.Lock()

    def send(what: tuple[str, Any]) -> None:
        with one:
            pipe.send(what)

    try:
        end_with_parent(alive)
        limit_memory(memory)
        events.compiling = lambda busy: send(("compiling", busy))
        events.remark = lambda text: send(("remark", text))
        work(lambda what: send(("item", what)))
    except (Stopped, SudokuError, InternalError) as error:
        last = ("raised", error)
    except BaseException as error:
        # Some libraries pass on C++'s word for it.
        if isinstance(error, MemoryError) or "std::bad_alloc" in str(error):
            last = ("raised", Stopped("out of memory"))
        else:
            last = ("raised", InternalError(printable(f"{type(error).__name__}: {error}")))
    with suppress(BaseException):
        send(last)
    os._exit(0)


def end_with_parent(alive: int) -> None:
    """Have the system end this process when the parent is gone, even one that was killed.

    No thread could do that, since a library at work may never let one run. The pipe `alive` is this process's own (the
    system remembers one process for a pipe). The parent alone holds its other end and never writes: that is closed only
    with the parent, and then the system sends SIGIO, which ends a process.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(alive, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC)


def scratch() -> IO[bytes]:
    """Return a file for what a process prints: in memory where the system has such, since the disk may be full."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("printed"), "w+b")
    return tempfile.TemporaryFile()


def quiet(words: IO[bytes]) -> None:
    """Keep what this process prints in a file: the last words of a library may tell why it died.

    What its parent was about to print is left to the parent.
    """
    os.dup2(words.fileno(), 1)
    os.dup2(words.fileno(), 2)
    # Not the old ones: another thread of the parent may have held them, and holds them here for ever.
    sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115


def limit_memory(memory: int | None) -> None:
    """Limit the memory that this process may add to what it has; on Linux only."""
    if memory is None:
        return
    with suppress(OSError, ValueError, OverflowError):
        data = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (data + memory,) * 2)


def cause(status: int | None, words: IO[bytes]) -> str:
    """Say how a process ended that said nothing itself, such as `was killed by SIGABRT: std::bad_alloc`.

    Args:
        status: its exit code; minus the number of the signal that killed it.
        words: what it printed.
    """
    what = f"ended with status {status}"
    if status is not None and status < 0:
        named = -status in {number.value for number in signal.Signals}
        what = f"was killed by {signal.Signals(-status).name if named else f'signal {-status}'}"
        # The system does so, and libraries that get no memory.
        what += ", perhaps for want of memory" if -status in (signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV) else ""
    words.seek(max(0, words.seek(0, os.SEEK_END) - 500))
    said = words.read(500).decode(errors="replace").strip().splitlines()
    return f"{what}: {printable(said[-1])}" if said else what
