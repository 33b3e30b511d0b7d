"""Reads puzzles from a source of the user: a file, standard input or the text itself."""

import codecs
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import BinaryIO, NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError, SudokuError, short
from sudoku_encode.formats import stream, tables
from sudoku_encode.formats.decoding import check_binary, document, with_newlines
from sudoku_encode.formats.entries import Entry, ParsedItem, PuzzleBatch, fail_early, one_by_one
from sudoku_encode.formats.lines import Setting, require_alphabet
from sudoku_encode.formats.other_files import folder_fault, refuse_other_file
from sudoku_encode.formats.region_maps import pieces_remark
from sudoku_encode.formats.styles import STYLES
from sudoku_encode.formats.styles.fallback import Replay, has_style, in_styles, of_style
from sudoku_encode.formats.table import TEXT_FORMATS, TextFormat
from sudoku_encode.formats.text import implementation
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.storage import files

_PARQUET_BEGINS = b"PAR1"
# Possessive, so that the first other symbol ends it.
_ONLY_X = re.compile(rb"\s*+[xX][xX\s]*+")

_TEXT = re.compile(r"[\w\s.*?|+=,:'-]*", re.ASCII)
# A text that is an ISS string if it begins as one: no other format has a tilde and only such symbols.
_ISS_STRING = re.compile(r"\.[\w.]*~[\w.~*%$=-]*", re.ASCII)


@cache
def _beginnings() -> dict[str, re.Pattern[str]]:
    """Return the patterns by which text formats are recognised, compiled when the first text needs them."""
    return {name: re.compile(rf"\s*(?:{row.begins.pattern})") for name, row in TEXT_FORMATS.items() if row.begins}


Results = Iterator[Puzzle | FormatError]
# Receives the remarks on how a puzzle was read; see `Entry.remarks`.
Remarked = Callable[[str], object]


class ReadOptions(NamedTuple):
    """The caller's options for the puzzles to be read; they win over the text."""

    # A board, or a name for `boards.board`; by default the one that the text names or fits.
    board: str | Geometry | None = None
    rules: Sequence[str] | None = None  # the rules to keep; by default all
    format: str | None = None  # a key of TEXT_FORMATS or STYLES; by default recognised from the text
    # The symbols for 1, 2, 3, ... by the first and the last of them, such as `0-F`; see `table.alphabet_symbols`; by
    # default the only ones that fit.
    alphabet: str | None = None

    def setting(self, source: str) -> Setting:
        """Check the options, and return the setting for a text that errors call `source`."""
        if self.alphabet is not None:
            require_alphabet(self.alphabet, "")
        default = None if self.format is None or self.format in STYLES else input_format(self.format).boards.default
        return Setting(
            source,
            geometry=boards.board(self.board, self.rules) if isinstance(self.board, str) else self.board,
            board=default,
            rules=None if self.rules is None else tuple(self.rules),
            alphabet=self.alphabet,
            format=self.format,
        )


def input_format(name: str) -> TextFormat:
    """Return the format of that name, for a text that is read.

    Raises:
        FormatError: no format and no style has this name.
    """
    if name not in TEXT_FORMATS:
        raise FormatError(f"no format is called {name!r}; known: {', '.join([*TEXT_FORMATS, *STYLES])}")
    return TEXT_FORMATS[name]


_DEFAULT_OPTIONS = ReadOptions()


def read_entries(
    source: str | Path,
    *,
    board: str | Geometry | None = None,
    rules: Sequence[str] | None = None,
    format: str | None = None,
    alphabet: str | None = None,
    constraints: Sequence[Constraint | str] = (),
) -> Iterator[ParsedItem]:
    """Return the puzzles of a file, of standard input (`-`) or of the text itself, many at once if they are plain.

    A string is the name of a file if such a file exists. Otherwise it is the text itself if it has several lines, or at
    least 16 symbols (or one for each cell of the board) which may be those of a puzzle.

    Args:
        source: see above; a Path is a file. A file, and standard input, may be compressed.
        board: see `ReadOptions` for this and the others.
        rules: the rules to keep.
        format: the format of the text.
        alphabet: the alphabet of its symbols.
        constraints: constraints for each puzzle, besides those in the text; themselves, or lines of their text.

    Returns:
        Entries and batches of puzzles in their order; an entry with a FormatError in the place of each puzzle that
        cannot be read.

    Raises:
        FormatError: the text as a whole cannot be read; it may also be raised later, while iterating.
        GeometryError: no such board, or no such rule.
    """
    items = _read_entries(source, ReadOptions(board, rules, format, alphabet))
    return _constrained(items, constraints) if constraints else items


def _constrained(items: Iterator[ParsedItem], constraints: Sequence[Constraint | str]) -> Iterator[ParsedItem]:
    """Yield the items one by one, the puzzles with more constraints."""
    for entry in one_by_one(items):
        puzzle = entry.content
        if isinstance(puzzle, Puzzle):
            every = (*puzzle.constraints, *constraints)
            more = (puzzle.name, every, puzzle.original)
            puzzle = Puzzle(puzzle.geometry, puzzle.givens, puzzle.pencilmarks, *more)
        # The comments on a puzzle, such as its number of solutions, may not hold with more constraints.
        yield entry._replace(content=puzzle, about=())


def _read_entries(source: str | Path, options: ReadOptions) -> Iterator[ParsedItem]:
    if not isinstance(source, (str, Path)):
        raise FormatError(f"{short(repr(source))} is not a puzzle: give its text, the name of a file, or a Path")
    setting = options.setting(str(source))
    if source == "-":
        try:
            return fail_early(
                _parse(files.read_segments(sys.stdin.buffer, "stdin"), replace(setting, source="stdin")), "stdin"
            )
        except OSError as error:
            raise FormatError(f"standard input cannot be read: {error.strerror}", "stdin") from error
    if isinstance(source, str) and not source.strip():
        raise FormatError("the puzzle is empty; give a file, - or at least 16 symbols")
    path = Path(source)
    if _exists(path):
        return _read_file(path, setting)
    if isinstance(source, str):
        plain = _plain_line(source, options)
        return _read_argument(source, setting) if plain is None else iter([Entry(plain, 1)])
    raise FormatError("no such file", str(source))


# The boards of a text of so many symbols, where no board is named.
_BOARD_OF_LENGTH = {16: "4x4", 81: "9x9"}


def _plain_line(text: str, options: ReadOptions) -> Puzzle | None:
    """Return the puzzle of a text with a digit from 1 or a dot for each cell; None for any other text."""
    # Most texts are such a line; others, such as those with zeros, may mean several things.
    name = _BOARD_OF_LENGTH.get(len(text)) if options.board is None else options.board
    if name is None or options.format is not None or options.alphabet is not None:
        return None
    n = len(text)
    symbols = _PLAIN_SYMBOLS.get(n)
    if symbols is None or not text.isascii() or text.encode().translate(None, symbols):
        return None
    board = name if isinstance(name, Geometry) else boards.board(name, options.rules)
    if board.name not in _BOARD_OF_LENGTH.values() or board.n_cells != n:
        return None
    if isinstance(name, Geometry) and options.rules is not None:
        board = board.with_rules(options.rules)
    return Puzzle(board, np.frombuffer(text.encode().translate(_PLAIN_VALUES), np.uint8))


_PLAIN_SYMBOLS = {16: b"1234.", 81: b"123456789."}
_PLAIN_VALUES = bytes.maketrans(b"123456789.", bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 0]))


def read_all(
    source: str | Path,
    *,
    board: str | Geometry | None = None,
    rules: Sequence[str] | None = None,
    format: str | None = None,
    alphabet: str | None = None,
    constraints: Sequence[Constraint | str] = (),
    remarked: Remarked | None = None,
) -> Results:
    """Return the puzzles of a source one by one, or errors in the place of some; otherwise as `read_entries`."""
    items = read_entries(source, board=board, rules=rules, format=format, alphabet=alphabet, constraints=constraints)
    return _remarking(items, remarked)


def _remarking(items: Iterator[ParsedItem], remarked: Remarked | None) -> Results:
    """Yield the puzzles and errors one by one, each after its remarks were reported."""
    for entry in one_by_one(items):
        if remarked:
            for text in entry.remarks:
                remarked(text)
        yield entry.content


def read(
    source: str | Path,
    *,
    board: str | Geometry | None = None,
    rules: Sequence[str] | None = None,
    format: str | None = None,
    alphabet: str | None = None,
    constraints: Sequence[Constraint | str] = (),
    remarked: Remarked | None = None,
) -> Puzzle:
    """Return the only puzzle of a source; as `read_all` otherwise.

    Raises:
        FormatError: as `read_all`; also if there are several puzzles.
        GeometryError: as `read_all`.
    """
    options = ReadOptions(board, rules, format, alphabet)
    results = list(read_all(source, **options._asdict(), constraints=constraints, remarked=remarked))
    for result in results:
        if isinstance(result, FormatError):
            raise result
    if len(results) != 1:
        name = "stdin" if source == "-" else str(source) if len(str(source)) <= 60 else "argument"
        raise FormatError(f"{len(results)} puzzles where one is needed", name)
    only = results[0]
    assert isinstance(only, Puzzle)
    return only


def read_text(
    text: str, source: str = "text", options: ReadOptions = _DEFAULT_OPTIONS, remarked: Remarked | None = None
) -> Results:
    """Return the puzzles of a text that errors call `source`; otherwise as `read_all`."""
    items = fail_early(_parse(iter([text.encode("utf-8", "surrogatepass")]), options.setting(source)), source)
    return _remarking(items, remarked)


def _exists(path: Path) -> bool:
    try:
        return bool(path.stat())
    except PermissionError as error:
        raise FormatError("no permission to read this file", str(path)) from error
    except (OSError, ValueError):
        return False  # also when the text is too long for a name


def _read_file(path: Path, setting: Setting) -> Iterator[ParsedItem]:
    if path.is_dir():
        return _read_folder(path, setting)
    # The suffix of a file may be the name of a format. It does not make the text one, but says which boards it has.
    suggested = TEXT_FORMATS.get(files.bare_suffix(str(path)).lower().removeprefix("."))
    if setting.format is None and suggested:
        setting = replace(setting, board=suggested.boards.default)
    try:
        opened = path.open("rb")
    except PermissionError as error:
        raise FormatError("no permission to read this file", setting.source) from error
    except OSError as error:
        raise FormatError(f"this file cannot be read: {error.strerror}", setting.source) from error
    return fail_early(_closing(opened, setting), setting.source)


def _read_folder(path: Path, setting: Setting) -> Iterator[ParsedItem]:
    """Yield the solutions in a folder that `enumerate` wrote, as puzzles without a blank."""
    from sudoku_encode.formats.solution_folder import givens_of, is_solution_folder

    if not is_solution_folder(path):
        raise FormatError(folder_fault(path), setting.source)

    def batches() -> Iterator[ParsedItem]:
        line = 1
        for puzzle, grids in givens_of(path, setting):
            yield PuzzleBatch(puzzle.geometry, grids, np.arange(line, line + len(grids), dtype=np.int64))
            line += len(grids)

    return fail_early(batches(), setting.source)


def _closing(opened: BinaryIO, setting: Setting) -> Iterator[ParsedItem]:
    """Yield the items of a file, and close it."""
    with opened:
        yield from _parse(files.read_segments(opened, setting.source), setting)


def _board_hint(argument: str) -> str:
    """Return a hint that an argument may be meant as a board, if it names one."""
    try:
        boards.board(argument, files=False)
    except SudokuError:
        return ""
    return f"; did you mean --board {argument.strip()}?"


def _read_argument(argument: str, setting: Setting) -> Iterator[ParsedItem]:
    """Read an argument that names no file."""
    # Text of other kinds is told apart by dozens of patterns, which takes as long as reading a string of ISS.
    is_iss = setting.format is None and bool(_ISS_STRING.fullmatch(argument) and _beginnings()["iss"].match(argument))
    if not is_iss:
        _require_text(argument, setting)
    setting = replace(setting, source="argument")
    try:
        items = _items_in(argument, "iss", setting) if is_iss else _parsed(iter([_encoded(argument)]), setting)
        return fail_early(_with_remarks(items, setting), "argument")
    except FormatError as error:
        if _beginnings()["sudokuwiki-link"].match(argument):
            raise
        message = f"{error.message} (read as puzzle text, since no file has this name)"
        raise type(error)(message, error.source, error.line, error.column) from error


def _require_text(argument: str, setting: Setting) -> None:
    """Check that an argument may be the text of a puzzle."""
    n_symbols = len("".join(argument.split()))
    # A board may be smaller than any that is recognised by its text alone.
    small = setting.geometry is not None and n_symbols == setting.geometry.n_cells
    texty = _TEXT.fullmatch(argument) and (n_symbols >= 16 or small)
    if setting.geometry is not None and 0 < n_symbols < 16 and not small and _TEXT.fullmatch(argument):
        needs = f"{setting.geometry.name} needs {setting.geometry.n_cells}"
        make = f"{n_symbols} {'symbol makes' if n_symbols == 1 else 'symbols make'}"
        raise FormatError(f"no such file, and {make} no puzzle; {needs}", argument)
    if not (texty or "\n" in argument or _format_by_beginning(argument) or has_style(argument, setting)):
        shown = argument if len(argument) <= 200 else argument[:197] + "..."
        hint = _board_hint(argument) if setting.geometry is None else ""
        raise FormatError(f"no such file; text must have at least 16 symbols, digits and blanks (.){hint}", shown)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _parse(pieces: Iterator[bytes], setting: Setting) -> Iterator[ParsedItem]:
    """Yield the puzzles of a text (cut anywhere), errors in the place of some, and remarks with the next puzzle."""
    return _with_remarks(_parsed(pieces, setting), setting)


def _with_remarks(items: Iterator[ParsedItem], setting: Setting) -> Iterator[ParsedItem]:
    """Yield items, and remarks with the next puzzle."""
    boards_seen: set[str] = set()
    for item in items:
        board = item.board if isinstance(item, PuzzleBatch) else getattr(item.content, "geometry", None)
        if board is not None and board.name not in boards_seen:
            boards_seen.add(board.name)
            if text := pieces_remark(board):
                setting.remarks.add(text)
        remarks = setting.remarks.taken()
        if not remarks:
            yield item
        elif isinstance(item, PuzzleBatch):
            # A batch has no place for remarks.
            yield from (entry._replace(remarks=remarks) for entry in item.part(0, 1).entries())
            if len(item) > 1:
                yield item.part(1, len(item))
        else:
            yield item._replace(remarks=(*remarks, *item.remarks))


def _parsed(pieces: Iterator[bytes], setting: Setting) -> Iterator[ParsedItem]:
    """Yield the puzzles of a text, with errors in the place of some."""
    source, head = setting.source, b""
    while len(head) < stream.BEGINNING_BYTES and (piece := next(pieces, None)):
        head += piece
    if head.startswith(codecs.BOM_UTF8):
        head, setting = head.removeprefix(codecs.BOM_UTF8), replace(setting, has_mark=True)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head, pieces = document(chain([head], pieces), source, "UTF-16", "utf-16").encode(), iter(())
    if head.startswith(_PARQUET_BEGINS):
        yield from _record_tables().read_parquet(chain([head], pieces), setting)
        return
    beginning, pieces = head[: stream.BEGINNING_BYTES], chain([head], pieces)
    refuse_other_file(beginning, source)
    check_binary(beginning, source)
    if not head.strip():
        raise FormatError("empty; a puzzle has at least 16 symbols", source)
    if setting.format is not None and setting.format in STYLES:
        yield from of_style(setting.format, pieces, setting)
        return
    if _ONLY_X.fullmatch(beginning):
        setting.remarks.add("no symbol but x: each is read as a blank")
    format = _format(beginning.decode("utf-8", "replace"), setting.format)
    may_be_objects = format == "json" and setting.format in (None, "json")
    if may_be_objects and _record_tables().are_objects(beginning):
        yield from _record_tables().read_objects(pieces, setting)
    elif format:
        what = "JSON or XML" if TEXT_FORMATS[format].is_document else f"format {format}"
        replay = Replay(pieces)
        text = document(replay, source, what)
        items = _items_in(text, format, setting)
        may_have_style = setting.format is None and _may_have_style(format, text)
        yield from in_styles(items, replay, setting) if may_have_style else items
    elif setting.format and (begins := TEXT_FORMATS[setting.format].begins):
        raise FormatError(f"this is not {setting.format}: {begins.missing}", source)
    else:
        # Line breaks in quoted cells stay as they are.
        pieces = pieces if tables.has_header(head) else with_newlines(pieces)
        if setting.format is not None:
            yield from stream.read(pieces, setting)
            return
        replay = Replay(pieces)
        yield from in_styles(stream.read(replay, setting), replay, setting)


def _items_in(text: str, format: str, setting: Setting) -> Iterator[ParsedItem]:
    """Return the puzzles of a text in a format that has a module of its own."""
    # Imported here, since the parsers of documents take as long to load as all else.
    read_format = implementation(format).read
    assert read_format is not None
    board = setting.board or TEXT_FORMATS[format].boards.default
    return read_format(text, setting if board == setting.board else replace(setting, board=board))


def _may_have_style(format: str, text: str) -> bool:
    """Check whether a text that begins as a document may be an array of another language, or another XML."""
    # Objects have keys that may change the puzzle.
    return format == "opensudoku" or (format == "json" and not re.search("[\"']\\s*:", text))


def _record_tables() -> ModuleType:
    """Return the module for tables of objects, which takes long to load."""
    return import_module("sudoku_encode.formats.record_tables")


def _format(beginning: str, requested: str | None) -> str | None:
    """Return the format whose module reads a text, or None for a text with rows of symbols."""
    # The beginning of a document is certain. Otherwise the caller's format wins, and its module reports the wrong line.
    recognised = _format_by_beginning(beginning)
    if requested is None or (recognised and TEXT_FORMATS[recognised].is_document):
        return recognised
    return requested if TEXT_FORMATS[requested].begins and not TEXT_FORMATS[requested].is_document else None


def _format_by_beginning(text: str) -> str | None:
    """Return the format that the beginning of a text tells, or None."""
    return next((name for name, begins in _beginnings().items() if begins.match(text)), None)
