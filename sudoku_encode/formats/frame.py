"""Rows of boards that overlap: the rows of the rectangle around all of them, where what is in no board is left out.

A place outside is blank or `-`, and any other blank will do where it is clear which places are outside. A row may also
have its cells alone, one symbol for each.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.layout import Layout, ambiguous
from sudoku_encode.formats.lines import Row, Segment, symbols, tokens
from sudoku_encode.formats.symbols import BLANKS
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.overlaps import OVERLAPS

_KINDS = (None, "grid", "numbers")
_OUTSIDE = " -"

Inside = tuple[tuple[bool, ...], ...]


class Framed(NamedTuple):
    """The rows of a puzzle without what is outside; columns are those of the text.

    Attributes:
        rows: the rows.
        widths: how many cells each has.
        layout: whether they are numbers or symbols.
    """

    rows: list[Row]
    widths: list[int]
    layout: Layout


class _Place(NamedTuple):
    """What stands at a place of a row: a space where nothing does."""

    column: int
    text: str


def framed_board(segment: Segment, known: Geometry | None) -> Geometry | None:
    """Return the board that overlaps whose rows these are; None where they are not rows of such a board.

    Args:
        segment: the rows.
        known: the board, if it is known; else it is looked for among those that have a name.

    Raises:
        FormatError: there may be several.
    """
    if segment.setting.format not in _KINDS:
        return None
    if known is None:
        name = _recognised(segment)
        return segment.setting.named_board(name) if name else None
    first = segment.blocks[0][0]
    cells = len(tokens(first)) if "," in first.text else len(symbols(first))
    return known if known.places and cells < known.n_cells and len(segment.blocks[0]) > 1 else None


def framed_puzzles(segment: Segment, board: Geometry) -> Iterator[tuple[list[Row], Framed | FormatError]]:
    """Yield the rows of each puzzle, and what they are without what is outside, or what is wrong with them."""
    height = board.frame[0]
    for block in segment.blocks:
        if len(block) % height:
            message = f"a block of {len(block)} lines; {board.name} needs {height} lines of {board.frame[1]} symbols"
            yield block, FormatError(message, segment.setting.source, block[0].line)
            continue
        for start in range(0, len(block), height):
            rows = block[start : start + height]
            try:
                yield rows, _without_outside(rows, board, segment.setting.source)
            except FormatError as error:
                yield rows, error


def _without_outside(rows: list[Row], board: Geometry, source: str) -> Framed:
    inside = _inside(board)
    found = [
        _cleaned(row, at, board, cells, source)
        for at, (row, cells) in enumerate(zip(_indented(rows), inside, strict=True))
    ]
    separated = all(len(tokens(row)) == sum(cells) for row, cells in zip(found, inside, strict=True))
    layout = Layout("frame", board.name, board.n_values, board.frame[1], board.frame[0], separated)
    return Framed(found, list(map(sum, inside)), layout)


def _cleaned(row: Row, at: int, board: Geometry, inside: tuple[bool, ...], source: str) -> Row:
    """Return a row with blanks in place of what is outside."""
    ways = list(_ways(row.text, len(inside)))
    for places in ways:
        if all(_fits(place.text, cell) for place, cell in zip(places, inside, strict=True)):
            text = list(row.text)
            for place, cell in zip(places, inside, strict=True):
                if not cell and place.text != " ":
                    text[place.column : place.column + len(place.text)] = " " * len(place.text)
            return row._replace(text="".join(text))
    if sum(inside) in (len(symbols(row)), len(tokens(row))):
        return row
    if not ways:
        found, wanted = len(symbols(row)), f"{len(inside)}, or {sum(inside)} without those outside"
        raise FormatError(f"{found} symbols where row {at + 1} of {board.name} needs {wanted}", source, row.line)
    column, place, cell = next(
        (column, place, cell)
        for column, (place, cell) in enumerate(zip(ways[0], inside, strict=True))
        if not _fits(place.text, cell)
    )
    name = f"r{at + 1}c{column + 1}"
    what = f"{name} is empty; a blank is . or 0" if cell else f"{name} is in no board of {board.name}, but not blank"
    raise FormatError(what, source, row.line, place.column + 1)


def _fits(text: str, inside: bool) -> bool:
    return text != " " if inside else text == " " or not text.strip(BLANKS)


def _ways(text: str, width: int) -> Iterator[list[_Place]]:
    """Yield the ways to see this number of places in a row: tokens, characters, and every other character."""
    found = [_Place(match.start(), match[0]) for match in re.finditer(r"\S+", text)]
    if len(found) == width:
        yield found
    length = len(text.rstrip())
    # Tokens are as many characters in a row without a space, which are places as well.
    if length <= width and len(found) < width:
        yield [_Place(at, symbol) for at, symbol in enumerate(text.rstrip().ljust(width))]
    elif width < length < 2 * width and not text[1::2].strip():
        yield [_Place(2 * at, symbol) for at, symbol in enumerate(text.rstrip()[::2].ljust(width))]


def _indented(rows: list[Row]) -> list[Row]:
    """Return rows without the blanks before all of them: no column is outside of all boards."""
    indent = min(len(row.text) - len(row.text.lstrip()) for row in rows)
    return [row._replace(text=row.text[indent:].replace("\t", " ")) for row in rows] if indent else rows


@lru_cache(maxsize=16)
def _inside(board: Geometry) -> Inside:
    """Return for each place of the rectangle around all boards, row by row, whether there is a cell."""
    rows, columns = board.frame
    return tuple(tuple((row, column) in board.cells_by_coordinates for column in range(columns)) for row in range(rows))


@lru_cache(maxsize=1)
def _known() -> dict[str, Inside]:
    """Return the boards that have a name and places outside, which tell them from others."""
    inside = {name: _inside(boards.board(name)) for name in OVERLAPS}
    return {name: rows for name, rows in inside.items() if not all(map(all, rows))}


def _recognised(segment: Segment) -> str | None:
    """Return the name of the board whose places outside are those of the text; None where there is none.

    Raises:
        FormatError: outside, and inside too, there are blanks of other kinds, and it may be a square or another board.
    """
    height = len(segment.blocks[0])
    if any(len(block) != height for block in segment.blocks):
        return None
    loose: list[str] = []
    for name, inside in _known().items() if height >= min(map(len, _known().values())) else ():
        if len(inside) != height:
            continue
        fits = {_likeness(_indented(block), inside) for block in segment.blocks}
        if fits == {"exact"}:
            return name
        if fits <= {"exact", "loose"}:
            loose.append(name)
    if not loose:
        return None
    inside = _known()[loose[0]]
    width = len(inside[0])
    square = [f"{width}x{width}"] if width == height else []
    if len(square + loose) > 1:
        found = [Layout("frame", name, 9, width, height) for name in square + loose]
        line = segment.blocks[0][0].line
        raise FormatError(ambiguous(f"{height} lines", found, height), segment.setting.source, line)
    return loose[0]


def _likeness(rows: list[Row], inside: Inside) -> str:
    """Say how places outside are known: `exact` if they alone are blank or `-`, `loose` if they may be outside."""
    exact, given = True, False
    for row, cells in zip(rows, inside, strict=True):
        places = next(_ways(row.text, len(cells)), None)
        if places is None or not all(_fits(place.text, cell) for place, cell in zip(places, cells, strict=True)):
            return ""
        texts = [place.text for place, cell in zip(places, cells, strict=True) if cell]
        if any(text.strip(BLANKS + "123456789") or len(text) > 1 for text in texts):
            return ""
        given = given or any(text.strip(BLANKS) for text in texts)
        outside = [place.text for place, cell in zip(places, cells, strict=True) if not cell]
        exact = exact and set(outside) <= set(_OUTSIDE) and "-" not in texts
    return "exact" if exact else "loose" if given else ""
