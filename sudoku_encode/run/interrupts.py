"""Ctrl-C: work that must not be cut in two. Knows no Sudoku.

What takes long runs in processes of its own (see `child`), so that the program itself only waits, and Python's own
KeyboardInterrupt ends that.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


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

    before = signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        # Not where another handler has taken its place: a child ignores Ctrl-C from its start.
        if signal.getsignal(signal.SIGINT) is press:
            signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)
