"""Reads a text that no format fits in every style, and returns the only reading; two different ones are refused."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats.cells import segment_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.lines import Remarks, Row, Setting, directive_of, segments, with_directive
from sudoku_encode.formats.styles import STYLES, Rewritten, rewrite_of
from sudoku_encode.formats.symbols import plain
from sudoku_encode.formats.text import implementation
from sudoku_encode.puzzles.puzzle import Puzzle


class _Reading(NamedTuple):
    """The puzzles of a text in a style."""

    style: str
    entries: list[Entry]

    def puzzles(self) -> list[Puzzle | None]:
        """Return the puzzles, None in the place of an error."""
        return [entry.content if isinstance(entry.content, Puzzle) else None for entry in self.entries]


# The dots of Latin-1 and of Windows for blanks, and a space.
_LATIN_1 = bytes.maketrans(b"\xb7\x95\xa0", b".. ")


def read_styles(raw: bytes, setting: Setting) -> list[Entry]:
    """Return the puzzles of a text in the only style that fits; an empty list where none does.

    Args:
        raw: the text; in UTF-8, or in Latin-1 with dots in the middle for blanks.
        setting: the options of the caller.

    Raises:
        FormatError: two styles fit, and their puzzles differ; or the only style that fits says what is wrong.
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raw = raw.translate(_LATIN_1)
        text = raw.decode() if raw.isascii() else ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    rows = [Row(number, plain(line)) for number, line in enumerate(text.split("\n"), 1)]
    directives = {row.line for row in rows if _directive(row, setting)}
    first = next((row.line for row in rows if row.text.strip() and not row.text.lstrip().startswith("#")), 0)
    if any(line > first for line in directives):
        # They are for some of the puzzles only.
        return []
    leading = [row for row in rows if row.line in directives]
    rows = [row for row in rows if row.line not in directives]
    readings: list[_Reading] = []
    errors: dict[str, FormatError] = {}
    for style in STYLES if setting.format is None else [setting.format]:
        try:
            entries = list(_entries(style, rows, leading, replace(setting, format=None, remarks=Remarks())))
        except FormatError as error:
            errors[style] = error
            continue
        if any(isinstance(entry.content, Puzzle) for entry in entries):
            readings.append(_Reading(style, entries))
    # A reading without an error is more likely than one with some.
    right = [reading for reading in readings if all(reading.puzzles())] or readings
    if not right:
        if len(errors) == 1:
            raise next(iter(errors.values()))
        return []
    different = [reading for reading in right if reading.puzzles() != right[0].puzzles()]
    if different:
        both = " or ".join(f"{STYLES[reading.style].summary} ({reading.style})" for reading in (right[0], different[0]))
        message = f"the text may be {both}; write it as one line of symbols for each puzzle"
        raise FormatError(message, setting.source, right[0].entries[0].line)
    return right[0].entries


def _directive(row: Row, setting: Setting) -> tuple[str, str] | None:
    """Return the directive in a row, as a key and a value."""
    is_comment = row.text.lstrip().startswith("#")
    return directive_of(row.text.strip(), row.line, replace(setting, remarks=Remarks())) if is_comment else None


def _entries(style: str, rows: Sequence[Row], directives: Sequence[Row], setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of rows in a style after directives, with remarks; nothing if the rows have another style."""
    own = setting
    for row in directives:
        key, value = directive_of(row.text.strip(), row.line, setting) or ("", "")
        own = with_directive(own, setting, key, value, row.line, after_puzzles=False)
    rewritten = rewrite_of(style)(rows, own)
    if rewritten is None:
        return
    rewritten = rewritten._replace(rows=[*directives, *rewritten.rows])
    for text in rewritten.remarks:
        setting.remarks.add(text)
    for entry in _puzzles(rewritten, setting):
        yield entry._replace(remarks=(*setting.remarks.taken(), *entry.remarks))


def _puzzles(rewritten: Rewritten, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of rows, or the errors in them."""
    if rewritten.format is not None and rewritten.format in STYLES:
        yield from _entries(rewritten.format, rewritten.rows, (), setting)
        return
    if rewritten.format is not None:
        read = implementation(rewritten.format).read
        assert read is not None
        yield from read("\n".join(row.text for row in rewritten.rows), setting)
        return
    for segment in segments(rewritten.rows, setting):
        try:
            yield from segment_entries(segment)
        except GeometryError as error:
            raise FormatError(str(error), setting.source, segment.blocks[0][0].line) from error
