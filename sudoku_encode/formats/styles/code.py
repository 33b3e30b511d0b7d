"""Styles of programs and their data: arrays, and a fact, a line or a clause for each given."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.region_maps import is_map
from sudoku_encode.formats.styles import Rewritten
from sudoku_encode.formats.styles.common import AREAS, BLANKS, SIDES, are_symbols, joined_grids, left_out, rule_in

# Arrays.

_TOKEN = re.compile(
    r"(?P<comment>//.*|/\*.*?\*/|^[ \t]*[#%].*|[ \t]#.*|[ \t]%[ \t].*)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|(?P<open>[\[({])|(?P<close>[\])}])|(?P<cut>[;|]|\n)"
    r"|(?P<comma>,)|(?P<number>-?\d+(?:\.0*)?(?![\w.]))|(?P<dots>\.\.+(?=\d))|(?P<word>\w+|[.*?_-]+|\S)",
    re.MULTILINE,
)
# A text in quotes that is a line break of another language ends in it.
_ESCAPES = re.compile(r"\\[nrt]")
_NOTHING = frozenset({"none", "nil", "null", "nan", "undefined", "-1", "_", "na"})
# Names of arrays that are a constraint.
_RULE_NAME = re.compile(r"even|odd|mask|parity|colou?rs?|box\w*|block\w*|rows_per_\w+|cols_per_\w+", re.IGNORECASE)
_REGION_NAME = re.compile(r"\w*(?:regions?|areas?|box(?:es)?|blocks?)\w*", re.IGNORECASE)
_ASSIGNED = re.compile(r"(\w+)\s*(?::[^=\n]*)?[=:]")


class _Group(NamedTuple):
    """The content of two brackets without others inside, or a text in quotes."""

    rows: list[list[str]]  # the cells of each row, which `;`, `|` or the end of a line cuts
    lines: list[int]  # where each row begins
    is_data: bool  # whether all of it may be cells
    is_range: bool = False  # whether it has two dots, as 1..9 has


def read_arrays(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return the rows of the arrays in a program or its data.

    Raises:
        FormatError: there are the rows of a grid, and arrays that may be a constraint.
    """
    text = "\n".join(row.text for row in rows)
    # Objects with keys may say more than the givens.
    if not any(mark in text for mark in "[{(\"'") or re.search("[\"']\\s*:", text):
        return None
    text = without_comments(text)
    # Names, types and ranges in brackets are not data, and sizes of declarations are alone.
    groups = [group for group in _groups(text, rows[0].line if rows else 1) if _is_array(group)]
    cells: list[list[str]] = []
    lines: list[int] = []
    for group in groups:
        lengths = set(map(len, group.rows))
        # A list that goes on over lines of other lengths is one row.
        has_rows = len(lengths) == 1 and (lengths <= set(SIDES) or lengths <= AREAS.keys())
        whole = [cell for row in group.rows for cell in row]
        cells += group.rows if has_rows else [whole]
        lines += group.lines if has_rows else group.lines[:1]
    width = Counter(map(len, cells)).most_common(1)[0][0] if cells else 0
    n_right = sum(len(row) == width for row in cells)
    if width not in AREAS and (width not in SIDES or n_right < width):
        return None
    odd = next((line for line, row in zip(lines, cells, strict=True) if len(row) != width), None)
    names = [name for name in _ASSIGNED.findall(text) if rule_in(name) or _RULE_NAME.fullmatch(name)]
    if len(names) == 1 and _REGION_NAME.fullmatch(names[0]) and (jigsaw := _jigsaw(cells, lines, width)):
        return jigsaw
    if names or odd or not all(group.is_data for group in groups):
        what = f"an array of the name {names[0]!r}" if names else f"other arrays beside rows of {width} cells"
        message = f"{what} may be a constraint, which is not read; give the grid alone"
        raise FormatError(message, setting.source, odd or lines[0])
    return _of_rows(cells, lines, setting)


def _jigsaw(cells: Sequence[Sequence[str]], lines: Sequence[int], n: int) -> Rewritten | None:
    """Return a grid and the regions of its cells, in whichever order they come; None for other arrays."""
    texts = [Row(line, ",".join(row)) for line, row in zip(lines, cells, strict=True)]
    if len(texts) != 2 * n or any(len(row) != n for row in cells):
        return None
    maps = [is_map([cell for row in half for cell in row], n) for half in (cells[:n], cells[n:])]
    if maps.count(True) != 1:
        return None
    grid, regions = (texts[n:], texts[:n]) if maps[0] else (texts[:n], texts[n:])
    return Rewritten([*grid, Row(grid[-1].line, ""), *regions])


def _is_array(group: _Group) -> bool:
    """Check whether a group is an array, and not a name, a type, a range or a size."""
    size = sum(map(len, group.rows))
    return size > 1 and not group.is_range and (group.is_data or size >= min(SIDES))


def _of_rows(cells: Sequence[Sequence[str]], lines: Sequence[int], setting: Setting) -> Rewritten | None:
    """Return rows of equal length as grids of that side, or as puzzles on a line each."""
    width = len(cells[0])
    board = setting.geometry
    texts = [Row(line, ",".join(row)) for line, row in zip(lines, cells, strict=True)]
    if width in SIDES and len(texts) % width == 0:
        grids = [texts[start : start + width] for start in range(0, len(texts), width)]
        return Rewritten(joined_grids(grids, width, setting))
    if width in AREAS or (board and width == board.n_cells):
        return Rewritten(texts)
    return None


def _groups(text: str, first_line: int) -> Iterator[_Group]:
    """Yield the innermost groups of a text, and the texts in quotes outside of brackets as rows of one."""
    # For each open bracket its rows; None for one with others inside, in which only texts in quotes count.
    stack: list[_Builder] = [_Builder(first_line)]
    outer, line = stack[0], first_line
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind == "open":
            stack[-1].has_inner = True
            stack.append(_Builder(line))
        elif kind == "close":
            if len(stack) > 1:
                done = stack.pop()
                if not done.has_inner:
                    yield from done.groups()
        else:
            stack[-1].add(kind or "", token, line, is_outside=len(stack) == 1)
        line += token.count("\n")
    # Two texts on a line are hardly two puzzles.
    if len({line for line, _ in outer.texts}) == len(outer.texts):
        yield from outer.groups()


class _Builder:
    """Collects the cells between two brackets."""

    def __init__(self, line: int) -> None:
        self.rows: list[list[str]] = [[]]
        self.lines = [line]
        self.texts: list[tuple[int, list[str]]] = []
        self.has_inner = False
        self.is_data, self.is_range = True, False
        self._needs_cell = False

    def add(self, kind: str, token: str, line: int, *, is_outside: bool) -> None:
        """Add a token; outside of brackets only texts in quotes are cells."""
        if kind == "text":
            content = _ESCAPES.sub("", token[1:-1])
            if len(content) > 2:
                self.texts.append((line, [symbol if symbol.strip() else "." for symbol in content]))
                self._needs_cell = False
                return
            token, kind = content.strip() or ".", "word"
        if is_outside or kind == "comment":
            return
        self.is_range |= kind == "dots" or token.startswith("..")
        if kind == "cut":
            if self.rows[-1]:
                self.rows.append([])
                self.lines.append(line + (token == "\n"))
            else:
                self.lines[-1] = line + (token == "\n")
            self._needs_cell = False
        elif kind == "comma":
            if self._needs_cell:
                self._put(".", line)
            self._needs_cell = True
        else:
            self._put(self._cell(kind, token), line)
            self._needs_cell = False

    def _put(self, cell: str, line: int) -> None:
        if not self.rows[-1]:
            self.lines[-1] = line
        self.rows[-1].append(cell)

    def _cell(self, kind: str, token: str) -> str:
        if token.lower() in _NOTHING or not token.strip(BLANKS):
            return "." if token.strip("0") else "0"
        if kind == "number":
            return token.split(".", maxsplit=1)[0]
        if kind == "word" and len(token) == 1 and token.isascii() and token.isalnum():
            return token
        self.is_data = False
        return token

    def groups(self) -> Iterator[_Group]:
        """Yield the group, and each text in quotes of more than two symbols."""
        rows = [row for row in self.rows if row]
        if rows and not self.has_inner:
            lines = [line for row, line in zip(self.rows, self.lines, strict=True) if row]
            yield _Group(rows, lines, self.is_data, self.is_range)
        for line, symbols in self.texts:
            n = len(symbols)
            values = n if n in SIDES else AREAS.get(n, n)
            if are_symbols("".join(symbols), values):
                yield _Group([symbols], [line], is_data=True)
            elif n in SIDES or n in AREAS:
                yield _Group([symbols], [line], is_data=False)


_COMMENTS = re.compile(
    r"/\*.*?\*/|%\*.*?\*%|<!--.*?-->|\{-.*?-\}|(?:^|(?<=\s))(?:--\s|%|//|#)[^\n]*|(?<=[;,.)}\]])(?://|%)[^\n]*",
    re.DOTALL,
)


def without_comments(text: str) -> str:
    """Return a text with spaces for the comments of languages; lines stay lines."""
    return _COMMENTS.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


# A given at a time.

_THREE = re.compile(r"(\d{1,2})[\s,;:]+(\d{1,2})[\s,;:=]+(\d{1,3})")
# The names of columns: of the row, the column and the value. x and y may be either of the first two.
_COLUMN_NAMES = (
    re.compile("rows?|r|i", re.IGNORECASE),
    re.compile("col(?:umn)?s?|c|j", re.IGNORECASE),
    re.compile("val(?:ue)?s?|v|n|num(?:ber)?|digit|k", re.IGNORECASE),
)
_READ_AS = ("the givens are read as a row, a column and a value each",)
_FACTS = (
    re.compile(r"(?<![\w])[(<\[{]\s*(\d{1,2})\s*,\s*(\d{1,2})\s*,\s*(\d{1,3})\s*[)>\]}]"),
    re.compile(r"(?<![-\w])[a-zA-Z_]\w*\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*,\s*(\d{1,3})\s*\)"),
    re.compile(r"\[\s*(\d{1,2})\s*(?:\]\s*\[|,)\s*(\d{1,2})\s*\]\s*={1,2}\s*(\d{1,3})"),
    re.compile(r"\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)\s*[:=]+>?\s*(\d{1,3})"),
    re.compile(r"\b[rR](\d{1,2})[cC](\d{1,2})\s*[:=]+\s*(\d{1,3})"),
)


_FACT_NAME = re.compile(r"[a-zA-Z_]\w*(?=\()")


class _Clue(NamedTuple):
    """A given as it is written."""

    line: int
    row: int
    column: int
    value: int


def read_triples(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return the grid of lines with a row, a column and a value each; their number, or names, may stand before."""
    lines = [row for row in rows if row.text.strip(" \t;") and not row.text.lstrip().startswith("#")]
    given = [(row, _THREE.fullmatch(row.text.strip().strip("()[]{},;"))) for row in lines]
    others = [row for row, match in given if match is None]
    givens = [_Clue(row.line, *map(int, match.groups())) for row, match in given if match]
    if len(givens) < 4 or len(others) > 1 or (others and others[0] is not lines[0]):
        return None
    side = 0
    if others:
        head = others[0].text
        numbers = [int(part) for part in re.findall(r"\d+", head)]
        order = _order(head)
        is_size = bool(numbers) and numbers[0] in SIDES and numbers[0] != len(givens)
        if not (is_size or order or len(givens) in numbers or head.rstrip().endswith((":=", "=", "{", "["))):
            return None
        side = numbers[0] if is_size else 0
        givens = [_Clue(given[0], *(given[place] for place in order)) for given in givens] if order else givens
    return _of_givens(givens, side, setting, _READ_AS)


def _order(head: str) -> list[int]:
    """Return the places of the row, the column and the value by the names of columns; an empty list for other heads."""
    names = re.findall(r"\w+", head)
    places = [[number for number, name in enumerate(names, 1) if column.fullmatch(name)] for column in _COLUMN_NAMES]
    return [place[0] for place in places] if len(names) == 3 and all(len(place) == 1 for place in places) else []


def read_facts(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return the grid of facts, assignments or entries, each of which gives the value of a cell."""
    text = without_comments("\n".join(row.text for row in rows))
    for pattern in _FACTS:
        matches = list(pattern.finditer(text))
        if len(matches) < 3:
            continue
        names = {name[0] for match in matches if (name := _FACT_NAME.match(match[0]))}
        if len(names) > 1 or any(rule_in(name) or _RULE_NAME.fullmatch(name) for name in names):
            return None
        rest = pattern.sub("", text).strip()
        first = rows[0].line
        givens = [_Clue(first + text.count("\n", 0, match.start()), *map(int, match.groups())) for match in matches]
        other = [part for part in re.split(r"[\n.;]", rest) if part.strip(" \t.,;{}()[]")]
        # Another fact, or a comparison, may be a constraint.
        if any(rule_in(part) or re.search(r"\(\s*\d|!=|[<>]", part) for part in other):
            return None
        remarks = (left_out("the other lines", other),) if other else ()
        return _of_givens(givens, 0, setting, (*_READ_AS, *remarks))
    return None


def _of_givens(givens: Sequence[_Clue], side: int, setting: Setting, remarks: tuple[str, ...]) -> Rewritten | None:
    """Return the grid of givens on a board of a side (0 if the text does not say it); refuse one that is not clear."""
    board = setting.known_board()
    if board is not None and len(board.shape) != 2:
        return None
    largest = max(max(given.row, given.column, given.value) for given in givens)
    begins = min(min(given.row, given.column) for given in givens)
    places = max(max(given.row, given.column) for given in givens)
    n = board.shape[0] if board is not None else side
    line = givens[0].line
    pairs = {given[1:3] for given in givens}
    if not n and len(pairs) == len(givens) == (places + (begins == 0)) ** 2 and largest <= places + (begins == 0):
        # All cells of a board.
        n = places + (begins == 0)
    if not n:
        n = next((side for side in (9, 16, 25, 36) if largest == side), 0)
        # A single number above 9 may be an error.
        n = 0 if n > 9 and sum(max(given[1:]) > 9 for given in givens) < n else n
        sides = [side for side in SIDES if side >= largest][:3]
        if not n:
            if not sides:
                return None
            names = " or ".join(f"--board {side}x{side}" for side in sides)
            message = f"givens up to {largest}, which do not tell the size of the board; say it with {names}"
            raise FormatError(message, setting.source, line)
    if begins > 0 and places < n:
        message = (
            f"rows and columns from {begins} to {places} may count from 0 or from 1 on {n}x{n}; write a grid, "
            "or a line for a cell in the first or last row or column, with 0 for a blank"
        )
        raise FormatError(message, setting.source, line)
    start = 0 if begins == 0 else 1
    if places - start >= n or largest > n:
        return None
    cells = np.zeros((n, n), np.int64)
    is_given = np.zeros((n, n), bool)
    for given in givens:
        cell = given.row - start, given.column - start
        if is_given[cell] and cells[cell] != given.value:
            where = f"row {given.row}, column {given.column}"
            raise FormatError(f"{where} has two values, {cells[cell]} and {given.value}", setting.source, given.line)
        cells[cell], is_given[cell] = given.value, True
    if not is_given.all() and any(given.value == 0 for given in givens):
        return None
    return _of_values(cells, line, setting, remarks)


def _of_values(cells: NDArray[np.int64], line: int, setting: Setting, remarks: tuple[str, ...]) -> Rewritten:
    """Return the rows of a grid of values (n, n), 0 for a blank, on its board unless the text says another one."""
    n = len(cells)
    texts = [",".join(str(value) if value else "." for value in row) for row in cells.tolist()]
    named = [] if setting.has_said_board else [Row(line, f"# board: {n}x{n}")]
    return Rewritten([*named, *(Row(line, text) for text in texts)], remarks)


# Unit clauses.


def read_units(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return the grid of unit clauses whose variables are row, column and value, or 81 (r-1) + 9 (c-1) + v.

    Raises:
        FormatError: both numberings fit.
    """
    lines = [row for row in rows if row.text.strip() and not re.match(r"c(\s|$)|#", row.text.strip())]
    header = lines[0].text.split() if lines and lines[0].text.startswith("p") else []
    clauses = [(row, re.fullmatch(r"\s*\+?(\d{1,3})\s+0\s*", row.text)) for row in lines[bool(header) :]]
    if len(clauses) < 4 or not all(match for _, match in clauses):
        return None
    numbers = [(row.line, int(match[1])) for row, match in clauses if match]
    n_variables = int(header[2]) if len(header) == 4 and header[2].isdigit() else 0
    decimal = [_Clue(line, *map(int, f"{number:03}")) for line, number in numbers]
    counted = [
        _Clue(line, (number - 1) // 81 + 1, (number - 1) // 9 % 9 + 1, (number - 1) % 9 + 1) for line, number in numbers
    ]
    fits_decimal = all(given.row and given.column and given.value for given in decimal) and n_variables != 729
    fits_counted = all(0 < number <= 729 for _, number in numbers) and n_variables in (0, 729)
    fits_counted = fits_counted and len({given[1:3] for given in counted}) == len(counted)
    fits_decimal = fits_decimal and len({given[1:3] for given in decimal}) == len(decimal)
    if len(header) == 4 and header[3].isdigit() and int(header[3]) != len(clauses):
        message = f"{len(clauses)} clauses where the header says {header[3]}"
        raise FormatError(message, setting.source, lines[0].line)
    if fits_decimal and fits_counted:
        message = (
            "unit clauses may be 100 r + 10 c + v, or 81 (r-1) + 9 (c-1) + v; say which by `p cnf 999` or `p cnf 729`"
        )
        raise FormatError(message, setting.source, lines[0].line)
    if not fits_decimal and not fits_counted:
        return None
    cells = np.zeros((9, 9), np.int64)
    for given in decimal if fits_decimal else counted:
        cells[given.row - 1, given.column - 1] = given.value
    return _of_values(cells, lines[0].line, setting, _READ_AS)
