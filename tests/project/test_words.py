"""The package is written in plain words: the rules of CONTRIBUTING.md, as far as a program can check them."""

import ast
import re
from pathlib import Path

import pytest

from tests.helpers.plain_words import PACKAGE, ROOT, breaches

MODULES = sorted(PACKAGE.rglob("*.py"))
# Attributes of public classes, which users' programs read. This list may only shrink.
PUBLIC_ATTRIBUTES = {
    ("questions/checking.py", "the name `wanted`"),
    ("questions/hinting.py", "the name `left`"),
    ("run/events.py", "the name `found`"),
}


@pytest.mark.parametrize("room", sorted({path.relative_to(PACKAGE).parts[0] for path in MODULES}))
def test_room_is_plain(room: str) -> None:
    """No module of a room breaks a rule, but for public attributes that keep their names."""
    allowed = {(name, rule) for name, rule in PUBLIC_ATTRIBUTES if name.startswith(f"{room}/")}
    paths = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] == room]
    rows = [(str(path.relative_to(PACKAGE)), line, rule) for path in paths for line, rule in breaches(path)]
    assert [row for row in rows if (row[0], row[2]) not in allowed] == []
    assert {(name, rule) for name, _, rule in rows} == allowed


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "def made(): ...",
        "def f(one): ...",
        "def f():\n    for here in range(3):\n        print(here)",
        "def f(rows):\n    with rows as at:\n        pass",
        "class Worked: ...",
        "class Found: ...",
        "class Piece: ...",
        'raise ValueError(f"{text!r} is no value")',
        'raise ValueError("they are none")',
        'raise ValueError("other methods decline by name")',
        'raise ValueError("a solver of one\'s own")',
        'raise ValueError("the second list must be none")',
        'raise ValueError("killed for want of memory")',
        'raise ValueError("all cells are alike")',
        'raise ValueError("the board says so")',
        'raise ValueError("a table for people")',
        'raise ValueError("the line goes on from its last cell")',
        'raise ValueError("right as far as cells are counted")',
        'raise ValueError("the key is there twice")',
        'raise ValueError("how is said in the text")',
        'raise ValueError("whether it ends is not asked")',
        'raise ValueError("the file is made anew")',
        'raise ValueError("the loop runs for ever")',
        'text = "Held to: below 20 %."',
        'raise ValueError("It is so always")',
        'raise ValueError("not a key: What is late weighs nothing")',
        'def f():\n    """Say whether it fits."""',
        'def f():\n    """Return what is left of some limits."""',
        'def f():\n    """Add numbers.\n\n    What is late weighs nothing.\n    """',
        'def _f(x):\n    """Return it.\n\n    Args:\n        x: it.\n    """',
        "# What is late weighs nothing.",
        'print(*("a", "b"))',
        "x = (*(1, 2), 3)",
    ],
)
def test_breach_is_found(source: str, tmp_path: Path) -> None:
    """Each rule is seen to be broken once."""
    path = tmp_path / "module.py"
    path.write_text(source)
    assert len(breaches(path)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "count = 1",
        "total = sum(one.size for one in batch)",
        "key = lambda one: one.size",
        "class ParsedPuzzle: ...",
        'raise ValueError(f"not a value: {text!r} (1 to 9)")',
        'raise ValueError("there is no room on the disk")',
        'raise ValueError("What now? The disk is full")',
        '"""It is there twice."""',
        'LIMIT = 3\n"""It is there twice."""',
        'def f():\n    """Return whether it fits."""',
        'def f(x):\n    """Return it.\n\n    Args:\n        x: a number.\n    """',
        "print(*rest)",
    ],
)
def test_plain_source_is_accepted(source: str, tmp_path: Path) -> None:
    """The rules leave plain code alone."""
    path = tmp_path / "module.py"
    path.write_text(source)
    assert breaches(path) == []


def test_glossary() -> None:
    """The glossary of CONTRIBUTING.md has the words that the code is made of, each in one row."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Words")[2]
    words = re.findall(r"^\| ([^|`]+?) \| .+ \|$", text, re.MULTILINE)[1:]
    assert len(words) > 25
    assert len(set(words)) == len(words)


def test_names_of_tests_can_be_typed() -> None:
    """A test has a short name, and says in a sentence of its docstring what holds."""
    long, silent = [], []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                long += [f"{path.name}: {node.name}"] if len(node.name) > 45 else []
                silent += [] if ast.get_docstring(node) else [f"{path.name}: {node.name}"]
    assert long == []
    assert silent == []
