"""Puzzles with a known number of solutions, from `instances/known.toml`.

`KNOWN` is all of them. A test over methods asks `method_names` which of the methods should run on which puzzle.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from sudoku_encode import formats
from sudoku_encode.geometry import Geometry
from sudoku_encode.methods import METHODS
from sudoku_encode.puzzle import Puzzle

INSTANCES = Path(__file__).parent.parent / "instances"

# Above so many solutions only the methods that are fast enough run, above so many more only the fastest.
MANY, HUGE = 5_000, 60_000
FASTEST = (
    *("cp-sat", "jana2021", "jana2023-v1", "jana2023-v1-boxes", "jana2023-v2", "jana2023-v2-plain"),
    *("brute-force", "norvig2006", "gtsps-4.1", "gtsps-4.2"),
)
FAST = ("sat", *FASTEST)


@dataclass(frozen=True)
class Known:
    """A puzzle whose number of solutions is known.

    Attributes:
        file: relative to `instances/`.
        board: a name for `boards.board`.
        count: how many solutions there are.
        source: where the puzzle is from, and the count if it was published.
        index: which puzzle of the file, from 1.
        rules: the rules that hold; all of the board's by default.
        claims: what the source says, where that is not what is true.
        solutions: all of them, each on one line, where they are few; else empty.
        slow: too much for all methods but `FAST`.
        methods: the only methods that a test should run; by default all that can.
        beyond: the methods for which it is too much.
    """

    file: str
    board: str
    count: int
    source: str
    index: int = 1
    rules: tuple[str, ...] | None = None
    claims: str = ""
    solutions: tuple[str, ...] = ()
    slow: bool = False
    methods: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file, and what tells the puzzle from others of that file."""
        batch = f"#{self.index}" if (self.file, 2) in _places() else ""
        literal = ":literal" if self.board.endswith(":literal") and "literal" not in self.file else ""
        rules = f" {','.join(self.rules)}" if self.rules else ""
        return f"{self.file}{batch}{literal}{rules}"

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        found = list(formats.read(str(INSTANCES / self.file), board=self.board, rules=self.rules))[self.index - 1]
        assert isinstance(found, Puzzle), found
        return found

    def grids(self) -> set[bytes]:
        """Return the listed solutions, each as the bytes of its values."""
        return {self._grid(text) for text in self.solutions}

    def _grid(self, text: str) -> bytes:
        (grid,) = formats.read_text(text, board=self.board, alphabet="1-G", format="line")
        assert isinstance(grid, Puzzle), grid
        return grid.givens.tobytes()

    def method_names(self) -> tuple[str, ...]:
        """Return the methods that can do the puzzle in the time of a test."""
        names: Iterable[str] = self.methods or METHODS
        if self.count > HUGE:
            names = FASTEST
        elif self.slow or self.count > MANY:
            names = FAST
        board: Geometry = self.puzzle.geometry
        return tuple(name for name in names if name not in self.beyond and not METHODS[name].refuses(board))


def _load() -> tuple[Known, ...]:
    with (INSTANCES / "known.toml").open("rb") as file:
        tables = tomllib.load(file)["known"]
    return tuple(_entry(one) for table in tables for one in _single(table))


def _single(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Split an entry with the counts of a whole batch into one for each puzzle."""
    if "counts" not in table:
        yield table
        return
    shared = {key: value for key, value in table.items() if key != "counts"}
    yield from (shared | {"index": index, "count": count} for index, count in enumerate(table["counts"], start=1))


def _entry(table: dict[str, Any]) -> Known:
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return Known(**fields)


KNOWN = _load()


@cache
def _places() -> frozenset[tuple[str, int]]:
    return frozenset((known.file, known.index) for known in KNOWN)


def known(name: str) -> Known:
    """Return the known puzzle of that name."""
    return next(known for known in KNOWN if known.name == name)
