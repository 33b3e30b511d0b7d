"""The tests themselves: none can end before it has tested, and what several need is in no test module."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
TESTS = {str(file.relative_to(HERE)): file.read_text(encoding="utf-8") for file in sorted(HERE.rglob("test_*.py"))}


def imported(source: str) -> Iterator[str]:
    """Yield the modules that a module imports, wherever in it that happens."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def early_ends(source: str) -> list[int]:
    """Return the lines on which a test, or a function that Hypothesis calls, may end before its last line."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
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


def test_no_test_module_imports_another_one() -> None:
    assert [
        (name, other)
        for name, text in TESTS.items()
        for other in imported(text)
        if other.rpartition(".")[2].startswith("test_")
    ] == []


def test_no_test_ends_before_it_has_tested() -> None:
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
def test_an_early_end_is_found(source: str, lines: list[int]) -> None:
    assert early_ends(source) == lines
