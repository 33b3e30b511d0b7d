"""One process at a time: a lock that the system takes back from a process that ends, however it ends."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sudoku_encode.run.events import Remark, emit
from sudoku_encode.storage.locks import lock, unlock

# How long to wait for another process before saying so, how long in all, and between two looks.
_PATIENCE_SECONDS, _MOST_SECONDS, _STEP_SECONDS = 1.0, 120.0, 0.05

# What this process holds. Only one thread at a time works with it: the one that has numba's own lock.
_held: set[Path] = set()


@contextmanager
def alone(file: Path | None) -> Iterator[None]:
    """Do something while no other process does it; one that waits can be ended, and does not wait for ever.

    Args:
        file: that the processes share. Without one, and where it cannot be locked, nobody waits. A process that has it
            already goes on: what it calls is its own.
    """
    number = None if file is None or file in _held else _opened(file)
    if file is None or number is None:
        yield
        return
    _held.add(file)
    try:
        _wait(number)
        yield
    finally:
        _held.discard(file)
        # Not by closing it alone: a process that was forked meanwhile has it open too.
        _unlock(number)
        os.close(number)


def _opened(file: Path) -> int | None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return os.open(file, os.O_RDONLY | os.O_CREAT, 0o666)
    except OSError:
        return None


def _wait(number: int) -> None:
    """Wait until the file is locked, it turns out that it cannot be, or the other process has had its time."""
    begun, said = time.monotonic(), False
    while True:
        try:
            lock(number)
            return
        except BlockingIOError:
            waited = time.monotonic() - begun
        except OSError:
            return
        if waited > _MOST_SECONDS:
            emit(Remark(f"another process has been compiling for {_MOST_SECONDS:.0f} seconds; not waiting any longer"))
            return
        if waited > _PATIENCE_SECONDS and not said:
            emit(Remark("another process is compiling what is needed here, once on this machine; waiting for it"))
            said = True
        time.sleep(_STEP_SECONDS)


def _unlock(number: int) -> None:
    try:
        unlock(number)
    except OSError:
        # It was never locked.
        return
