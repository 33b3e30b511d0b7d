"""Work for processes of their own, which is found by its name wherever a process is started."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from sudoku_encode.errors import SudokuError
from sudoku_encode.run.child import stream
from sudoku_encode.run.events import Compiling, Progress, emit
from sudoku_encode.run.machine import cores
from sudoku_encode.run.tasks import current_job


def numbers_with_events(many: int) -> Iterator[int]:
    for number in range(many):
        emit(Progress(f"before {number}"))
        yield number
    emit(Compiling(False))


def place() -> Iterator[tuple[str, str | None, int, object]]:
    """Yield what a process has of the one that waits for it."""
    yield str(Path.cwd()), os.environ.get("PLACE"), cores(), current_job()


def raises(kind: str) -> Iterator[int]:
    yield 1
    raise {"SudokuError": SudokuError, "ValueError": ValueError}[kind]("no such thing")


def dies() -> Iterator[int]:
    os.write(1, b"the last words\n")
    os.kill(os.getpid(), signal.SIGKILL)
    yield 1


def exits() -> Iterator[int]:
    sys.exit(7)
    yield 1


def takes_memory(n_bytes: int) -> Iterator[int]:
    yield len(bytearray(n_bytes))


def sleeps() -> Iterator[int]:
    yield os.getpid()
    time.sleep(600)


def begins_others(fifo: str, how: str) -> Iterator[str]:
    """Start processes that sleep for long, each with a named pipe open; then sleep too, unless it is `and ends`."""
    number = os.open(fifo, os.O_WRONLY)
    os.set_inheritable(number, True)
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=[number])
    if os.fork() == 0:
        time.sleep(600)
    nested = stream(sleeps)
    next(nested)
    yield "begun"
    if how != "and ends":
        time.sleep(600)


def waits_for_a_module(name: str) -> Iterator[str]:
    """Load a module that another thread of the parent may be loading."""
    yield __import__(name).__name__
