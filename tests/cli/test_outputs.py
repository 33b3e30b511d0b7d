"""What a command reads is never overwritten, what it writes is whole, and a device or a pipe is written as it is."""

import gzip
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_encode.cli.app import load_command
from sudoku_encode.cli.table import COMMANDS
from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.storage.files import writing
from sudoku_encode.storage.journal import Journal
from sudoku_encode.storage.listing import Listing
from sudoku_encode.storage.outputs import descriptor, refuse_inputs
from tests.helpers.command import Command

# A full grid, so that `generate` can cut puzzles out of it; and the map of a board.
GRID, MAP = "1234341221434321\n", "1122112233443344\n"
# Commands that write a file of -o, with what they need besides the puzzle.
FILES = {
    "encode": ["encode"],
    "encode to opb": ["encode", "--to", "opb"],
    "encode to cp-sat": ["encode", "--to", "cp-sat"],
    "convert": ["convert"],
    "enumerate": ["enumerate", "--method", "sat"],
    "enumerate as JSON": ["enumerate", "--method", "sat", "--json"],
    "solve": ["solve", "--method", "sat"],
    "count": ["count", "--method", "sat"],
    "verify": ["verify", "--methods", "sat,exact-cover,jana2021"],
    "generate": ["generate", "--many", "2"],
    "show": ["show", "--to", "text"],
    "explain": ["explain", "--to", "html"],
}
# They write folders.
FOLDERS = {"bench", "prove", "reproduce"}
# They write FILE.part first, so that a run can be resumed.
RESUMABLE = ["enumerate", "enumerate as JSON", "solve", "count", "verify", "generate"]


def everything(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a puzzle, known by other names too; the work is done there."""
    (tmp_path / "puzzle.txt").write_text(GRID)
    (tmp_path / "map.txt").write_text(MAP)
    (tmp_path / "link").symlink_to("puzzle.txt")
    (tmp_path / "second").hardlink_to(tmp_path / "puzzle.txt")
    (tmp_path / "here").symlink_to(".")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(run: Command, home: Path, *arguments: object, stdin: str = "") -> str:
    """Run a command that must be refused in one line and change nothing; return what it says."""
    before = everything(home)
    ran = run(*arguments, stdin=stdin)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err
    assert everything(home) == before
    return ran.err


def test_all_outputs_covered() -> None:
    """Every command with an output is tried here."""
    writing_ = {
        name for name in COMMANDS if any("--output" in parameter.opts for parameter in load_command(name).params)
    }
    assert writing_ == {arguments[0] for arguments in FILES.values()} | FOLDERS


@pytest.mark.parametrize("output", ["puzzle.txt", "./puzzle.txt", "here/puzzle.txt", "link", "second"])
@pytest.mark.parametrize("how", FILES)
def test_puzzle_not_overwritten(run: Command, home: Path, how: str, output: str) -> None:
    """The puzzle is not overwritten whatever it is called."""
    assert "which would be overwritten" in refused(run, home, *FILES[how], "puzzle.txt", "-o", output)


@pytest.mark.parametrize("how", FILES)
def test_alias_not_overwritten(run: Command, home: Path, how: str) -> None:
    """A puzzle that is read by another name is not overwritten."""
    said = refused(run, home, *FILES[how], "link", "-o", home / "puzzle.txt")
    assert (
        said
        == f"sudoku-encode: {home}/puzzle.txt is the input link, which would be overwritten: give -o another name\n"
    )


@pytest.mark.parametrize("how", FILES)
def test_map_not_overwritten(run: Command, home: Path, how: str) -> None:
    """The map of a board is not overwritten."""
    assert "is the input map.txt" in refused(run, home, *FILES[how], "--board", "jigsaw:map.txt", "-o", "./map.txt")


@pytest.fixture
def from_puzzle(home: Path) -> Iterator[None]:
    """Standard input is the puzzle."""
    before = os.dup(0)
    with (home / "puzzle.txt").open("rb") as file:
        os.dup2(file.fileno(), 0)
    yield
    os.dup2(before, 0)
    os.close(before)


@pytest.mark.usefixtures("from_puzzle")
@pytest.mark.parametrize("how", FILES)
def test_stdin_file_not_overwritten(run: Command, home: Path, how: str) -> None:
    """A file that is standard input is not overwritten."""
    said = refused(run, home, *FILES[how], "-", "-o", "puzzle.txt", stdin=GRID)
    assert "puzzle.txt is standard input, which would be overwritten" in said


@pytest.mark.parametrize("resume", [[], ["--resume"]])
@pytest.mark.parametrize("how", RESUMABLE)
def test_unfinished_name_not_overwritten(run: Command, home: Path, how: str, resume: list[str]) -> None:
    """A puzzle of the name that an unfinished file has is not overwritten."""
    (home / "new.part").write_text(GRID.strip())
    said = refused(run, home, *FILES[how], "new.part", "-o", "new", *resume)
    assert "new.part is the input, which would be overwritten" in said


@pytest.mark.parametrize("how", [how for how in FILES if how not in RESUMABLE])
def test_unfinished_name_harmless(run: Command, home: Path, how: str) -> None:
    """A puzzle of such a name does not matter to the others."""
    (home / "new.part").write_text(GRID)
    assert run(*FILES[how], "new.part", "-o", "new").status == 0
    assert (home / "new").stat().st_size > 0
    assert (home / "new.part").read_text() == GRID


@pytest.mark.parametrize("output", ["all/known.toml", "all/a.txt", "all/below/b.txt", "b"])
def test_verify_keeps_folders(run: Command, home: Path, output: str) -> None:
    """Verify overwrites nothing of its folders."""
    (home / "all" / "below").mkdir(parents=True)
    (home / "all" / "a.txt").write_text(GRID)
    (home / "all" / "below" / "b.txt").write_text(GRID)
    (home / "b").symlink_to("all/below/b.txt")
    entry = '[[known]]\nfile = "{}"\nboard = "4x4"\ncount = 1\nsource = "s"\n'
    (home / "all" / "known.toml").write_text(entry.format("a.txt") + entry.format("below/b.txt"))
    for puzzles in (["all"], ["puzzle.txt", "all/a.txt", "all/below/b.txt"], ["all/below", "all/a.txt"]):
        assert "which would be overwritten" in refused(run, home, *FILES["verify"], *puzzles, "-o", output)
    (home / "all" / "known.toml").unlink()
    if output != "all/known.toml":
        assert "which would be overwritten" in refused(run, home, *FILES["verify"], "all", "-o", output)


def test_results_into_folder(run: Command, home: Path) -> None:
    """Results of a folder may go into it where it says what is read."""
    (home / "known.toml").write_text('[[known]]\nfile = "puzzle.txt"\nboard = "4x4"\ncount = 1\nsource = "s"\n')
    for resume in ([], ["--resume"]):
        assert run(*FILES["verify"], ".", "-o", "results", *resume).status == 0


@pytest.mark.parametrize("name", ["1.cnf", "2.cnf"])
def test_model_keeps_input(run: Command, home: Path, name: str) -> None:
    """A model of many does not replace what is read."""
    (home / "folder" / name).hardlink_to(home / "puzzle.txt")
    said = refused(run, home, "encode", "puzzle.txt", "puzzle.txt", "-o", "folder/")
    assert f"folder/{name} is the input puzzle.txt" in said
    assert run("encode", "puzzle.txt", "-o", "folder/", "--to", "opb").status == 0


@pytest.mark.parametrize(
    "how", [how for how in FILES if how.split()[0] not in ("encode", "generate", "show", "explain")]
)
def test_folder_for_file(run: Command, home: Path, how: str) -> None:
    """A folder is refused where a file is needed."""
    assert "folder" in refused(run, home, *FILES[how], "puzzle.txt", "-o", "folder")


@pytest.mark.parametrize("output", ["puzzle.txt", "map.txt", "map.txt/below"])
@pytest.mark.parametrize("arguments", [["encode", "puzzle.txt"], ["reproduce", "keck"]])
def test_file_for_folder(run: Command, home: Path, arguments: list[str], output: str) -> None:
    """A file is refused where a folder is needed."""
    said = refused(run, home, *arguments, "-o", f"{output}/")
    assert "cannot create the folder" in said


def test_reproduce_keeps_puzzles(run: Command, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reproduce writes nothing among the puzzles that it reads."""
    monkeypatch.setattr("sudoku_encode.reproduce.puzzles.instances", lambda: home)
    for output in (".", "folder", "folder/new", home / "here" / "folder"):
        for resume in ([], ["--resume"]):
            said = refused(run, home, "reproduce", "keck", "-o", output, *resume)
            assert "the folder of the input puzzles: give -o another folder" in said


def test_reproduce_keeps_readme(run: Command, home: Path) -> None:
    """Reproduce does not replace a readme of another program."""
    (home / "folder" / "README.md").write_text("My thesis\n")
    said = refused(run, home, "reproduce", "keck", "-o", "folder")
    assert "folder/README.md exists and is not from `reproduce`" in said


def test_plain_files_only(home: Path) -> None:
    """Only what is a plain file can be overwritten."""
    os.mkfifo("fifo")
    # A terminal may be both, or a pipe; a puzzle is no name; and what is not there is not lost.
    refuse_inputs(["-", "/dev/null", "fifo", GRID, "1" * 5000, "\0", "new", ""], "/dev/null", "fifo", "new", "-")
    with pytest.raises(SudokuError, match=r"link is the input puzzle\.txt"):
        refuse_inputs(["nothing", "puzzle.txt"], "new", "link")


def read_in_background(path: Path) -> Callable[[], bytes]:
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()), daemon=True)
    reader.start()

    def text() -> bytes:
        reader.join(60)
        return got[0]

    return text


@pytest.mark.parametrize("how", FILES)
def test_pipe_and_device(run: Command, home: Path, how: str) -> None:
    """A pipe and a device are written as they are."""
    os.mkfifo("fifo")
    read = read_in_background(home / "fifo")
    ran = run(*FILES[how], "puzzle.txt", "-o", "fifo")
    assert ran.status == 0, ran.err
    assert read()
    assert stat.S_ISFIFO(Path("fifo").stat().st_mode)
    assert run(*FILES[how], "puzzle.txt", "-o", "/dev/null").status == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert {path.name for path in home.iterdir()} == {
        "puzzle.txt",
        "map.txt",
        "link",
        "second",
        "here",
        "folder",
        "fifo",
    }


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="open files have no names here")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "outputs"),
    [("convert", ("/dev/fd/1", "stdout")), ("enumerate", ("/dev/fd/1",)), ("generate", ("/dev/fd/1",))],
)
def test_open_file_target(home: Path, how: str, outputs: tuple[str, ...]) -> None:
    """What is open already is written where it is open."""
    # A link of ours is as good as /dev/stdout, and nothing of the system's is lost should this fail.
    (home / "stdout").symlink_to("/dev/fd/1")
    for output in outputs:
        (home / "log").write_text("before\n")
        with (home / "log").open("ab") as log:
            command = [sys.executable, "-m", "sudoku_encode", *FILES[how], "puzzle.txt", "-o", output]
            subprocess.run(command, stdout=log, stderr=subprocess.DEVNULL, check=True)
        first, *more = (home / "log").read_text().splitlines()
        assert first == "before"
        assert "".join(more)
        assert (home / "stdout").is_symlink()


def test_open_file_names(home: Path) -> None:
    """Names of open files are known."""
    (home / "out").symlink_to("/dev/stdout")
    (home / "round").symlink_to("round")
    assert [descriptor(Path(name)) for name in ("/dev/stdout", "/dev/fd/7", "/proc/self/fd/0", "out")] == [1, 7, 0, 1]
    for name in ("/dev/null", "/dev/fd", "puzzle.txt", "link", "round", "none", "/dev/fd/x", "a\0"):
        assert descriptor(Path(name)) is None


@pytest.mark.parametrize("suffix", ["pbtxt", "pb"])
def test_compressed_cp_sat_model(run: Command, home: Path, suffix: str) -> None:
    """A compressed CP-SAT model unpacks to the plain one."""
    for name in (f"model.{suffix}", f"model.{suffix}.gz"):
        assert run("encode", "puzzle.txt", "-o", name).status == 0
    plain = (home / f"model.{suffix}").read_bytes()
    assert gzip.decompress((home / f"model.{suffix}.gz").read_bytes()) == plain
    assert (b"variables {" in plain) == (suffix != "pb")


def remove(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    text = path.read_bytes()
    path.unlink()
    path.write_bytes(text)


def shorten(path: Path) -> None:
    os.truncate(path, 3)


def lengthen(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more\n")


SPOILT = pytest.mark.parametrize(
    ("spoil", "word"), [(remove, "removed"), (replace, "replaced"), (shorten, "changed"), (lengthen, "changed")]
)


@SPOILT
def test_changed_while_written(tmp_path: Path, spoil: Callable[[Path], None], word: str) -> None:
    """What others do to a file that is written is noticed."""
    for kind in (Listing, Journal):
        path = tmp_path / kind.__name__
        part = path.with_name(f"{path.name}.part")

        def written_on(kind: Any = kind, path: Path = path, part: Path = part) -> None:
            with kind(path, False) as file:
                file.put(b"first line\n" if kind is Listing else "first line")
                spoil(part)
                file.put(b"second line\n" if kind is Listing else "second line")

        with pytest.raises(StoppedError, match=f"{word} by another program"):
            written_on()
        assert not path.exists()
        # No hole, and nothing behind what is missing.
        assert not part.exists() or b"second" not in part.read_bytes()


@SPOILT
def test_changed_before_rename(tmp_path: Path, spoil: Callable[[Path], None], word: str) -> None:
    """What others do to a file before it gets its name is noticed."""

    def finished() -> None:
        with Journal(tmp_path / "a", False) as journal:
            journal.put("first line")
            spoil(tmp_path / "a.part")
            assert "a.part was changed by another program: remove it and start again" in journal.advice()
            journal.finish()

    def listed() -> None:
        with Listing(tmp_path / "b", False) as listing:
            listing.put(b"first line\n")
            spoil(tmp_path / "b.part")

    def written() -> None:
        with writing(str(tmp_path / "c")) as write:
            # More than is kept back.
            write(b"first line\n" * 50_000)
            [part] = tmp_path.glob(".c.*.part")
            spoil(part)
            write(b"second line\n")

    for run in (finished, listed, written):
        with pytest.raises(StoppedError, match=f"{word} by another program"):
            run()
    assert {path.name for path in tmp_path.iterdir()} <= {"a.part", "b.part"}


@pytest.mark.parametrize("spoil", [remove, shorten])
@pytest.mark.parametrize("how", RESUMABLE)
def test_spoilt_file_reported(
    run: Command, home: Path, monkeypatch: pytest.MonkeyPatch, how: str, spoil: Callable[[Path], None]
) -> None:
    """A command whose file is spoilt says so and never that it is complete."""
    kind: Any = Listing if how.startswith("enumerate") else Journal

    def put_and_spoil(self: Any, text: Any) -> None:
        put(self, text)
        if (home / "new.part").exists():
            spoil(home / "new.part")

    name = "put" if kind is Listing else "write"
    put = getattr(kind, name)
    monkeypatch.setattr(kind, name, put_and_spoil)
    ran = run(*FILES[how], "puzzle.txt", "-o", "new")
    assert ran.status == 3
    assert "by another program while it was written" in ran.err
    assert "complete" not in ran.err
    assert not (home / "new").exists()


def test_cut_while_compared(tmp_path: Path) -> None:
    """A file that is cut while it is compared is not written on."""
    (tmp_path / "a.part").write_bytes(b"1\n2\n3\n4\n")

    def go_on() -> None:
        with Listing(tmp_path / "a", True) as listing:
            listing.put(b"1\n")
            os.truncate(tmp_path / "a.part", 4)
            listing.put(b"2\n3\n4\n5\n")

    with pytest.raises(StoppedError, match="changed by another program"):
        go_on()
    assert (tmp_path / "a.part").read_bytes() == b"1\n2\n"


def test_resume_with_fewer(run: Command, home: Path) -> None:
    """Resuming with fewer puzzles is told that there is more."""
    (home / "two").write_text(f"{GRID}{GRID}")
    command = ["enumerate", "--method", "sat"]
    assert run(*command, "two", "-o", "all").status == 0
    before = everything(home)
    ran = run(*command, "puzzle.txt", "-o", "all", "--resume")
    assert ran.status == 2
    assert "all contains more than this run lists; are the puzzles and all options the same?" in ran.err
    assert everything(home) == before


def test_resume_other_method(run: Command, home: Path) -> None:
    """Resuming with another method names the file and what may differ."""
    assert run("enumerate", "--board", "4x4", "--method", "sat", "-o", "all").status == 0
    said = refused(run, home, "enumerate", "--board", "4x4", "--method", "exact-cover", "-o", "all", "--resume")
    words = "this run lists a different solution here; are the puzzle, the method and all options the same?"
    assert re.search(rf" all:\d+: {re.escape(words)}\n", said)
    assert ".part" not in said
