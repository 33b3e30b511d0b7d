"""Every puzzle of `instances/` says where it is from: its file at the top, and its entry in known.toml."""

import re
import tomllib
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2] / "instances"
KNOWN = tomllib.loads((HOME / "known.toml").read_text(encoding="utf-8"))["known"]
# Those who published puzzles or numbers, and how a file says that its puzzles were made here.
PUBLISHED = (
    r"Jana et al\. 2023|GTSPS thesis|Wadud|Abednego|Keck|Inkala|tdoku|OKlibrary|Royle|OEIS|PuzzleSolver|dclamage"
    "|sigh/Interactive-Sudoku-Solver"
)
MADE_HERE = r"made for this project|generate --board|(made|found) by scripts/"
SAYS = re.compile(f"{PUBLISHED}|{MADE_HERE}", re.IGNORECASE)
# What describes the folder; the page names the table, which has no room for comments.
ABOUT = {"README.md", "known.toml"}
TABLE = "cubes/jana-2023-tables.csv"
FILES = sorted(path.relative_to(HOME).as_posix() for path in HOME.rglob("*") if path.is_file())


def said_at_the_top(text: str) -> str:
    """Return the comments of a file of puzzles, or the names in it."""
    if text.startswith(("{", "[")):
        return " ".join(re.findall(r'"name": "(.*)"', text))
    lines = text.splitlines()
    return " ".join(line for line in lines if line.startswith(("#", "<!--")))


@pytest.mark.parametrize("file", [file for file in FILES if file not in {*ABOUT, TABLE}])
def test_files(file: str) -> None:
    """A file says at its top where it is from."""
    said = said_at_the_top((HOME / file).read_text(encoding="utf-8"))
    assert SAYS.search(said), said
    # Those with constraints have their solutions beside them.
    has_entry = any(entry["file"] == file for entry in KNOWN)
    assert has_entry != file.startswith("variants/"), "known.toml has no entry"


@pytest.mark.parametrize("entry", KNOWN, ids=lambda entry: f"{entry['file']} {entry.get('index', '')}".strip())
def test_entries(entry: dict[str, str]) -> None:
    """An entry says where its puzzle is from."""
    assert SAYS.search(entry["source"]), entry["source"]


def test_page() -> None:
    """The page tells of every folder and of the table."""
    page = (HOME / "README.md").read_text(encoding="utf-8")
    folders = {file.partition("/")[0] for file in FILES if "/" in file}
    assert [folder for folder in folders if f"`{folder}/`" not in page] == []
    assert f"`{TABLE}` has the figures of" in page


def test_missing_origin_seen() -> None:
    """A file without an origin would be seen."""
    assert not SAYS.search(said_at_the_top("# A nice puzzle.\n# board: 4x4\n1...............\n"))
    assert not SAYS.search(said_at_the_top('{"name": "mine", "board": "4x4"}'))
