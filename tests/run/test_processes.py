"""Processes of their own are the same however they are started, and none is left behind. Work is in `process_work`."""

import ast
import os
import pickle
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import sudoku_encode
from sudoku_encode.errors import InternalError, MethodError, ProcessDiedError, StoppedError, SudokuError
from sudoku_encode.run import child, child_work, machine
from sudoku_encode.run.child import Background, Child, stream
from sudoku_encode.run.child_work import Ends
from sudoku_encode.run.events import Compiling, Progress, observing
from sudoku_encode.run.machine import FORK, METHODS, SERVER, SPAWN, on_one_core
from sudoku_encode.run.tasks import inside_job, new_job
from tests.helpers import process_work as work
from tests.helpers.command import Command

HOME = Path(sudoku_encode.__file__).parent
# How long something is waited for that comes at once; what should not go on at all would go on for ten minutes.
PATIENCE_SECONDS = 60
NINE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(machine.program, "always", request.param)
    return str(request.param)


def python(program: str, *arguments: object, **variables: str) -> "subprocess.Popen[str]":
    path = os.pathsep.join([str(HOME.parent)])
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, **variables},
    )


def output_of(program: str, *arguments: object, **variables: str) -> str:
    """Return what a program prints that ends well."""
    with python(program, *arguments, **variables) as process:
        try:
            out, err = process.communicate(timeout=PATIENCE_SECONDS)
        finally:
            process.kill()
    assert process.returncode == 0, err
    return out


# How a process is started.


@pytest.mark.parametrize(
    ("threads", "version", "owns", "platform", "expected"),
    [
        (False, (3, 11), False, "linux", FORK),
        (True, (3, 11), False, "linux", SERVER),
        (True, (3, 11), True, "linux", SERVER),
        (False, (3, 14), False, "linux", SERVER),
        # The command line knows its threads, and a server costs it more than all else.
        (False, (3, 14), True, "linux", FORK),
        (False, (3, 11), True, "darwin", SERVER),
    ],
)
def test_fork_where_safe(
    monkeypatch: pytest.MonkeyPatch, threads: bool, version: tuple[int, int], owns: bool, platform: str, expected: str
) -> None:
    """A process is forked from this one only where that is safe."""
    monkeypatch.setattr(machine, "has_other_threads", lambda: threads)
    monkeypatch.setattr(machine.program, "always", "")
    monkeypatch.setattr(machine.program, "owns_process", owns)
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setattr(sys, "platform", platform)
    assert machine.start_method() == expected


def test_new_python_without_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without fork each process is a new Python."""
    monkeypatch.delattr(os, "fork")
    assert machine.start_method() == SPAWN


def test_environment_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable names the way."""
    for name in METHODS:
        monkeypatch.setenv(machine.VARIABLE, name)
        assert machine.start_method() == name
    monkeypatch.setenv(machine.VARIABLE, "thread")
    with pytest.raises(MethodError, match="invalid SUDOKU_ENCODE_START='thread': expected fork, server, spawn"):
        machine.start_method()


THREADS = """
import threading, _thread
from sudoku_encode.run import machine
print(machine.has_other_threads())
gate, lock = threading.Event(), threading.Lock()
thread = threading.Thread(target=gate.wait)
thread.start()
print(machine.has_other_threads())
with machine.quiet_threads(lock, lambda other: other is thread):
    print(machine.has_other_threads())
    with machine.locked_quiet_threads():
        print(lock.locked())
print(machine.has_other_threads())
gate.set()
thread.join()
print(machine.has_other_threads())
# Libraries start threads without the module `threading`.
hold, begun = _thread.allocate_lock(), _thread.allocate_lock()
hold.acquire(), begun.acquire()
_thread.start_new_thread(lambda: (begun.release(), hold.acquire()), ())
begun.acquire()
print(machine.has_other_threads())
hold.release()
"""


def test_threads_counted() -> None:
    """Threads are counted but for those that are known to be quiet."""
    assert output_of(THREADS).split() == ["False", "True", "False", "True", "True", "False", "True"]


# The same however it is started.


def test_order_of_events(method: str) -> None:
    """Items and events come in their order."""
    seen: list[object] = []
    with observing(seen.append):
        for number in stream(partial(work.numbers_with_events, 3), limited=True):
            seen.append(number)
    in_order = [each for number in range(3) for each in (Progress(f"before {number}"), number)]
    assert seen == [*in_order, Compiling(False)]


def test_inherited_state(method: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process has the folder the variables and the job of this one."""
    # The server is there before they change.
    list(stream(partial(work.numbers_with_events, 1), limited=True))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLACE", "here")
    job = new_job()
    with on_one_core(), inside_job(job):
        assert list(stream(work.place, limited=True)) == [(str(tmp_path), "here", 1, job)]


@pytest.mark.parametrize(
    ("failing", "error", "text"),
    [
        (partial(work.raises, "SudokuError"), SudokuError, "no such thing"),
        (partial(work.raises, "ValueError"), InternalError, "ValueError: no such thing"),
        (work.exits, InternalError, "SystemExit: 7"),
        (
            work.dies,
            ProcessDiedError,
            "its process was killed by SIGKILL, perhaps because memory ran out: the last words",
        ),
    ],
    ids=["ours", "any", "exit", "death"],
)
def test_errors(method: str, failing: Any, error: type[Exception], text: str) -> None:
    """What goes wrong is said."""
    with pytest.raises(error, match=text):
        list(stream(failing, limited=True))


@pytest.mark.parametrize(
    ("what", "items", "is_complete"),
    [
        (partial(work.numbers_with_events, 3), [0, 1, 2], True),
        (partial(work.raises, "SudokuError"), [1], False),
        (work.dies, [], False),
    ],
    ids=["end", "error", "death"],
)
def test_background(what: Any, items: list[int], is_complete: bool) -> None:
    """Work beside other work is complete only if it ends without an error."""
    with closing(Background(what)) as beside:
        while beside.is_running:
            beside.look()
    assert (beside.items, beside.is_complete) == (items, is_complete)


def test_memory_limit(method: str) -> None:
    """Memory is limited beyond what a process starts with."""
    assert list(stream(partial(work.takes_memory, 1 << 26), memory=1 << 28)) == [1 << 26]
    with pytest.raises(StoppedError, match="out of memory"):
        list(stream(partial(work.takes_memory, 1 << 29), memory=1 << 28))


def test_tick_ends_process(method: str) -> None:
    """A process ends when its tick says so."""

    def tick() -> None:
        if pids:
            raise StoppedError("enough")

    pids: list[int] = []
    with pytest.raises(StoppedError, match="enough"):
        pids.extend(stream(work.sleeps, tick, limited=True))
    assert not is_alive(pids[0])


@pytest.mark.slow
def test_server_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that was killed is started again."""
    from sudoku_encode.run import fork_server

    monkeypatch.setattr(machine.program, "always", SERVER)
    assert list(stream(partial(work.numbers_with_events, 2))) == [0, 1]
    server = fork_server._client.server
    assert server is not None
    server.process.kill()
    server.process.wait()
    assert list(stream(partial(work.numbers_with_events, 2))) == [0, 1]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["count", "--board", "4x4", "--timeout", "50", "--memory", "1G"], "288"),
        (
            ["solve", NINE, "--timeout", "50"],
            "417369825632158947958724316825437169791586432346912758289643571573291684",
        ),
        (["enumerate", "1234341221434...", "--timeout", "50"], "1234341221434321"),
        (["prove", "1...............", "--timeout", "50", "-o", "certificate"], "exactly 72 solutions, proved"),
        (["verify", "1...............", "--methods", "sat,search,exact-cover", "--json"], '"status": "confirmed"'),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_commands_by_server(
    run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: list[str], expected: str
) -> None:
    """Commands answer by processes of the server."""
    # Work that cannot be sent is an error there, not a fork.
    monkeypatch.setenv(machine.VARIABLE, SERVER)
    monkeypatch.chdir(tmp_path)
    answer = run(*command)
    assert answer.status == 0, answer.err
    assert expected in answer.out


# What can be sent.

SENDING = ("stream", "each", "each_here", "Child")


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def closures(source: str) -> list[str]:
    """Return the calls that hand a function inside a function, or a lambda, to a process."""
    wrong: list[str] = []
    if not any(f"{name}(" in source for name in SENDING):
        # To read all that sends nothing takes a second.
        return wrong
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        inner = {node.name for node in ast.walk(function) if isinstance(node, ast.FunctionDef) and node is not function}
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and called(node) in SENDING:
                # `each(*(task, items), ...)` too.
                first: Any = node.args[0]
                first = getattr(first, "value", first) if isinstance(first, ast.Starred) else first
                first = getattr(first, "elts", [first])[0]
                if any(isinstance(part, ast.Lambda) or getattr(part, "id", "") in inner for part in ast.walk(first)):
                    wrong.append(ast.unparse(node))
    return wrong


def test_no_closures_sent() -> None:
    """The package hands no closure to a process."""
    sources = {path: path.read_text(encoding="utf-8") for path in HOME.rglob("*.py")}
    assert sum("stream(" in source for source in sources.values()) > 5
    assert {str(path): calls for path, source in sources.items() if (calls := closures(source))} == {}


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    stream(lambda: [1])",
        "def f():\n    def g(): pass\n    child.stream(partial(h, g))",
        "def f(x):\n    return each(*(partial(a, lambda y: x), x))",
    ],
)
def test_closure_seen(source: str) -> None:
    """A closure is seen."""
    assert len(closures(source)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["count", "1...............", "--method", "exact-cover", "--timeout", "50"],
        ["enumerate", "1...............", "--method", "exact-cover"],
        ["count", "1...............", "--method", "ganak"],
        ["count", "1...............", "--method", "approxmc"],
        ["count", "many.txt", "--memory", "1G"],
        ["count", "1...............", "--executor", "threads:1", "--memory", "1G"],
        ["candidates", "1...............", "--counts", "--timeout", "50"],
        ["sample", "1...............", "--timeout", "50"],
        ["check", "1234341221434...", "--timeout", "50"],
        ["hint", NINE, "--timeout", "50"],
        ["rate", NINE, "--timeout", "50"],
        ["generate", "--board", "4x4", "--seed", "1"],
        ["explain", "1...............", "--method", "norvig2006", "--timeout", "50"],
        ["encode", "many.txt", "-o", "models/"],
        ["candidates", "1...............", "--prove", "certificate"],
        ["prove", "1...............", "--cubes", "4", "-o", "certificate"],
    ],
    ids=" ".join,
)
def test_work_can_be_sent(run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: list[str]) -> None:
    """What commands do in processes can be sent."""
    start, sent = child.start, []

    def start_what_was_sent(sent_work: Any, memory: Any, load: Any, ends: Ends) -> child.Process:
        sent.append(pickle.dumps((sent_work, load)))
        return start(pickle.loads(sent[-1])[0], memory, load, ends)

    monkeypatch.setattr(child, "start", start_what_was_sent)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.txt").write_text(f"{NINE}\n" * 3, encoding="ascii")
    answer = run(*command)
    # An estimate is no number that is proved.
    assert answer.status == (3 if "approxmc" in command else 0), answer.err
    assert sent


# No hang.

SLOW_MODULE = """
import sys
main = sys.modules["__main__"]
if hasattr(main, "begun"):
    main.begun.set()
    main.gate.wait()
"""
BESIDE_AN_IMPORT = """
import sys, threading
from functools import partial
from tests.helpers import process_work
from sudoku_encode.run.child import stream
begun, gate = threading.Event(), threading.Event()
thread = threading.Thread(target=__import__, args=("slow_module",))
thread.start()
begun.wait()
print(list(stream(partial(process_work.waits_for_a_module, "slow_module"))))
gate.set()
"""
TEN_THREADS = """
import tempfile, threading
import sudoku_encode as se
four, within = "1...............", se.Limits(seconds=500)
calls = (
    lambda: se.count(four, board="4x4", limits=within).value == 72,
    lambda: se.count(four, "sat", board="4x4", limits=se.Limits(memory=2 << 30)).value == 72,
    lambda: se.count(four, "cp-sat", board="4x4", limits=within).value == 72,
    lambda: se.count(four, "exact-cover", board="4x4", limits=within).value == 72,
    lambda: sum(1 for _ in se.solutions(four, board="4x4", limits=within)) == 72,
    lambda: se.solve(four, board="4x4", limits=within) is not None,
    lambda: se.candidates(four, board="4x4", limits=within).complete,
    lambda: se.prove(four, tempfile.mkdtemp(), board="4x4", limits=within).count == 72,
    lambda: se.count(four, board="4x4", executor="threads:2", limits=within).value == 72,
    lambda: se.is_unique("1234341221434...", board="4x4", limits=within),
)
answers = []
def ask(first):
    try:
        answers.append(calls[first]())
    except BaseException as error:
        answers.append(repr(error))
threads = [threading.Thread(target=ask, args=(number,)) for number in range(10)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(answers == 10 * [True] or answers)
"""


def test_thread_importing(tmp_path: Path) -> None:
    """A process does not wait for a module that a thread of its parent is loading."""
    (tmp_path / "slow_module.py").write_text(SLOW_MODULE)
    path = os.pathsep.join([str(tmp_path), str(HOME.parent)])
    assert output_of(BESIDE_AN_IMPORT, PYTHONPATH=path) == "['slow_module']\n"


@pytest.mark.slow
def test_ten_threads() -> None:
    """Ten threads with limits are answered from the first moment on."""
    assert output_of(TEN_THREADS) == "True\n"


# Nobody is left behind.

PARENT = """
import os, signal, sys, time
from functools import partial
from tests.helpers import process_work
from sudoku_encode.run import machine
from sudoku_encode.run.child import stream
machine.program.always, fifo, how = sys.argv[1:]
# As in a terminal: a program that is begun where Ctrl-C is ignored would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)
children = stream(partial(process_work.begins_others, fifo, how), limited=True)
next(children)
copy = os.fork() if how == "and is copied" else 0
if how != "and is copied" or copy:
    rest = list(children) if how == "and ends" else []
    print("begun", copy, flush=True)
time.sleep(600)
"""


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Fifo:
    """A named pipe that tells when no process has it open for writing."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "fifo"
        os.mkfifo(self.path)
        self.number = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def is_closed(self, seconds: int = PATIENCE_SECONDS) -> bool:
        """Wait for that."""
        waiting = select.poll()
        waiting.register(self.number, 0)
        return bool(waiting.poll(1000 * seconds))


@pytest.fixture
def fifo(tmp_path: Path) -> Iterator[Fifo]:
    opened = Fifo(tmp_path)
    yield opened
    os.close(opened.number)


@pytest.mark.parametrize(
    ("start", "how", "number"),
    [
        (FORK, "and sleeps", signal.SIGINT),
        (FORK, "and sleeps", signal.SIGTERM),
        (FORK, "and sleeps", signal.SIGKILL),
        (SERVER, "and sleeps", signal.SIGKILL),
        (SPAWN, "and sleeps", signal.SIGKILL),
        # A copy of the parent has all open that the parent has.
        (FORK, "and is copied", signal.SIGKILL),
    ],
)
def test_grandchildren_end_with_program(fifo: Fifo, start: str, how: str, number: int) -> None:
    """What a process started ends when the program is ended."""
    with python(PARENT, start, fifo.path, how) as program:
        assert program.stdout is not None
        begun, copy = program.stdout.readline().split()
        assert begun == "begun"
        try:
            # Python loses an interrupt that comes in a destructor, so it is sent again, as people press again.
            for _ in range(PATIENCE_SECONDS):
                program.send_signal(number)
                if is_closed := fifo.is_closed(1):
                    break
            assert is_closed
        finally:
            program.kill()
            if copy != "0":
                assert is_alive(int(copy))
                os.kill(int(copy), signal.SIGKILL)


@pytest.mark.parametrize("start", METHODS)
def test_grandchildren_end_with_process(fifo: Fifo, start: str) -> None:
    """What a process started ends with it."""
    with python(PARENT, start, fifo.path, "and ends") as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "begun 0\n"
        try:
            assert fifo.is_closed()
            assert program.poll() is None
        finally:
            program.kill()


def test_orphan_ends() -> None:
    """A process whose parent was gone before it could be told ends."""
    lifeline, other_end = os.pipe()
    os.close(other_end)
    pid = os.fork()
    if pid == 0:
        try:
            child_work.end_with_parent(lifeline)
        finally:
            os._exit(0)
    os.close(lifeline)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1


def test_unwatched_process_ends(fifo: Fifo) -> None:
    """A process ends what it started even if nobody waits for it."""
    receiver, messages = child_work.pipe()
    lifeline, other_end = os.pipe()
    with child_work.memory_file() as printed:
        pid = os.fork()
        if pid == 0:
            try:
                ends = Ends(messages, lifeline, printed.fileno())
                child_work.begin(ends)
                child_work.run(partial(work.begins_others, str(fifo.path), "and ends"), ends, None)
            finally:
                os._exit(1)
    assert receiver.receive().value == "begun"
    os.waitpid(pid, 0)
    assert fifo.is_closed()
    receiver.close()
    for number in (messages, lifeline, other_end):
        os.close(number)


def open_files() -> list[str]:
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def test_no_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that could not be started leaves no file open."""

    def fail(*_: object) -> None:
        raise OSError("no more processes")

    before = open_files()
    monkeypatch.setattr(child, "start", fail)
    with pytest.raises(OSError, match="no more processes"):
        Child(partial(work.numbers_with_events, 1))
    assert open_files() == before
