"""A journal, and what `verify`, `generate` and `reproduce` put there, survive whatever ends the program."""

import gzip
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import pytest

from sudoku_encode import reproduce
from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.reproduce.finding import REPRODUCED, Finding, Paper, Plot, Series, Work, side_by_side
from sudoku_encode.storage.journal import Journal, open_results
from sudoku_encode.storage.outputs import PartFile
from tests.helpers.command import Command
from tests.helpers.full_disk import no_room
from tests.helpers.known_puzzles import INSTANCES, KNOWN

if TYPE_CHECKING:
    from _typeshed import TraceFunction

PROGRAM = [sys.executable, "-m", "sudoku_encode"]
# Of three families, and quick to start.
VERIFY = ["--methods", "sat,cp-sat,gtsps-4.2"]
REPRODUCE = ["reproduce", "keck", "--puzzles", "4", "--timeout", "0.1"]


def ended(arguments: list[str], file: Path, number: signal.Signals, lines: int) -> tuple[int, str]:
    """Run the program until a file has a number of lines more, and send a signal.

    Returns:
        The exit status, and what it said; a program that ends by itself is fine too.
    """

    def there() -> int:
        return file.read_bytes().count(b"\n") if file.exists() else 0

    before = there()
    with subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as one:
        while one.poll() is None and there() < before + lines:
            time.sleep(0.001)
        one.send_signal(number)
        try:
            _, said = one.communicate(timeout=120)
        finally:
            one.kill()
    return one.returncode, said


def records(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_half_line_cut(tmp_path: Path) -> None:
    """A journal knows the lines of the run before and cuts half a line off."""
    with Journal(tmp_path / "a", False) as journal:
        journal.put("one")
        journal.put("two")
    part = tmp_path / "a.part"
    part.write_bytes(part.read_bytes() + b"half a line, longer than the next")
    with Journal(tmp_path / "a", True) as journal:
        assert journal.lines == [b"one", b"two"]
        assert "a.part keeps what was written; continue with --resume" in journal.advice()
        journal.put("three")
        journal.finish()
    assert (tmp_path / "a").read_text() == "one\ntwo\nthree\n"
    assert not part.exists()


def test_empty_journal(tmp_path: Path) -> None:
    """A journal of which nothing comes leaves no file."""
    with Journal(tmp_path / "a", False):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a", "a.part"])
def test_foreign_file_kept(name: str, tmp_path: Path) -> None:
    """A file that was named by mistake stays as it is."""
    (tmp_path / name).write_text("one\nhalf")
    with pytest.raises(SudokuError, match=f"{name}:1: wrong"), Journal(tmp_path / "a", True) as journal:
        raise journal.fault(1, "wrong")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: "one\nhalf"}


def test_grown_again(tmp_path: Path) -> None:
    """A finished journal that grows is unfinished again."""
    (tmp_path / "a").write_text("one\n")
    with Journal(tmp_path / "a", True) as journal:
        journal.put("two")
    assert (tmp_path / "a.part").read_text() == "one\ntwo\n"
    assert not (tmp_path / "a").exists()


def test_two_runs(tmp_path: Path) -> None:
    """Two runs on one journal are refused."""
    with Journal(tmp_path / "a", False) as first:
        first.put("one")
        with pytest.raises(SudokuError, match="another run writes to it"):
            Journal(tmp_path / "a", True)
        with pytest.raises(SudokuError, match="continue with --resume, or remove it"):
            Journal(tmp_path / "a", False)
        first.finish()
    assert (tmp_path / "a").read_text() == "one\n"
    with pytest.raises(SudokuError, match="there is nothing to resume"):
        Journal(tmp_path / "b", True)


def test_outlived_process(tmp_path: Path) -> None:
    """A process that outlives the run does not keep the next one away."""
    ours, theirs = socket.socketpair()
    with Journal(tmp_path / "a", False) as journal:
        journal.put("one")
        child = os.fork()
        if child == 0:
            theirs.send(b"here")
            theirs.recv(1)
            os._exit(0)
        ours.recv(4)
    try:
        with Journal(tmp_path / "a", True) as journal:
            assert journal.lines == [b"one"]
    finally:
        ours.send(b"!")
        os.waitpid(child, 0)
        ours.close()
        theirs.close()


def test_full_disk(tmp_path: Path) -> None:
    """A full disk stops the run."""
    with pytest.raises(StoppedError, match="File too large"), no_room(), Journal(tmp_path / "a", False) as journal:
        journal.put("one")
    assert list(tmp_path.iterdir()) == []


def test_compressed_results(tmp_path: Path) -> None:
    """Results go to files which may be compressed."""
    with pytest.raises(SudokuError, match="-o: expected a file, got the folder"):
        open_results(str(tmp_path), False)
    with open_results(str(tmp_path / "a.gz"), False) as journal:
        assert journal is not None
        journal.put("one")
        journal.finish()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"one\n"
    with pytest.raises(SudokuError, match="--resume needs a plain file"):
        open_results(str(tmp_path / "a.gz"), True)


def test_device() -> None:
    """Results of a device cannot be taken up again."""
    with pytest.raises(SudokuError, match="--resume needs a plain file after -o"):
        open_results("/dev/null", True)


@pytest.fixture
def verify(tmp_path: Path) -> list[str]:
    """A command that verifies five hard puzzles."""
    folder = tmp_path / "puzzles"
    folder.mkdir()
    for path in sorted((INSTANCES / "papers" / "inkala").glob("*.txt"))[:5]:
        shutil.copy(path, folder)
    return ["verify", str(folder), *VERIFY]


def timeless(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out of records what no two runs have in common."""
    for record in found:
        record["seconds"] = 0
        for run in record["runs"]:
            run["seconds"] = run["memory"] = 0
            if run["work"]:
                run["work"]["solver_seconds"] = 0
    return found


@pytest.mark.slow
def test_verify_killed(verify: list[str], run: Command, tmp_path: Path) -> None:
    """Verify killed again and again ends with every result once."""
    file, part = tmp_path / "all", tmp_path / "all.part"
    whole = run(*verify, "--json")
    for lines in (0, 2):
        resumed = ["--resume"] if part.exists() else []
        ended([*verify, "-o", str(file), *resumed], part, signal.SIGKILL, lines)
        assert not file.exists()
    last = run(*verify, "-o", file, "--resume")
    assert last.status == 0
    assert timeless(records(file)) == timeless([json.loads(line) for line in whole.lines])
    assert not part.exists()
    assert "5 puzzles: 5 confirmed, 0 unconfirmed, 0 disagree" in last.err
    # All of them are shown again, from the file, and nothing runs.
    again = run(*verify, "-o", file, "--resume")
    assert (again.status, again.out) == (0, last.out)
    assert again.out.count("confirmed: 1, by 3 methods") == 5


@pytest.mark.slow
def test_verify_full_disk(verify: list[str], run: Command, tmp_path: Path) -> None:
    """Verify on a full disk goes on when there is room."""
    file = tmp_path / "all"
    # What this imports is compiled to files too, which must have room.
    run("verify", "--board", "2x2", *VERIFY, "-o", tmp_path / "small")
    with no_room(2000):
        full = run(*verify, "-o", file)
    assert full.status == 3
    assert "File too large" in full.err
    assert "of 5 puzzles are done; " in full.err
    assert "continue with --resume" in full.err
    assert (tmp_path / "all.part").stat().st_size == 2000
    assert run(*verify, "-o", file, "--resume").status == 0
    assert len({record["question"] for record in records(file)}) == len(records(file)) == 5


@pytest.mark.slow
def test_verify_ctrl_c(tmp_path: Path) -> None:
    """Ctrl-C in verify says how far it got and how to go on."""
    # Long enough not to end by itself before the key is pressed.
    command = ["verify", str(INSTANCES / "cubes"), "--methods", "sat,cp-sat,jana2023-v1", "-o", str(tmp_path / "all")]
    status, said = ended(command, tmp_path / "all.part", signal.SIGINT, 2)
    assert status == 3
    assert "interrupted: " in said
    n_puzzles = sum(case.name.startswith("cubes/") for case in KNOWN)
    assert f"of {n_puzzles} puzzles are done; " in said
    assert "all.part keeps what was written; continue with --resume" in said


def small(run: Command, *arguments: object) -> Any:
    return run("verify", INSTANCES / "papers" / "jana-2023-table-2.txt", "--methods", "sat,cp-sat", *arguments)


RESULTS: dict[str, str] = {}


def kept(name: str, file: Path, make: Callable[[], object]) -> None:
    """Write a file as a command does, which is run the first time only."""
    if name not in RESULTS:
        make()
        RESULTS[name] = file.read_text()
    file.write_text(RESULTS[name])


@pytest.mark.parametrize(
    "changed", [["--methods", "sat,norvig2006"], ["--limit", 7], ["--timeout", 9], ["--memory", "1G"], ["--shrink"]]
)
def test_verify_other_questions(run: Command, tmp_path: Path, changed: list[Any]) -> None:
    """Verify does not mix results of different questions."""
    file = tmp_path / "all"
    kept("small", file, lambda: small(run, "-o", file))
    before = file.read_bytes()
    ran_ = small(run, "-o", file, "--resume", *changed)
    assert (ran_.status, ran_.out) == (2, "")
    assert f"{file}:1: this result belongs to another run" in ran_.err
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["all"]


def test_verify_other_puzzles(run: Command, tmp_path: Path) -> None:
    """Verify tells puzzles and expectations apart."""

    def asked(folder: str, puzzle: str, count: int) -> str:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(f"{puzzle}\n")
        known = f'[[known]]\nfile = "a.txt"\nboard = "4x4"\ncount = {count}\nsource = "s"\n'
        (tmp_path / folder / "known.toml").write_text(known)
        ran_ = run("verify", tmp_path / folder, "--methods", "sat,cp-sat", "--json")
        return str(json.loads(ran_.out)["question"])

    puzzle = "1.3..2.........."
    first = asked("one", puzzle, 5)
    assert asked("same", puzzle, 5) == first
    assert len({first, asked("two", puzzle, 6), asked("three", "1.3..4..........", 5)}) == 3


def spoilt(change: Callable[[dict[str, Any]], object]) -> Callable[[str], str]:
    def spoil(line: str) -> str:
        record = json.loads(line)
        change(record)
        return json.dumps(record)

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: "no JSON",
        lambda line: "[" * 100_000,
        lambda line: "{}",
        lambda line: "null",
        lambda line: "",
        lambda line: "\x00" * 9,
        spoilt(lambda record: record.update(status="fine")),
        spoilt(lambda record: record.update(runs=7)),
        spoilt(lambda record: record["runs"][0].pop("family")),
        spoilt(lambda record: record["runs"][0].update(seconds="long")),
        spoilt(lambda record: record.update(faults=[{"method": "sat", "kind": "loses", "text": "", "grid": [1]}])),
        spoilt(lambda record: record.pop("question")),
    ],
)
def test_not_a_result(run: Command, tmp_path: Path, spoil: Callable[[str], str]) -> None:
    """A line that is no result is named."""
    file = tmp_path / "all"
    kept("small", file, lambda: small(run, "-o", file))
    lines = file.read_text().splitlines()
    lines[1] = spoil(lines[1])
    file.write_text("".join(f"{line}\n" for line in lines))
    ran_ = small(run, "-o", file, "--resume")
    assert (ran_.status, len(ran_.err.splitlines())) == (2, 1)
    assert f"{file}:2: not a record of verify" in ran_.err


def test_more_results_than_puzzles(run: Command, tmp_path: Path) -> None:
    """Results of more puzzles than there are are refused."""
    small(run, "-o", tmp_path / "all")
    ran_ = small(run, "-o", tmp_path / "all", "--resume", "--rules", "row-z,box-xy,box-xz,box-yz,row-x,row-y")
    assert ran_.status == 2
    assert "all:2: the file contains more results than the 1 puzzles of this run" in ran_.err


@pytest.mark.parametrize("command", ["verify", "generate"])
def test_nothing_to_resume(run: Command, tmp_path: Path, command: str) -> None:
    """There must be a file to resume."""
    assert "--resume needs a plain file after -o" in run(command, "--board", "4x4", "--resume").err
    ran_ = run(command, "--board", "4x4", "--resume", "-o", tmp_path / "a")
    assert (ran_.status, f"{tmp_path / 'a'}: there is nothing to resume" in ran_.err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "kills"), [([], (0, 5)), (["--json"], (9,)), (["--to", "csv"], (9,))])
def test_generate_killed(run: Command, tmp_path: Path, form: list[str], kills: tuple[int, ...]) -> None:
    """Generate killed again and again ends with the puzzles of its seed."""
    whole, file, part = tmp_path / "whole", tmp_path / "all", tmp_path / "all.part"
    generate = ["generate", "--board", "4x4", "--seed", "5", *form]
    for lines in kills:
        resumed = ["--resume"] if part.exists() else []
        # So many that what is killed late on a busy machine has not ended by then.
        ended([*generate, "--many", "1000000", "-o", str(file), *resumed], part, signal.SIGKILL, lines)
        assert not file.exists()
    many = part.read_bytes().count(b"\n") + 3
    assert run(*generate, "--many", many, "-o", file, "--resume").status == 0
    assert run(*generate, "--many", many, "-o", whole).status == 0
    assert file.read_bytes() == whole.read_bytes()
    assert not part.exists()


@pytest.mark.parametrize("size", [170, *(pytest.param(size, marks=pytest.mark.slow) for size in (1, 500))])
def test_generate_full_disk(run: Command, tmp_path: Path, size: int) -> None:
    """Generate on a full disk goes on when there is room."""
    file, whole = tmp_path / "all", tmp_path / "whole"
    options = ["generate", "--board", "4x4", "--many", 30, "--seed", 2]
    kept("many", whole, lambda: run(*options, "-o", whole))
    with no_room(size):
        full = run(*options, "-o", file)
    assert full.status == 3
    assert "File too large" in full.err
    assert "continue with --resume" in full.err
    assert (tmp_path / "all.part").stat().st_size == size
    assert run(*options, "-o", file, "--resume").status == 0
    assert file.read_bytes() == whole.read_bytes()


def test_readable_and_extended(run: Command, tmp_path: Path) -> None:
    """A file of puzzles can be read and made longer."""
    file = tmp_path / "all"
    for many in (2, 5, 3):
        resumed = ["--resume"] if file.exists() else []
        ran_ = run("generate", "--board", "4x4x4", "--many", many, "-o", file, *resumed)
        assert (ran_.status, ran_.out) == (0, "")
        # The seed is that of the file.
        assert ran_.err == f"seed {file.read_text().split('--seed ')[1].split()[0]}\n"
    assert run("count", file).out == "1\n" * 5
    assert len(set(file.read_text().splitlines())) == 3 + 5


@pytest.mark.slow
def test_missed_puzzle(run: Command, tmp_path: Path) -> None:
    """A puzzle that was missed keeps its place."""
    options = ["generate", "--clues", 23, "--seed", 5, "--attempts", 2]
    whole, file = tmp_path / "whole", tmp_path / "all"
    assert run(*options, "--many", 6, "-o", whole).status == 3
    assert run(*options, "--many", 3, "-o", file).status in (0, 3)
    assert run(*options, "--many", 6, "-o", file, "--resume").status == 3
    assert file.read_bytes() == whole.read_bytes()
    missed = [line for line in file.read_text().splitlines()[1:] if line.startswith("#")]
    assert 0 < len(missed) < 6
    assert all("not reached in 2 attempts" in line for line in missed)
    # The status is that of all of them, not of the last.
    lines = file.read_text().splitlines()[1:]
    number = next(at for at in range(1, 6) if "#" in lines[at - 1] and "#" not in lines[at]) + 1
    assert run(*options, "--many", number, "-o", tmp_path / "some").status == 3
    assert run(*options, "--many", number, "-o", tmp_path / "some", "--resume").status == 3


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (["--seed", 8], ":1: this run begins differently: # sudoku-encode generate"),
        (["--seed", 7, "--symmetry", "point"], ":1: this run begins differently"),
        (["--seed", 7, "--json"], ":1: this is not puzzle 1 of: sudoku-encode generate"),
        (["--seed", 7, "--to", "csv"], ":1: this run begins differently"),
        (["--seed", 7, "--to", "grid"], "--resume needs one puzzle per line, not --to grid"),
        (["--seed", 7, "--to", "json"], "--resume needs one puzzle per line, not --to json"),
        (["--seed", 7, "--to", "opensudoku"], "--resume needs one puzzle per line"),
    ],
)
def test_other_command(run: Command, tmp_path: Path, changed: list[Any], words: str) -> None:
    """Puzzles of another command are refused."""
    file = tmp_path / "all"
    kept("two", file, lambda: run("generate", "--many", 2, "--seed", 7, "-o", file))
    before = file.read_bytes()
    ran_ = run("generate", "--many", 4, *changed, "-o", file, "--resume")
    assert (ran_.status, len(ran_.err.splitlines())) == (2, 1)
    assert words in ran_.err
    assert file.read_bytes() == before


def test_last_puzzle_compared(run: Command, tmp_path: Path) -> None:
    """The last puzzle is made again and compared."""
    file = tmp_path / "all"
    run("generate", "--many", 3, "--seed", 7, "-o", file)
    text = file.read_text()
    file.write_text(text[:-3] + ("." if text[-3] != "." else "1") + text[-2:])
    ran_ = run("generate", "--many", 4, "--seed", 7, "-o", file, "--resume")
    assert ran_.status == 2
    assert f"{file}:4: this run makes a different puzzle here" in ran_.err


@pytest.mark.parametrize(
    "line", ["", "null", "[" * 100_000, '{"puzzle": 2}', '{"puzzle": 2, "command": "", "reached": true}', "\x00"]
)
def test_not_a_puzzle(run: Command, tmp_path: Path, line: str) -> None:
    """A line that is no puzzle is named."""
    file = tmp_path / "all"
    kept("records", file, lambda: run("generate", "--many", 2, "--seed", 7, "--json", "-o", file))
    file.write_text(f"{file.read_text().splitlines()[0]}\n{line}\n")
    ran_ = run("generate", "--many", 4, "--seed", 7, "--json", "-o", file, "--resume")
    assert (ran_.status, len(ran_.err.splitlines())) == (2, 1)
    assert f"{file}:2: this is not puzzle 2 of: sudoku-encode generate" in ran_.err


@pytest.mark.parametrize(
    "form", ["grid", *(pytest.param(form, marks=pytest.mark.slow) for form in ("json", "opensudoku", "sdk"))]
)
def test_other_forms(run: Command, tmp_path: Path, form: str) -> None:
    """Other forms go to a file as to standard output."""
    options = ["generate", "--many", 2, "--seed", 7, "--to", form]
    assert run(*options, "-o", tmp_path / "a").status == 0
    assert (tmp_path / "a").read_text() == run(*options).out


@pytest.mark.slow
def test_generate_ctrl_c(tmp_path: Path) -> None:
    """Ctrl-C in generate says how far it got and how to go on."""
    file, part = tmp_path / "all", tmp_path / "all.part"
    options = ["generate", "--many", "100000", "--seed", "5", "-o", str(file)]
    # Where it is not ended it goes on for longer than `ended` waits.
    status, said = ended(options, part, signal.SIGINT, 9)
    made = part.read_bytes().count(b"\n") - 1
    assert status == 3
    assert f" of 100,000 puzzles are made; {part} keeps what was written; continue with --resume\n" in said
    assert int(said.split("interrupted: ")[1].split()[0]) in (made, made - 1)


def test_interrupt_after_write(tmp_path: Path) -> None:
    """Ctrl-C right after a line was written is no change by another program."""

    def interrupt(frame: FrameType, event: str, _: object) -> "TraceFunction | None":
        if frame.f_code is PartFile.write.__code__ and event == "line" and "written" in frame.f_locals:
            raise KeyboardInterrupt
        return interrupt if event != "call" or frame.f_code is PartFile.write.__code__ else None

    with Journal(tmp_path / "a", False) as journal:
        journal.put("one")
        before = sys.gettrace()
        sys.settrace(interrupt)
        try:
            with pytest.raises(KeyboardInterrupt):
                journal.put("two")
        finally:
            sys.settrace(before)
        assert journal.file.fault == ""
        assert "continue with --resume" in journal.advice()
    assert (tmp_path / "a.part").read_text() == "one\ntwo\n"


# Where the pages of a test go.
FOLDERS = [Path()]
# What was called, in whatever process: a file that each test has of its own.
CALLS = [Path()]


def calls() -> list[str]:
    return CALLS[-1].read_text().split()


def called(name: str) -> None:
    with CALLS[-1].open("a") as file:
        file.write(f"{name}\n")


def _finding(name: str) -> Finding:
    called(name)
    table = side_by_side(("animal", "legs"), ("ant", 6), ("bee", 6.5), ("spider", None))
    series = (Series("a", ("one", "two"), (1.0, None), True), Series("a", ("one",), (3,), False))
    return Finding(name, "Paper.", "Ours.", REPRODUCED, "", table, Plot("bars", "A title", "kinds", "ms", series))


def one(work: Work) -> Finding:
    """Check one."""
    return _finding("one")


def two(work: Work) -> Finding:
    """Check two; the first time the key is pressed, or the process ended, before that is done."""
    if "two" not in calls():
        called("two")
        ENDS[-1]()
        time.sleep(9)
    return _finding("two")


def press_the_key() -> None:
    # What was found before is kept by then: the process that keeps it is another one.
    kept = FOLDERS[-1] / "findings.jsonl.part"
    for _ in range(1_000):
        if kept.exists() and kept.stat().st_size:
            break
        time.sleep(0.01)
    # It is in the file a moment before it is counted.
    time.sleep(0.2)
    os.kill(os.getppid(), signal.SIGINT)


ENDS: list[Callable[[], None]] = [press_the_key]


@pytest.fixture
def insects(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    log = tmp_path_factory.mktemp("calls") / "calls"
    log.touch()
    monkeypatch.setattr(sys.modules[__name__], "CALLS", [log])
    monkeypatch.setattr(reproduce, "paper", lambda key: Paper(key, "Insects", "A. Nt", "Legs.", (one, two)))


@pytest.mark.usefixtures("insects")
@pytest.mark.parametrize(
    ("end", "why"),
    [(press_the_key, "interrupted"), (lambda: os._exit(0), "its process ended with status 0")],
    ids=["Ctrl-C", "os._exit(0)"],
)
def test_broken_finding(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: Callable[[], None], why: str
) -> None:
    """A finding that was broken off is made again and the others are not."""
    folder = tmp_path / "pages"
    monkeypatch.setattr(sys.modules[__name__], "ENDS", [end])
    monkeypatch.setattr(sys.modules[__name__], "FOLDERS", [folder])
    first = run("reproduce", "keck", "-o", folder)
    assert first.status == 3
    assert f"{why}: 1 of 2 claims are checked; " in first.err
    assert "findings.jsonl.part keeps what was written; continue with --resume" in first.err
    assert [path.name for path in folder.iterdir()] == ["findings.jsonl.part"]
    assert run("reproduce", "keck", "-o", folder).status == 2
    assert run("reproduce", "keck", "-o", folder, "--resume").status == 0
    assert calls() == ["one", "two", "two"]
    names = {"README.md", "bars.svg", "findings.jsonl", "index.html", "keck.html", "keck.json", "keck.md", "keck.txt"}
    assert {path.name for path in folder.iterdir()} == names
    # The pages are the same as if they were made in one go, but for the seconds.
    run("reproduce", "keck", "-o", tmp_path / "whole")
    for name in names - {"findings.jsonl", "keck.json"}:
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.usefixtures("insects")
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (spoilt(lambda record: record.update(puzzles=7)), "the finding is for puzzles 7 timeout 5.0 version "),
        (spoilt(lambda record: record.update(version="0")), "version 0: use the same options, or remove the file"),
        (spoilt(lambda record: record.update(version="0\n\x1b" * 999)), "version 0\\n\\x1b0\\n"),
        (spoilt(lambda record: record.update(check="three")), "not a finding of reproduce"),
        (spoilt(lambda record: record.update(seconds=None)), "not a finding of reproduce"),
        (spoilt(lambda record: record["finding"].update(verdict="true")), "not a finding of reproduce"),
        (spoilt(lambda record: record["finding"]["plot"].update(name="../../x")), "not a finding of reproduce"),
        (spoilt(lambda record: record["finding"]["table"].update(rows=[7])), "not a finding of reproduce"),
        (lambda line: "[" * 100_000, "not a finding of reproduce"),
        (lambda line: "", "not a finding of reproduce"),
    ],
)
def test_other_settings(run: Command, tmp_path: Path, spoil: Callable[[str], str], words: str) -> None:
    """Findings of other settings and what is none are refused."""
    called("two")
    file = tmp_path / "findings.jsonl"
    kept("findings", file, lambda: run("reproduce", "keck", "-o", tmp_path))
    lines = file.read_text().splitlines()
    file.write_text(f"{lines[0]}\n{spoil(lines[1])}\n")
    ran_ = run("reproduce", "keck", "-o", tmp_path, "--resume")
    assert (ran_.status, len(ran_.err.splitlines())) == (2, 1)
    assert f"{file}:2: {words}" in ran_.err or (words in ran_.err and f"{file}:2: " in ran_.err)


@pytest.mark.usefixtures("insects")
def test_findings_printed(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is printed where no folder keeps it."""
    monkeypatch.setattr(sys.modules[__name__], "ENDS", [lambda: os._exit(0)])
    broken_off = run("reproduce", "keck", "--to", "json")
    assert broken_off.status == 3
    assert "its process ended with status 0: 1 of 2 claims are checked" in broken_off.err
    page = json.loads(broken_off.out)
    assert (list(page["findings"]), page["claims"]) == (["one"], 2)
    CALLS[-1].write_text("")
    assert "1 of 2 claims: 1 reproduced, 0 differ, 0 cannot be checked." in run("reproduce", "keck").lines
    whole = run("reproduce", "keck")
    assert whole.status == 0
    assert "2 claims: 2 reproduced, 0 differ, 0 cannot be checked." in whole.lines


def test_reproduce_needs_folder(run: Command, tmp_path: Path) -> None:
    """Reproduce needs a folder to resume."""
    assert "--resume needs a folder after -o" in run("reproduce", "keck", "--resume").err
    assert "there is nothing to resume" in run("reproduce", "keck", "-o", tmp_path / "no", "--resume").err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("insects")
def test_no_half_page(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leaves no half page."""

    def full(self: PartFile, text: bytes) -> int:
        if "keck.txt" not in self.path.name:
            return write(self, text)
        write(self, text[:9])
        raise OSError(28, "No space left on device")

    called("two")
    write = PartFile.write
    monkeypatch.setattr(PartFile, "write", full)
    ran_ = run("reproduce", "keck", "-o", tmp_path)
    assert ran_.status == 3
    assert "No space left on device" in ran_.err
    assert "2 of 2 claims are checked; " in ran_.err
    assert [path.name for path in tmp_path.iterdir()] == ["findings.jsonl.part"]


@pytest.mark.slow
def test_reproduce_killed(run: Command, tmp_path: Path) -> None:
    """Reproduce killed again and again makes the pages it makes in one go."""
    folder = tmp_path / "pages"
    part = folder / "findings.jsonl.part"
    for lines in (1, 2):
        resumed = ["--resume"] if part.exists() else []
        ended([*REPRODUCE, "-o", str(folder), *resumed], part, signal.SIGKILL, lines)
    assert run(*REPRODUCE, "-o", folder, "--resume").status == 0
    names = [record["check"] for record in records(folder / "findings.jsonl")]
    assert names == [check.__name__ for check in reproduce.paper("keck").checks]
    assert not [path for path in folder.iterdir() if ".part" in path.name]
