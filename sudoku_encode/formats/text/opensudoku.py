"""OpenSudoku: an XML file with a game for each puzzle."""

from collections.abc import Iterable, Iterator
from xml.parsers import expat

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.cells import segment_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.lines import Row, Segment, Setting
from sudoku_encode.formats.text import sdm
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    return "".join(write_all([puzzle])).removesuffix("\n")


def write_all(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield pieces of a file with a game for each puzzle."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>'
    for puzzle in puzzles:
        yield f'\n  <game data="{sdm.write(puzzle)}"/>'
    yield "\n</opensudoku>\n"


def read(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of an OpenSudoku file, or a FormatError in the place of one.

    Raises:
        FormatError: not XML, no OpenSudoku, or XML that declares a document type or entities.
    """
    for game in _games(text, setting.source):
        try:
            yield from segment_entries(Segment(setting, [[game]], bordered=False))
        except FormatError as error:
            # A column would count in the data, not in the line.
            yield Entry(FormatError(error.message, error.source, error.line), error.line)


def _games(text: str, source: str) -> list[Row]:
    """Return the data of each game, with the line where it starts."""
    parser = expat.ParserCreate()
    rows: list[Row] = []
    root = ""

    def place(message: str) -> FormatError:
        return FormatError(message, source, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def refuse(*_: object) -> None:
        raise place("a document type or entity; an OpenSudoku file has only <opensudoku> and its games")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal root
        root = root or name
        if root != "opensudoku":
            raise place(f"<{name[:40]}> where an OpenSudoku file has <opensudoku>")
        if name == "game":
            if "data" not in attributes:
                raise place('a game without data; write <game data="53..7..."/>')
            rows.append(Row(parser.CurrentLineNumber, attributes["data"]))

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        message = f"not XML ({expat.errors.messages[error.code]}); expected an OpenSudoku file"
        raise FormatError(message, source, error.lineno, error.offset + 1) from error
    except UnicodeEncodeError as error:
        raise FormatError("not XML (half a character); expected an OpenSudoku file", source) from error
    return rows
