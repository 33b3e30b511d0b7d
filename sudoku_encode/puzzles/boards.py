"""Boards by name: `9x9`, `6x6:2x3`, `9x9+diagonals`, `9x9x9`, `9x9x9:literal`, `jigsaw:FILE` or `jigsaw:MAP`."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.puzzles import geometry
from sudoku_encode.puzzles.geometry import Geometry

# So that a typing error cannot ask for more memory than there is: 10,000 cells of 100 values, or a cube of 15,625.
MAX_SQUARE, MAX_CUBE, MAX_JIGSAW = 100, 25, 31
HELP = "9x9, 6x6:2x3, 9x9+diagonals, 9x9+windoku, 9x9x9, 9x9x9:literal, jigsaw:FILE or jigsaw:MAP"

# No map is as long, whatever its comments say.
_MAX_FILE = 100_000

_SQUARE = re.compile(r"(\d{1,99})x(\d{1,99})(?::(\d{1,99})x(\d{1,99}))?((?:\+[a-z]+)*)")
_CUBE = re.compile(r"(\d{1,99})x(\d{1,99})x(\d{1,99})(:literal)?")


def board(name: str, rules: Sequence[str] | None = None, *, files: bool = True) -> Geometry:
    """Return the board of that name.

    Args:
        name: see the module. `RxC` after a colon is the box: R rows, C columns. A jigsaw's map gives each cell the
            symbol of its region, n * n symbols in reading order, in a file over as many lines as one likes.
        rules: the rules to keep; all of them by default.
        files: whether `jigsaw:` may name a file. A board named inside a file must carry its own map.

    Raises:
        GeometryError: no such board, or no such rule on it.
    """
    if name.strip().startswith("jigsaw:"):
        found = _jigsaw(name.strip().removeprefix("jigsaw:"), files)
        return found if rules is None else found.with_rules(rules)
    return _regular(name.strip(), None if rules is None else tuple(rules))


# One board of each name, so that its edges are found once and puzzles on it can share a solver.
@lru_cache(maxsize=64)
def _regular(name: str, rules: tuple[str, ...] | None) -> Geometry:
    found = _square_or_cube(name)
    return found if rules is None else found.with_rules(rules)


def _square_or_cube(name: str) -> Geometry:
    if match := _CUBE.fullmatch(name):
        n = _side(_short(name), match.groups()[:3], MAX_CUBE)
        return geometry.literal_cube(n) if match[4] else geometry.cube(n)
    if match := _SQUARE.fullmatch(name):
        n = _side(_short(name), match.groups()[:2], MAX_SQUARE)
        box = (int(match[3]), int(match[4])) if match[3] else None
        return geometry.square(n, box, [extra for extra in match[5].split("+") if extra])
    raise GeometryError(f"no board is called {_short(name)!r}; write {HELP}")


def _side(name: str, sides: Sequence[str], largest: int) -> int:
    n = int(sides[0])
    if len(set(sides)) > 1:
        raise GeometryError(f"{name}: all sides must be equal")
    if n > largest:
        raise GeometryError(f"{name}: the side may be at most {largest}")
    return n


def _jigsaw(text: str, files: bool) -> Geometry:
    symbols = _regions(text)
    if files:
        try:
            with Path(text).open("rb") as file:
                symbols = _regions(file.read(_MAX_FILE).decode("utf-8"))
        except (OSError, ValueError) as error:
            if not symbols:
                raise FormatError("no region map can be read here", source=_short(text)) from error
    if len(symbols) > MAX_JIGSAW**2:
        raise GeometryError(f"a region map may be at most {MAX_JIGSAW}x{MAX_JIGSAW}")
    order = {symbol: number for number, symbol in enumerate(dict.fromkeys(symbols))}
    return geometry.jigsaw([order[symbol] for symbol in symbols], f"jigsaw:{symbols}")


def _regions(text: str) -> str:
    """Return the symbols of a map: blank space and `#` comments dropped; empty when anything else is in it."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    symbols = "".join("".join(lines).split())
    return symbols if symbols.isascii() and symbols.isalnum() else ""


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
