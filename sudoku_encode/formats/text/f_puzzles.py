"""f-puzzles: a JSON object for each puzzle, one per line or in a list; or links, one per line, that hold such objects.

SudokuPad opens the same data with another prefix.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats import lz
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.f_puzzles_reading import entry_of
from sudoku_encode.formats.f_puzzles_writing import merged, object_of
from sudoku_encode.formats.json_objects import JsonObject, objects
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.formats.text.links import entries_of_link
from sudoku_encode.puzzles.puzzle import Puzzle

_LINK_START = "https://www.f-puzzles.com/?load="
# After an address, or alone; `{"` always becomes N4Ig.
_LINK_DATA = re.compile(r"(?:.*[?&]load=|(?:.*[/=])?fpuz(?:zles)?)?(N4Ig\S*)", re.IGNORECASE)


def write_f_puzzles(puzzle: Puzzle) -> str:
    """Return one puzzle as JSON."""
    return json.dumps(_with_original(puzzle), separators=(",", ":"))


def _with_original(puzzle: Puzzle) -> JsonObject:
    """Return the object of a puzzle, with everything else that was in the object from which it was read."""
    with suppress(ValueError, FormatError, GeometryError):
        ((_, original),) = objects(puzzle.original, "original")
        again = entry_of(original, Setting("original")).content
        if again == puzzle and getattr(again, "name", "") == puzzle.name:
            return original
        return merged(object_of(puzzle), original, puzzle.name)
    return object_of(puzzle)


def read_f_puzzles(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one.

    Raises:
        FormatError: the text is not JSON.
    """
    if setting.format not in (None, "f-puzzles", "f-puzzles-link"):
        raise FormatError(f"this is f-puzzles, not {setting.format}", setting.source)
    for line, item in objects(text, setting.source):
        try:
            yield entry_of(item, setting, line)
        except (FormatError, GeometryError) as error:
            message = error.message if isinstance(error, FormatError) else str(error)
            yield Entry(FormatError(message, setting.source, line), line)


def write_link(puzzle: Puzzle) -> str:
    """Return one puzzle as a link."""
    return _LINK_START + lz.packed(write_f_puzzles(puzzle))


def read_link(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of links, or a FormatError in the place of one; lines that begin with `#` are comments."""
    source = setting.source
    if setting.format not in (None, "f-puzzles", "f-puzzles-link"):
        raise FormatError(f"this is f-puzzles-link, not {setting.format}", source)
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            if not _LINK_DATA.match(line.strip()):
                yield from entries_of_link(Row(number, line), setting, but="f-puzzles-link")
                continue
            try:
                yield _entry_of_link(line.strip(), setting, number)
            except (FormatError, GeometryError) as error:
                message = error.message if isinstance(error, FormatError) else str(error)
                yield Entry(FormatError(message, source, number), number)


def _entry_of_link(link: str, setting: Setting, line: int) -> Entry:
    match = _LINK_DATA.match(link)
    assert match is not None
    items = list(objects(lz.unpacked(match[1]), setting.source))
    if len(items) != 1:
        raise FormatError(f"the link holds {len(items)} objects where it should hold one")
    return entry_of(items[0].item, setting, line)


FORMATS = {
    "f-puzzles": FormatFunctions(write_f_puzzles, read_f_puzzles),
    "f-puzzles-link": FormatFunctions(write_link, read_link),
}
