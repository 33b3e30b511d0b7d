"""Ctrl-C ends the program in less than a second, whatever a library is doing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sudoku_encode.run.machine import uninterrupted

# A method does what stands in the middle, in a process of its own; `press` is Ctrl-C in the program.
PROGRAM = """
import hashlib, os, signal, sys, time
from types import SimpleNamespace
from sudoku_encode.cli import main
from sudoku_encode.methods.table import METHODS

program = os.getpid()

def press(*_):
    print("pressed", flush=True)
    os.kill(program, signal.SIGINT)

def solutions(puzzle, deadline):
{}
    yield puzzle.givens[None]

functions = SimpleNamespace(unsupported_reason=lambda board: "", solutions=solutions)
METHODS["search"] = METHODS["search"]._replace(module=functions, counts=False, loads=tuple(sys.argv[1:]))
# What a process of its own prints is not shown.
shown = os.dup(1)
print = lambda text, flush: os.write(shown, (text + chr(10)).encode())
# Only within limits libraries are loaded for one puzzle before its process begins.
limits = ["--timeout", "500"] if sys.argv[1:] else []
sys.argv = ["sudoku-encode", "count", "--board", "4x4", "--method", "search", *limits]
main()
"""
BUSY = {
    "it sleeps": "    press(); time.sleep(600)",
    "it catches everything": """
    press()
    for _ in range(600):
        try:
            time.sleep(1)
        except BaseException:
            pass
""",
    # One call that no signal ends, as that of a compiler.
    "it is in a call that does not return": """
    press()
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2_000_000_000)
""",
    "it works in a process of its own": """
    from sudoku_encode.run.child import stream
    def work():
        press()
        yield time.sleep(600)
    list(stream(work))
""",
    # A child that lives on has all that this process has open.
    "it forks": """
    from sudoku_encode.run.child import stream
    os.register_at_fork(before=press)
    list(stream(lambda: [time.sleep(600)]))
""",
}
# Libraries make other errors of it while they are loaded.
SWALLOWS = """
import os, signal, time
try:
    os.write(1, b"pressed\\n")
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(600)
except KeyboardInterrupt:
    raise ImportError("initialization failed")
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", BUSY)
def test_in_a_method(how: str) -> None:
    """Ctrl-C ends the program while a method works."""
    _press_and_end(BUSY[how])


def test_in_a_library(tmp_path: Path) -> None:
    """Ctrl-C ends the program while a library is loaded."""
    (tmp_path / "swallows.py").write_text(SWALLOWS)
    _press_and_end("    pass", "swallows", PYTHONPATH=os.pathsep.join([str(tmp_path), *sys.path]))


@pytest.mark.slow
def test_while_forking() -> None:
    """Ctrl-C while the program forks ends it and its child."""
    _press_and_end("    time.sleep(600)", before="os.register_at_fork(before=press)")


# The thread that presses again is faster than the one that starts it.
FAST_TIMER = """
import threading
start = threading.Timer.start
def start_slowly(self):
    threading.Timer.start = start
    start(self)
    time.sleep(0.5)
threading.Timer.start = start_slowly
"""


@pytest.mark.slow
@pytest.mark.parametrize("timer", ["", FAST_TIMER])
def test_while_freeing(timer: str) -> None:
    """Ctrl-C while Python frees an object ends the program."""
    # Python ignores what is raised there. The program asks for this number while it waits, its child does not.
    before = f"""{timer}
from sudoku_encode.run.child_work import Receiver
number = Receiver.fileno
class Freed:
    def __del__(self):
        press()
def press_once(self):
    Receiver.fileno = number
    Freed()
    return number(self)
Receiver.fileno = press_once
"""
    _press_and_end("    time.sleep(600)", before=before)


def _press_and_end(method: str, *loads: str, before: str = "", **variables: str) -> None:
    program = PROGRAM.format(method).replace("main()\n", f"{before}\nmain()\n")
    command = [sys.executable, "-c", program, *loads]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **variables}
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "pressed\n"
        try:
            # Each of them goes on for ten minutes where it is not ended.
            _, printed = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 3
    assert "interrupted" in printed
    assert "Traceback" not in printed


@pytest.mark.usefixtures("ctrl_c")
def test_written_and_counted() -> None:
    """A press waits until what is written is counted."""
    done: list[bool] = []

    def write_and_count() -> None:
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            done.append(True)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        write_and_count()
    assert done
    assert signal.getsignal(signal.SIGINT) is before


# Presses Ctrl-C, at once, when a module begins to be loaded; or while Python waits for threads at its end.
PRESSING = """
import os, signal, sys, threading, time
def press(*_):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
def hook(event, arguments):
    if event == "import" and arguments[0] == os.environ["PRESS"]:
        press()
sys.addaudithook(hook)
if os.environ["PRESS"] == "the end":
    # The last comes first.
    threading._register_atexit(time.sleep, 600)
    threading._register_atexit(press)
if os.environ["PRESS"] == "the last end":
    import atexit
    atexit.register(press)
if os.environ["PRESS"] == "a compiled module":
    # It registers its classes while it is loaded, and loses an error that is raised then.
    import abc
    register = abc.ABCMeta.register
    def press_once(cls, other):
        # It has no frame of its own: the caller seems to be what loads it.
        if "importlib" in sys._getframe(1).f_code.co_filename and "numpy.random._generator" in sys.modules:
            abc.ABCMeta.register = register
            press()
        return register(cls, other)
    abc.ABCMeta.register = press_once
"""
ENTRIES = {"script": [str(Path(sys.executable).parent / "sudoku-encode")], "module": ["-m", "sudoku_encode"]}


def _pressed(folder: Path, entry: str, moment: str, method: str = "sat") -> tuple[int, str, str]:
    (folder / "sitecustomize.py").write_text(PRESSING)
    variables = {**os.environ, "PRESS": moment, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    command = [sys.executable, *ENTRIES[entry], "count", "--board", "4x4", "--method", method, "--timeout", "500"]
    ended = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=100, check=False)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize("moment", ["gc", "sudoku_encode.cli.program", "typer", "numpy"])
@pytest.mark.parametrize("entry", ENTRIES)
def test_while_loading(tmp_path: Path, entry: str, moment: str) -> None:
    """Ctrl-C while the program is loaded ends it in one line."""
    assert _pressed(tmp_path, entry, moment) == (3, "", "interrupted\n")


def test_while_loading_compiled(tmp_path: Path) -> None:
    """Ctrl-C is not lost while a compiled module is loaded."""
    assert _pressed(tmp_path, "script", "a compiled module", "search") == (3, "", "interrupted\n")


@pytest.mark.parametrize("moment", ["the end", "the last end"])
def test_at_exit(tmp_path: Path, moment: str) -> None:
    """Ctrl-C while Python ends takes nothing from the answer."""
    assert _pressed(tmp_path, "script", moment) == (0, "288\n", "")


SUSPENDED = """
import os, signal, sys, threading
from functools import partial
from tests.helpers import process_work
from sudoku_encode.run.child import stream
from sudoku_encode.run.machine import suspend_on_ctrl_z
signal.signal(signal.SIGTSTP, signal.SIG_DFL)
suspend_on_ctrl_z()
children = stream(process_work.sleeps)
print(next(children), flush=True)
sys.stdin.readline()
print("goes on", flush=True)
"""


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def _wait_for_state(pid: int, *states: str) -> bool:
    ends = time.monotonic() + 100
    while _state(pid) not in states and time.monotonic() < ends:
        time.sleep(0.01)
    return _state(pid) in states


def test_ctrl_z() -> None:
    """Ctrl-Z suspends the processes of the program too."""
    path = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-c", SUSPENDED],
        # In a group with its parent outside: the system suspends no group that nobody could wake.
        process_group=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        child = int(program.stdout.readline())
        program.send_signal(signal.SIGTSTP)
        assert _wait_for_state(program.pid, "T")
        assert _wait_for_state(child, "T")
        program.send_signal(signal.SIGCONT)
        assert _wait_for_state(child, "S")
        program.stdin.write("\n")
        program.stdin.flush()
        assert program.stdout.readline() == "goes on\n"
