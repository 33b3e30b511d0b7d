"""Hostile files, through the command line: bombs, pipes, devices and links, under a limit of memory."""

import gzip
import json
import lzma
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from sudoku_encode.errors import FormatError, MethodError, SudokuError
from sudoku_encode.formats.known_counts import load
from sudoku_encode.formats.reading import read_all
from sudoku_encode.proving import check, folder, prove
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.storage.files import read_lines
from sudoku_encode.storage.listing import Listing
from tests.helpers.command import Command

# In kB; half of it is taken by the libraries that a command loads.
MEMORY = 1_500_000
MUCH = 1 << 20


def limited(*words: object, memory: int = MEMORY) -> subprocess.CompletedProcess[str]:
    """Run the program with little memory; whatever hangs fails the test in the end."""
    program = [sys.executable, "-m", "sudoku_encode", *map(str, words)]
    shell = ["sh", "-c", f'ulimit -d {memory} && exec "$@"', "sh", *program]
    return subprocess.run(shell, capture_output=True, text=True, check=False, timeout=120, stdin=subprocess.DEVNULL)


def is_refused(done: subprocess.CompletedProcess[str], words: str) -> bool:
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr[:2000]
    assert words in done.stderr, done.stderr[:2000]
    return done.returncode == 2


PACK: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}


def packed(suffix: str, text: bytes, times: int) -> bytes:
    """Pack a text that is many times as long as what is packed."""
    return PACK[suffix](text) * times


@pytest.fixture
def cnf(tmp_path: Path) -> Path:
    path = tmp_path / "good.cnf"
    path.write_text("c board 4x4\np cnf 64 1\n1 0\n")
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        *((suffix, b"c") for suffix in PACK),
        # What is unpacked is looked at in the same way however it was packed.
        (".gz", b"c" + b" x" * 2047 + b"\n"),
        (".gz", b" "),
    ],
    ids=["line.gz", "line.xz", "line.zst", "lines.gz", "blanks.gz"],
)
def test_small_bomb(suffix: str, text: bytes, cnf: Path, tmp_path: Path) -> None:
    """A small file does not unpack to a large one."""
    # 2 GB, which is more than MEMORY, from at most 2 MB.
    path = tmp_path / f"bomb{suffix}"
    path.write_bytes(packed(suffix, text * (MUCH // len(text)), 2048))
    assert path.stat().st_size < 4 << 20
    assert is_refused(limited("decode", cnf, path), "more than 64 MB of text")


def test_bomb_in_comments(cnf: Path, tmp_path: Path) -> None:
    """Comments of a bomb are not read to their end."""
    path = tmp_path / "bomb.cnf.gz"
    header = cnf.read_bytes().partition(b"p cnf")[0]
    path.write_bytes(packed(".gz", header, 1) + packed(".gz", b"c givens r1c1 1\n" * (MUCH // 16), 2048))
    assert is_refused(limited("decode", path, "-"), "not a model with the comments of sudoku-encode")


@pytest.mark.slow
def test_endless_line(cnf: Path, tmp_path: Path) -> None:
    """A line may be long but not without end."""
    path = tmp_path / "output"
    path.write_bytes(b"v " + b"10 " * (30 << 20))
    assert is_refused(limited("decode", cnf, path), "more than 64 MB of text")


@pytest.mark.slow
def test_long_literal_line(cnf: Path, tmp_path: Path) -> None:
    """A long line of literals takes little memory."""
    path = tmp_path / "output"
    path.write_bytes(b"v " + b"10 " * (2 << 20) + b"99 0\n")
    # Some 150 bytes for a literal.
    assert is_refused(limited("decode", cnf, path, memory=1_100_000), "literal 99 is out of range")


def test_xz_memory(tmp_path: Path) -> None:
    """An xz that asks for gigabytes of memory is refused."""
    path = tmp_path / "large.xz"
    data = bytearray(lzma.compress(b"v 1 0\n", lzma.FORMAT_ALONE))
    # The header has the size of the dictionary: 2 GB.
    data[1:5] = (1 << 31).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(FormatError, match="Memory usage limit exceeded"):
        list(read_lines(str(path)))


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_concatenated_archives(suffix: str, tmp_path: Path) -> None:
    """Packed files one after the other are read and cut ones refused."""
    path = tmp_path / f"a{suffix}"
    path.write_bytes(packed(suffix, b"v 1 0\n" * 10_000, 3))
    assert sum(map(len, read_lines(str(path)))) == 180_000
    path.write_bytes(packed(suffix, b"v 1 0\n" * 10_000, 2)[:-1])
    with pytest.raises(FormatError, match="cannot be read"):
        list(read_lines(str(path)))


def test_endless_wrong_models(run: Command, cnf: Path, tmp_path: Path) -> None:
    """Models that are no solutions are not looked at for ever."""
    path = tmp_path / "output"
    path.write_text("v 0\n" * 100_000)
    ran = run("decode", cnf, path)
    assert ran.status == 1
    assert ran.err.splitlines()[-1] == "the rest is ignored, since 100 models in a row are not solutions"
    assert len(ran.err.splitlines()) == 1001


GOOD = "." * 81 + "\n"
GRID = "....\n....\n....\n....\n\n"


# By the name of a file: what is in it, and what is said of it.
TOO_MUCH: dict[str, tuple[Callable[[], str], str]] = {
    "lines": (lambda: GRID * 16_000 + "\n" * 4_300_000, "more than 4,194,304 lines"),
    "text": (lambda: GRID * 16_000 + "10 " * (43 << 20), "more than 128 MB of text"),
    "brackets": (lambda: "[" * (33 << 20), "more than 32 MB of JSON or XML"),
    "deep": (lambda: "[" * (4 << 20), "nested too deep"),
    "xml": (lambda: "<opensudoku>" + "<a>" * (2 << 20), "not XML"),
    "givens": (lambda: '{"givens": [' + "0," * (4 << 20) + "0]}", "fit no board"),
    "line": (lambda: "1" * (2 << 20), "not a puzzle"),
    "numbers": (lambda: GOOD * 3_300 + "10 " * (3 << 19), "a line of more than 4,194,304 characters"),
}


@pytest.mark.slow
@pytest.mark.thorough
def test_too_much_text(tmp_path: Path) -> None:
    """More text than puzzles have is refused."""
    paths = [tmp_path / name for name in TOO_MUCH]
    for path, (text, _) in zip(paths, TOO_MUCH.values(), strict=True):
        path.write_text(text())
    done = limited("show", *paths)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert len(lines) == len(TOO_MUCH), done.stderr[:2000]
    for path, line, (_, words) in zip(paths, lines, TOO_MUCH.values(), strict=True):
        assert line.startswith(f"sudoku-encode: {path}:"), line[:2000]
        assert words in line, line[:2000]


@pytest.mark.slow
def test_endless_input() -> None:
    """What never ends is refused."""
    assert is_refused(limited("show", "/dev/zero"), "binary data")
    assert is_refused(limited("show", "--board", "jigsaw:/dev/zero"), "not a region map")
    # Longer than a name of a file may be.
    assert is_refused(limited("count", "--limit", "2", "." * 300), "make no puzzle")


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    made = tmp_path / "certificate"
    prove(Puzzle.of(board("2x2")), made, Deadline())
    return made


@pytest.mark.parametrize("name", folder.FILES)
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "loop", "dangling", "large"])
def test_odd_certificate_files(name: str, kind: str, certificate: Path) -> None:
    """A certificate of anything but plain files is refused."""
    path = certificate / name
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "large":
        with path.open("wb") as file:
            file.truncate(folder.MAX_BYTES + 1)
    else:
        path.symlink_to({"device": "/dev/zero", "loop": str(path), "dangling": "nothing"}[kind])
    with pytest.raises(FormatError, match=name):
        check(certificate)


@pytest.mark.parametrize(
    ("shape", "words"),
    [("100x100", "too many for a certificate"), ("36x36", "the puzzle alone has more than 816480 clauses")],
)
def test_small_certificate_of_large_board(shape: str, words: str, certificate: Path) -> None:
    """A small certificate of a large board takes no memory."""
    side = int(shape.split("x", maxsplit=1)[0])
    givens = [[0] * side] * side
    (certificate / folder.PUZZLE).write_text(json.dumps({"board": shape, "givens": givens}))
    (certificate / folder.SOLUTIONS).write_text("")
    done = limited("prove", "--check", certificate)
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode in (1, 2)


def test_uncheckable_board(tmp_path: Path) -> None:
    """A board too large to be checked is not proved."""
    with pytest.raises(MethodError, match="too many for a certificate"):
        prove(Puzzle.of(board("64x64")), tmp_path / "made", Deadline())
    assert not (tmp_path / "made").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (folder.FORMULA, lambda: f"p cnf 8 1\n{'1 ' * MUCH}0\n", "clauses of the puzzle are missing"),
        (folder.BLOCKED, lambda: f"p cnf 8 1\n{'1 ' * MUCH}0\n", "clauses of the puzzle are missing"),
        (folder.PROOF, lambda: f"99 {'1 ' * MUCH}0\n", "the last 0 is missing"),
        (folder.PROOF, lambda: "0 " * 8_000_002, "more than 4,000,000 steps"),
        (folder.SOLUTIONS, lambda: "1" * MUCH, "grid 1: expected one value for each of 4 cells"),
    ],
    ids=["formula", "blocked", "hints", "steps", "solutions"],
)
def test_long_certificate_line(name: str, text: Callable[[], str], words: str, certificate: Path) -> None:
    """A long line of a certificate is refused for what it says."""
    (certificate / name).write_text(text())
    done = limited("prove", "--check", certificate)
    assert words in done.stderr
    assert done.returncode in (1, 2)


ENTRY = '[[known]]\nboard = "9x9"\nsource = "x"\ncount = 1\n'


@pytest.mark.parametrize("file", ["../../etc/passwd", "/etc/passwd", "a/../../b", "a" * 2000])
def test_known_toml_own_folder(file: str, tmp_path: Path) -> None:
    """Known toml names files of its folder only."""
    (tmp_path / "known.toml").write_text(f'{ENTRY}file = "{file}"\n')
    with pytest.raises(FormatError, match="is not below this folder"):
        load(tmp_path)


@pytest.mark.parametrize("letter", ["\\u0000", "\\u001b[2J", "\\n", "\u202e"])
def test_known_toml_control_codes(letter: str, tmp_path: Path) -> None:
    """Known toml does not talk to the terminal."""
    (tmp_path / "known.toml").write_text(f'{ENTRY}file = "a{letter}"\n')
    with pytest.raises(FormatError, match="file has characters that cannot be shown"):
        load(tmp_path)


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "device"])
def test_known_toml_plain_files(kind: str, tmp_path: Path) -> None:
    """A file that known toml names is a plain one in its folder."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "outside").write_text("." * 81)
    path = home / "a"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"link": str(tmp_path / "outside"), "device": "/dev/zero"}[kind])
    (home / "known.toml").write_text(f'{ENTRY}file = "a"\n')
    (case,) = load(home)
    with pytest.raises(FormatError, match="not a file in its folder"):
        _ = case.puzzle


def test_known_toml_board_is_no_path(tmp_path: Path) -> None:
    """A board of known toml names no file."""
    (tmp_path / "map").write_text("aabbaabbccddccdd")
    (tmp_path / "a").write_text("." * 16)
    text = f'{ENTRY}file = "a"\n'.replace("9x9", f"jigsaw:{tmp_path / 'map'}")
    (tmp_path / "known.toml").write_text(text)
    (case,) = load(tmp_path)
    with pytest.raises(SudokuError, match="region map"):
        _ = case.puzzle


def test_known_toml_endless(tmp_path: Path) -> None:
    """A known toml without end is refused."""
    (tmp_path / "known.toml").write_text("# a comment\n" * 400_000)
    with pytest.raises(FormatError, match="more than 4 MB"):
        load(tmp_path)


@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "device"])
@pytest.mark.parametrize("name", ["all.txt", "all.txt.part"])
def test_resume_plain_files_only(kind: str, name: str, tmp_path: Path) -> None:
    """Only a plain file is resumed."""
    path, outside = tmp_path / name, tmp_path / "outside"
    outside.write_text("precious\n")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"link": str(outside), "device": "/dev/zero"}[kind])
    with pytest.raises(SudokuError, match="not a plain file"):
        Listing(tmp_path / "all.txt", True)
    assert outside.read_text() == "precious\n"


def test_late_difference(tmp_path: Path) -> None:
    """A difference far down is named without reading all at once."""
    (tmp_path / "all.txt.part").write_bytes(b"1\n" * 3_000_000 + b"2\n3\n")
    with Listing(tmp_path / "all.txt", True) as listing:
        listing.put(b"1\n" * 3_000_000)
        with pytest.raises(SudokuError, match="part:3000002: this run lists a different solution"):
            listing.put(b"2\n4\n")


def test_name_with_line_break(tmp_path: Path) -> None:
    """A name that breaks lines is shown on one."""
    path = tmp_path / "a\nb\x1b[2J\u202e"
    path.write_text("no puzzle")
    with pytest.raises(FormatError) as error:
        list(read_all(path))
    assert str(error.value).isprintable()
    assert r"a\nb\x1b[2J\u202e:1: " in str(error.value)
