"""What the tests of the papers' pages share: findings made with little work, each once."""

from functools import cache

from sudoku_encode.reproduce import PAPERS, paper
from sudoku_encode.reproduce.finding import Finding, Table, Work

SMALL = {
    "jana2023": Work(puzzles=4, seconds=0.05),
    "gtsps": Work(puzzles=4, seconds=0.5),
    "wadud": Work(puzzles=4, seconds=0.5),
    "block-world": Work(puzzles=8, seconds=0.5),
    "keck": Work(puzzles=10, seconds=1.0),
}
CHECKS = {key: {check.__name__: check for check in paper(key).checks} for key in PAPERS}


@cache
def finding(key: str, name: str) -> Finding:
    return CHECKS[key][name](SMALL[key])


def verdict(key: str, name: str) -> str:
    """The verdict of a check that is made now: for a test that has changed what the paper says."""
    return CHECKS[key][name](SMALL[key]).verdict


def table(key: str, name: str) -> Table:
    """The table of a finding that has one."""
    found = finding(key, name).table
    assert found is not None
    return found
