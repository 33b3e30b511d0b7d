"""What `docs/papers.md` says that a command prints, it prints."""

import re
import shlex
from pathlib import Path

import pytest

from sudoku_encode.methods.table import METHODS
from tests.helpers.command import Command

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "papers.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| `(sudoku-encode .+?)` \| `(.+?)` \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("command", dict.fromkeys(command for _, command, _ in ROWS))
def test_lines_of_page(command: str, run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command of the page prints its lines."""
    monkeypatch.chdir(HOME)
    ran = run(*shlex.split(command)[1:])
    printed = {" ".join(line.split()) for line in ran.lines}
    lines = [line for _, other, line in ROWS if other == command]

    assert ran.status in (0, 1)
    assert [line for line in lines if " ".join(line.split()) not in printed] == []


def test_each_paper_has_figure() -> None:
    """Every paper with instances has a figure on the page."""
    shown = " ".join(command for _, command, _ in ROWS)
    files = [path.name for path in (HOME / "instances" / "papers").iterdir() if path.is_file()]
    # Table 1 is a full cube: there is nothing to explain.
    assert [name for name in files if name not in shown and name != "jana-2023-table-1.txt"] == []
    assert len(ROWS) == PAGE.count("| `sudoku-encode ")
    named = re.findall(r"--method (\S+)", shown.replace("`", " "))
    assert set(named) <= METHODS.keys()
