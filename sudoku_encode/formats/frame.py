"""Rows of boards that overlap: the rows of the rectangle around all of them, without the places outside of all boards.

A place outside is blank or `-`, between commas an empty field, and any other blank will do where it is clear which
places are outside. A row may also have its cells alone, one symbol for each, and all rows may be on one line.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.layout import Layout, ambiguous
from sudoku_encode.formats.lines import Row, Segment, symbols, tokens
from sudoku_encode.formats.symbols import BLANKS, MAX_DIGITS
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.joined_boards import OVERLAPS

_KINDS = (None, "grid", "numbers")
_LINE_KINDS = (None, "line", "csv")
# The text of a place without a cell, if the text is clear: a space, nothing between commas, or a dash.
_OUTSIDE = (" ", "", "-")
# Boards that overlap and fill a square are considered only if the square could not have a single solution.
_ENOUGH_VALUES = 8
# Of all boards in OVERLAPS: the values, and the rows of the smallest.
_VALUES, _FEWEST_ROWS = 9, 12
SMALLEST_FRAME = _FEWEST_ROWS**2

Inside = tuple[tuple[bool, ...], ...]


class FrameRows(NamedTuple):
    """The rows of a puzzle without the places outside; columns are those of the text."""

    rows: list[Row]
    widths: list[int]  # how many cells each has
    layout: Layout  # whether they are numbers or symbols


class _Place(NamedTuple):
    """The text at a place of a row: a space if there is nothing, an empty text between two commas."""

    column: int
    text: str


def frame_board(segment: Segment, board: Geometry | None) -> Geometry | None:
    """Return the board of overlapping squares that has these rows; None if they are not rows of such a board.

    If neither the caller nor the text names a board, the boards with a name are tried.

    Raises:
        FormatError: there may be several.
    """
    if board is None:
        name = _recognised(segment)
        return segment.setting.named_board(name) if name else None
    first, rows = segment.blocks[0][0], len(segment.blocks[0])
    cells = len(tokens(first)) if "," in first.text else len(symbols(first))
    if not board.places or (rows == 1 and not _fills_frame(first, board)):
        return None
    kinds = _LINE_KINDS if _fills_frame(first, board) else _KINDS
    fits = cells < board.n_cells or kinds is _LINE_KINDS
    return board if fits and segment.setting.format in kinds else None


def _fills_frame(row: Row, board: Geometry) -> bool:
    """Return whether a row has all places of the rectangle around boards, some of which are outside."""
    area = board.frame[0] * board.frame[1]
    return area != board.n_cells and bool(_line_places(row.text, area))


def overlap_of(texts: Sequence[str], shape: Sequence[int], source: str, form: str) -> str | None:
    """Return the name of the board of overlapping squares that a list of values is for; None for another board.

    The texts are those of each place, in the order of the rows; an empty text if there is nothing. The shape is that of
    the rows and columns, or the number of all places.

    Raises:
        FormatError: there may be several; it names the source and its form, `json` or an `array`.
    """
    likeness = {
        name: _likeness(_in_rows(texts, len(inside[0])), inside)
        for name, inside in _places_inside().items()
        if tuple(shape) in ((len(inside), len(inside[0])), (len(inside) * len(inside[0]),))
    }
    what = "a list" if len(shape) == 1 else f"{shape[0]} lists"
    return _only_one(likeness, what, 1 if len(shape) == 1 else shape[0], source, form=form)


def cells_in_frame(numbers: NDArray[Any], board: Geometry, blank: int = 0) -> NDArray[Any]:
    """Return the numbers of the cells of boards that overlap, from the rectangle around all; others as they are.

    Numbers are in rows, or all in a row; `blank` is one for a blank, besides 0.

    Raises:
        FormatError: a number is outside of all boards.
    """
    if not board.places or numbers.shape not in (board.frame, (board.frame[0] * board.frame[1],)):
        return numbers
    outside, cells = numbers.reshape(board.frame).copy(), tuple(np.array(board.places).T)
    inside: NDArray[Any] = outside[cells]
    outside[cells] = 0
    if (wrong := np.argwhere((outside != 0) & (outside != blank))).size:
        row, column = wrong[0].tolist()
        raise FormatError(f"r{row + 1}c{column + 1} is in no board of {board.name}, but not blank")
    return inside


def frame_puzzles(segment: Segment, board: Geometry) -> Iterator[tuple[list[Row], FrameRows | FormatError]]:
    """Yield the rows of each puzzle, with the same without the places outside, or with the error in them."""
    source, height = segment.setting.source, board.frame[0]
    blocks = segment.blocks
    if _fills_frame(blocks[0][0], board):
        blocks = [[row] for block in blocks for row in block]
    for block in blocks:
        folded = _folded(block[0], board.frame) if len(block) == 1 else []
        if len(block) % height and not folded:
            message = f"a block of {len(block)} lines; {board.name} needs {height} lines of {board.frame[1]} symbols"
            yield block, FormatError(message, source, block[0].line)
            continue
        starts = [place.column for place in folded]
        lines = [Row(block[0].line, place.text) for place in folded] or _indented(block)
        for start in range(0, len(lines), height):
            rows = lines[start : start + height]
            try:
                yield rows, _without_outside(rows, starts or [0] * height, board, source)
            except FormatError as error:
                yield rows, error


def _folded(row: Row, frame: tuple[int, int]) -> list[_Place]:
    """Return the rows of a puzzle on one line, each with its place in it; none if the line has another length."""
    height, width = frame
    places = _line_places(row.text, height * width)
    parts = [places[start : start + width] for start in range(0, len(places), width)]
    return [_Place(part[0].column, row.text[part[0].column : part[-1].column + len(part[-1].text)]) for part in parts]


def _without_outside(rows: list[Row], starts: Sequence[int], board: Geometry, source: str) -> FrameRows:
    """Return the rows of a puzzle without the places outside, with as many spaces before them as `starts` says."""
    inside = _inside(board)
    without_outside = []
    for number, (row, start, cells) in enumerate(zip(rows, starts, inside, strict=True)):
        cleaned = _cleaned(row, start, number, board, cells, source)
        without_outside.append(cleaned._replace(text=" " * start + cleaned.text))
    separated = all(len(tokens(row)) == sum(cells) for row, cells in zip(without_outside, inside, strict=True))
    layout = Layout("frame", board.name, board.n_values, board.frame[1], board.frame[0], separated)
    return FrameRows(without_outside, list(map(sum, inside)), layout)


def _cleaned(row: Row, start: int, number: int, board: Geometry, inside: tuple[bool, ...], source: str) -> Row:
    """Return a row with spaces in the places outside, and for the commas beside them."""
    ways = list(_ways(row.text, len(inside)))
    for places in ways:
        if all(_fits(place.text, cell) for place, cell in zip(places, inside, strict=True)):
            return row._replace(text=_blanked(row.text, places, inside))
    if sum(inside) in (len(symbols(row)), len(tokens(row))):
        return row
    if not ways:
        size = f"{len(tokens(row))} fields" if "," in row.text else f"{len(symbols(row))} symbols"
        expected = f"{len(inside)}, or {sum(inside)} without those outside"
        raise FormatError(f"{size} where row {number + 1} of {board.name} needs {expected}", source, row.line)
    column, place, cell = next(
        (column, place, cell)
        for column, (place, cell) in enumerate(zip(ways[0], inside, strict=True))
        if not _fits(place.text, cell)
    )
    name = f"r{number + 1}c{column + 1}"
    what = f"{name} is empty; a blank is . or 0" if cell else f"{name} is in no board of {board.name}, but not blank"
    raise FormatError(what, source, row.line, start + place.column + 1)


def _blanked(row: str, places: Sequence[_Place], inside: Sequence[bool]) -> str:
    """Return the text of a row with spaces in the places outside."""
    text = list(row)
    last = max(column for column, cell in enumerate(inside) if cell)
    for column, (place, cell) in enumerate(zip(places, inside, strict=True)):
        end = place.column + len(place.text)
        if not cell:
            text[place.column : end] = " " * len(place.text)
        if "," in row and end < len(text) and (not cell or column == last):
            text[row.index(",", end)] = " "
    return "".join(text)


def _fits(text: str, inside: bool) -> bool:
    return text != " " if inside else text == " " or not text.strip(BLANKS)


def _ways(text: str, width: int) -> Iterator[list[_Place]]:
    """Yield the ways to see this number of places in a row: fields, tokens, characters, and every other character."""
    if "," in text:
        # Fields between commas may have spaces around them, or be empty.
        fields = [
            _Place(match.start(1), match[1]) for match in re.finditer(r"(?:^|,)[ \t]*([^,]*?)[ \t]*(?=,|$)", text)
        ]
        if len(fields) == width:
            yield fields
        return
    fields_by_space = [_Place(match.start(), match[0]) for match in re.finditer(r"\S+", text)]
    if len(fields_by_space) == width:
        yield fields_by_space
    length = len(text.rstrip())
    # Tokens are as many characters in a row without a space, which are places as well.
    if length <= width and len(fields_by_space) < width:
        yield [_Place(column, symbol) for column, symbol in enumerate(text.rstrip().ljust(width))]
    elif width < length < 2 * width and not text[1::2].strip():
        yield [_Place(2 * column, symbol) for column, symbol in enumerate(text.rstrip()[::2].ljust(width))]


def _line_places(text: str, number: int) -> list[_Place]:
    """Return this number of places on one line; none if the line has another number of them."""
    pattern = r"(?:^|,)()" if "," in text else r"\S+" if len(text.split(None, 1)) > 1 else r"\S"
    if sum(1 for _ in re.finditer(pattern, text)) != number:
        return []
    return (
        next(_ways(text.rstrip(), number))
        if "," in text
        else [_Place(match.start(), match[0]) for match in re.finditer(pattern, text)]
    )


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
def _places_inside() -> dict[str, Inside]:
    """Return the boards that have a name, with the places inside."""
    return {name: _inside(boards.board(name)) for name in OVERLAPS}


def _in_rows(texts: Sequence[str], width: int) -> list[Sequence[str]]:
    return [texts[start : start + width] for start in range(0, len(texts), width)]


def _recognised(segment: Segment) -> str | None:
    """Return the name of the board whose places outside are those of the text, else None; refuse unclear texts."""
    height, line = len(segment.blocks[0]), segment.blocks[0][0].line
    # The smallest has 12 rows; a line has all its 144 places or more.
    if segment.setting.format in _KINDS and height > 1 and all(len(block) == height for block in segment.blocks):
        likeness = {
            name: _common(
                _likeness(_rows_of_texts(_indented(block), len(inside[0])), inside) for block in segment.blocks
            )
            for name, inside in (_places_inside().items() if height >= _FEWEST_ROWS else ())
            if len(inside) == height
        }
        if any(likeness.values()):
            return _only_one(likeness, f"{height} lines", height, segment.setting.source, line)
    rows = [row for block in segment.blocks for row in block]
    if segment.setting.format not in _LINE_KINDS or len(rows[0].text) < SMALLEST_FRAME:
        return None
    likeness = {
        name: _common(_line_likeness(row.text, inside) for row in rows)
        for name, inside in _places_inside().items()
        if _line_places(rows[0].text, len(inside) * len(inside[0]))
    }
    return _only_one(likeness, "a line", 1, segment.setting.source, line)


def _only_one(
    likeness: dict[str, str], what: str, height: int, source: str, line: int | None = None, form: str = "text"
) -> str | None:
    """Return the name of the only board that a text is like (see `_likeness`), None for no board; refuse several."""
    exact = [name for name, how in likeness.items() if how == "exact"]
    loose = [name for name, how in likeness.items() if how == "loose"]
    if len(exact) == 1 or not exact + loose:
        return exact[0] if exact else None
    inside = _places_inside()[(exact + loose)[0]]
    rows, columns = len(inside), len(inside[0])
    names = [f"{rows}x{columns}"] * (rows == columns) + exact + loose
    if len(names) == 1:
        return names[0]
    width = columns if height > 1 else rows * columns
    layouts = [Layout("frame", name, 9, width, height) for name in names]
    raise FormatError(ambiguous(what, layouts, height, form), source, line)


def _common(likeness: Iterator[str]) -> str:
    """Return how all puzzles of a text are like a board."""
    every = set()
    for how in likeness:
        every.add(how)
        if not how:
            return ""
    return "exact" if every == {"exact"} else "loose"


def _rows_of_texts(rows: list[Row], width: int) -> list[list[str]]:
    """Return the text at each place; an empty list if a row has another number of places."""
    ways = [next(_ways(row.text, width), None) for row in rows]
    return [] if None in ways else [[place.text for place in way or ()] for way in ways]


def _line_likeness(text: str, inside: Inside) -> str:
    """Return `_likeness` of the rows of a puzzle that are all on one line."""
    width = len(inside[0])
    return _likeness(_in_rows([place.text for place in _line_places(text, len(inside) * width)], width), inside)


def _likeness(rows: Sequence[Sequence[str]], inside: Inside) -> str:
    """Return `exact` if only the places outside are blank or `-`, `loose` if they may be outside, "" for neither."""
    # On boards without a place outside, only the values tell them from a square, whose one solution needs more values.
    if not rows:
        return ""
    is_full = all(map(all, inside))
    texts, outside = [], []
    for row, cells in zip(rows, inside, strict=True):
        if not all(_fits(text, cell) for text, cell in zip(row, cells, strict=True)):
            return ""
        texts += [text for text, cell in zip(row, cells, strict=True) if cell]
        outside += [text for text, cell in zip(row, cells, strict=True) if not cell]
    values = {text for text in texts if text.strip(BLANKS)}
    if not all(
        text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS and int(text) <= _VALUES for text in values
    ):
        return ""
    if is_full:
        return "loose" if len(set(map(int, values))) >= _ENOUGH_VALUES else ""
    exact = set(outside) <= set(_OUTSIDE) and not set(texts) & set(_OUTSIDE)
    return "exact" if exact else "loose" if values else ""
