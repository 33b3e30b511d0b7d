"""Reads puzzles that are one line, or one field of a line, each: segment by segment, plain lines many at once.

The beginning of a text tells whether it is such a text. Lines that are not plain are read one by one, and if the text
turns out to be something else, such as a grid of lines, the rest of it is read as a whole.
"""

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.formats import bulk
from sudoku_encode.formats.cells import puzzle_of, read_lines, remark_maps
from sudoku_encode.formats.entries import Entry, ParsedItem, PuzzleBatch, fail_early
from sudoku_encode.formats.frame import frame_board
from sudoku_encode.formats.headers import is_setting_key
from sudoku_encode.formats.layout import Layout, decide
from sudoku_encode.formats.lines import (
    MAX_LINE_CHARACTERS,
    Row,
    Segment,
    Setting,
    directive_of,
    is_separator,
    segments,
    with_directive,
)
from sudoku_encode.formats.region_maps import full_maps, is_map, jigsaws, lone_map_reason
from sudoku_encode.formats.symbols import PLAIN_VALUES, unpack, zero_of
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids

# So many bytes are enough to tell the kind of a text. No puzzle has a longer first line: the 61x61 Sukaku is not quite
# as long.
BEGINNING_BYTES, MAX_FIRST_LINE_CHARACTERS = 1 << 17, 1 << 18
# A text that is read as a whole takes most memory if its lines are short: 200 bytes each.
MAX_CHARACTERS, MAX_LINES = 1 << 27, 1 << 22
# The names of columns in tables of puzzles, in lower case.
PUZZLE_COLUMNS = ("puzzle", "puzzles", "quiz", "quizzes", "question", "questions", "sudoku", "givens")
ANSWER_COLUMNS = ("solution", "solutions", "answer", "answers")

# A longer text in a table is a puzzle.
MAX_DIGITS_OF_A_NUMBER = 15
_HEADER = re.compile(r"\s*[A-Za-z_][\w -]*(,[\w -]*)*\s*", re.ASCII)


class Columns(NamedTuple):
    """The numbers of the fields in a table, from 0."""

    puzzle: int  # the field with the puzzle
    answer: int | None  # the field with its solution, or None
    n_fields: int  # the number of fields in a line


class _Plan(NamedTuple):
    """How single lines are read."""

    board: Geometry  # the board of the puzzles
    layout: Layout  # the layout of a line
    columns: Columns | None  # the columns of a table; None if a line is a puzzle
    alphabet: str | None  # the symbols for 1, 2, 3, ...; None if they are not specified
    may_have_maps: bool  # whether a line may be the regions of a jigsaw, since the board is not specified


def read(pieces: Iterator[bytes], caller: Setting) -> Iterator[ParsedItem]:
    """Yield the puzzles of a text, cut anywhere, with errors in the place of some.

    Raises:
        FormatError: the text as a whole cannot be read, or is not UTF-8.
    """
    reader, rest, ended = _LineReader(caller), b"", False
    while True:
        while (end := rest.rfind(b"\n") + 1) < BEGINNING_BYTES and not ended:
            most = MAX_LINE_CHARACTERS if end or reader.line > 1 else MAX_FIRST_LINE_CHARACTERS
            if len(rest) - end > most:
                line = reader.line + rest.count(b"\n")
                raise FormatError(f"a line of more than {most:,} characters is not a puzzle", caller.source, line)
            piece = next(pieces, None)
            ended = piece is None
            rest += b"\n" if piece is None else piece
        n_read = yield from reader.read(rest[:end], ended)
        rest = rest[n_read:]
        if reader.whole:
            yield from _whole(rest, pieces, caller, reader)
            return
        if ended:
            return


def _whole(rest: bytes, pieces: Iterator[bytes], caller: Setting, reader: "_LineReader") -> Iterator[Entry]:
    """Yield the puzzles of the rest of a text, which is read as a whole; see `cells.read_lines`."""
    parts, size = [rest], len(rest)
    if size > BEGINNING_BYTES:
        # It is judged by its beginning before more of it is read.
        beginning = decoded(rest[: rest.rfind(b"\n") + 1], caller.source, reader.line)
        fail_early(read_lines(beginning, caller, reader.setting, reader.line, is_cut=True), caller.source)
    for piece in pieces:
        parts.append(piece)
        size += len(piece)
        if size > MAX_CHARACTERS:
            raise FormatError(f"more than {MAX_CHARACTERS >> 20} MB of text; split it", caller.source)
    raw = b"".join(parts)
    if raw.count(b"\n") > MAX_LINES:
        raise FormatError(f"more than {MAX_LINES:,} lines; split the file", caller.source)
    yield from read_lines(decoded(raw, caller.source, reader.line), caller, reader.setting, reader.line)


class _LineReader:
    """Reads puzzles line by line.

    Attributes:
        setting: the options of the caller and of the text for the lines that follow.
        line: the number of the next line, from 1.
        whole: whether the rest must be read as a whole.
    """

    def __init__(self, caller: Setting) -> None:
        self.caller, self.setting, self.line, self.whole = caller, caller, 1, False
        self._plan: _Plan | None = None
        # Whether any puzzle was read since the last directive.
        self._read_since = False

    def read(self, piece: bytes, last: bool) -> Generator[ParsedItem, None, int]:
        """Yield the puzzles of some lines; return how many bytes were read, as the rest may need what follows.

        Args:
            piece: whole lines.
            last: whether nothing follows.
        """
        lines, first, start = bulk.cut(piece), self.line, 0
        for end, directive in list(_directives(lines, first, self.setting)):
            if start < end and self._plan is None:
                self.line, begin = first + start, int(lines.begins[start])
                if len(piece) - begin < BEGINNING_BYTES and not last:
                    return begin
                self._plan = _plan(piece[begin : begin + BEGINNING_BYTES], self.caller, self.setting, self.line)
                # The header of a table is not a puzzle.
                start += self._plan is not None and self._plan.columns is not None
            if start < end:
                self._read_since = True
                stop = start + (yield from self._run(lines.part(start, end), first + start))
                if stop < end:
                    self.whole, self.line = True, first + stop
                    return int(lines.begins[stop])
            if directive:
                after = start < end or self._read_since
                self.setting = with_directive(self.setting, self.caller, *directive, first + end, after_puzzles=after)
                self._plan, self._read_since = None, False
            start = end + 1
        self.line = first + len(lines)
        return len(piece)

    def _run(self, lines: bulk.Lines, first: int) -> Generator[ParsedItem, None, int]:
        """Yield the puzzles of lines under one setting; return how many were read: all, or those before a border."""
        plan = self._plan
        if plan is None:
            return 0
        fields = bulk.field(lines, plan.columns.puzzle, plan.columns.n_fields) if plan.columns else lines
        good, givens = bulk.read(fields, plan.board, plan.alphabet)
        if plan.may_have_maps and len(maps := full_maps(givens, plan.board.n_values)):
            good[np.flatnonzero(good)[maps]], givens = False, np.delete(givens, maps, axis=0)
        rows = np.flatnonzero(good)
        answers = self._answers(lines, rows)
        done = 0
        for odd in [*np.flatnonzero(~good & ~lines.are_left_out).tolist(), len(lines)]:
            until = int(np.searchsorted(rows, odd))
            if done < until:
                part = slice(done, until)
                solutions = None if answers is None else answers[part]
                yield PuzzleBatch(plan.board, givens[part], first + rows[part], solutions)
                done = until
            if odd < len(lines):
                try:
                    text = decoded(lines.of(odd), self.caller.source, first + odd)
                except FormatError as error:
                    yield Entry(error, first + odd)
                    continue
                if is_separator(text):
                    return odd
                yield self._odd(text, first + odd)
        return len(lines)

    def _answers(self, lines: bulk.Lines, rows: Int64s) -> Grids | None:
        """Return the solutions beside the puzzles of some lines, zeros for missing ones."""
        plan = self._plan
        if plan is None or plan.columns is None or plan.columns.answer is None:
            return None
        fields = bulk.field(lines, plan.columns.answer, plan.columns.n_fields)
        good, grids = bulk.read(fields, plan.board, plan.alphabet)
        answers = np.zeros((len(good), plan.board.n_cells), np.uint8)
        answers[good] = grids
        return answers[rows]

    def _odd(self, text: str, line: int) -> Entry:
        """Return the puzzle of a line that is not plain, or the error in it."""
        # Imported here since it takes long to load, and most lines are plain.
        import csv

        plan, source, answer = self._plan, self.caller.source, ""
        assert plan
        try:
            if plan.columns:
                cells = next(csv.reader([text]), [])
                if len(cells) != plan.columns.n_fields:
                    message = f"{len(cells)} fields where the table has {plan.columns.n_fields}"
                    raise FormatError(message, source, line)
                if plan.columns.answer is not None:
                    answer = answer_text(cells[plan.columns.answer].strip(), plan.board, plan.alphabet)
                before = sum(len(cell) + 1 for cell in cells[: plan.columns.puzzle])
                # With spaces before it, an error names its place in the line.
                text = " " * before + cells[plan.columns.puzzle]
            elif plan.may_have_maps and is_map(text.split()[0], plan.board.n_values):
                raise FormatError(lone_map_reason(plan.board.n_values), source, line)
            return Entry(puzzle_of([Row(line, text)], plan.layout, plan.board, self.setting), line, answer)
        except FormatError as error:
            return Entry(error, line)
        except csv.Error as error:
            return Entry(FormatError(f"not a line of a table: {error}", source, line), line)


def answer_text(text: str, board: Geometry, alphabet: str | None) -> str:
    """Return the solution beside a puzzle in the usual symbols or numbers of its board."""
    if zero_of(alphabet) != 1 or "," in text or not board.first:
        return text
    n = board.n_values
    values = unpack("".join(text.split()), n, alphabet).tolist()
    return ("" if n <= PLAIN_VALUES else ",").join(map(str, values))


def _directives(lines: bulk.Lines, first: int, setting: Setting) -> Iterator[tuple[int, tuple[str, str] | None]]:
    """Yield the numbers of the lines with directives, each with its directive, and the number of lines with None."""
    for number in np.flatnonzero(lines.are_comments).tolist():
        if directive := directive_of(lines.of(number).decode("utf-8", "replace").strip(), first + number, setting):
            yield number, directive
    yield len(lines), None


def _plan(beginning: bytes, caller: Setting, setting: Setting, line: int) -> _Plan | None:
    """Return how single lines of a text are read, judged by its beginning; None if it must be read as a whole."""
    text = beginning.decode("utf-8", "replace").rpartition("\n")[0]
    columns = _columns(text, caller, setting, line)
    if columns:
        table = [row.strip().split(",") for row in text.split("\n")[1:] if row.strip()]
        rows = [Row(line, cells[columns.puzzle]) for cells in table if len(cells) == columns.n_fields]
        segment = Segment(setting, [rows], bordered=False) if rows else None
    else:
        segment = next(segments(text, caller, setting, line), None)
    # Constraints are read with each puzzle.
    if segment is None or segment.bordered or segment.setting != setting or setting.constraints:
        return None
    if columns and frame_board(segment, setting.known_board()):
        message = "boards that overlap in a table; write a puzzle a line, without a header and other columns"
        raise FormatError(message, caller.source, line)
    try:
        named_board = setting.known_board()
        if columns is None and setting.has_said_board:
            remark_maps(segment)
        elif columns is None and jigsaws(segment):
            return None
        layout = decide(segment, named_board)
        board = named_board or setting.named_board(layout.board)
        alphabet = setting.alphabet_of(board)
    except SudokuError:
        return None
    plain = layout.kind == "line" and not layout.separated and board.n_values <= PLAIN_VALUES
    # A table may have any puzzles of one line: nothing else reads tables.
    if not (plain or (columns and layout.height == 1)):
        return None
    may_have_maps = columns is None and not setting.has_said_board and len(board.shape) == 2
    return _Plan(board, layout, columns, alphabet, may_have_maps)


def _columns(text: str, caller: Setting, setting: Setting, line: int) -> Columns | None:
    """Return the columns of a text that is a table with a header, else None; refuse two columns of puzzles."""
    header = text.partition("\n")[0]
    if caller.format not in (None, "csv") or not _HEADER.fullmatch(header):
        return None
    names = [name.strip().lower() for name in header.split(",")]
    puzzles = [at for at, name in enumerate(names) if name in PUZZLE_COLUMNS]
    if len(puzzles) > 1:
        puzzles = _with_symbols(text, puzzles) or puzzles[:1]
    if not puzzles:
        return None
    if len(puzzles) > 1:
        both = " and ".join(names[at] for at in puzzles)
        raise FormatError(f"the columns {both} are both a puzzle; leave out one of them", caller.source, line)
    answer = next((at for at, name in enumerate(names) if name in ANSWER_COLUMNS), None)
    if unread := [name for name in names if is_setting_key(name)]:
        what = f"columns that are not read: {', '.join(unread)}; a line `# board: NAME` says which board is meant"
        setting.remarks.add(what)
    return Columns(puzzles[0], answer, len(names))


def _with_symbols(text: str, columns: list[int]) -> list[int]:
    """Return the columns of a table that have more than a number in some line: others may number the puzzles."""
    rows = [row.split(",") for row in text.split("\n")[1:]]
    return [
        at for at in columns if any(at < len(row) and len(row[at].strip()) > MAX_DIGITS_OF_A_NUMBER for row in rows)
    ]


def decoded(raw: bytes, source: str, line: int) -> str:
    """Return bytes as text; `source` and the line at which they begin are for errors.

    Raises:
        FormatError: they are not UTF-8.
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8 text"
        raise FormatError(message, source, line + raw.count(b"\n", 0, error.start), column) from error
