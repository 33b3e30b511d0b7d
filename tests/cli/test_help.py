"""Help: groups and summaries from the table alone, and examples that run as they stand."""

import re
import shlex
from pathlib import Path

import pytest

from sudoku_encode.cli.app import load_command
from sudoku_encode.cli.options import COMMON, PUZZLES
from sudoku_encode.cli.table import COMMANDS, GROUPS
from tests.helpers.command import Command
from tests.helpers.imported_modules import loaded_by

INSTANCES = Path(__file__).parents[2] / "instances"


# Their examples count the empty 9x9, make the puzzles of a paper or a cube, search with many orders, or prove.
SLOW = ("sample", "reproduce", "generate", "rate", "prove")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in COMMANDS]
)
def test_examples_run(run: Command, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of a command run as they stand."""
    monkeypatch.chdir(tmp_path)
    Path("instances").symlink_to(INSTANCES)
    for example in COMMANDS[name].examples:
        assert f"  {example}" in run(name, "--help").lines[-2:]
        words = shlex.split(example)
        stdin = ""
        if "|" in words:
            echo, stdin, words = words[0], " ".join(words[1 : words.index("|")]), words[words.index("|") + 1 :]
            assert echo == "echo"
        assert words[:2] == ["sudoku-encode", name] or name == "decode"
        before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}

        ran = run(*words[1:], stdin=f"{stdin}\n")

        assert ran.status == 0, ran.err
        written = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} != before
        assert ran.out or ("-o" in words and written)


def test_overview_groups(run: Command) -> None:
    """The help has each command in its group with its whole summary."""
    assert {row.group for row in COMMANDS.values()} == set(GROUPS)
    text = run("--help").out
    assert "..." not in text.replace("[ARGS]...", "")
    words = " ".join(text.split())
    assert all(f" {name} {row.summary} " in words for name, row in COMMANDS.items())
    headings = [line.split()[0] for line in text.splitlines() if line.endswith("):")]
    assert headings == list(GROUPS)


def test_overview_is_light() -> None:
    """The list of commands loads no command."""
    code = (
        "from sudoku_encode.cli import main\nsys.argv = ['sudoku-encode', '--help']\n"
        "try: main()\nexcept SystemExit as end: assert end.code == 0"
    )
    assert not loaded_by(code) & {f"sudoku_encode.cli.{name}" for name in COMMANDS}


@pytest.mark.parametrize("columns", [50, 80, 200])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_line_width(run: Command, monkeypatch: pytest.MonkeyPatch, name: str, columns: int) -> None:
    """No line of help is wider than a terminal."""
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run(*filter(None, [name]), "--help").lines
    # Examples are lines to be copied.
    text = lines[: lines.index("Examples:")] if name else lines
    assert max(map(len, text)) <= min(columns, 80)
    assert max(map(len, lines)) <= 80
    assert not any("\u2011" in line for line in lines)


# On 80 columns; a newcomer reads no more.
MAX_LINES = 60


@pytest.mark.parametrize("name", COMMANDS)
def test_help_length(run: Command, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The help of a command is short."""
    monkeypatch.setenv("COLUMNS", "80")
    assert len(run(name, "--help").lines) <= MAX_LINES


@pytest.mark.parametrize("name", COMMANDS)
def test_own_options_first(run: Command, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The command's own options are first, those for puzzles last, each on two lines at most."""
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(name, "--help").lines
    order = ["Arguments:", "Options:", f"{COMMON}:", f"{PUZZLES}:", "Examples:"]
    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == [heading for heading in order if heading in headings]
    shared = "\n".join(lines).partition(f"{PUZZLES}:\n")[2].partition("\n\n")[0]
    assert all(option.count("\n") <= 1 for option in re.split(r"\n(?=  -)", shared))
    own = "\n".join(lines).partition(f"{COMMON}:")[0]
    # `methods` and `info` have options of their own for boards.
    assert name in ("info", "methods") or not re.search(
        r"--board|--rules(?!-with)|--executor", own.partition("Options:")[2]
    )


def test_details_in_manual() -> None:
    """Details of a command and of an option are not in its help, but in the manual page."""
    page = " ".join((INSTANCES.parent / "docs" / "sudoku-encode.1").read_text().replace("\\", "").split())
    command = load_command("generate")
    with command.make_context("sudoku-encode generate", [], resilient_parsing=True) as ctx:
        text = " ".join(command.get_help(ctx).split())
    for detail in ("Each given is tried once", "Kinds: cage, little-killer"):
        assert detail in page
        assert detail not in text
    assert "Place random constraints of a kind" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_full_sentences(run: Command, name: str) -> None:
    """Help has full sentences and says each option."""
    text = run(name, "--help").out
    assert "<str>" not in text
    assert "range>" not in text
    # Where the choices of an option are many they are in its text.
    for line in text.splitlines():
        assert line.count("|") < 5


def test_no_pydantic() -> None:
    """No command loads pydantic."""
    # Why typer is pinned below 0.29: that version loads pydantic, which doubles the start-up of a command.
    code = (
        "from sudoku_encode.cli import main\nsys.argv = ['sudoku-encode', 'convert', '1...............']\n"
        "try: main()\nexcept SystemExit as end: assert end.code == 0"
    )
    assert "pydantic" not in loaded_by(code)
