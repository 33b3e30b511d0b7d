"""Puzzles whose number of solutions is known: a folder with a `known.toml`, such as this project's `instances/`.

`instances/README.md` describes the file. It is at most 4 MB, and names files in or below its folder only.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.reading import ReadOptions, read_all, read_text
from sudoku_encode.formats.table import alphabet_names
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

NAME = "known.toml"
_MAX_BYTES = 1 << 22
# tomllib keeps every beginning of a key with dots: a long one takes the square of its length in memory.
_LONG_KEY = re.compile(rb"""(?:\.[ \t]*+(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+){100}""")


@dataclass(frozen=True)
class KnownCount:
    """A puzzle whose number of solutions is known."""

    home: Path = field(repr=False)  # the folder of its `known.toml`
    file: str  # relative to that folder
    board: str  # a name for `boards.board`
    count: int  # how many solutions there are
    source: str  # where the puzzle is from, and the count if it was published
    index: int = 1  # which puzzle of the file, from 1
    rules: tuple[str, ...] | None = None  # the rules that hold; all of the board's by default
    claims: str = ""  # the claim of the source, if it is not true
    solutions: tuple[str, ...] = ()  # all of them, each on one line, where they are few; else empty
    slow: bool = False  # too slow for all methods but the fastest
    methods: tuple[str, ...] = ()  # the only methods that should run; by default all that can
    beyond: tuple[str, ...] = ()  # the methods that are too slow for it

    @property
    def name(self) -> str:
        """The file, and a suffix that tells the puzzle from others of that file."""
        batch = f"#{self.index}" if (self.file, 2) in _places(self.home) else ""
        literal = ":literal" if self.board.endswith(":literal") and "literal" not in self.file else ""
        rules = f" {','.join(self.rules)}" if self.rules else ""
        return f"{self.file}{batch}{literal}{rules}"

    @cached_property
    def _geometry(self) -> Geometry:
        return boards.board(self.board, self.rules, files=False)

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle.

        Raises:
            FormatError: the file does not hold it.
            GeometryError: there is no such board.
        """
        path = self.home / self.file
        # Links may lead out of the folder, and a pipe may have no end.
        if not path.resolve().is_relative_to(self.home.resolve()) or not path.is_file():
            raise FormatError(f"{NAME} names {self.file!r}, which is not a file in its folder", source=str(self.home))
        for number, content in enumerate(read_all(path, board=self._geometry), start=1):
            if number == self.index:
                if isinstance(content, FormatError):
                    raise content
                return content
        raise FormatError(f"{NAME} names puzzle {self.index}, which does not exist", source=str(path))

    def grids(self) -> set[bytes]:
        """Return the listed solutions, each as the bytes of its values."""
        return {self._grid(text) for text in self.solutions}

    def _grid(self, text: str) -> bytes:
        alphabet = next(iter(alphabet_names(self._geometry.n_values)), None) if self._geometry.first else None
        options = ReadOptions(board=self._geometry, format="line", alphabet=alphabet)
        first, *more = read_text(text, NAME, options)
        if isinstance(first, FormatError):
            raise first
        if more:
            raise FormatError(f"{len(more) + 1} grids in one of the solutions of {self.file!r}", source=NAME)
        return first.givens.tobytes()


@cache
def load(home: Path) -> tuple[KnownCount, ...]:
    """Return the entries of the `known.toml` in a folder.

    Raises:
        FormatError: the file is not valid.
    """
    path = home / NAME
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES + 1)
        if len(text) > _MAX_BYTES or _LONG_KEY.search(text):
            raise FormatError(f"more than {_MAX_BYTES >> 20} MB, or a key of more than 100 parts", source=str(path))
        tables = tomllib.loads(text.decode("utf-8")).get("known")
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", source=str(path)) from error
    except ValueError as error:
        raise FormatError(f"this is not TOML: {error}", source=str(path)) from error
    except RecursionError as error:
        raise FormatError("this TOML cannot be read: nested too deep", source=str(path)) from error
    if not isinstance(tables, list):
        raise FormatError("it needs tables [[known]], one for each puzzle", source=str(path))
    entries: list[KnownCount] = []
    for number, table in enumerate(tables, start=1):
        if wrong := _wrong(table):
            raise FormatError(f"[[known]] number {number}: {wrong}", source=str(path))
        entries += (KnownCount(home, **_fields(entry)) for entry in _split_batch(table))
    return tuple(entries)


def expected(path: Path) -> tuple[KnownCount, ...]:
    """Return the entries for a file in the nearest `known.toml`, in or above its folder."""
    home = home_of(path)
    if home is None:
        return ()
    name = path.resolve().relative_to(home).as_posix()
    return tuple(known for known in load(home) if known.file == name)


def home_of(path: Path) -> Path | None:
    """Return the nearest folder around a file that has a `known.toml`."""
    return next((home for home in path.resolve().parents if (home / NAME).is_file()), None)


# The type of each key, and the required keys; `counts` may stand for `count`.
_KEYS: dict[str, type] = {
    **dict.fromkeys(("file", "board", "source", "claims"), str),
    **dict.fromkeys(("rules", "solutions", "methods", "beyond", "counts"), list),
    "count": int,
    "index": int,
    "slow": bool,
}
_NEEDED = ("file", "board", "source")


def _wrong(table: Any) -> str:
    """Return the fault of an entry; an empty text if it is valid."""
    if not isinstance(table, dict):
        return "it is not a table"
    for key, value in table.items():
        if key not in _KEYS:
            return f"there is no key {key[:40]!r}; the keys are {', '.join(_KEYS)}"
        if type(value) is not _KEYS[key]:
            return f"{key} is of type {type(value).__name__}, not {_KEYS[key].__name__}"
        if isinstance(value, str) and not value.isprintable():
            return f"{key} has characters that cannot be shown"
        if isinstance(value, list) and not all(type(part) is (int if key == "counts" else str) for part in value):
            return f"{key} contains something other than {'whole numbers' if key == 'counts' else 'texts'}"
    missing = [key for key in _NEEDED if key not in table]
    if missing or ("count" in table) == ("counts" in table):
        return f"it needs {', '.join([*_NEEDED, 'and either count or counts'])}"
    if min([*table.get("counts", [table.get("count")]), table.get("index", 1) - 1], default=0) < 0:
        return "a count is below 0, or the index below 1"
    file = PurePosixPath(table["file"])
    if len(str(file)) > 1000 or "\0" in table["file"] or file.is_absolute() or ".." in file.parts:
        return f"{table['file'][:60]!r} is not below this folder"
    return ""


def _split_batch(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Split an entry with the counts of a whole batch into one for each puzzle."""
    if "counts" not in table:
        yield table
        return
    shared = {key: value for key, value in table.items() if key != "counts"}
    yield from (shared | {"index": index, "count": count} for index, count in enumerate(table["counts"], start=1))


def _fields(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


@cache
def _places(home: Path) -> frozenset[tuple[str, int]]:
    return frozenset((known.file, known.index) for known in load(home))
