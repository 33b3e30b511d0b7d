"""scripts/mutate: its faults can be planted in the package as it is, and it tells which are seen."""

import runpy
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
MUTATE = runpy.run_path(str(HOME / "scripts" / "mutate"))
Fault, plant, try_fault = MUTATE["Fault"], MUTATE["plant"], MUTATE["try_fault"]
FAULTS = MUTATE["load_faults"]()


def test_every_fault_fits() -> None:
    """Every fault changes one place and is for tests that are there."""
    assert len(FAULTS) > 300
    for fault in FAULTS.values():
        file, text = plant(fault, HOME / "sudoku_encode")
        assert text != file.read_bytes(), fault.name
        if file.suffix == ".py":
            compile(text, str(file), "exec")
        for test in fault.tests:
            module, _, function = test.partition("::")
            text = (HOME / "tests" / module).read_text(encoding="utf-8")
            assert f"def {function.partition('[')[0]}(" in text or not function, (fault.name, test)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of one function, and two tests of which one looks at what it returns."""
    # They need no plug-in, and to load those takes longer than they do.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "sudoku_encode").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "sudoku_encode" / "__init__.py").write_text("def two():\n    return 2\n")
    test = "from sudoku_encode import two\n\ndef test_it():\n    assert {}\n"
    (tmp_path / "tests" / "test_all.py").write_text(test.format("two() == 2"))
    (tmp_path / "tests" / "test_blind.py").write_text(test.format("two() > 0"))
    return tmp_path


@pytest.mark.parametrize(
    ("old", "tests", "seen", "said"),
    [
        ("return 2", ("test_all.py",), True, "by tests/test_all.py::test_it"),
        ("return 2", ("test_blind.py", "test_all.py"), True, "by tests/test_all.py::test_it"),
        ("return 2", ("test_blind.py",), False, "tests/test_blind.py passed"),
        ("return 3", ("test_all.py",), False, "has 0 times 'return 3', not once"),
        ("t", ("test_all.py",), False, "has 2 times 't', not once"),
    ],
)
def test_fault_seen(project: Path, old: str, tests: tuple[str, ...], seen: bool, said: str) -> None:
    """A fault is seen by the test that fails with it."""
    before = (project / "sudoku_encode" / "__init__.py").read_bytes()
    found, line = try_fault(Fault("three", "__init__.py", old, "return 3", tests), project)

    assert found is seen
    assert said in line
    assert (project / "sudoku_encode" / "__init__.py").read_bytes() == before


@pytest.mark.slow
def test_failing_test_sees_nothing(project: Path) -> None:
    """A test that fails anyway sees nothing."""
    (project / "tests" / "test_all.py").write_text("def test_it():\n    assert False\n")
    found, line = try_fault(Fault("three", "__init__.py", "return 2", "return 3", ("test_all.py",)), project)

    assert not found
    assert "fails without it too" in line
