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

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from sys import intern
from typing import NamedTuple

from sudoku_encode.errors import FormatError, NoFormatError
from sudoku_encode.formats.lines import Row, Segment, tokens
from sudoku_encode.formats.symbols import BLANKS, MAX_DIGITS, PLAIN_VALUES
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.puzzles.geometry import Geometry

_SIDES = [n for n in range(4, 101) if any(n % d == 0 for d in range(2, n))]
_CUBE_SIDES = [4, 9, 16, 25]


class Layout(NamedTuple):
    """How the rows of a segment make puzzles."""

    kind: str  # see the table above
    board: str  # the board's name
    n: int  # how many values the board has
    width: int  # how many symbols, or numbers, a row has
    height: int  # how many rows a puzzle has
    separated: bool = False  # whether a row is numbers or symbols with something in between

    def describe(self, n_rows: int) -> str:
        """Return the name of this number of rows in the layout, such as `2 puzzles of 9x9`."""
        count = n_rows // self.height
        name = f"{self.board} Sukaku" if self.kind == "sukaku" else self.board
        return name if count == 1 else f"{count} puzzles of {name}"


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
    """Return the layouts that put a puzzle of this length on one line."""
    return [layout for layout in layouts_of_width(length) if layout.height == 1]


def ambiguous(what: str, fitting: Sequence[Layout], n_rows: int, form: str = "text") -> str:
    """Return an error message with the boards that fit, and how to name one: in `text`, `json`, or an `array`."""
    readings = [layout.describe(n_rows) for layout in fitting]
    names = list(dict.fromkeys(layout.board for layout in fitting))
    header = f'as "board": "{names[0]}"' if form == "json" else f"with a line `# board: {names[0]}` before it"
    ways_out = f"--board {' or --board '.join(names)}, or {header}" if form != "array" else "board="
    may_be = f"{', '.join(readings[:-1])} or {readings[-1]}"
    return f"{what} of {fitting[0].width} symbols may be {may_be}; say which with {ways_out}"


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


# Choosing the layout that fits the rows of a segment, and the rows of each puzzle.

# The commonest widths of rows are tried. Without a board, at least one row of these must have a width for it to say
# which board is meant.
_TRIED_WIDTHS, _ROWS_FOR_EACH_MATCH = 5, 5
# Greater than any value: in place of a token that is not a number.
_NO_NUMBER = 1_000


def decide(segment: Segment, geometry: Geometry | None) -> Layout:
    """Return the one layout that fits a segment, on the board if it is known.

    Raises:
        FormatError: none fits, or two do.
    """
    rows = [row for block in segment.blocks for row in block]
    fitting = list(dict.fromkeys(_fitting(segment, rows, geometry)))
    if not fitting:
        raise _misfit(segment, rows, geometry)
    if len({(layout.board, layout.kind) for layout in fitting}) > 1:
        fitting = _of_symbols(fitting, rows)
    if len({(layout.board, layout.kind) for layout in fitting}) > 1:
        what = "a line" if len(rows) == 1 else f"{len(rows)} lines"
        raise FormatError(ambiguous(what, fitting, len(rows)), segment.setting.source, rows[0].line)
    return fitting[0]


def _fitting(segment: Segment, rows: list[Row], geometry: Geometry | None) -> list[Layout]:
    """Return the layouts that fit the best reading of the rows."""
    # Rows with separators may be groups of symbols, such as `53. .7. ...`, or numbers, such as `10 0 3`. Where each
    # token is one character, that is the same.
    if not any("," in row.text or len(row.text.split(None, 1)) > 1 for row in rows):
        return _of_widths(segment, [len(row.text.strip()) for row in rows], geometry)
    parts = [_shared(tokens(row)) for row in rows]
    numbers = _as_numbers(segment, parts, geometry)
    if all(len(token) == 1 for part in parts for token in part):
        return numbers
    groups = [] if any("," in row.text for row in rows) else _as_groups(segment, parts, geometry)
    equal_groups = groups if all(len(set(map(len, part))) <= 1 for part in parts) else []
    largest = _largest(parts)
    values = [layout for layout in numbers if largest <= layout.n]
    two_digits = [layout for layout in numbers if layout.n > 9]
    # Groups as long as each other, and numbers that are all values of the board, are equally likely; either is likelier
    # than numbers with some that are too large. The rest has errors, which are described as those of the last reading.
    return equal_groups + values or two_digits or groups or numbers


def _of_symbols(fitting: list[Layout], rows: list[Row]) -> list[Layout]:
    """Return those of several layouts that the symbols of the rows fit; all of them where that is not clear."""
    texts = ["".join(row.text.split()) for row in rows]
    marks = [
        layout for layout in fitting if layout.kind == "sukaku" and all(_are_marks(text, layout.n) for text in texts)
    ]
    if marks:
        return marks
    symbols = set("".join(texts)) - set(BLANKS)
    # A single symbol that is not a value may be an error.
    possible = [
        layout for layout in fitting if layout.separated or sum(_is_large(symbol, layout.n) for symbol in symbols) < 2
    ]
    return possible or fitting


def _are_marks(text: str, n: int) -> bool:
    """Check whether each n symbols have a candidate or more, each in its place."""
    if n > PLAIN_VALUES:
        return False
    cells = [text[start : start + n] for start in range(0, len(text), n)]
    return all(
        cell.strip(BLANKS) and all(symbol in (str(place), *BLANKS) for place, symbol in enumerate(cell, 1))
        for cell in cells
    )


def _is_large(symbol: str, n: int) -> bool:
    """Check whether a symbol is a digit or a letter that a board of n values does not have; a letter may be a blank."""
    if symbol.isdigit():
        return int(symbol) > n
    return n <= PLAIN_VALUES and symbol.isalpha() and symbol not in "xX"


def _as_numbers(segment: Segment, parts: list[list[str]], geometry: Geometry | None) -> list[Layout]:
    """Return the layouts that fit if each token is a cell."""
    return [layout._replace(separated=True) for layout in _of_widths(segment, list(map(len, parts)), geometry)]


def _as_groups(segment: Segment, parts: list[list[str]], geometry: Geometry | None) -> list[Layout]:
    """Return the layouts that fit if each character of the tokens is a cell."""
    fitting = _of_widths(segment, [sum(map(len, part)) for part in parts], geometry)
    if geometry is None:
        # Only groups of n symbols, one for each cell, are a Sukaku: 256 numbers of two digits, which 16x16 has, are
        # none of 512 symbols.
        fitting = [layout for layout in fitting if layout.kind != "sukaku" or _in_groups_of(layout.n, parts)]
    if any(_is_table(parts, layout) for layout in fitting):
        fitting = [layout for layout in fitting if layout.kind != "line"]
    return fitting


def _shared(parts: list[str]) -> list[str]:
    """Let short tokens that are equal be one object: each takes 50 bytes."""
    return [intern(part) if len(part) <= MAX_DIGITS else part for part in parts]


def _in_groups_of(n: int, parts: list[list[str]]) -> bool:
    return all(len(token) == n for part in parts for token in part)


def _is_table(parts: list[list[str]], layout: Layout) -> bool:
    return layout.kind == "table" and _in_groups_of(layout.n, parts) and all(len(part) == layout.n for part in parts)


def _largest(parts: list[list[str]]) -> int:
    """Return the largest number of all tokens; `_NO_NUMBER` if a token of several characters is not one."""
    different = {token for part in parts for token in part if len(token) > 1}
    if any(len(token) > MAX_DIGITS for token in different):
        return _NO_NUMBER
    different = {token for token in different if token.strip(BLANKS)}
    if all(token.isascii() and token.isdigit() for token in different):
        return max(map(int, different), default=0)
    return _NO_NUMBER


def _of_widths(segment: Segment, widths: list[int], geometry: Geometry | None) -> list[Layout]:
    """Return the layouts that fit the commonest width that fits any; rows of other widths are then errors."""
    for width, count in Counter(widths).most_common(_TRIED_WIDTHS):
        if geometry is None and count * _ROWS_FOR_EACH_MATCH < len(widths):
            break
        fitting = [
            layout
            for layout in _candidates(segment, width, geometry)
            if _height_fits(segment.blocks, layout, geometry is not None)
        ]
        if fitting:
            # Borders are drawn around the rows of a grid, not around a puzzle on one line.
            return [layout for layout in fitting if segment.bordered and layout.height > 1] or fitting
    return []


def _candidates(segment: Segment, width: int, geometry: Geometry | None) -> list[Layout]:
    """Return the layouts of this width, of the board if it is known, and of the format if one was asked for."""
    if geometry:
        same_width = [
            layout for layout in layouts(geometry.name, geometry.shape, geometry.n_values) if layout.width == width
        ]
    else:
        same_width = layouts_of_width(width)
    kinds = _kinds(segment)
    return same_width if kinds is None else [layout for layout in same_width if layout.kind in kinds]


def _kinds(segment: Segment) -> tuple[str, ...] | None:
    """Return the kinds of layouts of the format that the caller asked for, or None."""
    return None if segment.setting.format is None else TEXT_FORMATS[segment.setting.format].layouts


def _height_fits(blocks: list[list[Row]], layout: Layout, board_is_known: bool) -> bool:
    """Check whether blocks of the commonest height make whole puzzles."""
    if layout.height == 1:
        return True
    height = _block_height(blocks)
    rows = height * len(blocks)
    if board_is_known:
        return layout.height % height == 0 and rows >= layout.height  # `rows_of_puzzles` reports what is left over
    if layout.kind == "grid":
        return layout.height % height == 0 and rows % layout.height == 0
    # A cube that nothing announces comes alone, and its layers apart; else squares would often look like cubes.
    return rows == layout.height and height == layout.n


def _block_height(blocks: list[list[Row]]) -> int:
    return Counter(map(len, blocks)).most_common(1)[0][0]


def rows_of_puzzles(segment: Segment, layout: Layout) -> Iterator[list[Row] | FormatError]:
    """Yield the rows of each puzzle, or the error in them."""
    if layout.height == 1:
        yield from ([row] for block in segment.blocks for row in block)
        return
    height = _block_height(segment.blocks)
    size = layout.height // height
    for start in range(0, len(segment.blocks), size):
        part = segment.blocks[start : start + size]
        odd = next((block for block in part if len(block) != height), None)
        if odd or len(part) < size:
            line = (odd or part[0])[0].line
            what = f"a block of {len(odd)} lines" if odd else f"{len(part)} blocks of {height} lines"
            needs = f"{layout.height} lines of {layout.width} symbols" + (f" in blocks of {height}" if size > 1 else "")
            yield NoFormatError(f"{what}; {layout.board} needs {needs}", segment.setting.source, line)
        else:
            yield [row for block in part for row in block]


def _misfit(segment: Segment, rows: list[Row], geometry: Geometry | None) -> NoFormatError:
    """Return the error for rows that fit no layout, with their sizes and the nearest layout."""
    sizes = [_size(row) for row in rows]
    (width, unit), count = Counter(sizes).most_common(1)[0]
    most_are_equal = 2 * count > len(rows)
    odd = next((number for number, size in enumerate(sizes) if size != (width, unit)), None)
    line = rows[0].line
    if len(rows) == 1:
        sizes_text = f"{width} {unit} on a line"
    elif odd is None:
        sizes_text = f"{len(rows)} lines of {width} {unit}"
    elif most_are_equal:
        line, sizes_text = rows[odd].line, f"{' '.join(map(str, sizes[odd]))} on a line among {count} lines of {width}"
    else:
        sizes_text = f"{len(rows)} lines of different lengths"
    kinds = _kinds(segment)
    right = _needs(geometry, kinds) if geometry else _nearest_layout(width, len(rows), most_are_equal)
    as_format = f" as {segment.setting.format}" if kinds else ""
    return NoFormatError(f"{sizes_text} make no puzzle{as_format}; {right}", segment.setting.source, line)


def _needs(geometry: Geometry, kinds: tuple[str, ...] | None) -> str:
    """Return the rows that a board needs in layouts of these kinds, by default in any but a Sukaku."""
    rows, columns = geometry.frame
    frame = f"{rows} lines of {columns}, with blanks or - outside, or " if geometry.places and not kinds else ""
    return f"{geometry.name} needs {frame}" + ", or ".join(
        f"{layout.height} lines of {layout.width}" if layout.height > 1 else f"one of {layout.width}"
        for layout in layouts(geometry.name, geometry.shape, geometry.n_values)
        if (layout.kind in kinds if kinds else layout.kind != "sukaku")
    )


def _nearest_layout(width: int, n_rows: int, most_are_equal: bool) -> str:
    """Return the layouts nearest to rows of this width, if most of them have it."""
    if n_rows == 1:
        return nearest(width)
    if most_are_equal:
        return nearest_grid(width)
    return "a grid has as many lines as symbols on each; on one line a puzzle has 16 (4x4), 36 (6x6), 81 (9x9), ..."


def _size(row: Row) -> tuple[int, str]:
    """Count the numbers of a row if it looks like numbers, else its symbols."""
    parts = tokens(row)
    if "," in row.text or (len(parts) > 1 and max(map(len, parts)) < MAX_DIGITS):
        return len(parts), "numbers" if max(map(len, parts)) <= MAX_DIGITS else "fields between commas"
    return sum(map(len, parts)), "symbols"
