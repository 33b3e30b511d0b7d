"""ISS strings, of Interactive Sudoku Solver: a puzzle per line with its constraints, after an optional `# name: NAME`.

White space in a string has no meaning: an indented line continues the string of the line before. A string may be in a
link to that program, as its `q`; a jigsaw may be plain text: the grid and then the region of each cell on one line.

Regions that are not boxes come with NoBoxes, or in addition to the boxes. Each type means the same as in that program:
a cell that is twice in a cage counts twice in its sum, and AntiConsecutive holds for cells with a dot too.
"""

import re
from collections.abc import Iterator, Sequence
from string import ascii_uppercase, digits
from urllib.parse import parse_qs, quote, urlsplit

from sudoku_encode.errors import FormatError, GeometryError, plural
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.format_features import LINK
from sudoku_encode.formats.iss_boards import Items, Shape, boxes_of, shape_of
from sudoku_encode.formats.iss_reading import items_of, puzzle_of
from sudoku_encode.formats.iss_writing import text_of
from sudoku_encode.formats.json_objects import one_line
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.region_maps import SIDES, default_regions
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.formats.text.links import entries_of_link
from sudoku_encode.puzzles.puzzle import Puzzle

# Jigsaws as plain text. Values are digits up to 9x9, and letters from A for 1 on larger boards. A second half that
# solves the board with boxes is not a map, but the solution of the first.

_NAME = re.compile(r"#\s*name\s*:(.*)", re.IGNORECASE | re.ASCII)
_OTHER_LINK = re.compile(rf"(?!\S*[?&]q=(?:\.|%2E|$))(?:{LINK.pattern})")
_LINE = re.compile(r"[0-9A-Za-z.*_-]+", re.ASCII)


def solution_of(line: str) -> str:
    """Return the second half of a line if it is a solution, else an empty text."""
    halves = "".join(line.split())
    n = next((n for n in SIDES if 2 * n * n == len(halves)), 0)
    symbols = digits[1 : n + 1] if n < 10 else ascii_uppercase[:n]
    half = halves[n * n :]
    if not n or set(half) != set(symbols):
        return ""
    units = [half[start : start + n] for start in range(0, n * n, n)] + [half[start::n] for start in range(n)]
    boxes = default_regions(n)
    units += ["".join(half[cell] for cell in range(n * n) if boxes[cell] == box) for box in range(n)]
    return half if all(len(set(unit)) == n for unit in units) else ""


def string_of(line: str) -> str:
    """Return the ISS string of a jigsaw, or of a grid with its solution; other lines unchanged.

    Raises:
        FormatError: the line is as long as a jigsaw, but is not one.
    """
    halves = "".join(line.split())
    n = next((n for n in range(4, 17) if 2 * n * n == len(halves)), 0)
    if not n or not _LINE.fullmatch(halves):
        return line
    grid, regions = halves[: n * n], halves[n * n :]
    if sorted({regions.count(symbol) for symbol in regions}) != [n]:
        raise FormatError(f"the second half of these {2 * n * n} symbols is not {n} regions of {n} cells")
    symbols = digits[1 : n + 1] if n < 10 else ascii_uppercase[:n]
    blanks = sorted({symbol for symbol in grid if symbol not in symbols})
    if len(blanks) > 1:
        raise FormatError(
            f"{' and '.join(blanks)} are {len(blanks)} {plural('symbol', len(blanks))} for a blank; values of {n}x{n} "
            f"are {symbols[0]} to {symbols[-1]}"
        )
    names = digits + ascii_uppercase
    givens = [
        f"R{names[cell // n + 1]}C{names[cell % n + 1]}_{symbols.index(symbol) + 1}"
        for cell, symbol in enumerate(grid)
        if symbol in symbols
    ]
    board = f".Shape~{n}x{n}." if solution_of(line) else f".Shape~{n}x{n}.NoBoxes.Jigsaw~{regions}."
    return f"{board}{'~'.join(['', *givens])}"


# Remarks on how a string is read: types that mean more, or less, than their names say.


def remarks_of(items: Items, shape: Shape) -> tuple[str, ...]:
    """Return the remarks on a string that was read.

    Args:
        items: types, each with its arguments.
        shape: the shape of its board.
    """
    # Most types have no remarks.
    texts = (
        text for name, arguments in items if name in _REMARKED for text in _remarks_on_type(name, arguments, shape)
    )
    return tuple(dict.fromkeys([*texts, *_remarks_on_combinations({name for name, _ in items}, shape)]))


_REMARKED = {"Cage", "AllDifferent", "Whisper", "Sandwich", "Jigsaw", "NFA", "SearchPriority"}


def _remarks_on_type(name: str, arguments: Sequence[str], shape: Shape) -> Iterator[str]:
    cells = [word.upper() for word in arguments]
    if name == "Cage" and len(set(cells[1:])) < len(cells[1:]):
        yield "Cage: a cell that is in a cage twice counts twice in its sum"
    elif name == "AllDifferent" and len(set(cells)) < len(cells):
        yield "AllDifferent: a cell that is listed twice is read once"
    elif name == "Whisper" and cells[:1] and cells[0].startswith("R") and (shape.n_values + 1) // 2 != 5:
        yield f"Whisper: without a number cells differ by at least 5, with {shape.n_values} values too"
    elif name == "Sandwich" and len(cells) > 1:
        if (shape.columns if cells[1].startswith("R") else shape.rows) < shape.n_values:
            yield "Sandwich: on a line without all values it is between the smallest and the largest of the line"
    elif name == "Jigsaw" and cells:
        # Capital and small letters are different regions.
        yield from _remarks_on_layout(arguments[-1], shape)
    elif name == "NFA":
        yield "NFA: its state machine is read as a deterministic automaton"
    elif name == "SearchPriority":
        yield "SearchPriority: not read, since it says where that program searches first"


def _remarks_on_layout(layout: str, shape: Shape) -> Iterator[str]:
    if len(set(layout)) == 1:
        yield "Jigsaw: one region of all cells has no effect"
        return
    counts = [layout.count(symbol) for symbol in dict.fromkeys(layout)]
    for count in counts:
        if count != shape.region_size:
            yield f"Jigsaw: {count} {plural('cell', count)} are in no region, since a region has {shape.region_size}"
    if shape.has_boxes and boxes_of(shape):
        yield "Jigsaw: without NoBoxes its regions hold in addition to the boxes"


def _remarks_on_combinations(names: set[str], shape: Shape) -> Iterator[str]:
    if "RegionSumLine" in names and "Jigsaw" not in names and not (shape.has_boxes and boxes_of(shape)):
        yield "RegionSumLine: there are no boxes or regions, so it has no effect"
    if {"AntiConsecutive", "WhiteDot"} <= names:
        yield "AntiConsecutive: it holds for cells with a WhiteDot too, so there is no solution"


# Reading and writing.


def write_iss(puzzle: Puzzle) -> str:
    """Return one puzzle as text.

    Raises:
        FormatError: it has a constraint that an ISS string cannot say.
    """
    name = f"# name: {' '.join(one_line(puzzle.name).split())}\n" if puzzle.name else ""
    return name + text_of(puzzle)


def write_link(puzzle: Puzzle) -> str:
    """Return one puzzle as a link to that program; raises as `write_iss`."""
    return f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={quote(text_of(puzzle), safe='')}"


def read_iss(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzle of each string, or a FormatError in its place.

    Raises:
        FormatError: another format was asked for.
    """
    if setting.format not in (None, *FORMATS):
        raise FormatError(f"this is an ISS string, not {setting.format}", setting.source)
    for number, name, string in _strings(text):
        if _OTHER_LINK.match(string):
            yield from entries_of_link(Row(number, string), setting, but="iss")
            continue
        try:
            items = items_of(_unwrapped(string))
            puzzle = puzzle_of(items, setting, name)
            remarks, solution = remarks_of(items, shape_of(items)), solution_of(string)
            if solution:
                remarks = (
                    *remarks,
                    "the second half of the line is read as the solution, since it is not a map of regions",
                )
            is_plain = puzzle.geometry.n_values < 10
            yield Entry(puzzle, number, answer=solution if is_plain else "", remarks=remarks)
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


def _unwrapped(line: str) -> str:
    """Return the string of a line, which may be in a link."""
    if not line.lower().startswith(("http://", "https://")):
        return string_of(line)
    return next(iter(parse_qs(urlsplit(line).query).get("q", [])), "")


FORMATS = {"iss": FormatFunctions(write_iss, read_iss), "iss-link": FormatFunctions(write_link, read_iss)}
