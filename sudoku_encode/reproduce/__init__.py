"""The papers, refereed: every figure that can be recomputed, theirs beside ours, with a verdict."""

import time
from collections.abc import Iterator, Mapping
from importlib import import_module

from sudoku_encode.errors import SudokuError
from sudoku_encode.reproduce.finding import Finding, Page, Paper, Work
from sudoku_encode.run.events import Progress, emit

# By name, the module of each.
PAPERS = {
    "jana2023": "jana2023",
    "gtsps": "gtsps",
    "wadud": "wadud",
    "block-world": "block_world",
    "keck": "keck",
}


def paper(key: str) -> Paper:
    """Return a paper.

    Raises:
        SudokuError: there is none of that name.
    """
    if key not in PAPERS:
        raise SudokuError(f"no paper is called {key!r}; choose from {', '.join(PAPERS)}, all")
    found: Paper = import_module(f"sudoku_encode.reproduce.{PAPERS[key]}").PAPER
    return found


def findings(
    key: str, work: Work, known: Mapping[str, tuple[Finding, float]] | None = None
) -> Iterator[tuple[str, Finding, float]]:
    """Check everything of a paper, and yield each finding with the name of its check and the seconds that it took.

    Args:
        key: of PAPERS.
        work: how much may be done.
        known: what was found before, by the name of the check: it is not checked again.
    """
    for check in paper(key).checks:
        name = check.__name__
        if known and name in known:
            continue
        emit(Progress(f"{key}: {name.replace('_', ' ')} ..."))
        start = time.perf_counter()
        finding = check(work)
        yield name, finding, time.perf_counter() - start


def page(key: str, found: Mapping[str, tuple[Finding, float]]) -> Page:
    """Return the page of a paper, with the findings of all its checks."""
    refereed = paper(key)
    names = [check.__name__ for check in refereed.checks]
    return Page(refereed, {name: found[name][0] for name in names}, {name: found[name][1] for name in names})
