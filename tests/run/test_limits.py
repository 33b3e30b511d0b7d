"""Limits hold for work that looks at no deadline, and for work that takes more memory than there is."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.errors import InternalError, MethodError, StoppedError
from sudoku_encode.methods.table import METHODS
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Compiling, Event, Progress, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import local_pool
from tests.helpers.broken_methods import FAULTS, hangs, method
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES

FIG_4_9 = INSTANCES / "papers" / "gtsps-fig-4.9.sdk"
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")


def answer(item: int) -> int:
    """Answer, but see what the numbers do."""
    emit(Progress(str(item)))
    match item:
        case -1:
            time.sleep(60)
        case -2:
            os.kill(os.getpid(), signal.SIGKILL)
        case -3:
            np.ones(10**9)
        case -4:
            raise StoppedError("enough")
        case -5:
            raise MethodError("not on this board")
        case -6:
            raise ZeroDivisionError("seven")
    return item * item


def answers(
    items: list[int], seconds: float | None, memory: int | None = None, processes: int = 1
) -> tuple[list[str], list[int]]:
    observed: list[int] = []
    found = each(
        partial(one_by_one, answer),
        items,
        Limits(seconds=seconds, memory=memory),
        pool=local_pool(processes),
        chunk=100,
        on_event=lambda item, event: observed.append(item),
    )
    return [str(result) for _, result, _ in found], observed


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [None, 30])
def test_same_with_limits(seconds: float | None) -> None:
    """Answers are the same with limits and without."""
    items = [*range(300), -4, *range(300)]
    wanted = [str(item * item) if item >= 0 else "enough" for item in items]
    assert answers(items, seconds) == (wanted, items)
    for item, error in ((-5, MethodError), (-6, (InternalError, ZeroDivisionError))):
        with pytest.raises(error, match=r"not on this board|seven"):
            answers([1, item], seconds)


def test_hanging_item() -> None:
    """What goes on after its time is ended and the next are answered."""
    found, observed = answers([2, -1, 3, -2, 4], 0.2)
    assert found[:3] == ["4", "time limit", "9"]
    assert found[3].startswith("its process was killed by SIGKILL")
    assert found[4] == "16"
    assert observed == [2, -1, 3, -2, 4]


@linux
def test_memory_limit() -> None:
    """More memory than allowed is not given."""
    assert answers([2, -3, 3], None, 100 * 10**6)[0] == ["4", "out of memory", "9"]


def test_no_end_while_compiling() -> None:
    """No process is ended while something is compiled."""

    def compiles(item: int) -> str:
        emit(Compiling(busy=True))
        time.sleep(0.6)
        emit(Compiling(busy=False))
        return "compiled"

    assert [answer for _, answer, _ in each(partial(one_by_one, compiles), [1], Limits(seconds=0.1))] == ["compiled"]


def test_preparation_is_free() -> None:
    """What is prepared takes nothing from the time."""
    found = each(partial(one_by_one, answer), [1, 2], Limits(seconds=0.1), prepare=lambda item: time.sleep(0.6))
    assert [answer for _, answer, _ in found] == [1, 4]


@pytest.mark.slow
def test_several_processes() -> None:
    """Several processes answer all and what one does to itself costs no other its answer."""
    items = [*range(80), -2, *range(80), -1, *range(20)]
    found, observed = answers(items, 0.5, processes=3)
    assert found[80].startswith("its process was killed by SIGKILL")
    assert found[161] == "time limit"
    wanted = [str(item * item) for item in items if item >= 0]
    assert found[:80] + found[81:161] + found[162:] == wanted
    assert observed == items


def test_full_disk() -> None:
    """A full disk here stops who works there."""

    def full(item: int, event: Event) -> None:
        raise StoppedError("no space left")

    found = each(partial(one_by_one, answer), [1, 2], Limits(seconds=30), on_event=full)
    assert [(item, str(result)) for item, result, _ in found] == [
        (1, "no space left"),
        (2, "no space left"),
    ]


def test_hanging_method(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that hangs keeps to the time limit."""
    monkeypatch.setitem(METHODS, "hangs", method("hangs", hangs))
    counted = run("count", FIG_4_9, "--method", "hangs", "--timeout", "1.5")
    assert (counted.status, counted.lines) == (3, ["at least 127"])
    listed = run("enumerate", FIG_4_9, "--method", "hangs", "--timeout", "1.5")
    assert (listed.status, len(set(listed.lines))) == (3, 127)
    assert "at least 127 solutions; stopped: time limit" in listed.err


@pytest.mark.parametrize(
    ("fault", "status", "out"),
    [
        ("raises", 70, ""),
        ("invents", 70, ""),
        ("shapeless", 70, ""),
        ("killed", 3, "at least 127"),
        ("leaves", 3, "at least 127"),
        pytest.param("greedy", 3, "at least 127", marks=linux),
    ],
)
def test_wrong_or_dying_method(
    run: Command, monkeypatch: pytest.MonkeyPatch, fault: str, status: int, out: str
) -> None:
    """A method that lies or dies makes no complete answer."""
    monkeypatch.setitem(METHODS, fault, method(fault, FAULTS[fault][0]))
    ran = run("count", FIG_4_9, "--method", fault, "--timeout", "20", "--memory", "500M")
    assert (ran.status, ran.out.strip()) == (status, out)
    assert "Traceback" not in ran.err


@linux
def test_search_tree_memory(run: Command) -> None:
    """A search tree that outgrows its memory is an incomplete answer."""
    ran = run("count", "--board", "9x9x9", "--method", "jana2021", "--memory", "40M", "--timeout", "60")
    assert ran.status == 3
    assert ran.out.startswith(("at least ", "not known"))
    assert "out of memory" in ran.err


@pytest.mark.slow
def test_explain_and_prove(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits hold for what is explained and proved."""
    shown = run("explain", FIG_4_9, "--method", "gtsps-4.2", "--timeout", "60")
    assert shown.status == 0
    assert shown.out == run("explain", FIG_4_9, "--method", "gtsps-4.2").out
    proved = run("prove", FIG_4_9, "-o", tmp_path / "certificate", "--timeout", "60", "--memory", "2G")
    assert (proved.status, proved.lines) == (0, ["exactly 127 solutions, proved"])
    checked = run("prove", "--check", tmp_path / "certificate", "--timeout", "60", "--memory", "2G")
    assert (checked.status, checked.lines) == (0, proved.lines)
    with monkeypatch.context() as patch:
        patch.setattr("sudoku_encode.proving.batches.check", lambda folder: time.sleep(60))
        unchecked = run("prove", "--check", tmp_path / "certificate", "--timeout", "0.3", "--json")
    found = json.loads(unchecked.out)
    assert unchecked.status == 3
    assert (found["status"], found["proved"], found["reason"]) == ("timeout", False, "time limit")
    (tmp_path / "certificate" / "proof.lrat").write_text("99999 0 1 0\n")
    assert run("prove", "--check", tmp_path / "certificate", "--timeout", "60").status == 1
    stopped = run("prove", "--board", "9x9", "-o", tmp_path / "empty", "--timeout", "0.5")
    assert (stopped.status, stopped.out) == (3, "")
    assert "not proved; stopped: time limit" in stopped.err


@pytest.mark.parametrize(
    "memory", ["", "0", "-1", "2X", "1.5G", "G", "\N{SUPERSCRIPT TWO}G", "9" * 40, "9999999999G", "5", "900K"]
)
def test_bad_memory_size(run: Command, memory: str) -> None:
    """A size that means nothing is refused."""
    ran = run("count", FIG_4_9, f"--memory={memory}")
    assert ran.status == 2
    assert "expected a number of bytes" in ran.err


def test_ctrl_c_in_child(tmp_path: Path) -> None:
    """Ctrl-C ends a process apart with what was found."""
    file, part = tmp_path / "all.txt", tmp_path / "all.txt.part"
    command = ["enumerate", "--board", "9x9", "--method", "sat", "--timeout", "600", "-o", str(file)]
    with subprocess.Popen(
        [sys.executable, "-m", "sudoku_encode", *command], stderr=subprocess.PIPE, text=True
    ) as process:
        while not part.exists() or part.stat().st_size < 100_000:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 3
    *grids, last = file.read_text().splitlines()
    assert len(set(grids)) == len(grids) > 1000
    assert last == f"# at least {len(grids)} solutions; stopped: interrupted"
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize("limits", [["--method", "exact-cover"], ["--method", "sat", "--timeout", "30"]])
def test_output_once(tmp_path: Path, limits: list[str]) -> None:
    """What waits to be printed is printed once."""
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"# board: 4x4\n{'1...............' + chr(10)}" + "..34............\n" * 60)
    # To a pipe: then what is printed waits in this process, and a copy of the process has a copy of it.
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "sudoku_encode", "solve", str(puzzles), *limits]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=plain)
    assert len([line for line in ran.stdout.splitlines() if line[:1] != "#"]) == 61


def test_gone_before_next() -> None:
    """A process that is ended is gone before the next begins."""
    processes: list[int] = []

    def its_process(item: int) -> None:
        emit(Progress(str(os.getpid())))
        time.sleep(30)

    def full(item: int, event: Event) -> None:
        assert isinstance(event, Progress)
        processes.append(int(event.text))
        raise StoppedError("no space left")

    for _ in each(partial(one_by_one, its_process), [1, 2], Limits(seconds=30), on_event=full):
        with pytest.raises(ProcessLookupError):
            os.kill(processes[-1], 0)
    assert len(set(processes)) == 2


@pytest.mark.parametrize("command", ["count", "verify"])
def test_bad_time(run: Command, command: str) -> None:
    """A time that is no number is refused."""
    ran = run(command, FIG_4_9, "--timeout", "nan")
    assert ran.status == 2
    assert "nan is not a number of seconds" in ran.err
