"""Commands over many puzzles on executors: what they print and write is the same wherever the work is done."""

import json
from pathlib import Path
from typing import Any

import pytest

from sudoku_encode.cli.app import load_command
from sudoku_encode.cli.table import COMMANDS
from sudoku_encode.methods import auto
from tests.helpers.command import Command

EXECUTORS = ["processes:2", "threads:2"]
# With one solution, with several, with none, and what is no puzzle.
FOURS = ["1234341221434...", "1...2...3.......", "1234............", "11..............", "12x4", "12343412214343.1"]
NINES = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5........9",
]
# Commands that print the same in each run; `auto` may find solutions in another order where the machine is busy.
PRINTING = [
    "solve fours.txt --method sat",
    "solve fours.txt --method search",
    "solve fours.txt --method cp-sat",
    "solve fours.txt --method sat --timeout 60",
    "solve nines.txt --method search",
    "count fours.txt",
    "count nines.txt --limit 2",
    "count fours.txt --timeout 60",
    "enumerate fours.txt --method search",
    "enumerate fours.txt --method sat --limit 2",
    "count constrained.txt",
    "enumerate constrained.txt --method search",
    "candidates constrained.txt --counts",
    "candidates fours.txt --counts",
    "sample fours.txt -n 3 --seed 5",
    "check fours.txt",
    "check plain.txt --details",
    "hint fours.txt --all",
    "rate fours.txt --figure nodes --figure technique",
    "generate --board 4x4 --many 5 --seed 3",
    "generate --board 4x4 --many 3 --seed 3 --uniform",
    "generate --board 4x4 --many 3 --seed 4 --rating backdoor:0-1",
    "prove ok.txt -o certificates",
]
# Those that are tried all the time, on each executor; the others are tried on one of them, by turns.
QUICK = ("solve nines.txt --method search", "count nines.txt --limit 2", "candidates constrained.txt --counts")
# Those whose output has seconds in it, or that write a folder.
OTHERS = ["verify", "reproduce", "encode"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with puzzles in files."""
    (tmp_path / "fours.txt").write_text("".join(f"{line}\n" for line in FOURS))
    (tmp_path / "nines.txt").write_text("".join(f"{line}\n" for line in NINES))
    (tmp_path / "ok.txt").write_text("# board: 4x4\n" + "".join(f"{line}\n" for line in FOURS[:4]))
    (tmp_path / "plain.txt").write_text(f"{FOURS[0]}\n{FOURS[3]}\n")
    (tmp_path / "constrained.txt").write_text(f"# board: 4x4\n# constraint: thermometer r1c1-r1c3\n{'.' * 16}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "executors"),
    [
        (command, EXECUTORS)
        if command in QUICK
        else pytest.param(command, EXECUTORS[number % 2 :][:1], marks=pytest.mark.slow)
        for number, command in enumerate(PRINTING)
    ],
)
def test_same_output_everywhere(run: Command, folder: Path, command: str, executors: list[str]) -> None:
    """A command prints the same wherever its work is done."""
    here = run(*command.split())
    assert here.out
    for executor in executors:
        there = run(*command.split(), "--executor", executor)
        assert (there.status, there.out) == (here.status, here.out), executor


@pytest.mark.slow
@pytest.mark.parametrize("executor", EXECUTORS)
def test_verify_on_executor(run: Command, folder: Path, executor: str) -> None:
    """Methods that an executor runs are compared as those here."""
    command = ["verify", "ok.txt", "--methods", "sat,exact-cover,norvig2006", "-o", "results.jsonl"]
    here = run(*command)
    there = run(*command[:-1], "others.jsonl", "--executor", executor)
    assert there.status == here.status
    kept = ("status", "count", "complete", "independent")
    first, second = (
        [{key: record[key] for key in kept} for record in map(_parsed, (folder / name).read_text().splitlines())]
        for name in ("results.jsonl", "others.jsonl")
    )
    assert len(first) == 4
    assert first == second


def _parsed(line: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line)
    return found


@pytest.mark.parametrize("executor", EXECUTORS)
def test_models_on_executor(run: Command, folder: Path, executor: str) -> None:
    """Models that an executor makes are the files that are made here."""
    assert run("encode", "fours.txt", "-o", "here/", "--to", "cnf.gz").status == 2
    assert run("encode", "fours.txt", "-o", "there/", "--to", "cnf.gz", "--executor", executor).status == 2
    files = sorted(path.name for path in (folder / "here").iterdir())
    assert len(files) == 6
    assert files == sorted(path.name for path in (folder / "there").iterdir())
    for name in set(files) - {"manifest.jsonl"}:
        assert (folder / "here" / name).read_bytes() == (folder / "there" / name).read_bytes(), name
    here, there = (
        [{**_parsed(line), "seconds": 0} for line in (folder / home / "manifest.jsonl").read_text().splitlines()]
        for home in ("here", "there")
    )
    assert here == there


@pytest.mark.slow
@pytest.mark.thorough
def test_reproduce_on_executor(run: Command, folder: Path) -> None:
    """A paper is refereed the same wherever that is done."""
    command = ["reproduce", "block-world", "--puzzles", "4", "--timeout", "1", "--to", "json"]
    here, there = (json.loads(run(*command, *more).out) for more in ([], ["--executor", "processes:2"]))
    verdicts = {name: finding["verdict"] for name, finding in here["findings"].items()}
    assert len(verdicts) > 10
    assert verdicts == {name: finding["verdict"] for name, finding in there["findings"].items()}


@pytest.mark.slow
@pytest.mark.parametrize("executor", EXECUTORS)
def test_existing_certificate_kept(run: Command, folder: Path, executor: str) -> None:
    """A certificate that is there is kept where others are made elsewhere."""
    assert run("prove", "ok.txt", "-o", "certificates").status == 1
    kept = folder / "certificates" / "2" / "proof.lrat"
    (folder / "certificates" / "3" / "proof.lrat").unlink()
    before = kept.stat().st_mtime_ns
    again = run("prove", "ok.txt", "-o", "certificates", "--resume", "--executor", executor, "--json")
    assert [_parsed(line)["count"] for line in again.lines] == [1, 12, 12, 0]
    assert ["proof_bytes" in _parsed(line) for line in again.lines] == [False, False, True, False]
    assert kept.stat().st_mtime_ns == before
    assert not list(folder.rglob("*.part"))


def test_all_commands_covered() -> None:
    """Every command with processes takes an executor and is tried here."""
    takes = {
        name: {option for parameter in load_command(name).params for option in parameter.opts} & {"-j", "--executor"}
        for name in COMMANDS
    }
    # The runs of `bench` are timed, so they stay on this machine.
    able = {name for name, options in takes.items() if options} - {"bench"}
    assert all(takes[name] == {"-j", "--executor"} for name in able)
    assert able == {command.split()[0] for command in PRINTING} | set(OTHERS)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("processes:0", "--executor processes:0: expected a number from 1 to 1000 after the colon"),
        ("processes:x", "--executor processes:x: expected a number from 1 to 1000 after the colon"),
        ("threads:1001", "--executor threads:1001: expected a number from 1 to 1000 after the colon"),
        ("tcp://nohost", "--executor tcp://nohost: no scheduler answers there"),
        ("scheduler-file:missing", "--executor scheduler-file:missing: there is no file missing"),
        ("foo:1", "no executor is called 'foo:1': write processes:N, threads:N, "),
        ("", "no executor is called ''"),
    ],
)
def test_unknown_executor(run: Command, folder: Path, text: str, says: str) -> None:
    """A text that is no executor is one line."""
    pytest.importorskip("distributed")
    for command in ("count fours.txt", "hint fours.txt", "generate --board 4x4", "verify fours.txt --methods sat"):
        ran = run(*command.split(), "-q", "--executor", text)
        faults = [line for line in ran.err.splitlines() if ": bad input: " not in line and "fours.txt:5" not in line]
        assert (ran.status, ran.out, len(faults)) == (2, "", 1), command
        assert says in faults[0]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "sf cannot be read as JSON; `dask scheduler --scheduler-file` writes it: "),
        ("{}", "sf has no address of a scheduler; "),
        ("null", "sf has no address of a scheduler; "),
        ('{"address": 5}', "sf has no address of a scheduler; "),
    ],
)
def test_foreign_scheduler_file(run: Command, folder: Path, content: str, says: str) -> None:
    """A file that no scheduler wrote is refused in one line."""
    pytest.importorskip("distributed")
    (folder / "sf").write_text(content, encoding="utf-8")
    ran = run("count", "--board", "4x4", "--executor", "scheduler-file:sf")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert says in ran.err


def test_given_up_puzzles_again(run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puzzles that search gives up are asked again on the executor in their places."""
    lines = [*NINES[:2], "12x", *NINES[1::-1]]
    (folder / "nines.txt").write_text("".join(f"{line}\n" for line in lines))
    quick = [run(*command.split()) for command in ("count nines.txt", "solve nines.txt --method auto")]
    monkeypatch.setattr(auto, "_FIRST_PLAIN_SECONDS", 0.0)
    for executor in EXECUTORS:
        counted = run("count", "nines.txt", "--executor", executor)
        assert (counted.status, counted.out) == (2, quick[0].out)
        solved = run("solve", "nines.txt", "--method", "auto", "--executor", executor)
        assert (solved.status, solved.out) == (2, quick[1].out)


def test_processes_and_executor(run: Command, folder: Path) -> None:
    """Processes and an executor are not asked together."""
    for command in PRINTING:
        ran = run(*command.split(), "-j", "2", "--executor", "threads:2")
        assert ran.status == 2
        assert ran.err == "sudoku-encode: -j has no effect with --executor, which has its own number of workers\n"


@pytest.mark.parametrize(
    "command",
    [
        "prove --check certificates --executor threads:2",
        "encode 1234341221434... --executor threads:2",
        "count fours.txt --method approxmc --executor threads:2",
    ],
)
def test_idle_executor_refused(run: Command, folder: Path, command: str) -> None:
    """An executor that would do nothing is refused."""
    ran = run(*command.split())
    assert ran.status == 2
    assert "no effect" in ran.err
    assert "--executor" in ran.err
