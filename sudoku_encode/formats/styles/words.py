"""Styles of lines with separators: a puzzle beside other words, rows on one line, and tables with a cell in a field."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.styles import Rewritten
from sudoku_encode.formats.styles.common import (
    AREAS,
    BLANKS,
    SIDES,
    are_symbols,
    is_directive,
    is_number,
    is_row,
    joined_grids,
    left_out,
    rule_in,
)
from sudoku_encode.puzzles.geometry import Geometry

# A puzzle beside other words.

_CELL_SYMBOLS = re.compile("[0-9.*_?-]")
_WORD = re.compile(r"[^\s,;:|\"'=<>()\[\]{}]+")


class PuzzleWord(NamedTuple):
    """The puzzle of a line."""

    row: Row  # with spaces before it, so that it is in its place
    rest: str  # the line without it
    answer: str  # the solution after it; empty without one


def read_rest(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return the puzzle of each line without what else is there."""
    lines = [row for row in rows if row.text.strip() and not is_directive(row)]
    board = setting.known_board()
    by_line = {row.line: word for row in lines if (word := puzzle_in(row, setting, board))}
    # Other lines may be titles, or puzzles with an error, which stay as they are: there are few of them.
    most = min((len(word.row.text.strip()) for word in by_line.values()), default=0) // 2
    broken = {row.line for row in lines if row.line not in by_line and len(_CELL_SYMBOLS.findall(row.text)) > most}
    others = [row for row in lines if row.line not in by_line and row.line not in broken]
    if not by_line or len(others) > len(by_line) // 10 + 1:
        return None
    others_say = [left_out("the other lines", [row.text for row in others])] if others else []
    rests = [word.rest for word in by_line.values() if word.rest.strip(" \t\"',;:|=")]
    remarks = [*others_say, rest_remark(rests)] if rests else others_say
    puzzles = [row for row in rows if is_directive(row) or row.line in by_line or row.line in broken]
    return Rewritten([by_line[row.line].row if row.line in by_line else row for row in puzzles], tuple(remarks))


def rest_remark(rests: Sequence[str]) -> str:
    """Return the remark on the words that stand beside puzzles."""
    rules = [word for rest in rests if (word := rule_in(rest))]
    warning = f"; {rules[0]!r} may be a rule, which is not read" if rules else ""
    return left_out("the other words of the lines", rests) + warning


def puzzle_in(row: Row, setting: Setting, board: Geometry | None) -> PuzzleWord | None:
    """Return the only puzzle in a line that has other words too; None for other lines.

    Args:
        row: the line.
        setting: its source is for errors.
        board: the board of the puzzle, if it is known.

    Raises:
        FormatError: there are two that differ.
    """
    areas = {board.n_cells: board.n_values} if board else AREAS
    words = [
        match
        for match in _WORD.finditer(row.text)
        if len(match[0]) in areas and are_symbols(match[0], areas[len(match[0])]) and _is_puzzle(match[0])
    ]
    if not words:
        return _numbers_before(row, areas)
    first, *more = words
    for other in more:
        if not _is_solution(other[0], first[0]):
            both = f"{short(first[0], 24)!r} and {short(other[0], 24)!r}"
            message = f"two puzzles on a line: {both}; write each on a line of its own"
            raise FormatError(message, setting.source, row.line, other.start() + 1)
    rest = row.text[: first.start()] + row.text[first.end() :]
    return PuzzleWord(row._replace(text=" " * first.start() + first[0]), rest, more[0][0] if more else "")


def _numbers_before(row: Row, areas: Mapping[int, int]) -> PuzzleWord | None:
    """Return the numbers of a puzzle before the first tab, semicolon or colon; None for other lines."""
    match = re.match(r"([^\t;:]*)[\t;:]", row.text)
    parts = re.split(r"[\s,]+", match[1].strip()) if match else []
    n = areas.get(len(parts), 0)
    if match is None or not n or not all(is_number(part, n) for part in parts):
        return None
    if len(re.findall(r"\d+", row.text[match.end() :])) > n * n // 2:
        # Another puzzle.
        return None
    return PuzzleWord(row._replace(text=match[1]), row.text[match.end() :], "")


def _is_puzzle(word: str) -> bool:
    """Check whether a word is a puzzle rather than a border, a word or a number: it has digits and symbols enough."""
    return any(symbol.isdigit() or symbol == "." for symbol in word) and not word.isalpha()


def _is_solution(word: str, puzzle: str) -> bool:
    """Check whether a word is the puzzle again, or has all its givens and no blank."""
    if word == puzzle:
        return True
    if len(word) != len(puzzle) or set(word) & set(BLANKS):
        return False
    return all(given in (symbol, *BLANKS, "x", "X") for symbol, given in zip(word, puzzle, strict=True))


# Rows on one line.

_ROW_SEPARATORS = ("/", r"\n", r"\r\n", ";", ":", "!", "&")


def read_rows(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return the rows of the grids that are on one line each."""
    lines = [row for row in rows if row.text.strip() and not is_directive(row)]
    directives = [row for row in rows if is_directive(row)]
    n = AREAS.get(len(lines), 0)
    if n and all(is_number(row.text.strip(), n) for row in lines):
        # A cell a line.
        return Rewritten([*directives, Row(lines[0].line, ",".join(row.text.strip() for row in lines))])
    for separator in _ROW_SEPARATORS:
        grids = [_split(row, separator) for row in lines]
        if lines and all(grids):
            puzzles = [row for grid in grids for row in (*joined_grids([grid], len(grid), setting, are_puzzles=True),)]
            return Rewritten([*directives, *puzzles])
    return None


def _split(row: Row, separator: str) -> list[Row]:
    """Return the rows of a grid on one line; an empty list if it has others."""
    texts = row.text.strip().strip("\"'").split(separator)
    texts = texts[:-1] if not texts[-1].strip() else texts
    n = len(texts)
    if n not in SIDES or not all(is_row(text, n) for text in texts):
        return []
    rows, start = [], row.text.index(texts[0])
    for text in texts:
        # The spaces before it keep its place for errors.
        rows.append(row._replace(text=" " * start + text))
        start += len(text) + len(separator)
    return rows


# Tables with a cell in each field.

# The end of a row in LaTeX, as a table or by the package sudoku.
_LATEX_END = re.compile(r"\\\\(?:\s*\\hline)?\s*$|(?<=\|)\.\s*$")
_RULER = re.compile(r"[-+=|: \t]*-[-+=|: \t]*")


def read_cells(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return the rows of a table whose fields are cells, empty ones for blanks."""
    lines = [row._replace(text=_LATEX_END.sub("", row.text)) for row in rows if not is_directive(row)]
    lines = [row for row in lines if row.text.strip() and not row.text.lstrip().startswith("\\")]
    rulers = [at for at, row in enumerate(lines) if _RULER.fullmatch(row.text) and "-" in row.text]
    table = [row for at, row in enumerate(lines) if at not in rulers]
    for delimiter in "\t;|,&":
        fields = [_fields(row.text, delimiter) for row in table]
        if fields and all(len(line) in AREAS and len(line) > 4 for line in fields):
            areas = [AREAS[len(line)] for line in fields]
            whole = [",".join(map(_cell, line)) for line in fields]
            if all(_is_cell(_cell(text), n) for line, n in zip(fields, areas, strict=True) for text in line):
                return Rewritten([row._replace(text=text) for row, text in zip(table, whole, strict=True)])
        width = Counter(map(len, fields)).most_common(1)[0][0] if fields else 0
        # A delimiter may stand at the end of each row.
        for n in (width - 1, width) if named_grid(fields, width - 1) else (width, width - 1):
            texts = _of_fields(table, fields, n, has_names=rulers == [1]) if n in SIDES else []
            if texts:
                grids = [texts[start : start + n] for start in range(0, len(texts), n)]
                return Rewritten(joined_grids(grids, n, setting))
    return None


def _of_fields(rows: Sequence[Row], fields: Sequence[list[str]], n: int, *, has_names: bool) -> list[Row]:
    """Return rows of n fields with commas between (the first may have names); an empty list for other tables."""
    if named_grid(fields, n):
        rows, fields = rows[1:], [line[1:] for line in fields[1:]]
    # Where one row ends with a delimiter, all do: else a field may be missing.
    if len(set(map(len, fields))) > 1 or any(len(line) not in (n, n + 1) or any(line[n:]) for line in fields):
        return []
    has_words = len(fields) % n == 1 and all(re.search("[A-Za-z]", text) for text in fields[0])
    start = int((has_names and len(fields) % n == 1) or has_words)
    are_names = not any(text.isdigit() for text in fields[0]) or fields[0] == list(map(str, range(1, n + 1)))
    if has_names and not start and are_names:
        # The names of columns are not a row, so one is missing.
        return []
    cells = [[_cell(text) for text in line[:n]] for line in fields[start:]]
    if len(cells) % n or not all(_is_cell(text, n) for line in cells for text in line):
        return []
    return [row._replace(text=",".join(line)) for row, line in zip(rows[start:], cells, strict=True)]


def named_grid(fields: Sequence[Sequence[str]], n: int) -> bool:
    """Check whether the first of n + 1 rows and columns have the numbers of the others, as data frames have."""
    if n not in SIDES or len(fields) != n + 1 or any(len(line) != n + 1 for line in fields):
        return False
    names = (list(map(str, range(n))), list(map(str, range(1, n + 1))))
    return list(fields[0][1:]) in names and [line[0] for line in fields[1:]] in names


def _fields(text: str, delimiter: str) -> list[str]:
    """Return the fields of a line, without spaces and quotes around."""
    text = text.strip().strip("|") if delimiter == "|" else text
    return [field.strip().strip("\"'").strip() for field in text.split(delimiter)]


def _is_cell(text: str, n: int) -> bool:
    return is_number(text, n) or (len(text) == 1 and are_symbols(text, n))


def _cell(text: str) -> str:
    """Return a field as a number or a dot."""
    lowered = text.lower()
    if not text or lowered in ("nan", "none", "null", "na", "x"):
        return "."
    return text.removesuffix(".0") if re.fullmatch(r"\d+\.0", text) else text


# Candidates in brackets.

_MARKED = re.compile(r"\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|[^\s|,;\t\"']+")


def read_marks(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return a 9x9 grid of candidates, of which those of a cell may be in brackets, with spaces between the cells."""
    grid: list[Row] = []
    has_marks = False
    for row in rows:
        if not row.text.strip() or is_directive(row):
            grid.append(row)
            continue
        texts = list(_marks(row))
        if not texts:
            if row.text.strip("-+=|*.:' \t"):
                return None
            continue
        if len(texts) != 9:
            return None
        has_marks |= any(len(text) > 1 for text in texts)
        grid.append(row._replace(text=" ".join(texts)))
    n_rows = sum(1 for row in grid if row.text.strip() and not is_directive(row))
    return Rewritten(grid, format="sdx") if has_marks and n_rows and n_rows % 9 == 0 else None


def _marks(row: Row) -> Iterator[str]:
    """Yield the candidates of each cell of a row as digits; nothing if one of them has others."""
    texts = ["".join(part for part in match[0] if part not in "{}()[] ,") for match in _MARKED.finditer(row.text)]
    everything = "123456789"
    texts = [everything if not text.strip(BLANKS) else text for text in texts]
    if all(re.fullmatch("[1-9]{1,9}", text) and list(text) == sorted(set(text)) for text in texts):
        yield from texts
