"""Ctrl-C, heard at any moment, whatever a library makes of it. Knows no Sudoku."""

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

# How long the main thread may be deaf to Ctrl-C, in seconds.
_PATIENCE = 0.7
# What was heard so shortly before is the same press.
_SAME = 0.1
# Where nothing could be raised: how much later it is tried again, in seconds.
_LATER = 0.01
# Ends the watcher; no signal has this number.
_END = b"\0"

# When a press was heard last, as `time.monotonic` says. Set by handlers, which may interrupt each other and anything
# else: no lock is safe there.
_last = -math.inf


def _note() -> None:
    global _last  # noqa: PLW0603  -- a handler has nowhere else to note it
    _last = time.monotonic()


@contextmanager
def heard(kind: type[BaseException] = KeyboardInterrupt) -> Iterator[Callable[[], bool]]:
    """Raise an exception on Ctrl-C; yields a function that says whether it was pressed since.

    Libraries make something else of a KeyboardInterrupt, such as an ImportError, so that the press is remembered. Where
    Python can raise nothing, as while an object is deleted, it is raised a little later instead.
    """
    start = time.monotonic()

    def press(*_: object) -> NoReturn:
        _note()
        raise kind

    def lost(what: Any) -> None:
        # Not here: it would be lost again.
        if issubclass(what.exc_type, kind):
            signal.setitimer(signal.ITIMER_REAL, _LATER)
        else:
            told(what)

    told, sys.unraisablehook = sys.unraisablehook, lost
    before = [(number, signal.signal(number, press)) for number in (signal.SIGINT, signal.SIGALRM)]
    try:
        yield lambda: _last >= start
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before:
            _restore(number, press, handler)
        sys.unraisablehook = told


def _restore(number: int, ours: object, before: Any) -> None:
    """Take a handler of ours back, unless another took its place: a child may ignore Ctrl-C from some time on."""
    if signal.getsignal(number) is ours:
        signal.signal(number, before)


@contextmanager
def watched(status: int) -> Iterator[None]:
    """End the process with an exit status if Ctrl-C is not heard in time.

    Python tells the main thread only between two of its steps, and one step may be a compiler that works for seconds.
    """
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    # The system's own handler writes a byte there, whatever the main thread does.
    before = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(ours, status), daemon=True)
    with uninterrupted():
        watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        # Children have the pipe too, so that closing it would not end the watcher.
        with suppress(BlockingIOError):
            os.write(theirs, _END)
        os.close(theirs)


def _watch(pipe: int, status: int) -> None:
    while (number := os.read(pipe, 1)) != _END:
        since = time.monotonic() - _SAME
        while number[0] == signal.SIGINT and _last < since:
            if time.monotonic() > since + _SAME + _PATIENCE:
                # Nobody may read what is said.
                saying = threading.Thread(target=_say, daemon=True)
                saying.start()
                saying.join(_SAME)
                os._exit(status)
            time.sleep(_LATER)
    os.close(pipe)


def _say() -> None:
    # A progress display hides the cursor of the terminal.
    os.write(2, (b"\x1b[?25h" if os.isatty(2) else b"") + b"interrupted\n")
    sys.stdout.flush()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until this is done.

    A fork needs it: what Python does around it swallows a KeyboardInterrupt. Masking the signal would not do, since
    another thread, such as that of a progress bar, may be told instead.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def press(*_: object) -> None:
        nonlocal pressed
        pressed = True
        _note()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        _restore(signal.SIGINT, press, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)
