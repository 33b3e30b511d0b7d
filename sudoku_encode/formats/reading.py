"""From what the user gives, a file, standard input or the text itself, to puzzles."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.cells import puzzles
from sudoku_encode.formats.layout import FORMAT_KINDS
from sudoku_encode.formats.lines import Segment, Setting, segments
from sudoku_encode.formats.symbols import ALPHABETS
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

# A text is judged by its beginning before the rest is read: no puzzle is as long, the 61x61 Sukaku not quite.
HEAD = 1 << 18
# JSON and XML are read as a whole; nobody needs as much. What is read takes up to 50 times its size in memory.
MAX_MARKUP = 1 << 25
# A million puzzles of 9x9 have 82 MB. Short lines take most memory for their size: 200 bytes each.
MAX_TEXT, MAX_LINES = 1 << 27, 1 << 22
# So many lines in a row that are no puzzles end the reading: what follows is hardly a puzzle either.
PATIENCE = 100

# Formats that hold 9x9 boards only, also known by the file's suffix.
_NINE = ("sdk", "sdm", "ss", "opensudoku")
_TEXT = re.compile(r"[\w\s.*?|+=,:'-]*", re.ASCII)
_MARKUP = re.compile(r"\s*(\{|<|\[\s*(null\b|[\[\]{\"\d-]))")

Results = Iterator[Puzzle | FormatError]


def read(
    argument: str,
    *,
    board: str | Geometry | None = None,
    rules: Sequence[str] | None = None,
    alphabet: str | None = None,
    format: str | None = None,
) -> Results:
    """Return the puzzles of a file, of standard input (`-`) or of the argument itself.

    What exists under that name is a file. Else what has at least 16 symbols, or one for each cell of the board, all of
    them such as puzzle text can have, is the text itself, and so is what has several lines.

    Args:
        argument: see above.
        board: a board, or a name for `boards.board`; wins over what the text says.
        rules: the rules to keep; wins too.
        alphabet: a key of ALPHABETS; wins too.
        format: a key of FORMATS; by default what fits.

    Returns:
        Puzzles in their order; in the place of each puzzle of a batch that is not what it should be, a FormatError.

    Raises:
        FormatError: the text as a whole is not what it should be; it may be raised later too, while iterating.
        GeometryError: no such board, or no such rule.
    """
    setting = _setting(argument, board, rules, alphabet, format)
    if argument == "-":
        try:
            return _read_stream(sys.stdin.buffer, replace(setting, source="stdin"))
        except OSError as error:
            raise FormatError(f"standard input cannot be read: {error.strerror}", "stdin") from error
    if not argument.strip():
        raise FormatError("the puzzle is empty; give a file, - or at least 16 symbols")
    path = Path(argument)
    try:
        is_file = bool(path.stat())
    except PermissionError as error:
        raise FormatError("no permission to read this file", argument) from error
    except (OSError, ValueError):
        is_file = False  # also when the text is too long for a name
    if not is_file:
        return _read_argument(argument, setting)
    if path.is_dir():
        raise FormatError("this is a directory; give a file with puzzles", argument)
    try:
        with path.open("rb") as stream:
            return _read_stream(stream, _by_suffix(setting, path.suffix))
    except PermissionError as error:
        raise FormatError("no permission to read this file", argument) from error
    except OSError as error:
        raise FormatError(f"this file cannot be read: {error.strerror}", argument) from error


def read_text(
    text: str,
    source: str = "text",
    *,
    board: str | Geometry | None = None,
    rules: Sequence[str] | None = None,
    alphabet: str | None = None,
    format: str | None = None,
) -> Results:
    """Return the puzzles of a text that errors call `source`; otherwise as `read`."""
    return _primed(_parse(text, _setting(source, board, rules, alphabet, format)), source)


def read_one(
    argument: str,
    *,
    board: str | Geometry | None = None,
    rules: Sequence[str] | None = None,
    alphabet: str | None = None,
    format: str | None = None,
) -> Puzzle:
    """Return the only puzzle of an argument as `read` takes it.

    Raises:
        FormatError: as `read`; also when there are several puzzles.
        GeometryError: as `read`.
    """
    found = list(read(argument, board=board, rules=rules, alphabet=alphabet, format=format))
    for result in found:
        if isinstance(result, FormatError):
            raise result
    if len(found) != 1:
        source = "stdin" if argument == "-" else argument if len(argument) <= 60 else "argument"
        raise FormatError(f"{len(found)} puzzles where one is needed", source)
    only = found[0]
    assert isinstance(only, Puzzle)
    return only


def _setting(
    source: str, board: str | Geometry | None, rules: Sequence[str] | None, alphabet: str | None, format: str | None
) -> Setting:
    """Check what the caller asks for."""
    if alphabet is not None and alphabet.upper() not in ALPHABETS:
        raise FormatError(f"no alphabet is called {alphabet!r}; known: {', '.join(ALPHABETS)}")
    if format is not None and format not in FORMAT_KINDS:
        raise FormatError(f"no format is called {format!r}; known: {', '.join(FORMAT_KINDS)}")
    return Setting(
        source,
        geometry=boards.board(board, rules) if isinstance(board, str) else board,
        board="9x9" if format in _NINE else None,
        rules=None if rules is None else tuple(rules),
        alphabet=None if alphabet is None else alphabet.upper(),
        format=format,
    )


def _by_suffix(setting: Setting, suffix: str) -> Setting:
    known = setting.format is None and suffix.lower().removeprefix(".") in _NINE
    return replace(setting, board="9x9") if known else setting


def _read_argument(argument: str, setting: Setting) -> Results:
    """Read an argument that names no file."""
    n_symbols = len("".join(argument.split()))
    # A board may be smaller than any that is known by its text alone.
    small = setting.geometry is not None and n_symbols == setting.geometry.n_cells
    texty = _TEXT.fullmatch(argument) and (n_symbols >= 16 or small)
    if not (texty or "\n" in argument or _MARKUP.match(argument)):
        shown = argument if len(argument) <= 200 else argument[:197] + "..."
        raise FormatError("no such file; text must have at least 16 symbols, digits and blanks (.)", shown)
    setting = replace(setting, source="argument")
    try:
        return _primed(_parse(argument, setting), "argument")
    except FormatError as error:
        message = f"{error.message} (read as puzzle text, since no file has this name)"
        raise FormatError(message, error.source, error.line, error.column) from error


def _read_stream(stream: BinaryIO, setting: Setting) -> Results:
    """Read bytes, the beginning first."""
    head = stream.read(HEAD)
    more = stream.read(1) if len(head) == HEAD else b""
    source = setting.source
    _check_binary(head, source)
    if _MARKUP.match(head[:1000].decode("utf-8", "replace").removeprefix("\ufeff")):
        more += stream.read(MAX_MARKUP)
        if len(more) > MAX_MARKUP:
            raise FormatError(f"more than {MAX_MARKUP >> 20} MB of JSON or XML; write a puzzle a line instead", source)
    elif more:
        whole_lines, newline, _ = head.rpartition(b"\n")
        if not newline:
            raise FormatError(f"a line of more than {HEAD:,} characters is no puzzle", source, 1)
        _primed(_parse(_decoded(whole_lines, source), setting), source)
        more += stream.read(MAX_TEXT)
    return _primed(_parse(_decoded(head + more, source), setting), source)


def _check_binary(head: bytes, source: str) -> None:
    controls = len(head) - len(head.translate(None, bytes({*range(32)} - {9, 10, 12, 13})))
    at = head.find(b"\0")
    if at >= 0 or controls * 50 > len(head):
        what = f"a NUL at byte {at + 1}" if at >= 0 else f"{controls} control characters"
        raise FormatError(f"binary data ({what}); a puzzle file is UTF-8 text", source)


def _decoded(raw: bytes, source: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8 text"
        raise FormatError(message, source, line, column) from error


def _primed(results: Results, source: str) -> Results:
    """Return the results; raise at once if there is no puzzle up to the end, or among the first hundred.

    A batch with puzzles ends after a hundred errors in a row, with the last of them.
    """
    errors: list[FormatError] = []
    for result in results:
        if isinstance(result, Puzzle):
            return chain(errors, [result], _patient(results))
        errors.append(result)
        if len(errors) == PATIENCE:
            break
    if not errors:
        raise FormatError("no puzzle here; a puzzle has at least 16 symbols, such as 53..7....6..195...", source)
    first = errors[0]
    among = f"; none of the first {PATIENCE} puzzles can be read" if len(errors) == PATIENCE else ""
    if 1 < len(errors) < PATIENCE:
        among = f"; none of the {len(errors)} puzzles can be read"
    raise FormatError(first.message + among, first.source, first.line, first.column)


def _patient(results: Results) -> Results:
    in_a_row = 0
    for result in results:
        in_a_row = 0 if isinstance(result, Puzzle) else in_a_row + 1
        if isinstance(result, FormatError) and in_a_row == PATIENCE:
            message = f"{result.message}; the rest is not read, since {PATIENCE} puzzles in a row are wrong"
            yield FormatError(message, result.source, result.line, result.column)
            return
        yield result


def _parse(text: str, setting: Setting) -> Results:
    """Yield the puzzles of a text, with errors in the place of some."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_TEXT:
        raise FormatError(f"more than {MAX_TEXT >> 20} MB of text; split it", setting.source)
    if text.count("\n") > MAX_LINES:
        raise FormatError(f"more than {MAX_LINES:,} lines; split the file", setting.source)
    if not text.strip():
        raise FormatError("empty; a puzzle has at least 16 symbols", setting.source)
    if _MARKUP.match(text):
        if text.lstrip().startswith("<"):
            yield from _games(text, replace(setting, board=setting.board or "9x9"))
        else:
            # Loaded when needed: with its parsers it takes as long to load as all other formats.
            from sudoku_encode.formats.markup import json_puzzles

            yield from json_puzzles(text, setting)
        return
    if setting.format in ("json", "opensudoku"):
        raise FormatError(f"this is not {setting.format}: it starts with neither {{ nor [ nor <", setting.source)
    for segment in segments(text, setting):
        try:
            yield from puzzles(segment)
        except FormatError as error:
            yield error  # the next segment may have another board


def _games(text: str, setting: Setting) -> Results:
    """Yield the puzzles of an OpenSudoku file, each on its own."""
    from sudoku_encode.formats.markup import opensudoku

    for row in opensudoku(text, setting.source):
        try:
            yield from puzzles(Segment(setting, [[row]], False))
        except FormatError as error:
            yield FormatError(error.message, error.source, error.line)
