"""Each row of the table of lies is told to its command; nothing false is printed as an answer but what is believed."""

import gc
import importlib
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from sudoku_encode import search
from sudoku_encode.cli import main
from sudoku_encode.cli.table import COMMANDS
from sudoku_encode.methods.table import AUTO
from sudoku_encode.search import loading
from sudoku_encode.verifying.running import preload
from tests.helpers import fake_solvers, false_answers
from tests.helpers.fake_solvers import grids
from tests.helpers.false_answers import ROWS, Play, Row

PAGE = Path(__file__).parents[2] / ".github" / "SECURITY.md"


@pytest.fixture(scope="module", autouse=True)
def everything_loaded(code_loaded: None) -> None:
    """Load what the program loads, for all of its processes; no garbage collection of theirs looks at it."""
    preload()
    grids()
    for name in COMMANDS:
        importlib.import_module(f"sudoku_encode.cli.{name}")
    gc.collect()
    gc.freeze()


def all_played(rows: Sequence[tuple[tuple[str, ...], Play]], folder: Path) -> list[tuple[int, str, str]]:
    """Run the program once for each row, in a process in which the row's lie is told; return statuses and outputs.

    A fork of this process, which has loaded everything. It is one for several rows: to copy it takes longer than most
    commands. A command that would end it leaves no status, neither for itself nor for those after it.
    """
    homes = [folder / str(number) for number in range(len(rows))]
    for home in homes:
        (home / "work").mkdir(parents=True)
    process = os.fork()
    if process == 0:
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8") for number in (1, 2))  # noqa: SIM115, PTH123
            for (arguments, play), home in zip(rows, homes, strict=True):
                with fake_solvers.undone():
                    _run_here(arguments, play, home)
        finally:
            os._exit(99)
    os.waitpid(process, 0)
    return [(int(_text(home / "status") or -1), _text(home / "out"), _text(home / "err")) for home in homes]


def _run_here(arguments: Sequence[str], play: Play, home: Path) -> None:
    """Run the program in this process, and leave its status and what it printed in files."""
    os.chdir(home / "work")
    for number, name in enumerate(("out", "err"), 1):
        opened = os.open(home / name, os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    sys.argv = ["sudoku-encode", *arguments, *(play(home / "work") or [])]
    try:
        main()
    except SystemExit as end:
        sys.stdout.flush()
        sys.stderr.flush()
        (home / "status").write_text(str(int(end.code or 0)))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def played(arguments: list[str], play: Play, folder: Path) -> tuple[int, str, str]:
    """Run the program in a process of its own, in which something lies; return its exit status and what it printed."""
    (ran,) = all_played([(tuple(arguments), play)], folder)
    return ran


def by_lie() -> dict[str, list[Row]]:
    """Return the rows of each lie; of files, which are quickly made, those of each command."""
    groups: dict[str, list[Row]] = {}
    for row in filter(false_answers.installed, ROWS):
        key = row.lie if row.who in false_answers.SOLVERS else row.command
        groups.setdefault(f"{row.who}-{key}", []).append(row)
    return groups


# Told all the time: a lie of each library. The others take half a minute together.
QUICK = {f"{who}-{next(iter(lies))}" for who, lies in false_answers.SOLVERS.items()} | {"a solver's output-decode"}
LIES = by_lie()


@pytest.mark.parametrize(
    "lie", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in LIES]
)
def test_table_of_false_answers(lie: str, tmp_path: Path) -> None:
    """A lie comes to what the table says."""
    rows = LIES[lie]
    for row, (status, out, err) in zip(
        rows, all_played([(row.arguments, row.play) for row in rows], tmp_path), strict=True
    ):
        said = f"{row.command}, {row.lie}:\n{out}{err}"
        assert status == row.outcome.status, said
        assert re.search(row.outcome.says, out + err, re.MULTILINE), said
        # One line for people, whatever a library put into its error.
        assert "Traceback" not in said
        assert "\x1b" not in said
        if row.outcome.right:
            assert wrong_lines(row.command, out, err) == [], said


def wrong_lines(command: str, out: str, err: str) -> list[str]:
    """What is printed as an answer about the empty 4x4, and is none."""
    printed = [line for line in out.splitlines() if line[:1].isdigit()]
    right = {"".join(map(str, grid)) for grid in grids()}
    if command in ("solve", "enumerate", "decode"):
        wrong = [line for line in printed if line not in right]
        wrong += printed if len(set(printed)) < len(printed) else []
        return wrong + [line for line in err.splitlines() if line.endswith("complete") and line[:4] != "288 "]
    if command == "count":
        return [line for line in printed if line != "288"]
    return [line for line in out.splitlines() if re.match("exactly|confirmed", line) and "288" not in line]


def test_checker_sees_false_answer() -> None:
    """A false answer would be seen."""
    assert wrong_lines("count", "287\n", "") == ["287"]
    assert wrong_lines("enumerate", "1" * 16 + "\n", "") == ["1" * 16]
    first = "".join(map(str, grids()[0]))
    assert wrong_lines("enumerate", f"{first}\n{first}\n", "287 solutions, complete") == [first] * 2 + [
        "287 solutions, complete"
    ]
    assert wrong_lines("prove", "exactly 0 solutions, proved", "") != []
    assert wrong_lines("enumerate", f"# board: 4x4\n{first}\n", "288 solutions, complete") == []


def test_page_matches_table() -> None:
    """The page says what the table says."""
    assert false_answers.in_page(PAGE.read_text(encoding="utf-8")) == false_answers.page()


@pytest.mark.parametrize("command", ["count", "enumerate"])
def test_solver_process_end(command: str, tmp_path: Path) -> None:
    """Auto does not take the end of a solver's process for an answer."""

    def play(folder: Path) -> None:
        for module in (search, loading):
            vars(module).update(unsupported_reason=lambda geometry: "today")
        fake_solvers.pysat(3, lambda: os._exit(0))

    status, out, err = played([command, "--board", "4x4", "--method", AUTO], play, tmp_path)
    assert status == 3, err
    assert "at least 1 solution; stopped: its process ended with status 0" in err
    assert wrong_lines(command, out, err) == []


@pytest.mark.parametrize("limit", [[], ["--limit", "2"]])
def test_exit_in_thread_pool(limit: list[str], tmp_path: Path) -> None:
    """A search that ends the program is a fault in a pool of threads too."""

    def play(folder: Path) -> list[str]:
        vars(search).update(dict.fromkeys(("count", "solutions", "batch"), lambda *arguments: sys.exit(0)))
        puzzles = folder / "puzzles.sdm"
        puzzles.write_text(("." * 81 + "\n") * 3)
        return [str(puzzles)]

    status, out, err = played(["count", *limit], play, tmp_path)
    assert (status, out) == (70, "")
    assert re.fullmatch("sudoku-encode: internal error, please report it: .*\n", err)
