"""Links of sites that hold a puzzle in plain sight, one a line: its symbols, or those of puzz.link.

`?bd=`, `?s=`, `/play/` and the like, with a digit or a blank (`.`, `0`) for each cell, are read for any site.
In a link of puzz.link `sudoku/9/9/` comes before the cells: digits from 1, `a` to `f` for 10 to 15, `-10` to `-ff`
above, `.` for a cell without a number, and `g` to `z` for 1 to 20 blanks. Boxes have as many rows as columns, or 2 and
3 on a 6x6.

Most other links only name a puzzle, which a site holds: the error says how to get it from there.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from math import isqrt
from urllib.parse import unquote

from sudoku_encode.errors import FormatError, GeometryError, short
from sudoku_encode.formats.cells import located_error, segment_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.format_features import PUZZLINK, has_puzzlink_boxes
from sudoku_encode.formats.lines import Row, Segment, Setting, segments
from sudoku_encode.formats.symbols import pack
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formats.text import FormatFunctions, implementation
from sudoku_encode.formats.text.killer_cages import text_board
from sudoku_encode.puzzles.puzzle import Puzzle

# Links that only name a puzzle, or hold a drawing.

_SITES = {
    r"f-puzzles\.com": "open it there, press Export and then Open With Link, and give that address, with ?load=",
    r"sudokupad\.|crackingthecryptic\.com": "give the text at https://sudokupad.app/api/puzzle/{id}, or a link with "
    "scl or fpuz and letters after it",
    r"logic-masters\.de": "give the link to f-puzzles or SudokuPad on that page, if it holds the puzzle",
    r"tinyurl\.|bit\.ly|t\.co|goo\.gl": "open it and give the address to which it leads",
}
_PENPA = re.compile(r"penpa|swaroopg92|opt-pan", re.IGNORECASE)
_LETTERS = re.compile(r"[?&]load=|(?:^|[/=])(?:scl|ctc|fpuz)")
_PUZZLINK_KIND = re.compile(r"[?&](?:m\+)?([a-z]+)(?:_edit)?/(?:v:/)?\d+/\d+/")
_PUZZLINK_FORM = "https://puzz.link/p?sudoku/9/9/53h7..."
_HOST = re.compile(r"(?:https?://)?([^/?#\s]+)", re.IGNORECASE)


def link_fault(link: str, needed: str) -> str:
    """Return why a link is not a puzzle, and how to get one; `needed` is the number of symbols that a puzzle has."""
    match = _HOST.match(link)
    host = match[1].lower() if match else ""
    if _PENPA.search(link):
        return "a drawing of penpa, which is not read; draw the puzzle at f-puzzles.com, or type its digits"
    if _LETTERS.search(link):
        return (
            "not a link that holds a puzzle; expected one such as https://www.f-puzzles.com/?load=N4Ig..., or "
            "https://sudokupad.app/sclN4Ig..., with all its letters"
        )
    if kind := _PUZZLINK_KIND.search(link):
        return f"a puzzle of the kind {kind[1]}, not a Sudoku; expected a link such as {_PUZZLINK_FORM}"
    for site, advice in _SITES.items():
        if re.search(rf"(?:^|\.){site}", host):
            name = re.split("[/?=&#]", link.rstrip("/"))[-1]
            return f"this link only names a puzzle, which {host} holds; {advice.format(id=short(name, 40))}"
    runs = [part for _, part in _parts(link) if len(part) > 9 and not part.strip("0123456789.")]
    if runs:
        longest = max(runs, key=len)
        return f"the link has {len(longest)} digits and blanks in a row, {short(longest, 20)}; {needed}"
    return "no puzzle in this link; it may only name one, which the site holds: give the digits, with . for each blank"


# Links of all sites.

# The formats whose links are read elsewhere.
_OTHER_LINKS = ("f-puzzles-link", "sudokupad-link", "iss", "solo")


def write_sudokuwiki(puzzle: Puzzle) -> str:
    """Return one puzzle as a link."""
    return f"https://www.sudokuwiki.org/sudoku.htm?bd={pack(puzzle.givens, puzzle.geometry, blank='0')}"


def read_links(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzle of each link, or a FormatError in its place.

    Raises:
        FormatError: another format was asked for.
    """
    if setting.format not in (None, *FORMATS):
        raise FormatError(f"this is a link, not {setting.format}", setting.source)
    for segment in segments(text.replace("\r\n", "\n").replace("\r", "\n"), setting):
        for row in (row for block in segment.blocks for row in block):
            yield from entries_of_link(row, segment.setting)


def entries_of_link(row: Row, setting: Setting, but: str = "") -> Iterator[Entry]:
    """Yield the puzzle of a link of any site, or a FormatError in its place.

    Args:
        row: the link.
        setting: the options of the caller and of the text.
        but: the format, a key of TEXT_FORMATS, whose reader could not read it.
    """
    link = Row(row.line, row.text.strip())
    # In a link, the symbols of any board are on one line.
    own = replace(setting, format=None)
    try:
        for entry in _entries(link, own, but):
            error = entry.content
            # A column would count in the symbols, not in the line.
            content = FormatError(error.message, setting.source, row.line) if isinstance(error, FormatError) else error
            yield entry._replace(content=content, line=row.line)
    except (FormatError, GeometryError) as error:
        fault = located_error(error, setting.source, row.line)
        yield Entry(FormatError(fault.message, fault.source, fault.line), row.line)


def _entries(link: Row, setting: Setting, but: str) -> Iterator[Entry]:
    """Return the entry of a link from the reader of its kind."""
    if "/" not in link.text or re.search(r"\s", link.text):
        raise FormatError(
            f"not a link: {short(link.text, 30)!r}; write one per line, such as https://site/?s=53..7...."
        )
    for name in _OTHER_LINKS:
        begins = TEXT_FORMATS[name].begins
        if name != but and begins and re.match(begins.pattern, link.text):
            read = implementation(name).read
            assert read is not None
            return read(link.text, setting)
    if re.match(PUZZLINK.pattern, link.text):
        return iter([Entry(_puzzlink_puzzle(link, setting))])
    return segment_entries(Segment(setting, [[Row(link.line, _symbols(link.text, setting))]], bordered=False))


def _symbols(link: str, setting: Setting) -> str:
    """Return the symbols of the puzzle that a link holds."""
    board = setting.known_board()
    runs: dict[str, str] = {}
    for key, part in _parts(link):
        if part.isascii() and (len(part) == board.n_cells if board and board.n_values > 9 else _is_puzzle(part)):
            runs.setdefault(part, f"{key}={short(part, 20)}" if key else short(part, 20))
    if len(runs) > 1:
        raise FormatError(f"{len(runs)} puzzles in one link, {' and '.join(runs.values())}; give the symbols of one")
    if not runs:
        needed = f"{board.name} has {board.n_cells}" if board else "a 9x9 has 81, a 4x4 16"
        raise FormatError(link_fault(link, needed))
    return next(iter(runs))


def _is_puzzle(part: str) -> bool:
    """Check whether a part of a link has a digit or a blank for each cell of a square, up to 9x9."""
    n = isqrt(len(part))
    return 4 <= n <= 9 and n * n == len(part) and not part.strip(f"._*-{'0123456789'[: n + 1]}")


def _parts(link: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of the path, the query and the fragment of a link, each with its key, if it has one."""
    for part in re.split("[/?&#;,]", unquote(link)):
        key, _, value = part.rpartition("=")
        yield key, value


# Links of puzz.link.

_PUZZLINK = re.compile(r"(?:\S*[?&])?(?:m\+)?sudoku(?:_[a-z]+)?/(?:v:/)?(\d{1,3})/(\d{1,3})/([^\s&]*)\S*", re.ASCII)
_PUZZLINK_CELL = re.compile(r"([\da-f])|-([\da-f]{2})|(\.)|([g-z])", re.ASCII)
_FIRST_RUN, _LONGEST_RUN = ord("g"), 20


def write_puzzlink(puzzle: Puzzle) -> str:
    """Return one puzzle as a link."""
    n, text = puzzle.geometry.n_values, ""
    for value, group in groupby(puzzle.givens.tolist()):
        count = len(list(group))
        if value:
            text += count * (f"{value:x}" if value < 16 else f"-{value:x}")
            continue
        rest = count % _LONGEST_RUN
        text += "z" * (count // _LONGEST_RUN) + (chr(_FIRST_RUN + rest - 1) if rest else "")
    return f"https://puzz.link/p?sudoku/{n}/{n}/{text}"


def _puzzlink_puzzle(row: Row, setting: Setting) -> Puzzle:
    link = unquote(row.text.strip())
    match = _PUZZLINK.fullmatch(link)
    if not match:
        raise FormatError(f"not a Sudoku of puzz.link: {short(link, 30)!r}; write one such as {_PUZZLINK_FORM}")
    n, text = int(match[1]), match[3].rstrip("/")
    if match[1] != match[2] or not has_puzzlink_boxes(n):
        side = f"{match[1]} columns and {match[2]} rows"
        raise FormatError(f"{side}; puzz.link has boxes on 6x6 and on squares with the side 4, 9, 16, ...")
    board, end = text_board(f"{n}x{n}", setting), 0
    values: list[int] = []
    for cell in _PUZZLINK_CELL.finditer(text):
        if cell.start() > end:
            break
        end = cell.end()
        number = int(cell[1] or cell[2] or "0", 16)
        if (cell[1] or cell[2]) and not 1 <= number <= n:
            raise FormatError(f"{number} at cell {len(values) + 1}; values go from 1 to {n}")
        values += [0] * (ord(cell[4]) - _FIRST_RUN + 1) if cell[4] else [number]
    if end < len(text):
        raise FormatError(
            f"{text[end]!r} among the cells; puzz.link has 1 to 9, a to f, -10 to -ff, and g to z for blanks"
        )
    if len(values) != n * n:
        raise FormatError(f"{len(values)} cells in the link where {n}x{n} has {n * n}")
    return Puzzle.of(board, values, constraints=setting.constraints_on(board))


FORMATS = {
    "puzzlink": FormatFunctions(write_puzzlink, read_links),
    "sudokuwiki-link": FormatFunctions(write_sudokuwiki, read_links),
}
