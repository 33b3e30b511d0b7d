"""The command bench: runs, their table and plot, a resumed run, and contradicting answers."""

import csv
import io
import json
from pathlib import Path

import pytest

from sudoku_encode.methods.table import METHODS
from sudoku_encode.report.benchmark import disagreements
from tests.helpers import broken_methods
from tests.helpers.command import Command

ESCARGOT = "instances/papers/inkala/escargot.txt"
FIG_4_9 = "instances/papers/gtsps-fig-4.9.sdk"
SETUPS = ("--methods", "sat:log,search", "--vary", "sat-solver=cadical195,glucose4")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line."""
    return Command(capfd, monkeypatch)


def test_each_combination(run: Command) -> None:
    """Each method is measured with each combination of the options that it uses."""
    found = run("bench", ESCARGOT, FIG_4_9, *SETUPS, "--vary", "amo=pairwise,ladder", "--methods", "sat,search")
    assert found.status == 0
    # The table begins with its columns; each setup has ended on both puzzles.
    assert [line.split("  ")[0] for line in found.lines[1:]] == [
        "sat sat-solver=cadical195 amo=pairwise".replace("sat-solver=cadical195 amo=pairwise", options)
        for options in (
            "amo=pairwise sat-solver=cadical195",
            "amo=ladder sat-solver=cadical195",
            "amo=pairwise sat-solver=glucose4",
            "amo=ladder sat-solver=glucose4",
        )
    ] + ["search"]
    assert all(line.split()[-7:-5] == ["2", "2"] or " 2   2 " in line for line in found.lines[1:])


def test_records_and_files(run: Command, tmp_path: Path) -> None:
    """A folder gets the records that --json prints, the table of the text, and a plot with a point for each run."""
    folder = tmp_path / "runs"
    found = run("bench", ESCARGOT, FIG_4_9, *SETUPS, "--count", "-o", folder, "--json")
    assert (found.status, (folder / "runs.jsonl").read_text(encoding="utf-8")) == (0, found.out)
    records = [json.loads(line) for line in found.lines]
    assert [record["count"] for record in records] == [1, 127] * 3
    assert [record["work"] and record["work"]["solver"] for record in records[::2]] == ["cadical195", "glucose4", None]
    # The solver is a part of the run.
    assert all(0 < each["work"]["solver_seconds"] < each["seconds"] for each in records if each["work"])
    table = (folder / "table.md").read_text(encoding="utf-8").splitlines()
    assert table[4].split(" | ")[:3] == ["| search", "2", "2"]
    assert (folder / "cactus.svg").read_text(encoding="utf-8").count('class="mark') == len(records)


def test_resumed(run: Command, tmp_path: Path) -> None:
    """A resumed run keeps the results of the first one, also if half a line was written."""
    folder = tmp_path / "runs"
    first = run("bench", ESCARGOT, FIG_4_9, *SETUPS, "-o", folder, "--json")
    runs, part = folder / "runs.jsonl", folder / "runs.jsonl.part"
    runs.rename(part)
    part.write_text("".join(f"{line}\n" for line in first.lines[:3]) + first.lines[3][:20], encoding="utf-8")
    second = run("bench", ESCARGOT, FIG_4_9, *SETUPS, "-o", folder, "--json", "--resume")
    assert second.lines[:3] == first.lines[:3]
    assert [json.loads(line)["setup"] for line in second.lines] == [json.loads(line)["setup"] for line in first.lines]
    assert runs.read_text(encoding="utf-8") == second.out
    other = run("bench", ESCARGOT, FIG_4_9, *SETUPS, "-o", folder, "--resume", "--timeout", "9")
    assert (other.status, other.out) == (2, "")
    assert "runs.jsonl:1: this run belongs to another puzzle, setup, question or limit" in other.err


def test_limit_reached(run: Command, tmp_path: Path) -> None:
    """A run that does not end is counted with twice its limit, and the status is 3."""
    found = run("bench", "--board", "9x9", "--methods", "sat", "--count", "--timeout", "0.3", "-o", tmp_path / "runs")
    assert found.status == 3
    assert found.lines[1].split()[:5] == ["sat", "0", "1", "-", "0.6"]
    assert 'class="limit"' in (tmp_path / "runs" / "cactus.svg").read_text(encoding="utf-8")


def test_unfit_and_bad(run: Command) -> None:
    """Unreadable puzzles and methods that do not fit have their records, and the others are measured."""
    text = f"bad\n1{'.' * 80}\n"
    found = run("bench", "-", "--methods", "search,jana2023-v1", "--csv", stdin=text)
    rows = list(csv.DictReader(io.StringIO(found.out)))
    assert [row["status"] for row in rows] == ["bad input", "solved", "refused"]
    assert "jana2023-v1 does not fit 9x9" in rows[2]["reason"]
    assert (found.status, "(1 run left out)" in found.err) == (2, True)


def test_contradiction(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """If two complete answers differ, the command says which, and its status is 1."""
    name = "loses"
    monkeypatch.setitem(METHODS, name, broken_methods.method(name, broken_methods.loses))
    found = run("bench", FIG_4_9, "--methods", f"sat,{name}", "--count")
    assert found.status == 1
    assert "puzzle 1: loses says 126, but sat says 127" in found.err


def test_disagreements() -> None:
    """A complete number contradicts another one, and a larger one that was not complete."""

    def record(setup: str, count: int | None, complete: bool, puzzle: int = 1) -> dict[str, object]:
        return {"setup": setup, "count": count, "complete": complete, "puzzle": puzzle}

    assert list(disagreements([record("a", 5, True), record("b", 3, False), record("c", None, False)])) == []
    assert list(disagreements([record("a", 5, True), record("b", 6, True, puzzle=2)])) == []
    assert list(disagreements([record("a", 5, True), record("b", 7, False)])) == ["puzzle 1: a says 5, but b found 7"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--vary", "amo"), "--vary: not NAME=VALUES: 'amo'"),
        (("--vary", "colour=red"), "--vary: not the name of an option: 'colour=red' (known: reduce, amo,"),
        (("--vary", "amo=ladder", "--vary", "amo=product"), "--vary: amo appears twice; separate its values by commas"),
        (("--vary", "amo=ladders"), "no at-most-one is called 'ladders'"),
        (("--methods", "search", "--vary", "amo=ladder"), "none of the methods uses the option amo: search"),
        (("--limit", "3"), "--limit has no effect without --count"),
        (("--resume",), "--resume has no effect without -o"),
        (("--methods", "sta"), "no method is called 'sta'; did you mean sat?"),
    ],
)
def test_bad_options(run: Command, arguments: tuple[str, ...], message: str) -> None:
    """A wrong option is one line, and nothing runs."""
    found = run("bench", ESCARGOT, *arguments)
    assert (found.status, found.out) == (2, "")
    assert message in found.err
