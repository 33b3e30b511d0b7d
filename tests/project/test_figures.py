"""What `docs/figures.md` says that a command prints, it prints."""

import re
import shlex
from pathlib import Path

import pytest

from sudoku_encode.methods.table import METHODS
from tests.helpers.command import Command

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "figures.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| `(sudoku-encode .+?)` \| `(.+?)` \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("command", dict.fromkeys(command for _, command, _ in ROWS))
def test_a_command_of_the_page_prints_its_lines(command: str, run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HOME)
    ran = run(*shlex.split(command)[1:])
    printed = {" ".join(line.split()) for line in ran.lines}
    lines = [line for _, other, line in ROWS if other == command]

    assert ran.status in (0, 1)
    assert [line for line in lines if " ".join(line.split()) not in printed] == []


def test_every_paper_with_instances_has_a_figure_on_the_page() -> None:
    shown = " ".join(command for _, command, _ in ROWS)
    files = [path.name for path in (HOME / "instances" / "papers").iterdir() if path.is_file()]
    # Table 1 is a full cube: there is nothing to explain.
    assert [name for name in files if name not in shown and name != "jana-2023-table-1.txt"] == []
    assert len(ROWS) == PAGE.count("| `sudoku-encode ")
    named = re.findall(r"--method (\S+)", shown.replace("`", " "))
    assert set(named) <= METHODS.keys()
