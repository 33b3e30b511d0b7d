"""The puzzles of `instances/known.toml`, and which methods a test should run on which.

`KNOWN` is all of them.
"""

from collections.abc import Iterable

from sudoku_encode.formats.known_counts import KnownCount, load
from sudoku_encode.methods.table import METHODS
from sudoku_encode.reproduce.puzzles import instances

__all__ = ["INSTANCES", "KNOWN", "KnownCount", "beyond", "is_costly", "is_one_of_many", "known", "method_names"]

INSTANCES = instances()
KNOWN = load(INSTANCES)

# Above these numbers of solutions only the methods that are fast enough run: some encodings are too slow first, then
# all that ask a solver for each solution, then those with a relative that lists as many, at last all but a few.
MANY, LISTABLE, RELATED, MOST = 1_000, 5_000, 10_000, 50_000
RELATIVES = ("jana2023-v1-boxes", "jana2023-v2-plain")
FASTEST_FEW = ("brute-force", "search", "frontier", "felgenhauer2006")
FASTEST = (
    *("jana2021", "jana2023-v1", "jana2023-v2-joined", *RELATIVES),
    *("norvig2006", "gtsps-4.1", "gtsps-4.2", "exact-cover", *FASTEST_FEW),
)
# Of many puzzles of one board every method has some of a file, and one of Inkala's ten: the others differ from these in
# their givens alone, and a list and a count by methods without a relative hold their numbers.
SOME = (1, 16)
ON_ALL = ("sat", "search", "frontier")
# What is too much for a method in the time of a test, besides what `known.toml` says; for Ganak more solutions may be.
# Some of it ends within seconds, and shows nothing that the method does not show on other puzzles of the board.
GANAK_COUNT = 250
SEVERAL = tuple(f"known-counts/tdoku-several.txt#{number}" for number in range(11, 16))
NONE_1, NONE_2, NONE_3 = (f"known-counts/tdoku-none.sdm#{number}" for number in (1, 2, 3))
UNIQUE, WINDOKU = "known-counts/oklibrary.sdm#1", "small/9x9-diagonals-windoku.txt"
BEYOND = {
    "block-world-1": (*SEVERAL, NONE_2, NONE_3, UNIQUE, "small/10x10.txt"),
    "block-world-4-sound+1": (*SEVERAL, NONE_2, NONE_3),
    "block-world-4+1": (*SEVERAL, NONE_2, NONE_3),
    "brute-force": (NONE_1,),
    "felgenhauer2006": ("known-counts/tdoku-several.txt#6",),
    "frontier": (WINDOKU,),
    "ganak": (*SEVERAL, NONE_2, NONE_3, WINDOKU, "cubes/six-rules-hard.txt#8", "cubes/six-rules-hard.txt#15"),
    "gtsps-3.1": (NONE_1, NONE_2),
    "gtsps-3.2": (NONE_3,),
    "gtsps-3.2-semi-spiral": (NONE_3,),
    "gtsps-3.2-spiral": (NONE_2, NONE_3, UNIQUE),
    "gtsps-4.2": ("large/25x25.csv",),
    "jana2023-v2-joined": ("cubes/six-rules-hard.txt#8",),
    # `auto` does it, by SAT.
    "sat": ("cubes/9x9x9-fewest.txt",),
    "sat:dual": (WINDOKU,),
    "sat:log": (WINDOKU,),
    "uhbpnp": ("known-counts/tdoku-several.txt#12", NONE_2, NONE_3),
}
# To compile this search takes longer than all methods together: 12x12 squares and 9x9x9 cubes hold the same lines.
NOT_COMPILED = ("search", "large/16x16x16-1600-givens.txt")
# What takes the methods longest together, besides what `known.toml` calls slow; smaller puzzles are of the same kinds.
COSTLY = (
    *("small/4x4x4-empty.txt", "small/10x10.txt", "small/12x12-boxes-2x6.txt", "small/16x16.txt"),
    *("small/5x5-jigsaw-empty.txt", "small/sudokube-4.csv", WINDOKU),
    *("cubes/16x16x16.txt#1", "cubes/9x9x9-fewest.txt", "large/9x9x9-542-blanks.txt", "papers/jana-2023-table-1.txt"),
    *("papers/inkala/escargot.txt", "known-counts/tdoku-several.txt#1", NONE_1),
)


def known(name: str) -> KnownCount:
    """Return the known puzzle of that name."""
    return next(case for case in KNOWN if case.name == name)


def method_names(case: KnownCount) -> tuple[str, ...]:
    """Return the methods that can do the puzzle in the time of a test."""
    names: Iterable[str] = case.methods or [name for name, method in METHODS.items() if not method.only_if_named]
    if is_one_of_many(case):
        names = [name for name in names if name in ON_ALL]
    elif case.count > MOST:
        names = FASTEST_FEW
    elif case.count > LISTABLE:
        names = [name for name in FASTEST if case.count <= RELATED or name not in RELATIVES]
    elif case.slow or case.count > MANY:
        names = ("sat", "cp-sat", *FASTEST)
    board = case.puzzle.geometry
    able = (name for name in names if METHODS[name].installed and not METHODS[name].unsupported_reason(board))
    return tuple(name for name in able if name not in beyond(case) and (name, case.name) != NOT_COMPILED)


def is_one_of_many(case: KnownCount) -> bool:
    """Check whether the puzzle differs from another in its givens alone."""
    alike = case.index not in SOME or (case.file.startswith("papers/inkala/") and "escargot" not in case.file)
    # Puzzles without solutions are few.
    return alike and case.count > 0


def is_costly(case: KnownCount) -> bool:
    """Check whether the methods take long for a puzzle, or another of its batch stands for it in a quick run."""
    return case.slow or case.count > LISTABLE or case.name in COSTLY or case.index > 1


def beyond(case: KnownCount) -> tuple[str, ...]:
    """Return the methods for which the puzzle is too much."""
    more = [
        name for name, cases in BEYOND.items() if case.name in cases or (name == "ganak" and case.count > GANAK_COUNT)
    ]
    return tuple(dict.fromkeys([*case.beyond, *(name for name in more if METHODS[name].installed)]))
