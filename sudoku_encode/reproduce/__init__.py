"""The papers, refereed: every figure that can be recomputed, the paper's beside ours, with a verdict."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import sudoku_encode as se
from sudoku_encode.reproduce.table import PAPERS

if TYPE_CHECKING:
    from sudoku_encode.reproduce.finding import Finding, Page, Paper, Work

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE: tuple[str, ...] = ()

__all__ = ["PAPERS", "check", "page", "paper", "work_on"]


def paper(key: str) -> "Paper":
    """Return a paper with its checks.

    Raises:
        SudokuError: no paper has that name.
    """
    from sudoku_encode.reproduce.finding import Paper

    if key not in PAPERS:
        raise se.SudokuError(f"no paper is called {key!r}; choose from {', '.join(PAPERS)}, all")
    title, citation, about, module = PAPERS[key]
    return Paper(key, title, citation, about, import_module(f"sudoku_encode.reproduce.{module}").CHECKS)


def check(key: str, name: str, work: "Work") -> "Finding":
    """Check one claim of a paper: `key` is of PAPERS, `name` that of one of its checks."""
    from sudoku_encode.reproduce.readers_instances import FED

    if work.instances and name in FED.get(key, {}):
        return FED[key][name](work)
    check_claim = next(claim for claim in paper(key).checks if claim.__name__ == name)
    return check_claim(work)


def work_on(key: str, files: "Sequence[str]", puzzles: int, seconds: float) -> "Work":
    """Return how much work the checks may do, and the puzzles of a reader's files for those that need unpublished ones.

    Raises:
        SudokuError: no claim of the paper needs such puzzles, or a file contains something else than puzzles.
    """
    from sudoku_encode.reproduce.finding import Work

    if not files:
        return Work(puzzles, seconds)
    from sudoku_encode.reproduce.readers_instances import FED

    if key not in FED:
        raise se.SudokuError(f"--instances is for the claims of one paper: choose from {', '.join(FED)}")
    from sudoku_encode.reproduce.puzzles import read_file

    return Work(puzzles, seconds, tuple(puzzle for file in files for puzzle in read_file(file)), tuple(files))


def page(key: str, findings: "Mapping[str, tuple[Finding, float]]") -> "Page":
    """Return the page of a paper with its findings: of all checks, unless the run was stopped."""
    from sudoku_encode.reproduce.finding import Page

    refereed = paper(key)
    names = [check.__name__ for check in refereed.checks if check.__name__ in findings]
    return Page(refereed, {name: findings[name][0] for name in names}, {name: findings[name][1] for name in names})
