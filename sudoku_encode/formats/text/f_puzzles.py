"""f-puzzles: an object of JSON for each puzzle, one a line, or in a list."""

import json
from collections.abc import Iterable, Iterator

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.f_puzzles_reading import entry_of
from sudoku_encode.formats.f_puzzles_writing import object_of
from sudoku_encode.formats.json_objects import objects
from sudoku_encode.formats.lines import Setting
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    return json.dumps(object_of(puzzle), separators=(",", ":"))


def write_all(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield a line for each puzzle."""
    for puzzle in puzzles:
        yield write(puzzle) + "\n"


def read(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one.

    Raises:
        FormatError: not JSON.
    """
    if setting.format not in (None, "f-puzzles", "f-puzzles-link"):
        raise FormatError(f"this is f-puzzles, not {setting.format}", setting.source)
    for line, item in objects(text, setting.source):
        try:
            yield entry_of(item, setting, line)
        except (FormatError, GeometryError) as error:
            what = error.message if isinstance(error, FormatError) else str(error)
            yield Entry(FormatError(what, setting.source, line), line)
