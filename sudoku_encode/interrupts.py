"""Ctrl-C, heard at any moment, whatever a library makes of it. Knows no Sudoku."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

# How long the main thread may be deaf to Ctrl-C, in seconds.
_PATIENCE = 0.7
# Where nothing could be raised: how much later it is tried again, in seconds.
_LATER = 0.01

# Somebody has heard of the last Ctrl-C.
_heard = threading.Event()


@contextmanager
def heard(kind: type[BaseException] = KeyboardInterrupt) -> Iterator[Callable[[], bool]]:
    """Raise an exception on Ctrl-C; yields a function that says whether it was pressed.

    Libraries make something else of a KeyboardInterrupt, such as an ImportError, so that the press is remembered. Where
    Python can raise nothing, as while an object is deleted, it is raised a little later instead.
    """
    pressed = False

    def press(*_: object) -> NoReturn:
        nonlocal pressed
        pressed = True
        _heard.set()
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
        yield lambda: pressed
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before:
            signal.signal(number, handler)
        sys.unraisablehook = told


@contextmanager
def watched(status: int) -> Iterator[None]:
    """End the process with an exit status if Ctrl-C is not heard in time.

    Python tells the main thread only between two of its steps, and one step may be a compiler that works for seconds.
    """
    _heard.clear()
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    # The system's own handler writes a byte there, whatever the main thread does.
    before = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(ours, status), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(theirs)
        watcher.join()
        os.close(ours)


def _watch(pipe: int, status: int) -> None:
    while number := os.read(pipe, 1):
        if number[0] == signal.SIGINT and not _heard.wait(_PATIENCE):
            with suppress(OSError, ValueError):
                # A progress display hides the cursor of the terminal.
                print("\x1b[?25h" * sys.stderr.isatty() + "interrupted", file=sys.stderr, flush=True)
                sys.stdout.flush()
            os._exit(status)


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
        _heard.set()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        # A child may ignore it from now on.
        if signal.getsignal(signal.SIGINT) is press:
            signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)
