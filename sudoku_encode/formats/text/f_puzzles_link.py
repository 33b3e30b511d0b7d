"""Links of f-puzzles, one a line, which hold all of the puzzle. SudokuPad has the same letters after another prefix."""

import re
from collections.abc import Iterable, Iterator

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats import lz
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.f_puzzles_reading import entry_of
from sudoku_encode.formats.json_objects import objects
from sudoku_encode.formats.lines import Setting
from sudoku_encode.formats.text import f_puzzles
from sudoku_encode.puzzles.puzzle import Puzzle

_BEGINS = "https://www.f-puzzles.com/?load="
# After an address, or alone; `{"` always becomes N4Ig.
_DATA = re.compile(r"(?:.*[?&]load=|(?:.*[/=])?fpuz(?:zles)?)?(N4Ig\S*)", re.IGNORECASE)


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    return _BEGINS + lz.packed(f_puzzles.write(puzzle))


def write_all(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield a line for each puzzle."""
    for puzzle in puzzles:
        yield write(puzzle) + "\n"


def read(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one; lines that begin with `#` are comments."""
    source = setting.source
    if setting.format not in (None, "f-puzzles", "f-puzzles-link"):
        raise FormatError(f"this is f-puzzles-link, not {setting.format}", source)
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                yield _entry(line.strip(), setting, number)
            except (FormatError, GeometryError) as error:
                what = error.message if isinstance(error, FormatError) else str(error)
                yield Entry(FormatError(what, source, number), number)


def _entry(link: str, setting: Setting, line: int) -> Entry:
    match = _DATA.match(link)
    if not match:
        raise FormatError(f"no link that holds a puzzle, such as {_BEGINS}N4Ig...; the site has others by number")
    found = list(objects(lz.unpacked(match[1]), setting.source))
    if len(found) != 1:
        raise FormatError(f"the link holds {len(found)} objects where it should hold one")
    return entry_of(found[0].item, setting, line)
