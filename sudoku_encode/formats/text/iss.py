"""ISS strings, of Interactive Sudoku Solver: a puzzle a line, with its constraints; `# name: NAME` may go before it.

White space in a string means nothing there: an indented line goes on with the string of the line before. A string may
be in a link to that program, as its `q`; a jigsaw may be plain text.

A region that is no box comes with NoBoxes, or beside the boxes, where both hold. What a type means there, it means
here: a cell that is twice in a cage counts twice in its sum, and AntiConsecutive holds of cells with a dot too.
"""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qs, urlsplit

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats import iss_plain
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.iss_boards import shape_of
from sudoku_encode.formats.iss_reading import items_of, puzzle_of
from sudoku_encode.formats.iss_remarks import remarks_of
from sudoku_encode.formats.iss_writing import text_of
from sudoku_encode.formats.json_objects import one_line
from sudoku_encode.formats.lines import Setting
from sudoku_encode.puzzles.puzzle import Puzzle

_NAME = re.compile(r"#\s*name\s*:(.*)", re.IGNORECASE | re.ASCII)


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text.

    Raises:
        FormatError: it has a constraint that no ISS string says.
    """
    name = f"# name: {' '.join(one_line(puzzle.name).split())}\n" if puzzle.name else ""
    return name + text_of(puzzle)


def write_all(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield the lines of a file of puzzles."""
    for puzzle in puzzles:
        yield write(puzzle) + "\n"


def read(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzle of each string, or a FormatError in its place.

    Raises:
        FormatError: another format was asked for.
    """
    if setting.format not in (None, "iss"):
        raise FormatError(f"this is an ISS string, not {setting.format}", setting.source)
    for number, name, string in _strings(text):
        try:
            items = items_of(_string_of(string))
            found = puzzle_of(items, setting, name)
            remarks, solution = remarks_of(items, shape_of(items)), iss_plain.solution_of(string)
            if solution:
                remarks = (
                    *remarks,
                    "the second half of the line is read as the solution, since it is not a map of regions",
                )
            is_plain = found.geometry.n_values < 10
            yield Entry(found, number, answer=solution if is_plain else "", remarks=remarks)
        except FormatError as error:
            yield Entry(FormatError(error.message, error.source or setting.source, error.line or number), number)
        except GeometryError as error:
            yield Entry(FormatError(str(error), setting.source, number), number)


def _strings(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each string with the number of its first line and the name before it."""
    name, first, string = "", 0, ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if string and line and raw[0].isspace():
            string += line
            continue
        if string:
            yield first, name, string
            name = string = ""
        if match := _NAME.match(line):
            # A name is one line, and what a terminal can show.
            name = one_line(match[1].strip())
        elif line and line[0] != "#":
            first, string = number, line
    if string:
        yield first, name, string


def _string_of(line: str) -> str:
    """Return the string of a line, which may be in a link."""
    if not line.lower().startswith(("http://", "https://")):
        return iss_plain.string_of(line)
    return next(iter(parse_qs(urlsplit(line).query).get("q", [])), "")
