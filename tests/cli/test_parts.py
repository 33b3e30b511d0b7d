"""`enumerate` and `count` of a puzzle in parts: the same bytes whatever the executor, and limits hold."""

from pathlib import Path

import pytest

from sudoku_encode import search
from sudoku_encode.methods import in_parts
from sudoku_encode.search import parallel
from tests.helpers.command import Command

SEVERAL = Path(__file__).parents[2] / "instances/papers/gtsps-fig-4.9.sdk"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all puzzles but the quickest done in parts."""
    monkeypatch.setattr(in_parts, "AT_ONCE_SOLUTIONS", 10)
    monkeypatch.setattr(in_parts, "FIRST_CALLS", 1)
    monkeypatch.setattr(parallel, "_ALONE_SECONDS", 0.0)
    monkeypatch.setattr(search, "FRAMES_PER_CALL", 5)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "search"])
def test_enumerate_on_executors(run: Command, tmp_path: Path, method: str) -> None:
    """Enumerate prints the same bytes on each executor."""
    found = [
        run("enumerate", SEVERAL, "--method", method, "--executor", executor)
        for executor in ("threads:1", "threads:3", "processes:2")
    ]
    assert [ran.status for ran in found] == [0, 0, 0]
    assert found[0].out == found[1].out == found[2].out
    assert "127 solutions, complete" in found[0].err
    assert sorted(found[0].lines) == sorted(run("enumerate", SEVERAL).lines)
    file = tmp_path / "all.txt"
    assert run("enumerate", SEVERAL, "--method", method, "--executor", "processes:2", "-o", file).status == 0
    assert file.read_text().splitlines()[-1] == "# 127 solutions, complete"
    assert set(found[0].lines) <= set(file.read_text().splitlines())


def test_solution_limit(run: Command) -> None:
    """A limit on solutions holds in parts."""
    ran = run("enumerate", SEVERAL, "--method", "search", "--executor", "threads:2", "--limit", "50")
    assert (ran.status, len(set(ran.lines))) == (3, 50)
    assert "at least 50 solutions; stopped: limit of 50" in ran.err


@pytest.mark.slow
def test_time_limit(run: Command) -> None:
    """A limit on time holds in parts."""
    for command in ("count", "enumerate"):
        ran = run(command, "--board", "9x9", "--method", "search", "--executor", "threads:2", "--timeout", "0.6", "-q")
        assert ran.status == 3


def test_count_on_executors(run: Command) -> None:
    """Count prints the number on each executor."""
    for executor in ("threads:2", "processes:2"):
        for method in ("auto", "search", "sat"):
            ran = run("count", SEVERAL, "--method", method, "--executor", executor)
            assert (ran.status, ran.out) == (0, "127\n")
