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
    """Put off Ctrl-C until the `with` block is done.

    A fork needs it: Python swallows a KeyboardInterrupt that comes while it forks. To mask the signal would not do,
    since the system may then give it to another thread, such as that of a progress bar.
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
        # Left alone where another handler has replaced this one: a child process ignores Ctrl-C from its start.
        if signal.getsignal(signal.SIGINT) is press:
            signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)
