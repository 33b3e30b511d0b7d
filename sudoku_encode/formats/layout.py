"""Layouts: how rows of symbols or numbers make puzzles.

Every layout writes the cells in reading order, so it is only a matter of how many symbols a row has and how many rows a
puzzle has:

| kind | of | rows of a puzzle | symbols of a row |
|---|---|---|---|
| `line` | any board | 1 | one for each cell |
| `grid` | a rectangle | its rows | its columns |
| `frame` | boards that overlap | the rows around all | the columns around all, or one for each cell in them |
| `sukaku` | a 2D board with pencilmarks | 1 | n for each cell |
| `layers` | a cube, or a surface of n x n faces | n * n, in n blocks, or n for each face | n |
| `table` | a cube | n | n * n |

Boards that need no name are those that the number of symbols tells: every one up to 100x100 and 25x25x25 whose side is
not prime.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

_SIDES = [n for n in range(4, 101) if any(n % d == 0 for d in range(2, n))]
_CUBE_SIDES = [4, 9, 16, 25]


class Layout(NamedTuple):
    """How the rows of a segment make puzzles.

    Attributes:
        kind: see the table above.
        board: the board's name.
        n: how many values the board has.
        width: how many symbols, or numbers, a row has.
        height: how many rows a puzzle has.
        separated: whether a row is numbers or symbols with something in between.
    """

    kind: str
    board: str
    n: int
    width: int
    height: int
    separated: bool = False

    def describe(self, n_rows: int) -> str:
        """Say what this number of rows is in the layout."""
        count = n_rows // self.height
        one = f"{self.board} Sukaku" if self.kind == "sukaku" else self.board
        return one if count == 1 else f"{count} puzzles of {one}"


def layouts(name: str, shape: Sequence[int], n_values: int | None = None) -> Iterator[Layout]:
    """Yield every layout of a board; without `n_values` it has as many values as its sides are long."""
    n = shape[-1]
    values = n_values or n
    if len(shape) == 3 and set(shape) != {values}:
        yield Layout("layers", name, values, n, shape[0] * n)
        yield Layout("line", name, values, shape[0] * n * n, 1)
    elif len(shape) == 2:
        cells = shape[0] * n
        yield Layout("grid", name, values, n, shape[0])
        yield Layout("line", name, values, cells, 1)
        yield Layout("sukaku", name, values, cells * values, 1)
    elif len(shape) == 1:
        yield Layout("line", name, values, n, 1)
        yield Layout("sukaku", name, values, n * values, 1)
    else:
        yield Layout("layers", name, n, n, n * n)
        yield Layout("table", name, n, n * n, n)
        yield Layout("line", name, n, n**3, 1)


@cache
def _layouts_by_width() -> dict[int, list[Layout]]:
    """Return by width every layout of the boards that need no name."""
    shapes = [(n, n, n) for n in _CUBE_SIDES] + [(n, n) for n in _SIDES]
    by_width: dict[int, list[Layout]] = {}
    for shape in shapes:
        for layout in layouts("x".join(map(str, shape)), shape):
            if (layout.kind, layout.n) != ("sukaku", 4):  # too rare to put 64 symbols in doubt between three boards
                by_width.setdefault(layout.width, []).append(layout)
    return by_width


def layouts_of_width(width: int) -> list[Layout]:
    """Return the layouts of boards that need no name whose rows have this number of symbols."""
    return _layouts_by_width().get(width, [])


def line_layouts(length: int) -> list[Layout]:
    """Return those that put a puzzle of this length on one line."""
    return [layout for layout in layouts_of_width(length) if layout.height == 1]


def ambiguous(what: str, found: Sequence[Layout], n_rows: int, form: str = "text") -> str:
    """Return which boards fit, and how to say which is meant: in `text`, `json`, or an `array`."""
    readings = [layout.describe(n_rows) for layout in found]
    names = list(dict.fromkeys(layout.board for layout in found))
    header = f'as "board": "{names[0]}"' if form == "json" else f"with a line `# board: {names[0]}` before it"
    ways_out = f"--board {' or --board '.join(names)}, or {header}" if form != "array" else "board="
    may_be = f"{', '.join(readings[:-1])} or {readings[-1]}"
    return f"{what} of {found[0].width} symbols may be {may_be}; say which with {ways_out}"


def nearest_grid(width: int) -> str:
    """Name the grid whose side is next to a width that fits no board, and the lengths next to it."""
    side = min(_SIDES, key=lambda n: abs(n - width))
    return f"a {side}x{side} grid has {side} lines of {side}, with a blank line between grids; {nearest(width)}"


def nearest(length: int) -> str:
    """Name the lengths next to one that fits no board."""
    lengths = sorted(width for width in _layouts_by_width() if line_layouts(width))
    below = [width for width in lengths if width < length][-1:]
    above = [width for width in lengths if width > length][:1]
    named = [f"{width} ({', '.join(layout.board for layout in line_layouts(width))})" for width in below + above]
    return f"on one line a puzzle has {' or '.join(named)}"
