"""Ctrl-C: work that must not be cut in two; and Ctrl-Z. Knows no Sudoku.

What takes long runs in processes of its own (see `child`), so that the program itself only waits, and Python's own
KeyboardInterrupt ends that.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


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


def suspend_on_ctrl_z() -> None:
    """Have Ctrl-Z suspend the processes of this one too: each is of a session of its own, which gets no Ctrl-Z."""
    # A shell without job control has it ignored.
    if hasattr(signal, "SIGTSTP") and signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL:
        signal.signal(signal.SIGTSTP, _suspend)


def _suspend(*_: object) -> None:
    """Suspend this process and all that it started, until it is told to go on."""
    _send_all(signal.SIGSTOP)
    signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    # Here it stands still.
    signal.raise_signal(signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, _suspend)
    _send_all(signal.SIGCONT)


def _send_all(number: int) -> None:
    """Send a signal to all processes that this one started, directly or not, as far as the system lists them."""
    waiting = [os.getpid()]
    while waiting:
        for children in Path("/proc").glob(f"{waiting.pop()}/task/*/children"):
            with suppress(OSError):
                pids = [int(text) for text in children.read_text().split()]
                waiting += pids
                for pid in pids:
                    os.kill(pid, number)
