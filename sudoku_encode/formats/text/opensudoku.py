"""OpenSudoku: an XML file with a game for each puzzle, or the saved state of games.

The data of a game are 81 digits, or its state: `version: 3`, and for each cell its value, its notes and whether the
player may change it, with `|` after each. Values and notes of the player are not part of the puzzle: they are left out.
"""

import re
from collections.abc import Iterable, Iterator
from xml.parsers import expat

from sudoku_encode.errors import FormatError, NoFormatError, plural, short
from sudoku_encode.formats.cells import segment_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.lines import Row, Segment, Setting
from sudoku_encode.formats.symbols import blank_of, pack
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.puzzles.puzzle import Puzzle


def write_opensudoku(puzzle: Puzzle) -> str:
    """Return one puzzle as a file."""
    return "".join(write_games([puzzle])).removesuffix("\n")


def write_games(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield segments of a file with a game for each puzzle."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>'
    for puzzle in puzzles:
        yield f'\n  <game data="{pack(puzzle.givens, puzzle.geometry, blank_of(puzzle, "0", "."))}"/>'
    yield "\n</opensudoku>\n"


# The cells of each version: (value, notes, 1 if the player may change it). From 4 on there are two kinds of notes, in 5
# a colour too.
_NOTES = r"\d{1,3}\|"
_CELL_OF = {
    version: re.compile(rf"(\d)\|{notes}([01])\|", re.ASCII)
    for version, notes in enumerate([r"(?:-|(?:\d,)+)\|", rf"{_NOTES}\|?", _NOTES, 2 * _NOTES, 2 * _NOTES + r"\d\|"], 1)
}
# A newline in an attribute is read as a space.
_STATE = re.compile(r"version:[ \t]*(\d{1,3})\s+(\S*)\s*", re.ASCII)


def read_opensudoku(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of an OpenSudoku file, or a FormatError in the place of one.

    Raises:
        FormatError: the text is not XML, not OpenSudoku, or declares a document type or entities.
    """
    for game in _states(text) if text.lstrip().startswith("version:") else _games(text, setting.source):
        try:
            plain, entered = _plain(game, setting.source)
            for entry in segment_entries(Segment(setting, [[plain]], bordered=False)):
                yield entry._replace(remarks=(_entered_remark(entered),) if entered else ())
        except FormatError as error:
            # A column would count in the data, not in the line.
            yield Entry(FormatError(error.message, error.source, error.line), error.line)


def _entered_remark(number: int) -> str:
    return f"{number} {plural('value', number)} that the player entered {'is' if number == 1 else 'are'} left out"


def _states(text: str) -> Iterator[Row]:
    """Yield the data of each game of a text without XML, with the line where it starts."""
    starts = [match.start() for match in re.finditer(r"^[ \t]*version:", text, re.MULTILINE)]
    line, done = 1, 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line, done = line + text.count("\n", done, start), start
        yield Row(line, text[start:end].strip())


def _plain(game: Row, source: str) -> tuple[Row, int]:
    """Return the symbols of a game, one per cell, only the givens of a state; and the number of entered values."""
    if not game.text.startswith("version:"):
        return game, 0
    state = _STATE.fullmatch(game.text)
    cell_of = _CELL_OF.get(int(state[1])) if state else None
    if not state or not cell_of:
        raise FormatError(
            f"a state {short(game.text, 20)!r}; write version: 1 to version: 5, and the cells", source, game.line
        )
    cells = cell_of.findall(state[2])
    rest = cell_of.sub("", state[2])
    if rest or len(cells) != 81:
        fault = f"{short(rest, 20)!r} is not a cell" if rest else f"{len(cells)} cells where there are 81"
        raise FormatError(f"{fault} in a state of version {state[1]}", source, game.line)
    entered = sum(value != "0" and may_change == "1" for value, may_change in cells)
    return Row(game.line, "".join("0" if may_change == "1" else value for value, may_change in cells)), entered


def _games(text: str, source: str) -> list[Row]:
    """Return the data of each game, with the line where it starts."""
    parser = expat.ParserCreate()
    rows: list[Row] = []
    root = ""

    def error_here(message: str) -> FormatError:
        return FormatError(message, source, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def other_here(message: str) -> NoFormatError:
        return NoFormatError(message, source, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    no_types = "a document type or entity; an OpenSudoku file has only <opensudoku> and its games"

    def refuse(*_: object) -> None:
        raise error_here(no_types)

    def refuse_type(name: str, *_: object) -> None:
        raise error_here(no_types) if name == "opensudoku" else other_here(no_types)

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal root
        root = root or name
        if root != "opensudoku":
            raise other_here(f"<{name[:40]}> where an OpenSudoku file has <opensudoku>")
        if name == "game":
            # OpenSudoku calls it `cells_data` since version 3 of its files.
            data = attributes.get("data", attributes.get("cells_data"))
            if data is None:
                raise error_here('a game without data; write <game data="53..7..."/>')
            rows.append(Row(parser.CurrentLineNumber, data.strip()))

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse_type
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        message = f"not XML ({expat.errors.messages[error.code]}); expected an OpenSudoku file"
        raise NoFormatError(message, source, error.lineno, error.offset + 1) from error
    except UnicodeEncodeError as error:
        raise FormatError("not XML (half a character); expected an OpenSudoku file", source) from error
    return rows


FORMATS = {"opensudoku": FormatFunctions(write_opensudoku, read_opensudoku, write_games)}
