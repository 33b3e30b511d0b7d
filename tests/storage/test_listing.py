"""A file of solutions survives limits, SIGKILL at any moment and a full disk; resumed, it has each solution once."""

import random
import resource
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
# The same with a given more: long enough to list to be killed three times while that is done.
FEWER = f"{MANY[:-1]}3"
N_FEWER = 231_869
KILLS = 3


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_a_stopped_run_says_so_and_goes_on(run: Command, tmp_path: Path) -> None:
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


def test_resuming_with_less_loses_nothing(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "all.txt"
    run("enumerate", FIG_4_9, "-o", file)
    ran = run("enumerate", FIG_4_9, "-o", file, "--limit", "5", "--resume")
    assert ran.status == 3
    assert f"{file} keeps what was written" in ran.err
    assert len(set(lines(file))) == 128
    assert run("enumerate", FIG_4_9, "-o", file, "--resume").status == 0
    assert len(set(lines(file))) == 128


def test_batches_of_puzzles_go_on_too(run: Command, tmp_path: Path) -> None:
    batch = INSTANCES / "known-counts" / "tdoku-several.txt"
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    assert run("enumerate", batch, "-o", whole).status == 0
    assert run("enumerate", batch, "-o", parts, "--limit", "100").status == 3
    assert run("enumerate", batch, "-o", parts, "--resume").status == 0
    assert parts.read_bytes() == whole.read_bytes()


@pytest.mark.slow
def test_a_run_killed_at_random_moments_ends_with_every_solution_once(tmp_path: Path) -> None:
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
        subprocess.run([*command, "--resume"], check=True, stderr=subprocess.DEVNULL)
    found = lines(file)
    assert found[-1] == f"# {N_FEWER} solutions, complete"
    assert len(found) == len(set(found)) == N_FEWER + 1
    assert {len(line) for line in found[:-1]} == {81}
    assert not part.exists()


def test_a_file_with_room_for_the_solutions_but_not_for_the_last_comment_is_not_called_complete(tmp_path: Path) -> None:
    size = 127 * 82 + 3
    command = [sys.executable, "-m", "sudoku_encode", "enumerate", str(FIG_4_9), "-o", str(tmp_path / "all.txt")]
    ended = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    assert ended.returncode == 3
    assert "File too large" in ended.stderr
    assert not (tmp_path / "all.txt").exists()
    subprocess.run([*command, "--resume"], check=True, stderr=subprocess.DEVNULL)
    assert lines(tmp_path / "all.txt")[-1] == "# 127 solutions, complete"


def test_bad_input_leaves_no_file_behind(run: Command, tmp_path: Path) -> None:
    assert run("enumerate", "no puzzle", "-o", tmp_path / "all.txt").status == 2
    assert run("enumerate", FIG_4_9, "--method", "ganak", "-o", tmp_path / "all.txt").status == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [1, 82, 1_000_001])
def test_a_file_that_may_not_grow_keeps_what_it_has_and_goes_on_when_it_may(size: int, tmp_path: Path) -> None:
    file = tmp_path / "all.txt"
    command = [sys.executable, "-m", "sudoku_encode", "enumerate", MANY, "-o", str(file), "--method", "search"]
    ended = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    assert ended.returncode == 3
    assert "File too large" in ended.stderr
    assert "continue with --resume" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "all.txt.part").stat().st_size == size
    assert not file.exists()
    again = subprocess.run([*command, "--resume", "--limit", "20000"], capture_output=True, text=True, check=False)
    assert again.returncode == 3
    assert len(set(lines(file))) == 20_001


def test_what_another_run_left_is_not_overwritten(run: Command, tmp_path: Path) -> None:
    (tmp_path / "all.txt.part").write_text("something\n")
    ran = run("enumerate", FIG_4_9, "-o", tmp_path / "all.txt")
    assert ran.status == 2
    assert "continue with --resume, or remove it" in ran.err
    assert (tmp_path / "all.txt.part").read_text() == "something\n"


@pytest.mark.parametrize("change", [0, 100, 81, -2])
def test_a_changed_line_is_found_and_named(change: int, run: Command, tmp_path: Path) -> None:
    file = tmp_path / "all.txt"
    run("enumerate", FIG_4_9, "-o", file, "--limit", "20")
    text = bytearray("".join(f"{line}\n" for line in lines(file)[:-1]).encode())
    text[change] ^= 1
    (tmp_path / "all.txt.part").write_bytes(bytes(text))
    file.unlink()
    ran = run("enumerate", FIG_4_9, "-o", file, "--resume")
    assert ran.status == 2
    line = bytes(text)[: change % len(text)].count(b"\n") + 1
    assert f"all.txt.part:{line}: this run lists another solution here" in ran.err
    assert (tmp_path / "all.txt.part").read_bytes() == bytes(text)


def test_half_a_line_is_cut_off(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "all.txt"
    run("enumerate", FIG_4_9, "-o", file, "--limit", "20")
    text = "".join(f"{line}\n" for line in lines(file)[:-1])
    file.unlink()
    (tmp_path / "all.txt.part").write_text(text[:-40])
    assert run("enumerate", FIG_4_9, "-o", file, "--resume").status == 0
    assert len(set(lines(file))) == 128


def test_there_must_be_something_to_resume_and_only_one_may_write(run: Command, tmp_path: Path) -> None:
    assert "nothing to resume" in run("enumerate", FIG_4_9, "-o", tmp_path / "no.txt", "--resume").err
    assert "--resume needs a plain file" in run("enumerate", FIG_4_9, "--resume").err
    assert "--resume needs a plain file" in run("enumerate", FIG_4_9, "-o", tmp_path / "a.gz", "--resume").err
    with Listing(tmp_path / "all.txt", False) as first:
        first.put(b"1\n")
        with pytest.raises(SudokuError, match="another run writes to it"):
            Listing(tmp_path / "all.txt", True)
    assert (tmp_path / "all.txt").read_bytes() == b"1\n"


def test_ctrl_c_leaves_a_file_that_can_be_resumed(tmp_path: Path) -> None:
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


def test_a_disk_that_is_full_stops_the_listing(tmp_path: Path) -> None:
    with (
        pytest.raises(StoppedError, match="File too large"),
        no_room(),
        Listing(tmp_path / "all.txt", False) as listing,
    ):
        listing.put(b"1\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", [b"abc", b"a line\nhalf a line", b"", b"a line\n# at least 1\n"])
def test_a_wrong_file_that_is_resumed_stays_as_it_was(run: Command, tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "thesis.txt"
    file.write_bytes(text)
    assert run("enumerate", "--board", "4x4", "--rules", "nosuch", "-o", file, "--resume").status == 2
    assert file.read_bytes() == text
    if b"\n" in text:
        ran = run("enumerate", "--board", "4x4", "-o", file, "--resume")
        assert ran.status == 2
        assert "this run lists another solution here" in ran.err
        assert file.read_bytes() == text


def test_a_name_that_is_too_long_is_bad_input(run: Command, tmp_path: Path) -> None:
    for length in (252, 300):
        for resume in ([], ["--resume"]):
            ran = run("enumerate", "--board", "4x4", "-o", tmp_path / ("a" * length), *resume)
            assert ran.status == 2, ran.err
