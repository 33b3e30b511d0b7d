"""The puzzles of `instances/known.toml`, and which methods a test should run on which.

`KNOWN` is all of them.
"""

from collections.abc import Iterable

from sudoku_encode.formats.known_counts import Known, instances, load
from sudoku_encode.methods.table import METHODS

__all__ = ["INSTANCES", "KNOWN", "Known", "known", "method_names"]

INSTANCES = instances()
KNOWN = load(INSTANCES)

# Above so many solutions only the methods that are fast enough run, above so many more only the fastest.
MANY, HUGE = 5_000, 60_000
FASTEST = (
    *("cp-sat", "jana2021", "jana2023-v1", "jana2023-v1-boxes", "jana2023-v2", "jana2023-v2-plain"),
    *("brute-force", "norvig2006", "gtsps-4.1", "gtsps-4.2", "search", "frontier", "exact-cover"),
)
FAST = ("sat", *FASTEST)


def known(name: str) -> Known:
    """Return the known puzzle of that name."""
    return next(case for case in KNOWN if case.name == name)


def method_names(case: Known) -> tuple[str, ...]:
    """Return the methods that can do the puzzle in the time of a test."""
    names: Iterable[str] = case.methods or METHODS
    if case.count > HUGE:
        names = FASTEST
    elif case.slow or case.count > MANY:
        names = FAST
    board = case.puzzle.geometry
    able = (name for name in names if METHODS[name].installed and not METHODS[name].refuses(board))
    return tuple(name for name in able if name not in case.beyond)
