"""The puzzles of `instances/known.toml`, and which methods a test should run on which.

`KNOWN` is all of them.
"""

from collections.abc import Iterable

from sudoku_encode.formats.known_counts import Known, instances, load
from sudoku_encode.methods.table import METHODS

__all__ = ["INSTANCES", "KNOWN", "Known", "beyond", "known", "method_names"]

INSTANCES = instances()
KNOWN = load(INSTANCES)

# Above so many solutions only the methods that are fast enough run; a blocking clause for each is too slow first.
MANY, BLOCKABLE, HUGE = 5_000, 30_000, 60_000
FASTEST = (
    *("jana2021", "jana2023-v1", "jana2023-v1-boxes", "jana2023-v2", "jana2023-v2-plain"),
    *("brute-force", "norvig2006", "gtsps-4.1", "gtsps-4.2", "search", "frontier", "exact-cover"),
)
# These take Ganak minutes, and what has more solutions may.
GANAK_COUNT = 1_000
BEYOND_GANAK = (
    *(f"known-counts/tdoku-several.txt#{number}" for number in range(11, 16)),
    *("known-counts/tdoku-none.sdm#2", "known-counts/tdoku-none.sdm#3", "small/9x9-diagonals-windoku.txt"),
    *("cubes/six-rules-hard.txt#8", "cubes/six-rules-hard.txt#15"),
)


def known(name: str) -> Known:
    """Return the known puzzle of that name."""
    return next(case for case in KNOWN if case.name == name)


def method_names(case: Known) -> tuple[str, ...]:
    """Return the methods that can do the puzzle in the time of a test."""
    names: Iterable[str] = case.methods or METHODS
    if case.count > HUGE:
        names = FASTEST
    elif case.count > BLOCKABLE:
        names = ("cp-sat", *FASTEST)
    elif case.slow or case.count > MANY:
        names = ("sat", "cp-sat", *FASTEST)
    board = case.puzzle.geometry
    able = (name for name in names if METHODS[name].installed and not METHODS[name].refuses(board))
    return tuple(name for name in able if name not in beyond(case))


def beyond(case: Known) -> tuple[str, ...]:
    """Return the methods for which the puzzle is too much."""
    too_much = case.name in BEYOND_GANAK or case.count > GANAK_COUNT
    return (*case.beyond, *(["ganak"] if too_much and METHODS["ganak"].installed else []))
