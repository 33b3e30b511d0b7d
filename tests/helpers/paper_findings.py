"""What the tests of the papers' pages share: findings made with little work, each once in a run of the tests."""

import fcntl
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from sudoku_encode.reproduce import PAPERS, paper
from sudoku_encode.reproduce.finding import Finding, Table, Work
from tests.helpers import cpu_seconds

T = TypeVar("T")
SMALL = {
    "jana2023": Work(puzzles=4, seconds=0.02),
    "gtsps": Work(puzzles=4, seconds=0.5),
    "wadud": Work(puzzles=4, seconds=0.5),
    "block-world": Work(puzzles=8, seconds=0.5),
    "keck": Work(puzzles=10, seconds=1.0),
    "open": Work(puzzles=10, seconds=1.0),
}
# The constants that limit the work of checks which no `Work` limits.
CONSTANTS = {"sorting_by_count": ("sudoku_encode.reproduce.jana2023.example.MAX_NODES", 5_000)}
CHECKS = {key: {check.__name__: check for check in paper(key).checks} for key in PAPERS}


# Where the workers of a run leave findings for each other; see conftest.
folder: Path | None = None


@cache
def finding(key: str, name: str) -> Finding:
    def find() -> Finding:
        with pytest.MonkeyPatch.context() as patch:
            if name in CONSTANTS:
                patch.setattr(*CONSTANTS[name])
            return CHECKS[key][name](SMALL[key])

    return once(f"{key}-{name}", find)


def run_folder() -> Path:
    """Return the folder of this run, which all workers have."""
    assert folder is not None
    return folder


def once(name: str, make: Callable[[], T]) -> T:
    """Return what a function makes, or what another worker of this run has made and left under the name."""
    with Path(run_folder(), name).open("a+b") as file:
        # Another worker may be at it: then it is waited for.
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if data := file.read():
            left: T = pickle.loads(data)
            return left
        with cpu_seconds.making_shared():
            made = make()
        file.write(pickle.dumps(made))
        return made


def verdict(key: str, name: str) -> str:
    """The verdict of a check that is made now: for a test that has changed what the paper says."""
    return CHECKS[key][name](SMALL[key]).verdict


def table(key: str, name: str) -> Table:
    """The table of a finding that has one."""
    found = finding(key, name).table
    assert found is not None
    return found
