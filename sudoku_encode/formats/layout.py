"""From rows of symbols to puzzles, by counting.

Every layout writes the cells in reading order, so it is only a matter of how many symbols a row has and how many rows a
puzzle has: `line` one row, `grid` n rows of n, `layers` n blocks of n rows of n (a cube), `table` n rows of n * n (a
cube), `sukaku` one row of n * n * n (a square with pencilmarks). Without a board every board up to 100x100 and
25x25x25 whose side is not prime is tried; what fits two of them is refused.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from sys import intern

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.lines import Row, Segment
from sudoku_encode.formats.symbols import BLANKS, MAX_DIGITS
from sudoku_encode.puzzles.geometry import Geometry

# What each format's name, when the caller gives it, says about the layout of the rows.
FORMAT_KINDS: dict[str, tuple[str, ...]] = {
    "line": ("line",),
    "grid": ("grid", "layers"),
    "sdk": ("grid",),
    "sdm": ("line",),
    "ss": ("grid",),
    "opensudoku": (),
    "sukaku": ("sukaku",),
    "numbers": ("grid", "layers"),
    "csv": ("line",),
    "layers": ("layers",),
    "table": ("table",),
    "json": (),
}

_SIDES = [n for n in range(4, 101) if any(n % d == 0 for d in range(2, n))]
_CUBE_SIDES = [4, 9, 16, 25]


@dataclass(frozen=True)
class Layout:
    """How the rows of a segment make puzzles.

    Attributes:
        kind: see the module.
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

    def taken(self, n_rows: int) -> str:
        """Say what the layout takes so many rows for."""
        count = n_rows // self.height
        one = f"{self.board} Sukaku" if self.kind == "sukaku" else self.board
        return one if count == 1 else f"{count} puzzles of {one}"


def layouts(name: str, shape: Sequence[int]) -> Iterator[Layout]:
    """Yield every layout of a board."""
    n = shape[0]
    if len(shape) == 2:
        yield Layout("grid", name, n, n, n)
        yield Layout("line", name, n, n * n, 1)
        yield Layout("sukaku", name, n, n**3, 1)
    else:
        yield Layout("layers", name, n, n, n * n)
        yield Layout("table", name, n, n * n, n)
        yield Layout("line", name, n, n**3, 1)


@cache
def _common_layouts() -> dict[int, list[Layout]]:
    """By width, every layout of the boards that need no name."""
    shapes = [(n, n, n) for n in _CUBE_SIDES] + [(n, n) for n in _SIDES]
    found: dict[int, list[Layout]] = {}
    for shape in shapes:
        for layout in layouts("x".join(map(str, shape)), shape):
            if (layout.kind, layout.n) != ("sukaku", 4):  # too rare for 64 symbols to be in doubt between three
                found.setdefault(layout.width, []).append(layout)
    return found


def tokens(row: Row) -> list[str]:
    """Return the parts of a row that commas, or else spaces, separate; an empty part between commas is a blank."""
    if "," in row.text:
        return [part.strip() or "." for part in row.text.split(",")]
    return row.text.split()


def _shared(parts: list[str]) -> list[str]:
    """Keep one of all short tokens that are equal: each takes 50 bytes."""
    return [intern(part) if len(part) <= MAX_DIGITS else part for part in parts]


def symbols(row: Row) -> str:
    """Return the symbols of a row without what separates them."""
    return "".join(tokens(row))


def decide(segment: Segment, geometry: Geometry | None) -> Layout:
    """Return the one layout that fits.

    Args:
        segment: the rows.
        geometry: the board, if it is known.

    Raises:
        FormatError: none fits, or two do.
    """
    setting = segment.setting
    rows = [row for block in segment.blocks for row in block]
    found = list(dict.fromkeys(_fitting(segment, rows, geometry)))
    if len({(layout.board, layout.kind) for layout in found}) > 1:
        what = "a line" if len(rows) == 1 else f"{len(rows)} lines"
        raise FormatError(ambiguous(what, found, len(rows)), setting.source, rows[0].line)
    if not found:
        raise _misfit(segment, rows, geometry)
    return found[0]


def _fitting(segment: Segment, rows: list[Row], geometry: Geometry | None) -> list[Layout]:
    """Return the layouts that fit, each as packed symbols or as separated numbers."""
    separated = any(len(row.text.split(None, 1)) > 1 or "," in row.text for row in rows)
    if not separated:
        return _options(segment, [len(row.text.strip()) for row in rows], geometry)
    parts = [_shared(tokens(row)) for row in rows]
    packed_widths = [sum(map(len, row)) for row in parts]
    widths = [len(row) for row in parts]
    if widths == packed_widths:
        return [_as_separated(layout) for layout in _options(segment, widths, geometry)]
    packed = []
    if not any("," in row.text for row in rows):
        packed = _options(segment, packed_widths, geometry)
        if geometry is None:
            # 256 numbers of two digits, which 16x16 has, are no Sukaku of 512 symbols.
            packed = [layout for layout in packed if layout.kind != "sukaku" or _is_grouped(parts, layout.n)]
        if any(_is_table(parts, layout) for layout in packed):
            packed = [layout for layout in packed if layout.kind != "line"]
    # What the numbers say decides which of two boards is meant; groups of symbols are as long as each other.
    largest = _largest(parts)
    numbers = [_as_separated(layout) for layout in _options(segment, widths, geometry)]
    even = all(len(set(map(len, row))) <= 1 for row in parts)
    sure = (packed if even else []) + [layout for layout in numbers if largest <= layout.n]
    return sure or [layout for layout in numbers if layout.n > 9] or packed or numbers


def _as_separated(layout: Layout) -> Layout:
    return Layout(layout.kind, layout.board, layout.n, layout.width, layout.height, separated=True)


def _is_grouped(parts: list[list[str]], n: int) -> bool:
    return all(len(token) == n for row in parts for token in row)


def _is_table(parts: list[list[str]], layout: Layout) -> bool:
    return layout.kind == "table" and _is_grouped(parts, layout.n) and all(len(row) == layout.n for row in parts)


def _largest(parts: list[list[str]]) -> int:
    """Return the largest number of all tokens; out of reach if a token of several symbols is no number."""
    different = {token for row in parts for token in row if len(token) > 1}
    if any(len(token) > MAX_DIGITS for token in different):
        return 1_000
    different = {token for token in different if token.strip(BLANKS)}
    if all(token.isascii() and token.isdigit() for token in different):
        return max(map(int, different), default=0)
    return 1_000


def _options(segment: Segment, widths: list[int], geometry: Geometry | None) -> list[Layout]:
    """Return the layouts that fit the commonest width that fits any; rows of other widths are then errors."""
    wanted = FORMAT_KINDS.get(segment.setting.format or "")
    for width, count in Counter(widths).most_common(5):
        if geometry is None and count * 5 < len(widths):
            break  # too few to say which board is meant
        if geometry:
            options = [layout for layout in layouts(geometry.name, geometry.shape) if layout.width == width]
        else:
            options = _common_layouts().get(width, [])
        found = [
            layout
            for layout in options
            if (wanted is None or layout.kind in wanted) and _height_fits(segment.blocks, layout, geometry is not None)
        ]
        if segment.bordered and any(layout.height > 1 for layout in found):
            found = [layout for layout in found if layout.height > 1]
        if found:
            return found
    return []


def _height_fits(blocks: list[list[Row]], layout: Layout, known: bool) -> bool:
    """Say whether blocks of the commonest height make whole puzzles."""
    if layout.height == 1:
        return True
    height = _block_height(blocks)
    rows = height * len(blocks)
    if known:
        return layout.height % height == 0 and rows >= layout.height  # `groups` reports what is left over
    if layout.kind == "grid":
        return layout.height % height == 0 and rows % layout.height == 0
    # A cube that nothing announces comes alone, and its layers apart; else squares would often look like cubes.
    return rows == layout.height and height == layout.n


def _block_height(blocks: list[list[Row]]) -> int:
    return Counter(map(len, blocks)).most_common(1)[0][0]


def groups(segment: Segment, layout: Layout) -> Iterator[list[Row] | FormatError]:
    """Yield the rows of each puzzle, or what is wrong with them."""
    if layout.height == 1:
        yield from ([row] for block in segment.blocks for row in block)
        return
    height = _block_height(segment.blocks)
    size = layout.height // height
    for start in range(0, len(segment.blocks), size):
        part = segment.blocks[start : start + size]
        odd = next((block for block in part if len(block) != height), None)
        if odd or len(part) < size:
            at = (odd or part[0])[0].line
            what = f"a block of {len(odd)} lines" if odd else f"{len(part)} blocks of {height} lines"
            needs = f"{layout.height} lines of {layout.width} symbols" + (f" in blocks of {height}" if size > 1 else "")
            yield FormatError(f"{what}; {layout.board} needs {needs}", segment.setting.source, at)
        else:
            yield [row for block in part for row in block]


def line_layouts(length: int) -> list[Layout]:
    """Return the layouts that put a puzzle of so many symbols on one line, for boards that need no name."""
    return [layout for layout in _common_layouts().get(length, []) if layout.height == 1]


def ambiguous(what: str, found: Sequence[Layout], n_rows: int) -> str:
    """Say which boards fit, and how to say which is meant."""
    taken = [layout.taken(n_rows) for layout in found]
    names = list(dict.fromkeys(layout.board for layout in found))
    return (
        f"{what} of {found[0].width} symbols may be {', '.join(taken[:-1])} or {taken[-1]}; "
        f"say which with --board {' or --board '.join(names)}, or with a line `# board: {names[0]}` before it"
    )


def _misfit(segment: Segment, rows: list[Row], geometry: Geometry | None) -> FormatError:
    """Say what was found where nothing fits, and what comes nearest."""
    sizes = [_size(row) for row in rows]
    (width, unit), count = Counter(sizes).most_common(1)[0]
    odd = next((at for at, size in enumerate(sizes) if size != (width, unit)), None)
    found = f"{len(rows)} lines of {width} {unit}" if len(rows) > 1 else f"{width} {unit} on a line"
    line = rows[0].line
    if odd is not None and 2 * count > len(rows):
        line, found = rows[odd].line, f"{' '.join(map(str, sizes[odd]))} on a line among {count} lines of {width}"
    elif odd is not None:
        found = f"{len(rows)} lines of different lengths"
    kinds = FORMAT_KINDS.get(segment.setting.format or "")
    if geometry:
        fits = [layout for layout in layouts(geometry.name, geometry.shape) if not kinds or layout.kind in kinds]
        right = f"{geometry.name} needs " + ", or ".join(
            f"{layout.height} lines of {layout.width}" if layout.height > 1 else f"one of {layout.width}"
            for layout in fits
            if layout.kind != "sukaku" or kinds
        )
    else:
        right = nearest(width) if len(rows) == 1 else _right_grid(width, 2 * count > len(rows))
    as_format = f" as {segment.setting.format}" if kinds else ""
    return FormatError(f"{found} make no puzzle{as_format}; {right}", segment.setting.source, line)


def _size(row: Row) -> tuple[int, str]:
    """Count the numbers of a row if it looks like numbers, else its symbols."""
    parts = tokens(row)
    if "," in row.text or (len(parts) > 1 and max(map(len, parts)) < MAX_DIGITS):
        return len(parts), "numbers" if max(map(len, parts)) <= MAX_DIGITS else "fields between commas"
    return sum(map(len, parts)), "symbols"


def _right_grid(width: int, regular: bool) -> str:
    if not regular:
        return "a grid has as many lines as symbols on each; on one line a puzzle has 16 (4x4), 36 (6x6), 81 (9x9), ..."
    side = min(_SIDES, key=lambda n: abs(n - width))
    return f"a {side}x{side} grid has {side} lines of {side}, with a blank line between grids; {nearest(width)}"


def nearest(length: int) -> str:
    """Name the lengths next to one that fits no board."""
    lengths = sorted(width for width in _common_layouts() if line_layouts(width))
    below = [width for width in lengths if width < length][-1:]
    above = [width for width in lengths if width > length][:1]
    named = [f"{width} ({', '.join(layout.board for layout in line_layouts(width))})" for width in below + above]
    return f"on one line a puzzle has {' or '.join(named)}"
