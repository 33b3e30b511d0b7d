"""What the README says a command prints, it prints; and it names no command, option or file that is not there."""

import re
import runpy
import shlex
from pathlib import Path

import pytest
from command import Command

from sudoku_encode.cli.table import COMMANDS
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle

HOME = Path(__file__).parent.parent
README = (HOME / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Blocks with their languages; the commands in them, each with what it prints; the commands in the text.
BLOCKS = FENCE.findall(README)
SHOWN = [
    shown for _, text in BLOCKS for shown in re.findall(r"^\$ (sudoku-encode .*)\n((?:[^$].*\n)*)", text, re.MULTILINE)
]
NAMED = re.findall(r"`(sudoku-encode [^`]+)`", FENCE.sub("", README))
COMMAND_TABLE = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|(.*)\|$", README, re.MULTILINE)


def pattern(line: str) -> str:
    """Return what a printed line must look like: times, sizes and `...` may be others."""
    escaped = re.escape(" ".join(line.split())).replace(r"\ ", " ")
    escaped = escaped.replace(r"\.\.\.", ".*")
    escaped = re.sub(r"\d+\\\.\d+ \d+ ", r"\\d+\\.\\d+ \\d+ ", escaped)
    return re.sub(r"\d+\\\.\d+ s", r"\\d+\\.\\d+ s", re.sub(r"[\d,]+ bytes", r"[\\d,]+ bytes", escaped))


def matches(line: str, printed: list[str]) -> bool:
    return any(re.fullmatch(pattern(line), " ".join(other.split())) for other in printed)


def test_there_is_something_to_check() -> None:
    assert len(SHOWN) >= 4
    assert len(NAMED) >= 10
    assert {name for names, _ in COMMAND_TABLE for name in re.findall(r"\w+", names)} == set(COMMANDS)


@pytest.mark.parametrize(("line", "shown"), SHOWN, ids=[line for line, _ in SHOWN])
def test_a_command_prints_what_the_readme_shows(
    line: str, shown: str, run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It is called where the instances are, and may leave nothing there.
    (tmp_path / "instances").symlink_to(HOME / "instances")
    monkeypatch.chdir(tmp_path)
    ran = run(*shlex.split(line)[1:])
    printed = [*ran.lines, *ran.err.splitlines()]
    assert [wanted for wanted in shown.splitlines() if wanted and not matches(wanted, printed)] == [], printed


def test_another_number_or_another_word_would_be_seen() -> None:
    line = "sat                   sat                          127     0.02      5  that is all"
    assert matches(line, ["x", "sat sat 127 17.25 1030 that is all"])
    assert not matches(line, ["sat sat 128 0.02 5 that is all"])
    assert not matches(line, ["sat sat 127 0.02 5 that is most"])
    assert not matches("1", ["12"])


@pytest.mark.parametrize("line", [*NAMED, *(line for line, _ in SHOWN)])
def test_a_command_that_the_readme_names_has_the_options_that_it_names(line: str, run: Command) -> None:
    _, name, *rest = line.split()
    if name != "COMMAND":
        help_text = run(name, "--help").out
        assert [word for word in rest if word.startswith("--") and f"{word} " not in f"{help_text} "] == []
    assert name in (*COMMANDS, "COMMAND")


def test_the_options_beside_a_command_are_its_own(run: Command) -> None:
    for names, example in COMMAND_TABLE:
        command = re.findall(r"\w+", names)[0]
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", example))
        help_text = "" if not options else run(command, "--help").out
        assert [option for option in options if f"{option} " not in help_text] == [], command


def test_the_links_lead_somewhere() -> None:
    for file in (HOME / "README.md", HOME / "docs" / "certificates.md", HOME / "docs" / "records.md"):
        links = re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8"))
        assert [link for link in links if not (file.parent / link).exists()] == []


def test_the_tour_prints_the_table_of_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["tour", str(tmp_path / "tour")])
    tour = runpy.run_path(str(HOME / "scripts" / "tour"))
    tour["main"]()
    printed = capsys.readouterr().out.replace(str(tmp_path / "tour"), "tour")
    (shown,) = (text for _, text in BLOCKS if text.startswith("puzzle "))

    def untimed(text: str) -> list[str]:
        return re.sub(r" +\d+\.\d+ s$", "", text, flags=re.MULTILINE).rstrip().splitlines()

    assert untimed(printed) == untimed(shown)


def test_the_encodings_have_the_clauses_of_the_table() -> None:
    rows = re.findall(r"^\| ([\dx]+) \| ([\d,]+) \| [\d.]+ \| [\d.]+", README, re.MULTILINE)
    counts = {name: int(clauses.replace(",", "")) for name, clauses in rows}
    assert len(counts) == 5
    for name in ("9x9x9", "25x25", "16x16x16"):
        assert encode(Puzzle.of(board(name)), reduction="none").cnf.n_clauses == counts[name]


def test_a_python_program_says_what_its_comments_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "instances").symlink_to(HOME / "instances")
    monkeypatch.chdir(tmp_path)
    programs = [text for language, text in BLOCKS if language == "python"]
    assert programs
    for program in programs:
        exec(compile(program, "README.md", "exec"), {"__name__": "__main__"})
        printed = capsys.readouterr().out.splitlines()
        # What follows a colon explains.
        expected = re.findall(r"^print\(.*\)  # ([^:\n]*)", program, re.MULTILINE)
        assert printed[: len(expected)] == expected != []
