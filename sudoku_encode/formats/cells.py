"""Reads the lines of a text as the cells of puzzles."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd, isqrt

import numpy as np

from sudoku_encode.errors import FormatError, GeometryError, NoFormatError
from sudoku_encode.formats.drawings import drawn_board
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.frame import frame_board, frame_puzzles
from sudoku_encode.formats.layout import Layout, decide, rows_of_puzzles
from sudoku_encode.formats.lines import Row, Segment, Setting, segments, symbols, tokens
from sudoku_encode.formats.region_maps import SIDES, Grid, jigsaw_board, jigsaws, map_lines, map_remark
from sudoku_encode.formats.symbols import (
    BLANKS,
    PLAIN_VALUES,
    doubt,
    explain,
    most_of_a_value,
    number,
    only_alphabet,
    unpack,
    zero_doubt,
    zero_of,
)
from sudoku_encode.formats.table import (
    DEFAULT_ALPHABET,
    MAX_SYMBOLS,
    alphabet_names,
    alphabet_symbols,
    fitting_alphabet,
)
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle


def read_lines(
    text: str, caller: Setting, setting: Setting | None = None, first_line: int = 1, *, is_cut: bool = False
) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one, or of a segment; see `lines.segments`.

    Args:
        text: see `lines.segments` for this and the next.
        caller: the caller's options.
        setting: these with what the text before has said; by default the caller's alone.
        first_line: the number of its first line.
        is_cut: whether more of it follows.
    """
    for segment in segments(text, caller, setting, first_line, is_cut=is_cut):
        try:
            for entry in segment_entries(segment, is_cut=is_cut):
                yield entry._replace(about=segment.setting.about)
        except FormatError as error:
            yield Entry(error, error.line)  # the next segment may have another board


def segment_entries(segment: Segment, *, is_cut: bool = False) -> Iterator[Entry]:
    """Yield the puzzles of one segment, or a FormatError in the place of one.

    Raises:
        FormatError: the rows fit no board, or several.
        GeometryError: the caller asks for a rule that the board does not have.
    """
    setting = segment.setting
    named_board = setting.known_board()
    if setting.has_said_board:
        remark_maps(segment)
    elif grids := jigsaws(segment, is_cut=is_cut):
        yield from _jigsaw_entries(segment, grids)
        return
    if (board := frame_board(segment, named_board)) is not None:
        yield from _framed_entries(segment, board)
        return
    layout = decide(segment, named_board)
    geometry = named_board or setting.named_board(layout.board)
    if named_board is None and layout.kind == "grid":
        _refuse_names(segment, layout)
    if layout.kind == "grid" and not layout.separated:
        _refuse_labels(segment, layout)
    may_be_drawn = layout.kind == "grid" and not setting.has_said_board
    for rows in rows_of_puzzles(segment, layout):
        if isinstance(rows, FormatError):
            yield Entry(rows, rows.line)
            continue
        try:
            board = (drawn_board(rows, segment) if may_be_drawn else None) or geometry
            yield Entry(puzzle_of(rows, layout, board, setting), rows[0].line)
        except FormatError as error:
            yield Entry(error, error.line)


def _refuse_names(segment: Segment, layout: Layout) -> None:
    """Raise FormatError if the first row and column of a grid may be the names of the other rows and columns."""
    # Imported here: it takes time to load, and most texts are not grids of numbers on such a side.
    if layout.n - 1 not in SIDES or not layout.separated:
        return
    from sudoku_encode.formats.styles.words import named_grid

    rows = [row for block in segment.blocks for row in block]
    parts = [[token if token != "." else "" for token in tokens(row)] for row in rows]
    if named_grid(parts, layout.n - 1):
        n = layout.n - 1
        both = f"a {n + 1}x{n + 1} grid, or {n}x{n} with the numbers of its rows and columns"
        message = f"{len(rows)} lines may be {both}; say which with --board {n + 1}x{n + 1} or --board {n}x{n}"
        raise FormatError(message, segment.setting.source, rows[0].line)


def _refuse_labels(segment: Segment, layout: Layout) -> None:
    """Raise FormatError if all rows have the same groups of symbols, which are not of one width: labels, or clauses."""
    rows = [row for block in segment.blocks for row in block]
    sizes = {tuple(map(len, row.text.split())) for row in rows if "," not in row.text}
    if len(sizes) == 1 and len(rows) > 1 and _are_uneven(*sizes):
        groups = " and ".join(map(str, *sizes))
        message = f"groups of {groups} symbols in each row may be cells, or labels beside {layout.width} cells"
        right = "write the cells alone, with a blank for each that is not given"
        raise NoFormatError(f"{message}; {right}", segment.setting.source, rows[0].line)


def _are_uneven(sizes: Sequence[int]) -> bool:
    """Check whether groups of symbols have no width in common."""
    return len(sizes) > 1 and max(sizes) > 1 and gcd(*sizes) == 1


def remark_maps(segment: Segment) -> None:
    """Add a remark on grids that look like maps, but are read as puzzles."""
    for line in map_lines(segment):
        what = "looks like the regions of a jigsaw, but is read as a puzzle, since its board is given"
        segment.setting.remarks.add(f"the grid in line {line} {what}")


def _jigsaw_entries(segment: Segment, grids: list[Grid]) -> Iterator[Entry]:
    """Yield the puzzles of grids with their maps."""
    setting = segment.setting
    for rows, regions, map_line in grids:
        part = Segment(setting, [rows], segment.bordered)
        n = isqrt(len(regions))
        where, otherwise = f"the grid in line {map_line}", f"`# board: {n}x{n}` before both grids makes it a puzzle"
        try:
            board = jigsaw_board(n, regions, setting)
            puzzle = puzzle_of(rows, decide(part, board), board, setting)
            yield Entry(puzzle, rows[0].line, remarks=(map_remark(where, otherwise),))
        except FormatError as error:
            yield Entry(error, error.line)


def _framed_entries(segment: Segment, board: Geometry) -> Iterator[Entry]:
    """Yield the puzzles of rows as wide as the rectangle around boards that overlap."""
    for rows, frame_rows in frame_puzzles(segment, board):
        line = rows[0].line
        if isinstance(frame_rows, FormatError):
            yield Entry(frame_rows, frame_rows.line or line)
            continue
        try:
            yield Entry(puzzle_of(frame_rows.rows, frame_rows.layout, board, segment.setting, frame_rows.widths), line)
        except FormatError as error:
            yield Entry(error, error.line)


def line_entries(
    text: str,
    caller: Setting,
    parse: Callable[[Row, Setting], Puzzle],
    remarks: Callable[[Row], Iterable[str]] = lambda row: (),
) -> Iterator[Entry]:
    """Yield the puzzles of a text with one on each line, or a FormatError in the place of one.

    Args:
        text: see `lines.segments`.
        caller: the caller's options.
        parse: from a line to its puzzle; it raises FormatError or GeometryError if it is not one.
        remarks: from the line of a puzzle to remarks on how it is read.
    """
    for segment in segments(text.replace("\r\n", "\n").replace("\r", "\n"), caller):
        for row in (row for block in segment.blocks for row in block):
            try:
                yield Entry(parse(row, segment.setting), row.line, remarks=tuple(remarks(row)))
            except (FormatError, GeometryError) as error:
                yield Entry(located_error(error, caller.source, row.line), row.line)


def located_error(error: FormatError | GeometryError, source: str, line: int) -> FormatError:
    """Return an error in a puzzle with its place."""
    if isinstance(error, FormatError):
        return FormatError(error.message, source, error.line or line, error.column)
    return FormatError(str(error), source, line)


def puzzle_of(
    rows: list[Row], layout: Layout, geometry: Geometry, setting: Setting, widths: Sequence[int] = ()
) -> Puzzle:
    """Return the puzzle of some rows.

    Args:
        rows: the rows of the puzzle.
        layout: their layout.
        geometry: the board.
        setting: the options of the caller and of the text.
        widths: the number of cells in each row, if that is not the layout's width.

    Raises:
        FormatError: a row has another number of cells, or a symbol is not a value; with its place.
    """
    widths = widths or [layout.width] * len(rows)
    n = geometry.n_values
    parts = [tokens(row) for row in rows] if layout.separated else [row.text.split() for row in rows]
    texts = ["".join(part) for part in parts]
    alphabet = setting.alphabet_of(geometry)
    as_numbers = layout.separated and (
        any(len(token) > 1 for part in parts for token in part)
        or (setting.alphabet is None and not any(symbol.isalpha() for text in texts for symbol in text))
    )
    for row, part, text, width in zip(rows, parts, texts, widths, strict=True):
        n_found = len(part) if as_numbers else len(text)
        if n_found != width:
            unit = "numbers" if as_numbers else "symbols"
            message = f"{n_found} {unit} where {geometry.name} needs {width}"
            raise NoFormatError(message, setting.source, row.line, _column(row, width, as_numbers))
    if as_numbers:
        values = np.array([number(token, n, zero_of(alphabet)) for part in parts for token in part], np.uint8)
    else:
        if layout.kind == "line" and len(parts[0]) > 1 and "," not in rows[0].text:
            _refuse_words(parts[0], geometry, rows[0], setting)
        packed = "".join(texts)
        if alphabet is None and (name := only_alphabet(packed, n)):
            setting.remarks.add(f"the letters are read as values by --alphabet {name}", f"alphabet {name}")
            alphabet = alphabet_symbols(name)
        elif n > PLAIN_VALUES:
            _check_alphabet(packed, geometry, setting, rows[0].line)
        values = unpack(packed, n, alphabet)
    if values.max() > n:
        raise _bad_symbol(int(np.argmax(values > n)), rows, widths, geometry, setting, as_numbers)
    if layout.kind == "sukaku":
        return _sukaku(values, rows[0], geometry, setting)
    if alphabet is None and (as_numbers or n <= PLAIN_VALUES):
        cells = [token for part in parts for token in part] if as_numbers else list("".join(texts))
        zeros = sum(not token.strip("0") for token in cells)
        is_settled = n in values or zeros > most_of_a_value(geometry)
        if reason := zero_doubt(_blanks(rows, cells), n, is_settled=is_settled):
            raise FormatError(reason, setting.source, rows[0].line)
    return Puzzle(geometry, values, constraints=setting.constraints_on(geometry))


def _refuse_words(parts: Sequence[str], geometry: Geometry, row: Row, setting: Setting) -> None:
    """Raise FormatError if a short word beside many symbols may be a number or a rating instead of cells."""
    sizes = list(map(len, parts))
    side = geometry.shape[-1]
    if len(set(sizes)) > 1 and min(sizes) < side and (len(sizes) <= 3 or gcd(*sizes) == 1):
        word = min(parts, key=len)
        others = sum(sizes) - len(word)
        message = f"{word!r} beside {others} symbols may be a number, or cells of {geometry.name}"
        right = f"write {geometry.n_cells} symbols without a space"
        raise NoFormatError(f"{message}; {right}", setting.source, row.line, row.text.index(word) + 1)


def _blanks(rows: list[Row], texts: Iterable[str]) -> set[str]:
    """Return the symbols or numbers that are blanks in a puzzle."""
    blanks = {text for text in set(texts) if not text.strip(BLANKS + "xX")}
    if "." in blanks and any("," in row.text for row in rows) and not any("." in row.text for row in rows):
        return blanks - {"."} | {"an empty field"}
    return blanks


def _check_alphabet(packed: str, geometry: Geometry, setting: Setting, line: int) -> None:
    """Raise FormatError if symbols may mean two things, or are too few for a board of more than 9 values."""
    n, reason = geometry.n_values, None
    if setting.alphabet is None and n > MAX_SYMBOLS:
        reason = f"one symbol per cell goes up to {MAX_SYMBOLS} values, not {n}; write numbers separated by spaces"
    elif setting.alphabet is None:
        reason = doubt(packed, n) if geometry.first else None
    elif n > len(alphabet_symbols(DEFAULT_ALPHABET)) and not fitting_alphabet(setting.alphabet, n) and "0" in packed:
        fitting = " or ".join(alphabet_names(n))
        reason = f"0 may be a blank or a value, since alphabet {setting.alphabet} has no {n} symbols; write {fitting}"
    if reason:
        raise FormatError(reason, setting.source, line)


def _bad_symbol(
    index: int, rows: list[Row], widths: Sequence[int], geometry: Geometry, setting: Setting, as_numbers: bool
) -> FormatError:
    """Return the error for the cell of that index, with its place."""
    ends = np.cumsum(widths)
    number = int(np.searchsorted(ends, index, side="right"))
    row, index = rows[number], index - int(ends[number]) + widths[number]
    bad = tokens(row)[index] if as_numbers else symbols(row)[index]
    message = explain(bad, geometry.n_values, geometry.name, setting.alphabet_of(geometry), as_numbers)
    return NoFormatError(message, setting.source, row.line, _column(row, index, as_numbers))


def _column(row: Row, index: int, as_numbers: bool) -> int:
    """Return the column of the number or symbol of that index, or the one after the last."""
    if "," in row.text:
        fields = row.text.split(",")
        if index < len(fields):
            before = sum(len(field) + 1 for field in fields[:index])
            return before + len(fields[index]) - len(fields[index].lstrip()) + 1
        return len(row.text.rstrip()) + 1
    places = [match.start() + 1 for match in re.finditer(r"\S+" if as_numbers else r"\S", row.text)]
    return places[index] if index < len(places) else len(row.text.rstrip()) + 1


def _sukaku(values: Grids, row: Row, geometry: Geometry, setting: Setting) -> Puzzle:
    """Return the puzzle of a Sukaku: value d or a blank at the d-th of the places of each cell."""
    n = geometry.n_values
    expected = np.tile(np.arange(1, n + 1, dtype=np.uint8), geometry.n_cells)
    wrong = np.flatnonzero((values != 0) & (values != expected))
    if len(wrong):
        place = int(wrong[0])
        message = (
            f"{values[place]} stands where only {expected[place]} or a blank may; Sukaku lists 1 to {n} for each cell"
        )
        raise FormatError(message, setting.source, row.line, _column(row, place, as_numbers=False))
    marks = (values != 0).reshape(geometry.n_cells, n)
    return Puzzle.of(geometry, pencilmarks=marks, constraints=setting.constraints_on(geometry))
