"""The manual page: it says what the help says now, is installed, and is right roff."""

import runpy
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from sudoku_encode.cli.table import COMMANDS

HOME = Path(__file__).parents[2]
PAGE = HOME / "docs" / "sudoku-encode.1"
SCRIPT = runpy.run_path(str(HOME / "scripts" / "manpage"))


def test_same_as_help() -> None:
    """The page says what the help says."""
    assert PAGE.read_text(encoding="utf-8") == SCRIPT["page"](), "run scripts/manpage"


def test_installed() -> None:
    """The page is installed where man looks for it."""
    build = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["shared-data"] == {"docs/sudoku-encode.1": "share/man/man1/sudoku-encode.1"}


@pytest.mark.parametrize(
    "reader", [["mandoc", "-T", "lint", "-W", "warning"], ["groff", "-man", "-ww", "-z"]], ids=lambda words: words[0]
)
def test_no_warnings(reader: list[str]) -> None:
    """A reader of manual pages has nothing to complain of."""
    if not shutil.which(reader[0]):
        pytest.skip(f"{reader[0]} is not installed")
    ran = subprocess.run([*reader, PAGE], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_commands_shown() -> None:
    """A reader shows every command and its options."""
    reader = next(
        (words for words in (["mandoc", "-T", "ascii"], ["groff", "-man", "-Tascii"]) if shutil.which(words[0])), None
    )
    if reader is None:
        pytest.skip("neither mandoc nor groff is installed")
    shown = subprocess.run([*reader, PAGE], capture_output=True, text=True, check=True).stdout
    # Bold letters are printed twice.
    plain = "".join(letter for at, letter in enumerate(shown) if letter != "\b" and shown[at + 1 : at + 2] != "\b")
    words = " ".join(plain.split())
    assert all(f"sudoku-encode {name} [OPTIONS]" in words for name in COMMANDS)
    assert all(" ".join(example.split()) in words for row in COMMANDS.values() for example in row.examples)
    assert "--sat-solver <name> A solver of PySAT" in words


def test_roff_escapes() -> None:
    """What roff would take for a request is text."""
    assert SCRIPT["roff"](".part is a\\b -o 'x'") == "\\&.part is a\\eb \\-o 'x'"
    assert SCRIPT["roff"]("'x' is  one") == "\\&'x' is one"
