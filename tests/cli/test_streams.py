"""A pipe that nobody reads, closed standard streams, what the system refuses: at most one line, and a true status."""

import errno
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import sudoku_encode as se
from sudoku_encode.errors import InternalError, StoppedError
from tests.helpers.command import Command
from tests.helpers.full_disk import no_room

PROGRAM = [sys.executable, "-m", "sudoku_encode"]
GRID = "1234341221434321"
BROKEN_PIPE = 141
# Every command prints something; with --json where it has that.
PRINTING = [
    ["encode", GRID],
    ["encode", GRID, "--to", "opb"],
    ["encode", GRID, "-o", "/dev/fd/1"],
    ["decode", "a.cnf", "model"],
    ["decode", "a.cnf", "model", "--json"],
    ["solve", GRID, "--method", "sat"],
    ["solve", GRID, "--method", "sat", "--json"],
    ["solve", "many.sdm"],
    ["enumerate", "--board", "4x4", "--method", "sat"],
    ["enumerate", "--board", "4x4", "--method", "sat", "--json"],
    ["enumerate", "--board", "4x4", "--method", "sat", "--timeout", "60"],
    ["enumerate", "--board", "4x4", "--method", "sat", "-o", "/dev/fd/1"],
    ["count", GRID, "--method", "sat"],
    ["count", GRID, "--method", "sat", "--json"],
    ["count", "many.sdm", "--limit", "2"],
    ["candidates", GRID, "--method", "sat"],
    ["candidates", GRID, "--method", "sat", "--json"],
    ["check", GRID],
    ["check", GRID, "--json"],
    ["check", "many.sdm"],
    ["sample", GRID, "-n", "3"],
    ["sample", GRID, "--json"],
    ["bench", GRID, "--methods", "sat"],
    ["verify", GRID, "--methods", "sat,exact-cover"],
    ["verify", GRID, "--methods", "sat,exact-cover", "--json"],
    ["verify", GRID, "--methods", "sat,exact-cover", "-o", "results"],
    ["generate", "--board", "4x4"],
    ["generate", "--board", "4x4", "--json"],
    ["generate", "--board", "4x4", "-o", "/dev/fd/1"],
    ["show", GRID],
    ["info", GRID],
    ["info", GRID, "--json"],
    ["explain", "--board", "4x4", "--method", "norvig2006"],
    ["hint", GRID],
    ["hint", GRID, "--all", "--json"],
    ["hint", "many.sdm", "--all"],
    ["hint", "--techniques"],
    ["rate", GRID],
    ["rate", GRID, "--json"],
    ["rate", "many.sdm", "--figure", "backdoor", "--sort", "backdoor"],
    ["methods"],
    ["methods", "--json"],
    ["convert", GRID],
    ["convert", GRID, "--to", "json"],
    ["convert", GRID, "-o", "/dev/fd/1"],
    ["--help"],
    ["count", "--help"],
    ["--version"],
]


@pytest.fixture(scope="module")
def cnf(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The CNF of the empty 4x4, as it is."""
    path = tmp_path_factory.mktemp("cnf") / "a.cnf"
    se.encode("." * 16, reduction="none", board="4x4").save(path)
    return path.read_bytes()


@pytest.fixture
def home(cnf: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a CNF, a model of it and a batch of puzzles; the work is done there."""
    monkeypatch.chdir(tmp_path)
    Path("a.cnf").write_bytes(cnf)
    Path("model").write_text("v " + " ".join(str(cell * 4 + int(value)) for cell, value in enumerate(GRID)) + " 0\n")
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    Path("many.sdm").write_text(f"{puzzle}\n" * 9)
    return tmp_path


@contextmanager
def unread() -> Iterator[None]:
    """Standard output is a pipe that nobody reads; what is printed is kept back, as Python does with a pipe."""
    ours, theirs = os.pipe()
    os.close(ours)
    before = os.dup(1)
    os.dup2(theirs, 1)
    os.close(theirs)
    with pytest.MonkeyPatch.context() as patch, open(1, "w", encoding="utf-8", closefd=False) as stdout:
        patch.setattr(sys, "stdout", stdout)
        yield
    os.dup2(before, 1)
    os.close(before)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_closed_reader_is_quiet(run: Command, arguments: list[str]) -> None:
    """A command whose reader is gone ends quietly."""
    with unread():
        ran = run(*arguments)
    assert ran.status == BROKEN_PIPE
    # Remarks are no complaints; they come before the first line is printed, or not at all.
    assert "sudoku-encode:" not in ran.err
    assert "rror" not in ran.err


def test_file_kept_without_reader(run: Command, home: Path) -> None:
    """What a file keeps is still there when the reader is gone."""
    with unread():
        assert run("verify", GRID, "--methods", "sat,exact-cover", "-o", "results").status == BROKEN_PIPE
        assert (home / "results.part").read_text().count("\n") == 1
        assert run("enumerate", "--board", "4x4", "--method", "sat", "-o", "all").status == 0


def test_all_printing_commands_covered() -> None:
    """Every command that prints is tried here."""
    from sudoku_encode.cli.table import COMMANDS

    # These two take long; they print as the others do.
    assert {arguments[0] for arguments in PRINTING if arguments[0][0] != "-"} == set(COMMANDS) - {"prove", "reproduce"}


@pytest.mark.slow
@pytest.mark.parametrize("json", [[], ["--json"]])
def test_signal_status(json: list[str]) -> None:
    """A reader that has enough ends the program with the status of a signal."""
    command = [*PROGRAM, "enumerate", "--board", "9x9", "--method", "sat", "--limit", "20000", *json]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (BROKEN_PIPE, b"")


def test_signal_status_of_remark(home: Path) -> None:
    """A remark that nobody reads ends the program so too."""
    ours, theirs = os.pipe()
    os.close(ours)
    ran = subprocess.run([*PROGRAM, "encode", GRID, "-o", "b.cnf"], stderr=theirs, check=False)
    os.close(theirs)
    assert ran.returncode == BROKEN_PIPE


def shell(words: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program with what a shell does to its standard streams."""
    command = ["sh", "-c", f'exec "$@" {words}', "sh", *PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("closed", "limits"), [("2>&-", []), ("<&-", []), ("2>&- <&-", []), ("2>&- <&-", ["--timeout", "60"])]
)
def test_closed_streams(closed: str, limits: list[str]) -> None:
    """Streams that are not needed may be closed."""
    ran = shell(closed, "count", "--board", "4x4", "--method", "sat", *limits)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "288\n", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["enumerate", "--board", "4x4", "--method", "sat"],
        ["enumerate", "--board", "4x4", "--method", "sat", "--timeout", "60"],
        ["encode", GRID],
        ["convert", GRID],
        ["generate", "--board", "4x4", "--seed", "1"],
        ["verify", "--board", "4x4", "--methods", "sat,norvig2006"],
    ],
    ids=" ".join,
)
def test_files_with_closed_streams(run: Command, home: Path, arguments: list[str]) -> None:
    """A file gets what is meant for it and nothing else when all streams are closed."""
    # The first file that a program opens has the number of a stream that is closed.
    assert run(*arguments, "-o", "open").status == 0
    ran = shell(">&- 2>&- <&-", *arguments, "-o", "closed")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    written, expected = Path("closed").read_text(), Path("open").read_text()
    if arguments[0] == "verify":
        # No two runs take as long.
        written, expected = (
            re.sub(r'"(seconds|solver_seconds|memory)": [0-9.e-]+', "", text) for text in (written, expected)
        )
    assert written == expected
    assert not Path("closed.part").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["count", GRID, "--method", "sat"], marks=pytest.mark.slow),
        pytest.param(["encode", GRID], marks=pytest.mark.slow),
        ["convert", GRID],
        pytest.param(["solve", GRID, "--method", "sat"], marks=pytest.mark.slow),
        ["--help"],
    ],
    ids=" ".join,
)
def test_unprintable_answer(arguments: list[str]) -> None:
    """An answer that cannot be printed is no answer."""
    ran = shell(">&-", *arguments)
    assert ran.returncode == 3
    assert ran.stderr == "sudoku-encode: stopped: standard output is closed\n"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["count", "-"], marks=pytest.mark.slow),
        ["decode", "a.cnf", "-"],
        pytest.param(["decode", "a.cnf"], marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_unreadable_input(home: Path, arguments: list[str]) -> None:
    """Input that cannot be read is bad input."""
    ran = shell("<&-", *arguments)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "stdin: " in ran.stderr
    assert "cannot be read: Bad file descriptor" in ran.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["count", GRID, "--method", "sat"], marks=pytest.mark.slow),
        ["convert", GRID],
        pytest.param(["methods"], marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_full_disk_on_stdout(tmp_path: Path, arguments: list[str]) -> None:
    """A full disk behind standard output is said."""
    with (tmp_path / "out").open("wb") as out:
        ran = subprocess.run(
            [*PROGRAM, *arguments],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
        )
    assert ran.returncode == 3
    assert ran.stderr == "sudoku-encode: stopped: no space left to write: File too large\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", GRID, "-o", "new"],
        ["encode", GRID, "-o", "new.cnf.gz"],
        ["enumerate", GRID, "--method", "sat", "-o", "new"],
    ],
    ids=" ".join,
)
def test_full_disk_on_output(run: Command, home: Path, arguments: list[str]) -> None:
    """A full disk behind an output is said."""
    before = set(home.iterdir())
    with no_room():
        ran = run(*arguments)
    assert ran.status == 3
    assert "stopped: File too large (new" in ran.err
    assert "--resume" not in ran.err
    assert set(home.iterdir()) == before


def raises(error: BaseException) -> Callable[..., None]:
    def work(*arguments: object, **more: object) -> None:
        raise error

    return work


def chained(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (
            OSError(errno.EMFILE, "Too many open files"),
            3,
            "stopped: a limit of the system was reached: Too many open files",
        ),
        (
            OSError(errno.EAGAIN, "No more processes"),
            3,
            "stopped: a limit of the system was reached: No more processes",
        ),
        (OSError(errno.ENOSPC, "No space"), 3, "stopped: no space left to write: No space"),
        (OSError(errno.EBADF, "Bad"), 70, "internal error, please report it: OSError: [Errno 9] Bad"),
        (OSError(errno.ENOENT, "gone"), 70, "internal error, please report it: FileNotFoundError: [Errno 2] gone"),
        (
            OSError(errno.ENOENT, "No usable temporary directory found in []"),
            3,
            "stopped: No usable temporary directory",
        ),
        (MemoryError(), 3, "stopped: not enough memory"),
        (ImportError("x.so: failed to map segment from shared object"), 3, "stopped: not enough memory"),
        (chained(OSError("not found"), OSError("x: cannot allocate memory")), 3, "stopped: not enough memory"),
        (chained(InternalError("a wrong grid"), MemoryError()), 70, "internal error, please report it: a wrong grid"),
        (StoppedError("enough"), 3, "stopped: enough"),
        (EOFError("a pipe"), 70, "internal error, please report it: EOFError: a pipe"),
        (SystemExit(0), 70, "internal error, please report it: SystemExit: 0"),
        (
            ValueError("boom\n\x1b[31mred\u202e"),
            70,
            "internal error, please report it: ValueError: boom \\x1b[31mred\\u202e",
        ),
    ],
    ids=repr,
)
def test_ending_in_one_line(
    run: Command, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, said: str
) -> None:
    """What ends a command is said on one line."""
    monkeypatch.setattr("sudoku_encode.formats.writing.write_all", raises(error))
    ran = run("convert", GRID, "-o", "-")
    assert (ran.status, ran.out, ran.err.count("\n")) == (status, "", 1)
    assert ran.err.startswith(f"sudoku-encode: {said}")
    assert ran.err.removesuffix("\n").isprintable()


def test_remark_in_one_line(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A remark is one line whatever a library says."""
    monkeypatch.setattr("sudoku_encode.methods.calls.count", raises(StoppedError("two\nlines and \x1b[2J")))
    ran = run("count", GRID, "--method", "sat")
    assert ran.status == 3
    assert ran.err == "not known; stopped: two\\nlines and \\x1b[2J\n"
