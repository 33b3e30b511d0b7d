"""Pipes that carry messages from one process to another, anything that can be pickled. Knows no Sudoku.

Those of multiprocessing do the same, but to load them takes longer than to solve many a puzzle, and a message takes
several times as long.
"""

import math
import os
import pickle
import select
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from sudoku_encode.storage.outputs import temporary

if TYPE_CHECKING:
    import socket

# Before each message comes how many bytes it has.
_SIZE_BYTES = 8
# The longest time that the system waits at once, since it takes no number of milliseconds beyond 32 bits.
_MAX_WAIT_SECONDS = 1e6


class Receiver:
    """The end that messages come out of.

    Args:
        number: of the open file.
        channel: the socket that it is, where that is no file.

    Attributes:
        closed: whether it is.
    """

    def __init__(self, number: int, channel: "socket.socket | None" = None) -> None:
        self._number, self.closed = number, False
        self._read_bytes: Callable[[int], bytes] = partial(os.read, number) if channel is None else channel.recv
        self._close = partial(os.close, number) if channel is None else channel.close

    def fileno(self) -> int:
        """Return the number of the open file."""
        return self._number

    def close(self) -> None:
        """Close this end."""
        self.closed = True
        self._close()

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
            piece = self._read_bytes(size)
            if not piece:
                raise EOFError
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)


def pipe() -> "tuple[Receiver, int]":
    """Return both ends of a new pipe; that to send to is the number of an open file, see `send`."""
    receiving, sending = os.pipe()
    return Receiver(receiving), sending


def socket_pipe() -> "tuple[Receiver, socket.socket]":
    """Return both ends of a pipe of sockets: on Windows a file cannot be waited for, nor given to another process."""
    import socket

    receiving, sending = socket.socketpair()
    return Receiver(receiving.fileno(), receiving), sending


def send(end: "int | socket.socket", message: object) -> None:
    """Send a message to the end of a pipe; that takes as long as the pipe is full.

    Raises:
        OSError: the other end is closed everywhere.
    """
    write: Callable[[memoryview], int] = partial(os.write, end) if isinstance(end, int) else end.send
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    remaining = memoryview(len(data).to_bytes(_SIZE_BYTES, "little") + data)
    while remaining:
        remaining = remaining[write(remaining) :]


def wait(receivers: Iterable[Receiver], seconds: float | None) -> bool:
    """Wait until one of some pipes has a message, or ends; at most some seconds, or for ever. Say whether one has."""
    if seconds is not None:
        seconds = min(seconds, _MAX_WAIT_SECONDS)
    if not hasattr(select, "poll"):
        return bool(select.select(list(receivers), [], [], seconds)[0])
    waiting = select.poll()
    for receiver in receivers:
        waiting.register(receiver, select.POLLIN)
    return bool(waiting.poll(None if seconds is None else math.ceil(1000 * seconds)))


def memory_file() -> IO[bytes]:
    """Return a new file: in memory where that is possible, since a disk may be full."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("sudoku-encode"), "w+b")
    return temporary(tempfile.TemporaryFile)
