"""Pipes that carry messages from one process to another, anything that can be pickled. Knows no Sudoku.

Those of multiprocessing do the same, but to load them takes longer than to solve many a puzzle, and a message takes
several times as long.
"""

import math
import os
import pickle
import select
from collections.abc import Iterable
from typing import Any

# Before each message comes how many bytes it has.
_SIZE_BYTES = 8
# The longest time that the system waits at once, since it takes no number of milliseconds beyond 32 bits.
_MAX_WAIT_SECONDS = 1e6


class Receiver:
    """The end that messages come out of.

    Attributes:
        closed: whether it is.
    """

    def __init__(self, number: int) -> None:
        self._number, self.closed = number, False

    def fileno(self) -> int:
        """Return the number of the open file."""
        return self._number

    def close(self) -> None:
        """Close this end."""
        self.closed = True
        os.close(self._number)

    def ready(self, seconds: float = 0.0) -> bool:
        """Say whether a message begins to arrive, or the end, within some seconds."""
        return wait([self], seconds)

    def receive(self) -> Any:
        """Wait for the next message and return it.

        Raises:
            EOFError: there is none, since the other end is closed everywhere.
        """
        size = int.from_bytes(self._read(_SIZE_BYTES), "little")
        return pickle.loads(self._read(size))

    def _read(self, size: int) -> bytes:
        pieces = []
        while size:
            piece = os.read(self._number, size)
            if not piece:
                raise EOFError
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)


def pipe() -> tuple[Receiver, int]:
    """Return both ends of a new pipe; that to send to is the number of an open file, see `send`."""
    receiving, sending = os.pipe()
    return Receiver(receiving), sending


def send(number: int, message: object) -> None:
    """Send a message to the end of a pipe; that takes as long as the pipe is full.

    Raises:
        OSError: the other end is closed everywhere.
    """
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    remaining = memoryview(len(data).to_bytes(_SIZE_BYTES, "little") + data)
    while remaining:
        remaining = remaining[os.write(number, remaining) :]


def wait(receivers: Iterable[Receiver], seconds: float | None) -> bool:
    """Wait until one of some pipes has a message, or ends; at most some seconds, or for ever. Say whether one has."""
    waiting = select.poll()
    for receiver in receivers:
        waiting.register(receiver, select.POLLIN)
    return bool(waiting.poll(None if seconds is None else math.ceil(1000 * min(seconds, _MAX_WAIT_SECONDS))))
