"""A file of solutions survives limits, SIGKILL at any moment and a full disk; resumed, it has each solution once."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.storage.listing import Listing
from tests.helpers.command import Command
from tests.helpers.full_disk import no_room
from tests.helpers.known_puzzles import INSTANCES

FIG_4_9 = INSTANCES / "papers" / "gtsps-fig-4.9.sdk"
MANY = "000000000000000012003045000000003000060000000120000000000200006007000400000807000"
# The same with a given more: long enough to list to be killed twice while that is done.
FEWER = f"{MANY[:-1]}3"
N_FEWER = 231_869
KILLS = 2


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


@pytest.fixture
def imported(run: Command) -> None:
    """Have all imported that a command needs: Python keeps what it compiles in files, which must have room."""
    run("enumerate", "--board", "4x4", "--limit", 1)
    run("enumerate", "--board", "4x4", "--limit", 1, "--method", "search")


def test_stopped_and_resumed(run: Command, tmp_path: Path) -> None:
    """A stopped run says so and goes on."""
    file = tmp_path / "all.txt"
    for limit in (2, 50, 126):
        ran = run("enumerate", FIG_4_9, "-o", file, "--limit", limit, *(["--resume"] if file.exists() else []))
        assert ran.status == 3
        assert lines(file)[-1] == f"# at least {limit} solutions; stopped: limit of {limit}"
        assert len(set(lines(file)[:-1])) == limit
    assert run("enumerate", FIG_4_9, "-o", file, "--resume").status == 0
    assert lines(file)[-1] == "# 127 solutions, complete"
    assert len(set(lines(file))) == 128
    # It is complete, and stays what it is.
    before = file.read_bytes()
    assert run("enumerate", FIG_4_9, "-o", file, "--resume").status == 0
    assert file.read_bytes() == before


def test_resumed_with_less(run: Command, tmp_path: Path) -> None:
    """Resuming with less loses nothing."""
    file = tmp_path / "all.txt"
    run("enumerate", FIG_4_9, "-o", file)
    ran = run("enumerate", FIG_4_9, "-o", file, "--limit", "5", "--resume")
    assert ran.status == 3
    assert f"{file} keeps what was written" in ran.err
    assert len(set(lines(file))) == 128
    assert run("enumerate", FIG_4_9, "-o", file, "--resume").status == 0
    assert len(set(lines(file))) == 128


def test_batches(run: Command, tmp_path: Path) -> None:
    """Batches of puzzles go on too."""
    batch, whole, parts = tmp_path / "batch.txt", tmp_path / "whole.txt", tmp_path / "parts.txt"
    # Of 3, 9, 13, 91, 102 and 113 solutions: two that the limit stops.
    several = lines(INSTANCES / "known-counts" / "tdoku-several.txt")
    batch.write_text("".join(f"{line}\n" for line in several[2:8]))
    assert run("enumerate", batch, "-o", whole).status == 0
    assert run("enumerate", batch, "-o", parts, "--limit", "100").status == 3
    assert run("enumerate", batch, "-o", parts, "--resume").status == 0
    assert parts.read_bytes() == whole.read_bytes()


@pytest.mark.slow
def test_killed_at_random(run: Command, tmp_path: Path) -> None:
    """A run killed at random moments ends with every solution once."""
    file, part = tmp_path / "all.txt", tmp_path / "all.txt.part"
    command = [sys.executable, "-m", "sudoku_encode", "enumerate", FEWER, "-o", str(file), "--method", "search"]
    moments, sizes = random.Random(0), []
    for _ in range(KILLS):
        resumed = [*command, *(["--resume"] if part.exists() else [])]
        with subprocess.Popen(resumed, stderr=subprocess.DEVNULL) as process:
            size = part.stat().st_size if part.exists() else 0
            # Until it writes something new, and then a little.
            while process.poll() is None and (not part.exists() or part.stat().st_size <= size):
                time.sleep(0.001)
            time.sleep(moments.uniform(0, 0.05))
            process.kill()
        if file.exists():
            break
        sizes.append(part.stat().st_size)
    assert sizes == sorted(sizes)
    if not file.exists():
        assert run("enumerate", FEWER, "-o", file, "--method", "search", "--resume").status == 0
    found = lines(file)
    assert found[-1] == f"# {N_FEWER} solutions, complete"
    assert len(found) == len(set(found)) == N_FEWER + 1
    assert {len(line) for line in found[:-1]} == {81}
    assert not part.exists()


@pytest.mark.usefixtures("imported")
def test_no_room_for_last_comment(run: Command, tmp_path: Path) -> None:
    """A file with room for the solutions but not for the last comment is not called complete."""
    command = ["enumerate", FIG_4_9, "-o", tmp_path / "all.txt"]
    with no_room(127 * 82 + 3):
        ended = run(*command)
    assert ended.status == 3
    assert "File too large" in ended.err
    assert not (tmp_path / "all.txt").exists()
    assert run(*command, "--resume").status == 0
    assert lines(tmp_path / "all.txt")[-1] == "# 127 solutions, complete"


def test_bad_input(run: Command, tmp_path: Path) -> None:
    """Bad input leaves no file behind."""
    assert run("enumerate", "no puzzle", "-o", tmp_path / "all.txt").status == 2
    assert run("enumerate", FIG_4_9, "--method", "ganak", "-o", tmp_path / "all.txt").status == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize("size", [1, 82, 1_000_001])
def test_file_size_limit(size: int, run: Command, tmp_path: Path) -> None:
    """A file that may not grow keeps what it has and goes on when it may."""
    file = tmp_path / "all.txt"
    command = ["enumerate", MANY, "-o", file, "--method", "search"]
    with no_room(size):
        ended = run(*command)
    assert ended.status == 3
    assert "File too large" in ended.err
    assert "continue with --resume" in ended.err
    assert (tmp_path / "all.txt.part").stat().st_size == size
    assert not file.exists()
    assert run(*command, "--resume", "--limit", "20000").status == 3
    assert len(set(lines(file))) == 20_001


def test_foreign_file_kept(run: Command, tmp_path: Path) -> None:
    """What another run left is not overwritten."""
    (tmp_path / "all.txt.part").write_text("something\n")
    ran = run("enumerate", FIG_4_9, "-o", tmp_path / "all.txt")
    assert ran.status == 2
    assert "continue with --resume, or remove it" in ran.err
    assert (tmp_path / "all.txt.part").read_text() == "something\n"


@pytest.mark.parametrize("change", [0, 100, 81, -2])
def test_changed_line(change: int, run: Command, tmp_path: Path) -> None:
    """A changed line is found and named."""
    file = tmp_path / "all.txt"
    run("enumerate", FIG_4_9, "-o", file, "--limit", "20")
    text = bytearray("".join(f"{line}\n" for line in lines(file)[:-1]).encode())
    text[change] ^= 1
    (tmp_path / "all.txt.part").write_bytes(bytes(text))
    file.unlink()
    ran = run("enumerate", FIG_4_9, "-o", file, "--resume")
    assert ran.status == 2
    line = bytes(text)[: change % len(text)].count(b"\n") + 1
    assert f"all.txt.part:{line}: this run lists a different solution here" in ran.err
    assert (tmp_path / "all.txt.part").read_bytes() == bytes(text)


def test_half_line_cut(run: Command, tmp_path: Path) -> None:
    """Half a line is cut off."""
    file = tmp_path / "all.txt"
    run("enumerate", FIG_4_9, "-o", file, "--limit", "20")
    text = "".join(f"{line}\n" for line in lines(file)[:-1])
    file.unlink()
    (tmp_path / "all.txt.part").write_text(text[:-40])
    assert run("enumerate", FIG_4_9, "-o", file, "--resume").status == 0
    assert len(set(lines(file))) == 128


def test_one_writer(run: Command, tmp_path: Path) -> None:
    """There must be something to resume and only one may write."""
    assert "nothing to resume" in run("enumerate", FIG_4_9, "-o", tmp_path / "no.txt", "--resume").err
    assert "--resume needs a plain file" in run("enumerate", FIG_4_9, "--resume").err
    assert "--resume needs a plain file" in run("enumerate", FIG_4_9, "-o", tmp_path / "a.gz", "--resume").err
    with Listing(tmp_path / "all.txt", False) as first:
        first.put(b"1\n")
        with pytest.raises(SudokuError, match="another run writes to it"):
            Listing(tmp_path / "all.txt", True)
    assert (tmp_path / "all.txt").read_bytes() == b"1\n"


@pytest.mark.slow
def test_ctrl_c(tmp_path: Path) -> None:
    """Ctrl-C leaves a file that can be resumed."""
    file = tmp_path / "all.txt"
    command = [
        sys.executable,
        "-m",
        "sudoku_encode",
        "enumerate",
        "--board",
        "9x9",
        "--method",
        "search",
        "-o",
        str(file),
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        part = tmp_path / "all.txt.part"
        while not part.exists() or part.stat().st_size < 1_000_000:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 3
    assert "stopped: interrupted" in said
    found = lines(file)
    assert found[-1] == f"# at least {len(found) - 1} solutions; stopped: interrupted"
    assert len(set(found)) == len(found)


def test_full_disk(tmp_path: Path) -> None:
    """A disk that is full stops the listing."""
    with (
        pytest.raises(StoppedError, match="File too large"),
        no_room(),
        Listing(tmp_path / "all.txt", False) as listing,
    ):
        listing.put(b"1\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", [b"abc", b"a line\nhalf a line", b"", b"a line\n# at least 1\n"])
def test_wrong_file_kept(run: Command, tmp_path: Path, text: bytes) -> None:
    """A wrong file that is resumed stays as it was."""
    file = tmp_path / "thesis.txt"
    file.write_bytes(text)
    assert run("enumerate", "--board", "4x4", "--rules", "nosuch", "-o", file, "--resume").status == 2
    assert file.read_bytes() == text
    if b"\n" in text:
        ran = run("enumerate", "--board", "4x4", "-o", file, "--resume")
        assert ran.status == 2
        assert "this run lists a different solution here" in ran.err
        assert file.read_bytes() == text


def test_name_too_long(run: Command, tmp_path: Path) -> None:
    """A name that is too long is bad input."""
    for length in (252, 300):
        for resume in ([], ["--resume"]):
            ran = run("enumerate", "--board", "4x4", "-o", tmp_path / ("a" * length), *resume)
            assert ran.status == 2, ran.err
