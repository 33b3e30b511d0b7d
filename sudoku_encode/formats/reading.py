"""From what the user gives, a file, standard input or the text itself, to puzzles."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.cells import read_lines
from sudoku_encode.formats.lines import Setting
from sudoku_encode.formats.table import ALPHABETS, TEXT_FORMATS, implementation, text_format
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

# A text is judged by its beginning before the rest is read: no puzzle is as long, the 61x61 Sukaku not quite.
HEAD_BYTES = 1 << 18
# JSON and XML are read as a whole, and then take up to 50 times their size in memory.
MAX_DOCUMENT_BYTES = 1 << 25
# A million puzzles of 9x9 have 82 MB. Short lines take most memory for their size: 200 bytes each.
MAX_CHARACTERS, MAX_LINES = 1 << 27, 1 << 22
# After these, what follows is hardly a puzzle either.
MAX_ERRORS_IN_A_ROW = 100

_TEXT = re.compile(r"[\w\s.*?|+=,:'-]*", re.ASCII)
_BEGINNINGS = {name: re.compile(rf"\s*(?:{row.begins.pattern})") for name, row in TEXT_FORMATS.items() if row.begins}

Results = Iterator[Puzzle | FormatError]


@dataclass(frozen=True)
class ReadOptions:
    """What a caller says of the puzzles to be read; it wins over what the text says.

    Attributes:
        board: a board, or a name for `boards.board`; by default what the text says or fits.
        rules: the rules to keep; by default all.
        format: a key of TEXT_FORMATS; by default what the text looks like.
        alphabet: a key of ALPHABETS, in upper or lower case; by default the only one that may be meant.
    """

    board: str | Geometry | None = None
    rules: Sequence[str] | None = None
    format: str | None = None
    alphabet: str | None = None

    def setting(self, source: str) -> Setting:
        """Check the options, and return what is known of a text that errors call `source`."""
        alphabet = None if self.alphabet is None else self.alphabet.upper()
        if alphabet is not None and alphabet not in ALPHABETS:
            raise FormatError(f"no alphabet is called {self.alphabet!r}; known: {', '.join(ALPHABETS)}")
        default = None if self.format is None else text_format(self.format).boards.default
        return Setting(
            source,
            geometry=boards.board(self.board, self.rules) if isinstance(self.board, str) else self.board,
            board=default,
            rules=None if self.rules is None else tuple(self.rules),
            alphabet=alphabet,
            format=self.format,
        )


_DEFAULT_OPTIONS = ReadOptions()


def read_all(
    source: str | Path,
    *,
    board: str | Geometry | None = None,
    rules: Sequence[str] | None = None,
    format: str | None = None,
    alphabet: str | None = None,
) -> Results:
    """Return the puzzles of a file, of standard input (`-`) or of the text itself.

    A string is the name of a file if there is one of that name. Else what has at least 16 symbols, or one for each cell
    of the board, all of them such as puzzle text can have, is the text itself, and so is what has several lines.

    Args:
        source: see above; a Path is a file.
        board: see `ReadOptions` for this and the others.
        rules: to keep.
        format: of the text.
        alphabet: of its symbols.

    Returns:
        Puzzles in their order; in the place of each puzzle of a batch that is not what it should be, a FormatError.

    Raises:
        FormatError: the text as a whole is not what it should be; it may be raised later too, while iterating.
        GeometryError: no such board, or no such rule.
    """
    setting = ReadOptions(board, rules, format, alphabet).setting(str(source))
    if source == "-":
        try:
            return _read_stream(sys.stdin.buffer, replace(setting, source="stdin"))
        except OSError as error:
            raise FormatError(f"standard input cannot be read: {error.strerror}", "stdin") from error
    if isinstance(source, str) and not source.strip():
        raise FormatError("the puzzle is empty; give a file, - or at least 16 symbols")
    path = Path(source)
    if _exists(path):
        return _read_file(path, setting)
    if isinstance(source, str):
        return _read_argument(source, setting)
    raise FormatError("no such file", str(source))


def read(
    source: str | Path,
    *,
    board: str | Geometry | None = None,
    rules: Sequence[str] | None = None,
    format: str | None = None,
    alphabet: str | None = None,
) -> Puzzle:
    """Return the only puzzle of a source; as `read_all` otherwise.

    Raises:
        FormatError: as `read_all`; also when there are several puzzles.
        GeometryError: as `read_all`.
    """
    found = list(read_all(source, board=board, rules=rules, format=format, alphabet=alphabet))
    for result in found:
        if isinstance(result, FormatError):
            raise result
    if len(found) != 1:
        name = "stdin" if source == "-" else str(source) if len(str(source)) <= 60 else "argument"
        raise FormatError(f"{len(found)} puzzles where one is needed", name)
    only = found[0]
    assert isinstance(only, Puzzle)
    return only


def read_text(text: str, source: str = "text", options: ReadOptions = _DEFAULT_OPTIONS) -> Results:
    """Return the puzzles of a text that errors call `source`; otherwise as `read_all`."""
    return _primed(_parse(text, options.setting(source)), source)


def _exists(path: Path) -> bool:
    try:
        return bool(path.stat())
    except PermissionError as error:
        raise FormatError("no permission to read this file", str(path)) from error
    except (OSError, ValueError):
        return False  # also when the text is too long for a name


def _read_file(path: Path, setting: Setting) -> Results:
    if path.is_dir():
        raise FormatError("this is a directory; give a file with puzzles", setting.source)
    # The suffix of a file may be the name of a format. It does not make the text one, but says which boards it has.
    suggested = TEXT_FORMATS.get(path.suffix.lower().removeprefix("."))
    if setting.format is None and suggested:
        setting = replace(setting, board=suggested.boards.default)
    try:
        with path.open("rb") as stream:
            return _read_stream(stream, setting)
    except PermissionError as error:
        raise FormatError("no permission to read this file", setting.source) from error
    except OSError as error:
        raise FormatError(f"this file cannot be read: {error.strerror}", setting.source) from error


def _read_argument(argument: str, setting: Setting) -> Results:
    """Read an argument that names no file."""
    n_symbols = len("".join(argument.split()))
    # A board may be smaller than any that is known by its text alone.
    small = setting.geometry is not None and n_symbols == setting.geometry.n_cells
    texty = _TEXT.fullmatch(argument) and (n_symbols >= 16 or small)
    if not (texty or "\n" in argument or _format_by_beginning(argument)):
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
    head = stream.read(HEAD_BYTES)
    more = stream.read(1) if len(head) == HEAD_BYTES else b""
    source = setting.source
    _check_binary(head, source)
    format = _format_by_beginning(head[:1000].decode("utf-8", "replace").removeprefix("\ufeff"))
    if format and TEXT_FORMATS[format].is_document:
        more += stream.read(MAX_DOCUMENT_BYTES)
        if len(more) > MAX_DOCUMENT_BYTES:
            size = f"{MAX_DOCUMENT_BYTES >> 20} MB"
            raise FormatError(f"more than {size} of JSON or XML; write a puzzle a line instead", source)
    elif more:
        whole_lines, newline, _ = head.rpartition(b"\n")
        if not newline:
            raise FormatError(f"a line of more than {HEAD_BYTES:,} characters is no puzzle", source, 1)
        _primed(_parse(_decoded(whole_lines, source), setting), source)
        more += stream.read(MAX_CHARACTERS)
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
            return chain(errors, [result], _until_hopeless(results))
        errors.append(result)
        if len(errors) == MAX_ERRORS_IN_A_ROW:
            break
    if not errors:
        raise FormatError("no puzzle here; a puzzle has at least 16 symbols, such as 53..7....6..195...", source)
    first = errors[0]
    among = f"; none of the {len(errors)} puzzles can be read" if len(errors) > 1 else ""
    if len(errors) == MAX_ERRORS_IN_A_ROW:
        among = f"; none of the first {MAX_ERRORS_IN_A_ROW} puzzles can be read"
    raise FormatError(first.message + among, first.source, first.line, first.column)


def _until_hopeless(results: Results) -> Results:
    """Yield the results up to the hundredth error in a row."""
    in_a_row = 0
    for result in results:
        in_a_row = 0 if isinstance(result, Puzzle) else in_a_row + 1
        if isinstance(result, FormatError) and in_a_row == MAX_ERRORS_IN_A_ROW:
            message = f"{result.message}; the rest is not read, since {MAX_ERRORS_IN_A_ROW} puzzles in a row are wrong"
            yield FormatError(message, result.source, result.line, result.column)
            return
        yield result


def _parse(text: str, setting: Setting) -> Results:
    """Yield the puzzles of a text, with errors in the place of some."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_CHARACTERS:
        raise FormatError(f"more than {MAX_CHARACTERS >> 20} MB of text; split it", setting.source)
    if text.count("\n") > MAX_LINES:
        raise FormatError(f"more than {MAX_LINES:,} lines; split the file", setting.source)
    if not text.strip():
        raise FormatError("empty; a puzzle has at least 16 symbols", setting.source)
    if format := _format_by_beginning(text):
        # Imported here, since the parsers of documents take as long to load as all else.
        read_format = implementation(format).read
        board = setting.board or TEXT_FORMATS[format].boards.default
        yield from read_format(text, replace(setting, board=board))
    elif setting.format and (begins := TEXT_FORMATS[setting.format].begins):
        raise FormatError(f"this is not {setting.format}: {begins.missing}", setting.source)
    else:
        yield from read_lines(text, setting)


def _format_by_beginning(text: str) -> str | None:
    """Return the format that a text is in by its beginning, or None if that does not say."""
    return next((name for name, begins in _BEGINNINGS.items() if begins.match(text)), None)
