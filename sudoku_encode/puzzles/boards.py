"""Boards by name: `9x9`, `6x6:2x3`, `9x9+diagonals`, `9x9x9:literal`, `latin:4x4x4`, `corner:4`, `jigsaw:MAP`.

A jigsaw's map may be in a file: `jigsaw:FILE`; `jigsaw:4x6:MAP` has 4 rows of 6 cells, and as many values as a region
has cells. `latin:6x9` has 6 rows of 9 cells, `latin:6x9:12` also 12 values. `BOARD@ROW,COLUMN;ROW,COLUMN;...` is a
board several times, as `samurai` is `9x9@0,0;0,12;6,6;12,0;12,12`.

The values may be at the end, from 0 or from 1: `9x9:0-8`, `latin:9x9:0-9`, which has one more value than `latin:9x9`.

It loads nothing until a board is asked for, so that `--help` can print HELP.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, ref

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.puzzles.joined_boards import OVERLAPS, SURFACES
from sudoku_encode.puzzles.rules import EXTRA_RULES

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry, Rule

# So that a typing error cannot ask for more memory than there is: 10,000 cells of 100 values, or a cube of 15,625.
MAX_SQUARE, MAX_CUBE, MAX_JIGSAW = 100, 25, 31
# Names of boards with their meanings, one for each form of a name. JIGSAW:FILE and the like stand for a text.
EXAMPLES = {
    "9x9": "a square with boxes, up to 100x100",
    "6x6:2x3": "boxes of 2 rows and 3 columns",
    **{f"9x9+{name}": row.summary for name, row in EXTRA_RULES.items()},
    "9x9:0-8": "values from 0 to 8 (the ending fits any name)",
    "9x9x9": "a cube: lines along three axes, boxes in three kinds of planes",
    "9x9x9:literal": "the same with the units of Jana et al. 2023, of 81 cells each: no solution",
    "3x3x3:planes": "a cube with n * n values, each once in each plane, as KSudoku's Roxdoku",
    "latin:9x9": "lines only, no boxes",
    "latin:4x4x4": "a cube with lines only",
    "latin:6x9": "6 rows of 9 cells, only lines, 9 values",
    "latin:6x9:12": "6 rows of 9 cells, only lines, 12 values",
    **{f"{name}:{row.example}": row.summary for name, row in SURFACES.items()},
    "jigsaw:FILE": "regions instead of boxes, from a map in a file",
    "jigsaw:MAP": "the same map, written in reading order",
    "jigsaw:4x6:MAP": "4 rows of 6 cells, and as many values as a region has cells",
    **{name: row.summary for name, row in OVERLAPS.items()},
    "9x9@0,0;6,6": "squares that overlap, each at a row and a column counted from 0",
}
HELP = "9x9, 6x6:2x3, 9x9x9, samurai, jigsaw:FILE, ...; all: sudoku-encode info --boards"
# The names that a shell completes; there are many more.
NAMES = (
    "4x4",
    "6x6",
    "6x6:3x2",
    "8x8",
    "9x9",
    "9x9:0-8",
    "10x10",
    "12x12",
    "16x16",
    "25x25",
    *(f"9x9+{rule}" for rule in EXTRA_RULES),
    "4x4x4",
    "9x9x9",
    "9x9x9:literal",
    "16x16x16",
    "3x3x3:planes",
    "latin:4x4x4",
    *(f"{name}:{row.example}" for name, row in SURFACES.items()),
    "jigsaw:",
    *OVERLAPS,
)

# Upper bound on the size of a jigsaw file, comments included.
_MAX_FILE = 100_000

_SQUARE = re.compile(r"(\d{1,99})x(\d{1,99})(?::(\d{1,99})x(\d{1,99}))?((?:\+[a-z]+(?:-[a-z]+)*)*)")
_CUBE = re.compile(r"(\d{1,99})x(\d{1,99})x(\d{1,99})(?::(literal|planes))?")
_LATIN = re.compile(r"latin:(\d{1,99})x(\d{1,99})(?:x(\d{1,99})|:(\d{1,99}))?")
_JIGSAW = "jigsaw:"
_VALUES = re.compile(r"(.+):([01])-(\d{1,3})", re.DOTALL)
_SIZE = re.compile(r"(\d{1,99})x(\d{1,99}):")
# In a line of a text, or in an object of JSON.
_NAMED_MAP = re.compile(
    r"""(?:^[ \t]*#[ \t]*board:[ \t]*|"board":[ \t]*")jigsaw:((?:\d{1,3}x\d{1,3}:)?)([0-9A-Za-z]+)""", re.MULTILINE
)

# The first of equal boards, as long as it is in use.
_in_use: "WeakKeyDictionary[Geometry, ref[Geometry]]" = WeakKeyDictionary()


def board(name: str, rules: Sequence[str] | None = None, *, files: bool = True) -> "Geometry":
    """Return the board of that name; equal boards are one object, so that everything derived from it is computed once.

    See the module for the names. `RxC` after a colon is the box: R rows, C columns. A jigsaw's map gives each cell the
    symbol of its region, n * n symbols in reading order, in a file over any number of lines; the file of a jigsaw
    puzzle will do too. A board named inside a file must carry its own map: then `jigsaw:` may name no file. Some rules
    may be kept only.

    Raises:
        GeometryError: no such board, or no such rule on it.
    """
    if not isinstance(name, str):
        raise GeometryError(f"{_short(repr(name))} is not a name of a board; write {HELP}")
    name = name.strip()
    if name.startswith(_JIGSAW):
        text, values = _without_values(name.removeprefix(_JIGSAW))
        map_of, separator, offsets = text.partition("@")
        name = _JIGSAW + _map(map_of, files) + separator + offsets + values
    return _board(name, None if rules is None else tuple(rules))


def reduced(board: "Geometry") -> "tuple[Callable[..., Geometry], tuple[object, ...]]":
    """Return the pickled form of a board: its name and rules if they read back as this board, else its units.

    Unpickled, equal boards are one object again.
    """
    for rules in ((), (board.rule_names,)):
        with suppress(GeometryError):
            if _by_name(board.name, *rules) == board:
                return _by_name, (board.name, *rules)
    more = (board.places, board.n_hidden, board.first)
    return _by_units, (board.name, board.shape, board.n_values, board.rules, board.box, *more)


def _by_name(name: str, rules: tuple[str, ...] | None = None) -> "Geometry":
    return board(name, rules, files=False)


def _by_units(
    name: str,
    shape: tuple[int, ...],
    n_values: int,
    rules: "tuple[Rule, ...]",
    box: tuple[int, int] | None,
    places: tuple[tuple[int, int], ...] = (),
    n_hidden: int = 0,
    first: int = 1,
) -> "Geometry":
    from sudoku_encode.puzzles.geometry import Geometry

    return _shared(Geometry(name, shape, n_values, rules, box, places, n_hidden, first))


def _shared(board: "Geometry") -> "Geometry":
    """Return the first board in use that is equal to this one."""
    first = _in_use.get(board)
    if equal := first and first():
        return equal
    _in_use[board] = ref(board)
    return board


@lru_cache(maxsize=64)
def _board(name: str, rules: tuple[str, ...] | None) -> "Geometry":
    return _shared(_make_board(name) if rules is None else _board(name, None).with_rules(rules))


def _without_values(name: str) -> tuple[str, str]:
    """Return a name without the values at its end, and these with their colon."""
    match = _VALUES.fullmatch(name)
    return (match[1], name[match.end(1) :]) if match else (name, "")


def _with_values(name: str, first: int, last: int) -> "Geometry":
    """Return a board with the given values; those of rows and columns alone may be more than the cells of a line."""
    board, n = _board(name, None), last - first + 1
    if board.n_values != n and _LATIN.fullmatch(name) and name.count(":") == 1 and len(board.shape) == 2:
        board = _board(f"{name}:{n}", None)
    if board.n_values != n:
        expected = f"expected 0-{board.n_values - 1} or 1-{board.n_values}"
        raise GeometryError(f"{_short(name)} has {board.n_values} values, not {first}-{last}; {expected}")
    # The name of rows and columns alone may have the number of values already.
    sides = board.name.removesuffix(f":{n}") if board.name.startswith("latin:") else board.name
    return board if first else replace(board, name=f"{sides}:0-{last}", first=0)


def from_one(board: "Geometry") -> "Geometry":
    """Return the board with values from 1 that is otherwise the same as one with values from 0."""
    name, n = _without_values(board.name)[0], board.n_values
    name = f"{name}:{n}" if name.startswith("latin:") and n > max(board.shape) else name
    return _shared(replace(board, name=name, first=1))


def _make_board(name: str) -> "Geometry":
    from sudoku_encode.puzzles import shapes

    if (match := _VALUES.fullmatch(name)) and not _VALUES.fullmatch(match[1]):
        return _with_values(match[1], int(match[2]), int(match[3]))
    squares, separator, offsets = (OVERLAPS[name].squares if name in OVERLAPS else name).rpartition("@")
    if separator:
        from sudoku_encode.puzzles.overlapping import overlapping

        if "@" in squares:
            raise GeometryError(f"{_short(name)}: only one @, after a board of rows and columns")
        return overlapping(_board(squares.strip(), None), offsets)
    if match := _CUBE.fullmatch(name):
        n = _side(_short(name), match.groups()[:3], MAX_CUBE)
        kinds = {"literal": shapes.literal_cube, "planes": shapes.planes, None: shapes.cube}
        return kinds[match[4]](n)
    if match := _LATIN.fullmatch(name):
        return _latin(name, match)
    if match := _SQUARE.fullmatch(name):
        n = _side(_short(name), match.groups()[:2], MAX_SQUARE)
        box = (int(match[3]), int(match[4])) if match[3] else None
        return shapes.square(n, box, [extra for extra in match[5].split("+") if extra])
    kind, _, text = name.partition(":")
    if kind in SURFACES:
        from sudoku_encode.puzzles.folding import surface

        return surface(kind, text)
    if name.startswith(_JIGSAW):
        return _jigsaw(name.removeprefix(_JIGSAW))
    raise GeometryError(f"no board is called {_short(name)!r}; write {HELP}")


def _latin(name: str, match: re.Match[str]) -> "Geometry":
    from sudoku_encode.puzzles import shapes

    rows, columns, height, values = match.groups()
    if height:
        return shapes.latin(_side(_short(name), (rows, columns, height), MAX_CUBE), 3)
    if max(int(number) for number in (rows, columns, values or "0")) > MAX_SQUARE:
        raise GeometryError(f"{_short(name)}: the sides and the values may be at most {MAX_SQUARE}")
    return shapes.latin_rectangle(int(rows), int(columns), int(values) if values else None)


def _jigsaw(text: str) -> "Geometry":
    """Return the board of a map, which may have its rows and columns before it."""
    from sudoku_encode.puzzles import shapes

    size = _SIZE.match(text)
    symbols = text[size.end() :] if size else text
    order = {symbol: number for number, symbol in enumerate(dict.fromkeys(symbols))}
    regions = [order[symbol] for symbol in symbols]
    if size is None:
        return shapes.jigsaw(regions, _JIGSAW + text)
    jigsaw = shapes.jigsaw(regions, _JIGSAW + text, (int(size[1]), int(size[2])))
    # One name for one board.
    return shapes.jigsaw(regions, _JIGSAW + symbols) if jigsaw.shape == (jigsaw.n_values,) * 2 else jigsaw


def _side(name: str, sides: Sequence[str], largest: int) -> int:
    n = int(sides[0])
    if len(set(sides)) > 1:
        raise GeometryError(f"{name}: all sides must be equal")
    if n > largest:
        raise GeometryError(f"{name}: the side may be at most {largest}")
    return n


def _map(text: str, files: bool) -> str:
    """Return the symbols of a map or of the map in a file, after its size if it has one."""
    match = _SIZE.match(text)
    size = match[0] if match else ""
    text = text.removeprefix(size)
    symbols = _regions(text)
    if files:
        try:
            with Path(text).open("rb") as file:
                content = file.read(_MAX_FILE).decode("utf-8")
            # The file of a puzzle names its board.
            named = _NAMED_MAP.search(content)
            if not (symbols := named[2] if named else _regions(content)):
                raise FormatError("not a region map, which has a letter or a digit for each cell", source=_short(text))
            size = size or (named[1] if named else "")
        except (OSError, ValueError) as error:
            if not symbols:
                raise FormatError("no region map can be read here", source=_short(text)) from error
            if not size and isqrt(len(symbols)) ** 2 != len(symbols):
                message = f"no such file, and not a region map: that has n * n symbols, this has {len(symbols)}"
                raise FormatError(message, source=_short(text)) from error
    if len(symbols) > MAX_JIGSAW**2:
        raise GeometryError(f"a region map may be at most {MAX_JIGSAW}x{MAX_JIGSAW}")
    return size + symbols


def _regions(text: str) -> str:
    """Return the symbols of a map: blank space and `#` comments dropped; empty if it contains anything else."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    symbols = "".join("".join(lines).split())
    return symbols if symbols.isascii() and symbols.isalnum() else ""


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
