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


@pytest.mark.parametrize("seconds", [None, 30])
def test_answers_are_the_same_with_limits_and_without(seconds: float | None) -> None:
    items = [*range(300), -4, *range(300)]
    wanted = [str(item * item) if item >= 0 else "enough" for item in items]
    assert answers(items, seconds) == (wanted, items)
    for item, error in ((-5, MethodError), (-6, (InternalError, ZeroDivisionError))):
        with pytest.raises(error, match=r"not on this board|seven"):
            answers([1, item], seconds)


def test_what_goes_on_after_its_time_is_ended_and_the_next_are_answered() -> None:
    found, observed = answers([2, -1, 3, -2, 4], 0.2)
    assert found[:3] == ["4", "time limit", "9"]
    assert found[3].startswith("its process was killed by SIGKILL")
    assert found[4] == "16"
    assert observed == [2, -1, 3, -2, 4]


@linux
def test_more_memory_than_allowed_is_not_given() -> None:
    assert answers([2, -3, 3], None, 100 * 10**6)[0] == ["4", "out of memory", "9"]


def test_no_process_is_ended_while_something_is_compiled() -> None:
    def compiles(item: int) -> str:
        emit(Compiling(busy=True))
        time.sleep(0.6)
        emit(Compiling(busy=False))
        return "compiled"

    assert [answer for _, answer, _ in each(partial(one_by_one, compiles), [1], Limits(seconds=0.1))] == ["compiled"]


def test_what_is_prepared_takes_nothing_from_the_time() -> None:
    found = each(partial(one_by_one, answer), [1, 2], Limits(seconds=0.1), prepare=lambda item: time.sleep(0.6))
    assert [answer for _, answer, _ in found] == [1, 4]


def test_several_processes_answer_all_and_what_one_does_to_itself_costs_no_other_its_answer() -> None:
    items = [*range(250), -2, *range(250), -1, *range(50)]
    found, observed = answers(items, 0.5, processes=3)
    assert found[250].startswith("its process was killed by SIGKILL")
    assert found[501] == "time limit"
    wanted = [str(item * item) for item in items if item >= 0]
    assert found[:250] + found[251:501] + found[502:] == wanted
    assert observed == items


def test_a_full_disk_here_stops_who_works_there() -> None:
    def full(item: int, event: Event) -> None:
        raise StoppedError("no space left")

    found = each(partial(one_by_one, answer), [1, 2], Limits(seconds=30), on_event=full)
    assert [(item, str(result)) for item, result, _ in found] == [
        (1, "no space left"),
        (2, "no space left"),
    ]


def test_a_method_that_hangs_keeps_to_the_time_limit(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_method_that_lies_or_dies_makes_no_complete_answer(
    run: Command, monkeypatch: pytest.MonkeyPatch, fault: str, status: int, out: str
) -> None:
    monkeypatch.setitem(METHODS, fault, method(fault, FAULTS[fault][0]))
    ran = run("count", FIG_4_9, "--method", fault, "--timeout", "20", "--memory", "500M")
    assert (ran.status, ran.out.strip()) == (status, out)
    assert "Traceback" not in ran.err


@linux
def test_a_search_tree_that_outgrows_its_memory_is_an_incomplete_answer(run: Command) -> None:
    ran = run("count", "--board", "9x9x9", "--method", "jana2021", "--memory", "40M", "--timeout", "60")
    assert ran.status == 3
    assert ran.out.startswith(("at least ", "not known"))
    assert "out of memory" in ran.err


def test_limits_hold_for_what_is_explained_and_proved(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = run("explain", FIG_4_9, "--method", "gtsps-4.2", "--timeout", "60")
    assert shown.status == 0
    assert shown.out == run("explain", FIG_4_9, "--method", "gtsps-4.2").out
    proved = run("prove", FIG_4_9, "-o", tmp_path / "certificate", "--timeout", "60", "--memory", "2G")
    assert (proved.status, proved.lines) == (0, ["exactly 127 solutions, proved"])
    checked = run("prove", "--check", tmp_path / "certificate", "--timeout", "60", "--memory", "2G")
    assert (checked.status, checked.lines) == (0, proved.lines)
    with monkeypatch.context() as patch:
        patch.setattr("sudoku_encode.proving.check", lambda folder: time.sleep(60))
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
def test_a_size_that_means_nothing_is_refused(run: Command, memory: str) -> None:
    ran = run("count", FIG_4_9, f"--memory={memory}")
    assert ran.status == 2
    assert "expected a number of bytes" in ran.err


def test_ctrl_c_ends_a_process_apart_with_what_was_found(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("limits", [["--method", "exact-cover"], ["--method", "sat", "--timeout", "30"]])
def test_what_waits_to_be_printed_is_printed_once(tmp_path: Path, limits: list[str]) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"# board: 4x4\n{'1...............' + chr(10)}" + "..34............\n" * 60)
    # To a pipe: then what is printed waits in this process, and a copy of the process has a copy of it.
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "sudoku_encode", "solve", str(puzzles), *limits]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=plain)
    assert len([line for line in ran.stdout.splitlines() if line[:1] != "#"]) == 61


def test_a_process_that_is_ended_is_gone_before_the_next_begins() -> None:
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
def test_a_time_that_is_no_number_is_refused(run: Command, command: str) -> None:
    ran = run(command, FIG_4_9, "--timeout", "nan")
    assert ran.status == 2
    assert "nan is not a number of seconds" in ran.err
