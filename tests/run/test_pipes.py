"""Pipes between processes: messages of any size arrive whole and in order, and the end is noticed."""

import os
import select
import threading

import numpy as np
import pytest

from sudoku_encode.run.child_work import pipe, send, socket_pipe, wait


def test_order_and_size() -> None:
    """Messages arrive in their order however large they are."""
    receiver, sender = pipe()
    # More than a pipe holds at a time.
    messages = [(1, "one"), np.arange(1 << 20), b"", None]

    def send_all() -> None:
        for message in messages:
            send(sender, message)
        os.close(sender)

    sending = threading.Thread(target=send_all)
    sending.start()
    found = [receiver.receive() for _ in messages]
    sending.join()

    assert found[0] == (1, "one")
    assert (found[1] == messages[1]).all()
    assert found[2:] == [b"", None]
    with pytest.raises(EOFError):
        receiver.receive()
    receiver.close()
    assert receiver.closed


def test_broken_message() -> None:
    """A message that breaks off is an end."""
    receiver, sender = pipe()
    os.write(sender, (100).to_bytes(8, "little") + b"not a hundred bytes")
    os.close(sender)

    with pytest.raises(EOFError):
        receiver.receive()
    receiver.close()


def test_waiting() -> None:
    """Waiting ends with a message an end or the time."""
    (one, to_one), (other, to_other) = pipe(), pipe()

    assert not wait([one, other], 0.01)
    send(to_other, "here")
    assert wait([one, other], None)
    # A time that is longer than the system can wait at once.
    assert wait([one, other], 1e12)
    assert (one.ready(), other.ready()) == (False, True)
    assert other.receive() == "here"
    os.close(to_one)
    assert one.ready()
    for number in (one.fileno(), other.fileno(), to_other):
        os.close(number)


def test_no_reader() -> None:
    """Nobody at the other end is an error."""
    receiver, sender = pipe()
    receiver.close()

    with pytest.raises(BrokenPipeError):
        send(sender, "lost")
    os.close(sender)


def test_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets are pipes too where files cannot be waited for."""
    monkeypatch.delattr(select, "poll")
    receiver, sender = socket_pipe()

    assert not wait([receiver], 0.01)
    send(sender, ("here", b"\0" * 1000))
    assert wait([receiver], None)
    assert receiver.receive() == ("here", b"\0" * 1000)
    sender.close()
    with pytest.raises(EOFError):
        receiver.receive()
    receiver.close()
