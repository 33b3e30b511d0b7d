"""Reads puzzles that are one line, or one field of a line, each: segment by segment, plain lines many at once.

The beginning of a text tells whether it is such a text. Lines that are not plain are read one by one, and if the text
turns out to be something else, such as a grid of lines, the rest of it is read as a whole.
"""

from collections.abc import Generator, Iterator
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError, NoFormatError, SudokuError
from sudoku_encode.formats import bulk
from sudoku_encode.formats.cells import puzzle_of, read_lines, remark_maps
from sudoku_encode.formats.decoding import decoded
from sudoku_encode.formats.entries import Entry, ParsedItem, PuzzleBatch, fail_early
from sudoku_encode.formats.frame import frame_board
from sudoku_encode.formats.layout import Layout, decide
from sudoku_encode.formats.lines import (
    MAX_LINE_CHARACTERS,
    Row,
    Segment,
    Setting,
    directive_of,
    is_comment,
    is_separator,
    segments,
    with_directive,
)
from sudoku_encode.formats.region_maps import full_maps, is_map, jigsaws, lone_map_reason
from sudoku_encode.formats.symbols import PLAIN_VALUES, plain, unpack, zero_of
from sudoku_encode.formats.tables import Columns, TextRows, cells_of, find_columns, record_at
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

# So many bytes are enough to tell the kind of a text. No puzzle has a longer first line: the 61x61 Sukaku is not quite
# as long.
BEGINNING_BYTES, MAX_FIRST_LINE_CHARACTERS = 1 << 17, 1 << 18
# A text that is read as a whole takes most memory if its lines are short: 200 bytes each.
MAX_CHARACTERS, MAX_LINES = 1 << 27, 1 << 22


class _Plan(NamedTuple):
    """How single lines are read."""

    board: Geometry  # the board of the puzzles
    layout: Layout  # the layout of a line
    columns: Columns | None  # the columns of a table; None if a line is a puzzle
    alphabet: str | None  # the symbols for 1, 2, 3, ...; None if they are not specified
    may_have_maps: bool  # whether a line may be the regions of a jigsaw, since the board is not specified
    offset: int | None = None  # where the puzzle of a line begins that has other words too; None if it is the line


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
            # The end of a file on DOS, or of a text in C.
            rest = rest.rstrip(b"\x1a\0") + b"\n" if piece is None else rest + piece
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
        # Whether the last row needs the lines that follow: a quoted cell goes on there.
        self._is_cut = False
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
                start += self._plan.columns.header_line + 1 if self._plan and self._plan.columns else 0
            if start < end:
                self._read_since = True
                may_go_on = not last and end == len(lines)
                stop = start + (yield from self._run(lines.part(start, end), first + start, may_go_on))
                if stop < end:
                    self.whole, self.line = not self._is_cut, first + stop
                    return int(lines.begins[stop])
            if directive:
                after = start < end or self._read_since
                self.setting = with_directive(self.setting, self.caller, *directive, first + end, after_puzzles=after)
                self._plan, self._read_since = None, False
            start = end + 1
        self.line = first + len(lines)
        self.setting.refuse_waiting(has_next=self._read_since or not last)
        return len(piece)

    def _run(self, lines: bulk.Lines, first: int, may_go_on: bool) -> Generator[ParsedItem, None, int]:
        """Yield the puzzles of lines under one setting; return how many were read: all, or those before a border."""
        plan = self._plan
        if plan is None:
            return 0
        if plan.columns:
            return (yield from self._table_run(lines, first, plan, plan.columns, may_go_on))
        puzzles = bulk.without_rest(lines, plan.board.n_cells, plan.offset) if plan.offset is not None else lines
        good, givens = bulk.read(puzzles, plan.board, plan.alphabet)
        if plan.may_have_maps and len(maps := full_maps(givens, plan.board.n_values)):
            good[np.flatnonzero(good)[maps]], givens = False, np.delete(givens, maps, axis=0)
        rows = np.flatnonzero(good)
        done = 0
        for odd in [*np.flatnonzero(~good & ~lines.are_left_out).tolist(), len(lines)]:
            until = int(np.searchsorted(rows, odd))
            if done < until:
                part = slice(done, until)
                yield PuzzleBatch(plan.board, givens[part], first + rows[part], about=self.setting.about)
                done = until
            if odd < len(lines):
                try:
                    text = plain(decoded(lines.of(odd), self.caller.source, first + odd))
                except FormatError as error:
                    yield Entry(error, first + odd)
                    continue
                if is_separator(text):
                    return odd
                if not is_comment(text.lstrip()):
                    yield self._odd(text, first + odd, plan)
        return len(lines)

    def _table_run(
        self, lines: bulk.Lines, first: int, plan: _Plan, columns: Columns, may_go_on: bool
    ) -> Generator[ParsedItem, None, int]:
        """Yield the puzzles of rows; return how many lines were read: all, or those before a row that is cut off."""
        numbers = [columns.puzzle] if columns.answer is None else [columns.puzzle, columns.answer]
        cells = bulk.table_fields(lines, columns.table.delimiter, columns.n_fields, numbers)
        good, givens = bulk.read(cells.fields[0], plan.board, plan.alphabet)
        if self.setting.constraints:
            # They are read with each puzzle.
            good, givens = np.zeros_like(good), givens[:0]
        rows = np.flatnonzero(good)
        answers = None if columns.answer is None else self._answers(cells.fields[1], rows, plan)
        batch = PuzzleBatch(
            plan.board,
            givens,
            first + rows,
            answers,
            TextRows(columns.table, lines.text, lines.begins[rows], cells.ends[rows]),
            self.setting.about,
        )
        # A row of several cells may be empty, or begin like a comment.
        left_out = lines.are_left_out & ~(cells.fit & (columns.n_fields > 1))
        done, read = 0, 0
        for odd in [*np.flatnonzero(~good & ~left_out).tolist(), len(lines)]:
            if odd < read:
                continue
            if done < (until := int(np.searchsorted(rows, odd))):
                yield batch.part(done, until)
                done = until
            if odd == len(lines):
                break
            entry, read = self._row(lines, cells, odd, first, plan, columns)
            is_small = len(lines.text) - int(lines.begins[odd]) < BEGINNING_BYTES
            if read > len(lines) and may_go_on and is_small:
                self._is_cut = True
                return odd
            read = odd + 1 if read > len(lines) else read
            done = int(np.searchsorted(rows, read))
            yield entry
        self._is_cut = False
        return len(lines)

    def _answers(self, fields: bulk.Lines, rows: Int64s, plan: _Plan) -> Grids:
        """Return the solutions beside the puzzles of some rows, zeros for missing ones."""
        good, grids = bulk.read(fields, plan.board, plan.alphabet)
        answers = np.zeros((len(good), plan.board.n_cells), np.uint8)
        answers[good] = grids
        return answers[rows]

    def _row(
        self, lines: bulk.Lines, cells: bulk.Fields, odd: int, first: int, plan: _Plan, columns: Columns
    ) -> tuple[Entry, int]:
        """Return the puzzle of a row, and the number of the line after it: one more if it is cut off."""
        source, line, read, answer = self.caller.source, first + odd, odd + 1, ""
        raw = (decoded(lines.raw(at) + b"\n", source, first + at) for at in range(odd, len(lines)))
        try:
            row, n_lines = record_at(raw, columns.table.delimiter)
            read = odd + n_lines if n_lines else len(lines) + 1
            if not n_lines:
                raise FormatError('a cell begins with a quote (") but does not end with one', source, line)
            if len(row) != columns.n_fields:
                raise FormatError(f"{len(row)} fields where the table has {columns.n_fields}", source, line)
            if columns.answer is not None:
                answer = answer_text(row[columns.answer].strip(), plan.board, plan.alphabet)
            before = sum(len(cell) + 1 for cell in row[: columns.puzzle])
            # With spaces before it, an error names its place in the line.
            text = " " * before + row[columns.puzzle]
            content: Puzzle | FormatError = puzzle_of([Row(line, text)], plan.layout, plan.board, self.setting)
        except FormatError as error:
            content = error if error.source else FormatError(error.message, source, line)
        end = cells.ends[odd if read > len(lines) else read - 1]
        own = TextRows(columns.table, lines.text, lines.begins[odd : odd + 1], end[None])
        return Entry(content, line, answer, rows=own, about=self.setting.about), read

    def _odd(self, text: str, line: int, plan: _Plan) -> Entry:
        """Return the puzzle of a line that is not plain, or the error in it."""
        try:
            if plan.may_have_maps and is_map(text.split(maxsplit=1)[0], plan.board.n_values):
                raise FormatError(lone_map_reason(plan.board.n_values), self.caller.source, line)
            puzzle = puzzle_of([Row(line, text)], plan.layout, plan.board, self.setting)
            return Entry(puzzle, line, about=self.setting.about)
        except NoFormatError as error:
            return self._with_rest(text, line, plan) or Entry(error, line)
        except FormatError as error:
            return Entry(error, line)

    def _with_rest(self, text: str, line: int, plan: _Plan) -> Entry | None:
        """Return the puzzle of a line that has other words too, or the error in it; None for any other line."""
        from sudoku_encode.formats.styles.words import puzzle_in, rest_remark

        try:
            word = puzzle_in(Row(line, text), self.setting, plan.board)
            if word is None:
                return None
            self.setting.remarks.add(rest_remark([word.rest]), "rest")
            content: Puzzle | FormatError = puzzle_of([word.row], plan.layout, plan.board, self.setting)
            return Entry(content, line, answer_text(word.answer, plan.board, plan.alphabet))
        except FormatError as error:
            return Entry(error, line)


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
    text = beginning.decode("utf-8", "surrogateescape").rpartition("\n")[0]
    columns = find_columns(text, setting, line) if caller.format in (None, "csv") else None
    if columns:
        return _table_plan(text, columns, setting, line)
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    segment = next(segments(text, caller, setting, line), None)
    # Constraints are read with each puzzle.
    if segment is None or segment.bordered or segment.setting != setting or setting.constraints:
        return None
    try:
        if setting.has_said_board:
            remark_maps(segment)
        elif jigsaws(segment):
            return None
    except SudokuError:
        return None
    return _line_plan(segment) or _rest_plan(segment)


def _line_plan(segment: Segment, offset: int | None = None) -> _Plan | None:
    """Return how lines with a puzzle each are read; None for a segment of other lines."""
    setting = segment.setting
    try:
        named_board = setting.known_board()
        layout = decide(segment, named_board)
        board = named_board or setting.named_board(layout.board)
        alphabet = setting.alphabet_of(board)
    except SudokuError:
        return None
    if layout.kind != "line" or layout.separated or board.n_values > PLAIN_VALUES:
        return None
    return _Plan(board, layout, None, alphabet, not setting.has_said_board and len(board.shape) == 2, offset)


def _rest_plan(segment: Segment) -> _Plan | None:
    """Return how lines are read that have a puzzle among other words; None for other lines."""
    # Imported here, as above: most texts do without it.
    from sudoku_encode.formats.styles.words import puzzle_in, rest_remark

    rows = [row for block in segment.blocks for row in block]
    setting = segment.setting
    if setting.format not in (None, "line"):
        return None
    try:
        words = [puzzle_in(row, setting, setting.known_board()) for row in rows]
    except SudokuError:
        return None
    puzzles = [word for word in words if word]
    if len(puzzles) < len(rows):
        return None
    offsets = {_indent(word.row.text) - _indent(row.text) for word, row in zip(puzzles, rows, strict=True)}
    # Lines whose puzzle begins elsewhere are read one by one.
    offset = next(iter(offsets)) if len(offsets) == 1 else 0
    plan = _line_plan(segment._replace(blocks=[[word.row for word in puzzles]]), offset)
    if plan is not None:
        setting.remarks.add(rest_remark([word.rest for word in puzzles]), "rest")
    return plan


def _indent(text: str) -> int:
    """Return the number of spaces before a text."""
    return len(text) - len(text.lstrip())


def _table_plan(text: str, columns: Columns, setting: Setting, line: int) -> _Plan:
    """Return how the rows of a table are read, judged by the first of them; refuse a table without puzzles."""
    source, first = setting.source, line + columns.header_line
    lines = [
        (number, cells_of(row, columns.table.delimiter))
        for number, row in enumerate(text.split("\n")[columns.header_line + 1 :], first + 1)
        if row.strip() and not row.startswith("#")
    ]
    if not lines:
        raise FormatError("no puzzle here: the table has a header, but no rows", source, first)
    rows = [Row(number, cells[columns.puzzle]) for number, cells in lines if len(cells) == columns.n_fields]
    if not rows:
        number, cells = lines[0]
        raise FormatError(f"{len(cells)} fields where the table has {columns.n_fields}", source, number)
    segment = Segment(setting, [rows], bordered=False)
    board = setting.known_board()
    if frame_board(segment, board):
        raise FormatError(
            "boards that overlap in a table; write a puzzle a line, without a header and other columns", source, first
        )
    layout = decide(segment, board)
    if layout.height > 1:
        raise FormatError(f"rows of a {layout.board} in a table; write each puzzle in one cell", source, rows[0].line)
    board = board or setting.named_board(layout.board)
    return _Plan(board, layout, columns, setting.alphabet_of(board), may_have_maps=False)
