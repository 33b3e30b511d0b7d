"""Styles of documents: sections of janko.at, tables of HTML, and XML of programs that has a plain grid in it."""

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import NamedTuple
from xml.parsers import expat

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.styles import Rewritten
from sudoku_encode.formats.styles.common import AREAS, SIDES, are_symbols, is_number, is_row, joined_grids

# janko.at.

_SECTION = re.compile(r"\[(\w+)\]", re.ASCII)
# Sections without a rule of the puzzle.
_JANKO_READ = {"begin", "problem", "areas", "regions", "solution", "moves", "end", "layout", "parameters", "options"}


def read_janko(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return the rows of [problem], and the regions of [areas] after them.

    Raises:
        FormatError: the file is for another puzzle, or has sections that are not read.
    """
    sections: dict[str, list[Row]] = {}
    name = ""
    for row in rows:
        if match := _SECTION.fullmatch(row.text.strip()):
            name = match[1].lower()
            sections[name] = []
        elif name and row.text.strip():
            sections[name].append(row)
    if "problem" not in sections or not sections["problem"]:
        return None
    line = sections["problem"][0].line
    header = " ".join(row.text for part in ("begin", "parameters") for row in sections.get(part, ()))
    kind = re.search(r"\bpuzzle\s+(\S+)", header)
    if kind and kind[1].lower() not in ("sudoku", "jigsaw-sudoku", "chaos-sudoku"):
        raise FormatError(f"a {kind[1]} of janko.at, of which only sudoku is read", setting.source, line)
    unread = [name for name in sections if name not in _JANKO_READ]
    if unread:
        message = f"[{unread[0]}] is not read; write its rules as `# constraint:` lines before the grid"
        raise FormatError(message, setting.source, line)
    problem = sections["problem"]
    n = len(problem)
    if n not in SIDES or not all(is_row(row.text, n) for row in problem):
        return None
    areas = sections.get("areas") or sections.get("regions") or []
    gap = Row(problem[-1].line, "")
    return Rewritten([*problem, gap, *areas] if areas else [*problem, gap])


# HTML and XML.


def read_markup(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return the grid of a table of HTML, or of the texts and attributes of XML."""
    text = "\n".join(row.text for row in rows)
    if not text.lstrip().startswith("<"):
        return None
    return _of_table(text, setting) or _of_xml(text, setting)


class _Table(HTMLParser):
    """Collects the cells of the rows of tables; a cell may be a field for input."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        self._is_in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
            self.lines.append(self.getpos()[0])
        elif tag == "td" and self.rows:
            self.rows[-1].append("")
            self._is_in_cell = True
        elif tag == "input" and self._is_in_cell and self.rows[-1]:
            self.rows[-1][-1] += dict(attrs).get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        self._is_in_cell = self._is_in_cell and tag not in ("td", "tr")

    def handle_data(self, data: str) -> None:
        if self._is_in_cell and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()


def _of_table(text: str, setting: Setting) -> Rewritten | None:
    parser = _Table()
    parser.feed(text)
    rows = [(line, cells) for line, cells in zip(parser.lines, parser.rows, strict=True) if cells]
    n = len(rows[0][1]) if rows else 0
    if n not in SIDES or len(rows) % n or any(len(cells) != n for _, cells in rows):
        return None
    if not all(not text or is_number(text, n) or are_symbols(text, n) for _, cells in rows for text in cells):
        return None
    lines = [Row(line, ",".join(text or "." for text in cells)) for line, cells in rows]
    return Rewritten(joined_grids([lines[start : start + n] for start in range(0, len(lines), n)], n, setting))


class _Element(NamedTuple):
    """An element of XML: its name, where it begins, its attributes, and the text in it."""

    name: str
    line: int
    attributes: dict[str, str]
    text: list[str]


def _elements(text: str) -> list[_Element]:
    """Return the elements of XML, in the order of their beginnings; an empty list if it is not XML."""
    parser = expat.ParserCreate()
    elements: list[_Element] = []
    opened: list[_Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        elements.append(_Element(name, parser.CurrentLineNumber, attributes, []))
        opened.append(elements[-1])

    def end(_: str) -> None:
        opened.pop()

    def characters(data: str) -> None:
        opened[-1].text.append(data)

    def refuse(*_: object) -> None:
        raise ValueError

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    # Entities may be as long as anything.
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, ValueError):
        return []
    return elements


_CELL_NAMES = (("row", "r", "i"), ("col", "column", "c", "j"), ("value", "val", "v", "number", "digit"))
_OTHER_NAMES = re.compile(r"solution|answer|state|user|history|marker|note|candidate", re.IGNORECASE)


def _of_xml(text: str, setting: Setting) -> Rewritten | None:
    elements = _elements(text)
    if any(element.name == "ksudoku" for element in elements):
        return _of_ksudoku(elements, setting)
    if any(element.name == "opensudoku" for element in elements):
        return None
    if givens := _cells(elements):
        return givens
    words = [word for element in elements if not _OTHER_NAMES.search(element.name) for word in _words(element)]
    lines = [word for word in words if len(word.text) in AREAS and are_symbols(word.text, AREAS[len(word.text)])]
    if lines:
        return Rewritten(lines)
    for n in {len(word.text.split()) for word in words} | {len("".join(word.text.split())) for word in words}:
        rows = [word for word in words if n in SIDES and is_row(word.text, n)]
        if rows and len(rows) % n == 0:
            grids = [rows[start : start + n] for start in range(0, len(rows), n)]
            return Rewritten(joined_grids(grids, n, setting))
    return None


def _cells(elements: Sequence[_Element]) -> Rewritten | None:
    """Return a line with the row, the column and the value of each element that has the three as attributes."""
    triples = []
    for element in elements:
        by_name = {name.lower(): value for name, value in element.attributes.items()}
        three = [next((by_name[name] for name in names if name in by_name), "") for names in _CELL_NAMES]
        if all(value.isdigit() for value in three) and not _OTHER_NAMES.search(element.name):
            triples.append(Row(element.line, " ".join(three)))
    return Rewritten(triples, format="triples") if triples else None


def _words(element: _Element) -> Iterator[Row]:
    """Yield the text of an element, and its attributes."""
    text = "".join(element.text).strip()
    # A grid may be on several lines.
    joined = "".join(text.split())
    yield Row(element.line, joined if len(joined) in AREAS else text)
    yield from (
        Row(element.line, "".join(value.split()))
        for name, value in element.attributes.items()
        if not _OTHER_NAMES.search(name)
    )


def _of_ksudoku(elements: Sequence[_Element], setting: Setting) -> Rewritten | None:
    """Return the puzzle of a file of KSudoku: letters from b for the values from 1, column by column."""
    graph = next((element for element in elements if element.name == "graph"), None)
    values = next((element for element in elements if element.name == "values"), None)
    if graph is None or values is None:
        return None
    kind, special = graph.attributes.get("type", ""), graph.attributes.get("specific-type", "Plain")
    n = int(order) if (order := graph.attributes.get("order", "")).isdigit() else 0
    if kind != "sudoku" or special not in ("Plain", "XSudoku") or n not in SIDES:
        message = f"a {special if kind == 'custom' else kind} of KSudoku; only its plain squares are read"
        raise FormatError(message, setting.source, graph.line)
    symbols = "".join(values.text).strip()
    if len(symbols) != n * n or not all(symbol == "_" or "b" <= symbol <= chr(ord("a") + n) for symbol in symbols):
        raise FormatError(f"<values> must have {n * n} letters from b, and _ for a blank", setting.source, values.line)
    numbers = ["." if symbol == "_" else str(ord(symbol) - ord("a")) for symbol in symbols]
    board = f"{n}x{n}+diagonals" if special == "XSudoku" else f"{n}x{n}"
    named = [] if setting.has_said_board else [Row(values.line, f"# board: {board}")]
    return Rewritten([*named, *(Row(values.line, ",".join(numbers[row::n])) for row in range(n))])
