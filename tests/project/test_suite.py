"""The tests themselves: none can end before it has tested, and what several need is in no test module."""

import ast
import os
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.helpers import cpu_seconds

HERE = Path(__file__).parents[1]
TESTS = {str(file.relative_to(HERE)): file.read_text(encoding="utf-8") for file in sorted(HERE.rglob("test_*.py"))}


@cache
def parsed(source: str) -> ast.Module:
    return ast.parse(source)


def imported(source: str) -> Iterator[str]:
    """Yield the modules that a module imports, wherever in it that happens."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def early_ends(source: str) -> list[int]:
    """Return the lines on which a test, or a function that Hypothesis calls, may end before its last line."""
    functions = [node for node in ast.walk(parsed(source)) if isinstance(node, ast.FunctionDef)]
    tests = [
        one
        for one in functions
        if one.name.startswith("test_") or "given(" in " ".join(map(ast.unparse, one.decorator_list))
    ]
    return sorted({line for test in tests for line in returns(test)})


def returns(node: ast.AST) -> Iterator[int]:
    """Yield the lines of the returns of a function, not of those inside it, and not of those after an assertion."""
    before: ast.AST | None = None
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return):
            if not isinstance(before, ast.Assert):
                yield child.lineno
        elif not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from returns(child)
        before = child


def test_no_imports_between_tests() -> None:
    """No test module imports another one."""
    assert [
        (name, other)
        for name, text in TESTS.items()
        for other in imported(text)
        if other.rpartition(".")[2].startswith("test_")
    ] == []


def test_no_early_end() -> None:
    """No test ends before it has tested."""
    # What does not apply is no case, or is given up by hypothesis.assume, which fails where that is most examples.
    assert {name: lines for name, text in TESTS.items() if (lines := early_ends(text))} == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("def test_a():\n    if x:\n        return\n    assert y", [3]),
        ("@given(x=y)\ndef inner(x):\n    for a in x:\n        return None", [4]),
        ("def test_a():\n    @given(x=y)\n    def check(x):\n        return\n    check()", [4]),
        ("def test_a():\n    def helper():\n        return\n    assert helper() is None", []),
        ("def helper():\n    return", []),
        ("def test_a():\n    if x:\n        assert y\n        return\n    assert z", []),
    ],
)
def test_early_end_found(source: str, lines: list[int]) -> None:
    """An early end is found."""
    assert early_ends(source) == lines


def test_slow_test_named() -> None:
    """A test that takes long and is not marked is named with what to do."""
    first, second = cpu_seconds.unmarked({"a": 5.1, "quick": 4.9, "b": 60.0, "none": 0.0})
    assert first.startswith("b takes 60.0 CPU seconds (more than 5)")
    assert second.startswith("a takes 5.1 CPU seconds")
    assert first.endswith("make it cheaper, or mark it with @pytest.mark.slow")


def test_compiling_test_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test in which something was compiled is not judged."""
    monkeypatch.setattr(cpu_seconds, "_PACKAGE", tmp_path / "package")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    assert not cpu_seconds.compiled_since(1000.0)
    for folder in ("package/search/__pycache__", "cache/search"):
        file = tmp_path / folder / "kernel.run.nbi"
        file.parent.mkdir(parents=True)
        file.touch()
        os.utime(file, (2000, 2000))
        assert cpu_seconds.compiled_since(1999.0)
        assert not cpu_seconds.compiled_since(2001.0)
        file.unlink()


def test_shared_work_not_counted() -> None:
    """What tests share counts for none of them."""
    before = cpu_seconds.cpu_seconds()
    with cpu_seconds.making_shared():
        during = cpu_seconds.cpu_seconds()
        while cpu_seconds.cpu_seconds() < during + 0.05:
            pass
    assert cpu_seconds.cpu_seconds() - before < 0.04


def test_python_scripts_are_checked() -> None:
    """The patterns of pyproject.toml for ruff and mypy match every script in Python, and no other."""
    root = HERE.parent
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    scripts = {path for path in (root / "scripts").iterdir() if path.is_file()}
    python = {path for path in scripts if path.suffix == ".py" or path.read_text().startswith("#!/usr/bin/env python3")}
    for patterns in (settings["ruff"]["extend-include"], settings["mypy"]["files"]):
        matched = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
        assert matched & scripts == python
