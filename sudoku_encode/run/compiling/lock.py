"""One process at a time: a lock that the system takes back from a process that ends, however it ends."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sudoku_encode.run.events import Remark, emit
from sudoku_encode.storage.locks import lock, unlock

# How long to wait for another process: before a remark says so, in all, and between two attempts.
_REMARK_SECONDS, _WAIT_SECONDS, _POLL_SECONDS = 1.0, 120.0, 0.05

# The files that this process has locked. Only the thread that has numba's own lock uses this set.
_locked: set[Path] = set()


@contextmanager
def exclusive(file: Path | None) -> Iterator[None]:
    """Lock a file while something is done, after waiting for another process that has locked it, but not for ever.

    Args:
        file: that the processes share. Where there is none, or it cannot be locked, nothing is locked and nothing
            waits; nor does a process wait for a file that it has locked itself.
    """
    number = None if file is None or file in _locked else _opened(file)
    if file is None or number is None:
        yield
        return
    _locked.add(file)
    try:
        _wait(number)
        yield
    finally:
        _locked.discard(file)
        # Closing it would not unlock it where a process that was forked meanwhile has it open too.
        _unlock(number)
        os.close(number)


def _opened(file: Path) -> int | None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return os.open(file, os.O_RDONLY | os.O_CREAT, 0o666)
    except OSError:
        return None


def _wait(number: int) -> None:
    """Wait until the file is locked, or it turns out that it cannot be, or the longest wait is over."""
    begun, remarked = time.monotonic(), False
    while True:
        try:
            lock(number)
            return
        except BlockingIOError:
            waited = time.monotonic() - begun
        except OSError:
            return
        if waited > _WAIT_SECONDS:
            emit(Remark(f"another process has been compiling for {_WAIT_SECONDS:.0f} seconds; not waiting any longer"))
            return
        if waited > _REMARK_SECONDS and not remarked:
            emit(Remark("another process is compiling what is needed here, once on this machine; waiting for it"))
            remarked = True
        time.sleep(_POLL_SECONDS)


def _unlock(number: int) -> None:
    try:
        unlock(number)
    except OSError:
        # It was never locked.
        return
