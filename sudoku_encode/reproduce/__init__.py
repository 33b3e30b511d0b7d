"""The papers, refereed: every figure that can be recomputed, theirs beside ours, with a verdict."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

import sudoku_encode as se
from sudoku_encode.reproduce.table import PAPERS

if TYPE_CHECKING:
    from sudoku_encode.reproduce.finding import Finding, Page, Paper, Work

__all__ = ["PAPERS", "findings", "page", "paper"]


def paper(key: str) -> "Paper":
    """Return a paper with its checks.

    Raises:
        SudokuError: there is none of that name.
    """
    from sudoku_encode.reproduce.finding import Paper

    if key not in PAPERS:
        raise se.SudokuError(f"no paper is called {key!r}; choose from {', '.join(PAPERS)}, all")
    title, citation, about, module = PAPERS[key]
    return Paper(key, title, citation, about, import_module(f"sudoku_encode.reproduce.{module}").CHECKS)


def findings(
    key: str,
    work: "Work",
    known: "Mapping[str, tuple[Finding, float]] | None" = None,
    on_event: "Callable[[se.Event], None] | None" = None,
) -> "Iterator[tuple[str, Finding, float]]":
    """Check everything of a paper, and yield each finding with the name of its check and the seconds that it took.

    Args:
        key: of PAPERS.
        work: how much may be done.
        known: what was found before, by the name of the check: it is not checked again.
        on_event: observes which check begins.
    """
    import time

    for check in paper(key).checks:
        name = check.__name__
        if known and name in known:
            continue
        if on_event:
            on_event(se.Progress(f"{key}: {name.replace('_', ' ')} ..."))
        start = time.perf_counter()
        finding = check(work)
        yield name, finding, time.perf_counter() - start


def page(key: str, found: "Mapping[str, tuple[Finding, float]]") -> "Page":
    """Return the page of a paper, with the findings of all its checks."""
    from sudoku_encode.reproduce.finding import Page

    refereed = paper(key)
    names = [check.__name__ for check in refereed.checks]
    return Page(refereed, {name: found[name][0] for name in names}, {name: found[name][1] for name in names})
