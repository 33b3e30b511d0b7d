"""The puzzles of `instances/known.toml`, and which methods a test should run on which.

`KNOWN` is all of them.
"""

from collections.abc import Iterable

from sudoku_encode.formats.known_counts import KnownCount, load
from sudoku_encode.methods.table import METHODS
from sudoku_encode.reproduce.puzzles import instances

__all__ = ["INSTANCES", "KNOWN", "KnownCount", "beyond", "known", "method_names"]

INSTANCES = instances()
KNOWN = load(INSTANCES)

# Above these numbers of solutions only the methods that are fast enough run: some encodings are too slow first, then
# all that ask a solver for each solution.
MANY, LISTABLE = 5_000, 10_000
FASTEST = (
    *("jana2021", "jana2023-v1", "jana2023-v1-boxes", "jana2023-v2", "jana2023-v2-plain"),
    *("brute-force", "norvig2006", "gtsps-4.1", "gtsps-4.2", "search", "frontier", "felgenhauer2006", "exact-cover"),
)
# Of many puzzles of one board every method has some of a file, and one of Inkala's ten: the others differ from these in
# their givens alone, and a list and a count by methods without a relative hold their numbers.
SOME = (1, 6, 16, 26)
ON_ALL = ("sat", "search", "frontier")
# What is too much for a method in the time of a test, besides what `known.toml` says; for Ganak more solutions may be.
GANAK_COUNT = 500
SEVERAL = tuple(f"known-counts/tdoku-several.txt#{number}" for number in range(11, 16))
NONE = ("known-counts/tdoku-none.sdm#2", "known-counts/tdoku-none.sdm#3")
BEYOND = {
    "ganak": (
        *(*SEVERAL, *NONE, "small/9x9-diagonals-windoku.txt"),
        *("cubes/six-rules-hard.txt#8", "cubes/six-rules-hard.txt#15"),
    ),
    "jana2023-v2": ("cubes/six-rules-hard.txt#8",),
    "block-world-1": (*SEVERAL, *NONE),
    "block-world-4+1": (*SEVERAL, *NONE),
    "block-world-4-printed+1": (*SEVERAL, *NONE),
    "uhbpnp": ("known-counts/tdoku-several.txt#12",),
}


def known(name: str) -> KnownCount:
    """Return the known puzzle of that name."""
    return next(case for case in KNOWN if case.name == name)


def method_names(case: KnownCount) -> tuple[str, ...]:
    """Return the methods that can do the puzzle in the time of a test."""
    names: Iterable[str] = case.methods or [name for name, method in METHODS.items() if not method.only_if_named]
    if _is_one_of_many(case):
        names = [name for name in names if name in ON_ALL]
    elif case.count > LISTABLE:
        names = FASTEST
    elif case.slow or case.count > MANY:
        names = ("sat", "cp-sat", *FASTEST)
    board = case.puzzle.geometry
    able = (name for name in names if METHODS[name].installed and not METHODS[name].unsupported_reason(board))
    return tuple(name for name in able if name not in beyond(case))


def _is_one_of_many(case: KnownCount) -> bool:
    alike = case.index not in SOME or (case.file.startswith("papers/inkala/") and "escargot" not in case.file)
    # Puzzles without solutions are few.
    return alike and case.count > 0


def beyond(case: KnownCount) -> tuple[str, ...]:
    """Return the methods for which the puzzle is too much."""
    more = [
        name for name, cases in BEYOND.items() if case.name in cases or (name == "ganak" and case.count > GANAK_COUNT)
    ]
    return tuple(dict.fromkeys([*case.beyond, *(name for name in more if METHODS[name].installed)]))
