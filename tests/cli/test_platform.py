"""Where processes cannot be copied, as on Windows: what needs no process of its own works, and the rest is refused."""

import ast
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

import sudoku_encode
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import InterruptedRunError, MethodError, StoppedError, SudokuError
from sudoku_encode.formats.reading import read
from sudoku_encode.run.child import stream
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, Progress, emit, observing
from sudoku_encode.run.limits import Limits
from tests.helpers import without_posix
from tests.helpers.command import Command, CommandResult

HOME = Path(sudoku_encode.__file__).parent
FOUR = "1..............."
NINE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
RIGHT = {
    "encode": ["encode", FOUR, "-o", "a.cnf"],
    "encode for CP-SAT": ["encode", FOUR, "--to", "cp-sat", "-o", "a.pbtxt"],
    "decode": ["decode", "in.cnf", "model.txt"],
    "solve": ["solve", FOUR],
    "solve within a time": ["solve", FOUR, "--timeout", "50", "--to", "grid"],
    "solve by a SAT solver": ["solve", FOUR, "--method", "sat"],
    "solve many": ["solve", "many.txt"],
    "count": ["count", "--board", "4x4"],
    "count within a time": ["count", "--board", "4x4", "--timeout", "50"],
    "count by a SAT solver": ["count", "--board", "4x4", "--method", "sat"],
    "count by search": ["count", "--board", "4x4", "--method", "search"],
    "count by a library in a process": ["count", "--board", "4x4", "--method", "exact-cover"],
    "count many": ["count", "many.txt", "--limit", "2"],
    "check": ["check", NINE, "--minimize"],
    "check many": ["check", "many.txt"],
    "enumerate": ["enumerate", FOUR],
    "enumerate to a file": ["enumerate", FOUR, "--method", "search", "-o", "all.txt"],
    "enumerate to a packed file": ["enumerate", FOUR, "--method", "search", "-o", "all.txt.gz"],
    "candidates": ["candidates", FOUR, "--counts"],
    "candidates within a time": ["candidates", FOUR, "--timeout", "50"],
    "sample": ["sample", FOUR, "-n", "3", "--seed", "1"],
    "sample within a time": ["sample", FOUR, "--seed", "1", "--timeout", "50"],
    "convert": ["convert", FOUR, "--to", "numbers"],
    "show": ["show", FOUR],
    "info": ["info", FOUR],
    "generate": ["generate", "--board", "4x4", "--seed", "1", "--many", "2"],
    "generate to a file": ["generate", "--board", "4x4", "--seed", "1", "--timeout", "50", "-o", "made.txt"],
    "explain": ["explain", FOUR, "--method", "norvig2006"],
    "hint": ["hint", NINE],
    "hint to the end": ["hint", NINE, "--all", "--timeout", "50"],
    "rate": ["rate", NINE, "--copies", "2"],
    "rate within a time": ["rate", NINE, "--figure", "backdoor", "--timeout", "50"],
    "generate with a rating": ["generate", "--board", "4x4", "--seed", "1", "--rating", "backdoor:0-1"],
    "methods": ["methods"],
    "prove": ["prove", FOUR, "-o", "certificate"],
    "help": ["count", "--help"],
}
LIMITABLE = (
    *("count", "check", "enumerate", "candidates", "sample", "solve", "explain", "hint", "rate", "verify", "prove"),
)
REFUSED = {
    **{f"memory of {name}": [name, FOUR, "--memory", "1G"] for name in LIMITABLE},
    "input": ["solve", "no such file"],
    "method": ["count", FOUR, "--method", "magic"],
}
OTHERS = {
    "nothing to find": ["solve", "11.............."],
    "limit": ["count", "--board", "4x4", "--limit", "3", "--method", "sat"],
    "time is over": ["count", "--board", "9x9", "--method", "sat", "--timeout", "0.2"],
    "bench": ["bench", FOUR, "--methods", "exact-cover", "--timeout", "0.00001"],
    "verify": ["verify", FOUR, "--methods", "sat,search,jana2023-v1", "--json"],
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> "dict[str, tuple[Path, CommandResult]]":
    """What each command says where there is only what Windows has, and its folder."""
    commands = {**RIGHT, **REFUSED, **OTHERS}
    folders = {name: tmp_path_factory.mktemp("folder") for name in commands}
    for folder in folders.values():
        _write_inputs(folder)
    asked = [(str(folders[name]), arguments) for name, arguments in commands.items()]
    ended = subprocess.run(
        [sys.executable, without_posix.__file__], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return {
        name: (folders[name], CommandResult(*said))
        for name, said in zip(commands, json.loads(ended.stdout), strict=True)
    }


def _write_inputs(folder: Path) -> None:
    (folder / "many.txt").write_text(f"{NINE}\n" * 3, encoding="ascii")
    encode(read(FOUR)).save(folder / "in.cnf")
    with Solver("glucose4", bootstrap_with=CNF(from_file=str(folder / "in.cnf"))) as solver:
        assert solver.solve()
        (folder / "model.txt").write_text(f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n")


def _files(folder: Path) -> dict[str, list[bytes]]:
    """Return the lines of all files, in ascending order: what finds solutions may find them in another order."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): sorted(path.read_bytes().splitlines()) for path in files}


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.thorough
def test_commands_as_elsewhere(
    answers: "dict[str, tuple[Path, CommandResult]]",
    name: str,
    run: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A command says and writes what it does elsewhere."""
    folder, there = answers[name]
    _write_inputs(tmp_path)
    monkeypatch.chdir(tmp_path)

    elsewhere = run(*RIGHT[name])

    assert (there.status, sorted(there.lines)) == (0, sorted(elsewhere.lines)), there.err
    assert _files(folder) == _files(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("solve many", [SOLUTION] * 3),
        ("count", ["288"]),
        ("count within a time", ["288"]),
        ("count by a SAT solver", ["288"]),
        ("count by search", ["288"]),
        ("count many", ["1"] * 3),
        ("prove", ["exactly 72 solutions, proved"]),
    ],
)
def test_answers(answers: "dict[str, tuple[Path, CommandResult]]", name: str, lines: list[str]) -> None:
    """Answers are right there."""
    _, there = answers[name]

    assert there.lines == lines


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_refusals(answers: "dict[str, tuple[Path, CommandResult]]", name: str) -> None:
    """What is refused there is refused in one line."""
    _, there = answers[name]

    assert (there.status, there.out, there.err.count("\n")) == (2, "", 1)
    if name.startswith("memory"):
        assert "--memory" in there.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "status", "out", "err"),
    [
        ("nothing to find", 1, "", "no solution"),
        ("limit", 3, "at least 3", "limit of 3"),
        ("time is over", 3, "at least ", "time limit"),
        ("verify", 0, '"status": "confirmed"', ""),
    ],
)
def test_exit_statuses(
    answers: "dict[str, tuple[Path, CommandResult]]", name: str, status: int, out: str, err: str
) -> None:
    """Exit statuses are the same there."""
    _, there = answers[name]

    assert there.status == status
    assert out in there.out
    assert err in there.err


def test_all_light_commands_covered() -> None:
    """All commands that need no more than a puzzle are tried there."""
    from sudoku_encode.cli.table import COMMANDS

    assert set(COMMANDS) - {arguments[0] for arguments in (*RIGHT.values(), *OTHERS.values())} == {"reproduce"}


def answer(item: int) -> str:
    emit(Progress(f"at {item}"))
    if item == 2:
        raise StoppedError("enough")
    if item == 4:
        raise SudokuError("no such item")
    if item == 5:
        signal.raise_signal(signal.SIGINT)
    return f"answer {item}"


@pytest.fixture(params=[True, False], ids=["with fork", "without"])
def fork(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if not request.param:
        monkeypatch.delattr(os, "fork")
    return bool(request.param)


def as_said(found: "Iterator[tuple[int, str | StoppedError, float]]") -> list[tuple[int, str]]:
    return [(item, str(said)) for item, said, _ in found]


def test_items_in_order(fork: bool) -> None:
    """Items are answered in their order and one that is stopped stops no other."""
    assert as_said(each(partial(one_by_one, answer), [1, 2, 3])) == [(1, "answer 1"), (2, "enough"), (3, "answer 3")]


def test_stopped_task_restarts(fork: bool) -> None:
    """A task that is stopped starts anew with the next item."""

    def task(items: list[int]) -> Iterator[str | StoppedError]:
        for item in items:
            yield f"{answer(item)} of {len(items)}"

    found = as_said(each(task, [1, 2, 3, 6, 7], chunk=4))
    assert found == [
        (1, "answer 1 of 4"),
        (2, "enough"),
        (3, "answer 3 of 2"),
        (6, "answer 6 of 2"),
        (7, "answer 7 of 1"),
    ]


def test_events_per_item(fork: bool) -> None:
    """What happens belongs to the item that is answered next."""
    seen: list[tuple[int, str]] = []

    def observe(item: int, event: Event) -> None:
        assert isinstance(event, Progress)
        seen.append((item, event.text))

    def prepare(item: int) -> None:
        emit(Progress(f"before {item}"))

    list(each(partial(one_by_one, answer), [1, 2, 3], chunk=2, prepare=prepare, on_event=observe))
    assert seen == [(1, "before 1"), (1, "at 1"), (2, "at 2"), (3, "before 3"), (3, "at 3")]


def test_events_without_observer(fork: bool) -> None:
    """What happens reaches the observer where there is no other."""
    seen: list[Any] = []
    with observing(seen.append):
        list(each(partial(one_by_one, answer), [1, 3]))
        list(stream(lambda: [answer(6)]))
    assert [event.text for event in seen] == ["at 1", "at 3", "at 6"]


def test_error_ends_all(fork: bool) -> None:
    """An error ends all."""
    found = each(partial(one_by_one, answer), [1, 4])
    assert next(found)[:2] == (1, "answer 1")
    with pytest.raises(SudokuError, match="no such item"):
        next(found)


def test_too_few_answers(fork: bool) -> None:
    """A task that answers too little is a fault."""
    with pytest.raises(RuntimeError, match="without an answer for each"):
        list(each(lambda items: iter(["one"]), [1, 2]))


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("fork", [False], indirect=True, ids=["without"])
def test_ctrl_c_is_answer(fork: bool) -> None:
    """Ctrl-C is the answer of the item at work."""
    found = each(partial(one_by_one, answer), [1, 5, 3])
    assert next(found)[:2] == (1, "answer 1")
    item, stopped, _ = next(found)
    assert (item, type(stopped)) == (5, InterruptedRunError)
    with pytest.raises(KeyboardInterrupt):
        next(found)


@pytest.mark.parametrize("fork", [False], indirect=True, ids=["without"])
def test_memory_limit_refused(fork: bool) -> None:
    """A limit on memory is refused before anything is done."""
    with pytest.raises(MethodError, match="memory"):
        list(each(lambda items: pytest.fail("it began"), [1], Limits(memory=1 << 30)))
    with pytest.raises(MethodError, match="memory"):
        list(stream(lambda: pytest.fail("it began"), memory=1 << 30))


def posix_only(source: str) -> list[str]:
    """Return the modules that are there on POSIX systems only and that a module imports, come what may, when loaded."""
    found: list[str] = []
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.append(str(node.module))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Try) and any(map(_catches_import_error, node.handlers)):
            waiting += [*node.handlers, *node.orelse, *node.finalbody]
        else:
            waiting += ast.iter_child_nodes(node)
    return [name for name in found if name.split(".")[0] in without_posix.MODULES]


def _catches_import_error(handler: ast.ExceptHandler) -> bool:
    named = (
        {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} if handler.type else {"Exception"}
    )
    return bool(named & {"ImportError", "ModuleNotFoundError", "Exception"})


def test_loads_without_posix() -> None:
    """No module needs a POSIX system to be loaded."""
    needing = {str(file.relative_to(HOME)): posix_only(file.read_text(encoding="utf-8")) for file in HOME.rglob("*.py")}
    assert len(needing) > 100
    assert {path: names for path, names in needing.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import fcntl", ["fcntl"]),
        ("import os, resource as limits", ["resource"]),
        ("from pwd import getpwnam", ["pwd"]),
        ("if True:\n    import termios", ["termios"]),
        ("class Lock:\n    import fcntl", ["fcntl"]),
        ("try:\n    import fcntl\nexcept OSError:\n    pass", ["fcntl"]),
        ("try:\n    pass\nexcept ImportError:\n    import fcntl", ["fcntl"]),
        ("try:\n    import fcntl\nexcept ImportError:\n    fcntl = None", []),
        ("def lock():\n    import fcntl", []),
        ("from .resource import folder\nfrom sudoku_encode.run import resource\nimport sys", []),
    ],
)
def test_posix_use_found(source: str, names: list[str]) -> None:
    """A module that needs a POSIX system is found."""
    assert posix_only(source) == names
