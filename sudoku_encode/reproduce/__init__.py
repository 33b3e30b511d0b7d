"""The papers, refereed: every figure that can be recomputed, theirs beside ours, with a verdict."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from sudoku_encode.reproduce.table import PAPERS

if TYPE_CHECKING:
    from sudoku_encode.reproduce.finding import Finding, Page, Paper, Work

__all__ = ["PAPERS", "page", "paper"]


def paper(key: str) -> "Paper":
    """Return a paper with its checks.

    Raises:
        SudokuError: there is none of that name.
    """
    from sudoku_encode.errors import SudokuError
    from sudoku_encode.reproduce.finding import Paper

    if key not in PAPERS:
        raise SudokuError(f"no paper is called {key!r}; choose from {', '.join(PAPERS)}, all")
    title, citation, about, module = PAPERS[key]
    return Paper(key, title, citation, about, import_module(f"sudoku_encode.reproduce.{module}").CHECKS)


def page(
    key: str,
    work: "Work",
    watch: Callable[[str], None] = lambda what: None,
    known: "Mapping[str, tuple[Finding, float]] | None" = None,
    keep: "Callable[[str, Finding, float], None]" = lambda name, finding, seconds: None,
) -> "Page":
    """Check everything of a paper.

    Args:
        key: of PAPERS.
        work: how much may be done.
        watch: told what is being checked.
        known: what was found before, by the name of the check, and the seconds that it took: it is not checked again.
        keep: given each new finding, with its check's name and seconds.
    """
    import time

    from sudoku_encode.reproduce.finding import Page

    refereed = paper(key)
    findings: dict[str, Finding] = {}
    seconds: dict[str, float] = {}
    for check in refereed.checks:
        name = check.__name__
        if known and name in known:
            findings[name], seconds[name] = known[name]
            continue
        watch(f"{key}: {name.replace('_', ' ')} ...")
        start = time.perf_counter()
        findings[name] = check(work)
        seconds[name] = time.perf_counter() - start
        keep(name, findings[name], seconds[name])
    return Page(refereed, findings, seconds)
