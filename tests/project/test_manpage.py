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


def test_the_page_says_what_the_help_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == SCRIPT["page"](), "run scripts/manpage"


def test_the_page_is_installed_where_man_looks_for_it() -> None:
    build = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["shared-data"] == {"docs/sudoku-encode.1": "share/man/man1/sudoku-encode.1"}


@pytest.mark.parametrize(
    "reader", [["mandoc", "-T", "lint", "-W", "warning"], ["groff", "-man", "-ww", "-z"]], ids=lambda words: words[0]
)
def test_a_reader_of_manual_pages_has_nothing_to_complain_of(reader: list[str]) -> None:
    if not shutil.which(reader[0]):
        pytest.skip(f"{reader[0]} is not installed")
    ran = subprocess.run([*reader, PAGE], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_a_reader_shows_every_command_and_its_options() -> None:
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


def test_what_roff_would_take_for_a_request_is_text() -> None:
    assert SCRIPT["roff"](".part is a\\b -o 'x'") == "\\&.part is a\\eb \\-o 'x'"
    assert SCRIPT["roff"]("'x' is  one") == "\\&'x' is one"
