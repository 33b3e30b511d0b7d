"""CONTRIBUTING.md names only files, folders, commands and tables that are there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

import sudoku_encode
from sudoku_encode.cli.table import COMMANDS

HOME = Path(sudoku_encode.__file__).parent
ROOT = HOME.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CODE = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL))
FILES = sorted({name for name in CODE if re.fullmatch(r"[A-Za-z_0-9/]+\.(py|md)|scripts/\w+", name)})
TABLES = sorted(set(re.findall(r"`([A-Z_]{2,})` in `([^`]+)\.py`", TEXT)))
RECIPES = re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]* \|$", TEXT, re.MULTILINE)


def test_something_to_check() -> None:
    """There is something to check."""
    assert len(FILES) > 20
    assert len(TABLES) > 9
    wanted = "rule, encoding, at-most-one, model format, solver, text format, method, paper, count, command, source"
    assert [kind for kind in wanted.split(", ") if not any(kind in recipe for recipe in RECIPES)] == []


@pytest.mark.parametrize("name", FILES)
def test_files_exist(name: str) -> None:
    """A file is there or can be written there."""
    path = Path(name)
    found = [home / path for home in (HOME, ROOT) if (home / path).exists()]
    if path.stem.removesuffix("_answers") in ("NAME", "AUTHORYEAR", "KIND"):
        found = [home / path.parent for home in (HOME, ROOT) if (home / path.parent).is_dir()]
    assert len(found) == 1


@pytest.mark.parametrize(("table", "module"), TABLES)
def test_tables_exist(table: str, module: str) -> None:
    """A table is in its module and has rows."""
    if module.startswith("tests/"):
        assert re.search(rf"^{table}\b", (ROOT / f"{module}.py").read_text(encoding="utf-8"), re.MULTILINE)
        return
    dotted = module.removesuffix("/__init__").replace("/", ".")
    assert len(getattr(import_module(f"sudoku_encode.{dotted}"), table)) > 1


def test_scripts_exist() -> None:
    """A script and a command that it calls are there."""
    blocks = "\n".join(re.findall(r"```\w*\n(.*?)```", TEXT, re.DOTALL))
    scripts = set(re.findall(r"scripts/\w+", blocks))
    assert scripts
    assert all((ROOT / script).is_file() for script in scripts)
    assert set(re.findall(r"sudoku-encode (\w+)", TEXT)) <= set(COMMANDS)
