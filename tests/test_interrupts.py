"""Ctrl-C is heard whatever a library makes of it, and ends the program in less than a second."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from sudoku_encode.run.interrupts import heard, uninterrupted

# A method does what stands in the middle.
PROGRAM = """
import hashlib, os, signal, sys, threading, time
from dataclasses import replace
from sudoku_encode.cli import main
from sudoku_encode.methods import METHODS

def press(*_):
    print("pressed", flush=True)
    os.kill(os.getpid(), signal.SIGINT)

class Leaves:
    def __del__(self):
        press()
        time.sleep(9)

def run(puzzle, budget, options):
{}
    yield puzzle.givens[None]

# Not a solver by others: those work in a process of their own, and this is about what happens in the program's.
METHODS["search"] = replace(METHODS["search"], run=run, count=None)
sys.argv = ["sudoku-encode", "count", "--board", "4x4", "--method", "search"]
main()
"""
SWALLOWED = {
    "an error of an import": """
    try:
        exec("press(); time.sleep(9)")
    except KeyboardInterrupt:
        raise ImportError("initialization failed")
""",
    "nothing, in a deletion": """
    leaves = Leaves()
    del leaves
    time.sleep(9)
""",
    "nothing, while the next one is deleted": """
    for _ in range(5):
        leaves = Leaves()
        del leaves
    time.sleep(9)
""",
    "an error of a library that Ctrl-C reached twice": """
    from sudoku_encode.run.interrupts import uninterrupted
    try:
        with uninterrupted():
            press()
            raise ImportError("before it could be raised")
    except ImportError:
        time.sleep(9)
""",
    # One call that no signal ends, and that lets other threads run, as that of a compiler.
    "nothing, in a call that does not return": """
    threading.Timer(0.2, press).start()
    hashlib.pbkdf2_hmac("sha256", b"", b"", 100_000_000)
""",
}


# A child that lives on has all that this process has open.
FORKED = """
    from sudoku_encode.run.child import apart
    os.register_at_fork(before=press)
    list(apart(lambda send: time.sleep(60), lambda: None))
"""


@pytest.mark.parametrize("how", SWALLOWED)
def test_a_key_press_is_heard_whatever_is_made_of_it(how: str) -> None:
    _press_and_end(SWALLOWED[how])


def test_a_key_press_at_a_fork_ends_the_program_and_its_child() -> None:
    _press_and_end(FORKED)


def _press_and_end(method: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(method)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "pressed\n"
        start = time.monotonic()
        _, said = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "interrupted" in said
    assert "Traceback" not in said
    # Each of them goes on for much longer where it is not heard; a busy machine has its time.
    assert time.monotonic() - start < 8


def test_a_press_waits_until_what_is_written_is_counted() -> None:
    done: list[bool] = []

    def write_and_count() -> None:
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        write_and_count()
    assert done


def test_everything_is_as_it_was_afterwards() -> None:
    def state() -> list[object]:
        return [signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM), sys.unraisablehook]

    def press() -> Callable[[], bool]:
        with heard(ZeroDivisionError) as pressed, suppress(ZeroDivisionError):
            assert all(now != then for now, then in zip(state(), before, strict=True))
            assert not pressed()
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(9)
        return pressed

    before = state()
    assert press()()
    assert state() == before
