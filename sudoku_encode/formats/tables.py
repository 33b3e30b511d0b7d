"""Tables of puzzles: their columns, and the rows as they were written, so that a command can give them back."""

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.headers import is_setting_key
from sudoku_encode.formats.lines import Setting
from sudoku_encode.puzzles.arrays import Int64s

# The names of columns in tables of puzzles, in lower case.
PUZZLE_COLUMNS = ("puzzle", "puzzles", "quiz", "quizzes", "question", "questions", "sudoku", "givens")
ANSWER_COLUMNS = ("solution", "solutions", "answer", "answers")
# Names that may also mean something else, such as the name of a board: columns of puzzles where no other one is.
DOUBTFUL_COLUMNS = ("board", "grid")
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
# A longer text in a table is a puzzle.
MAX_DIGITS_OF_A_NUMBER = 15
_NAMED = re.compile("|".join((*PUZZLE_COLUMNS, *DOUBTFUL_COLUMNS)), re.IGNORECASE)


@dataclass(frozen=True)
class Table:
    """The properties that all rows of a table share.

    Attributes:
        form: `csv`, `json` for objects, or `parquet`.
        names: the names of the columns as they are written; of objects the keys of the first.
        header: the first line of a CSV table as it is written.
        delimiter: the separator of the cells of a CSV table.
        newline: the end of its lines.
        schema: of Parquet.
    """

    form: str
    names: tuple[str, ...]
    header: bytes = field(default=b"", compare=False)
    delimiter: str = ","
    newline: bytes = field(default=b"\n", compare=False)
    schema: Any = field(default=None, compare=False)


@dataclass(frozen=True, eq=False)
class TextRows:
    """Consecutive rows of a table as text; it is not copied until they are asked for."""

    table: Table
    text: NDArray[np.uint8]  # the bytes of the segment
    begins: Int64s  # (m,), where each row begins
    ends: Int64s  # where it ends

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.begins)

    def part(self, start: int, end: int) -> "TextRows":
        """Return the rows from `start` to `end`."""
        return TextRows(self.table, self.text, self.begins[start:end], self.ends[start:end])

    def texts(self) -> list[bytes]:
        """Return the text of each row."""
        text = self.text.data
        return [bytes(text[start:end]) for start, end in zip(self.begins.tolist(), self.ends.tolist(), strict=True)]


@dataclass(frozen=True, eq=False)
class ArrowRows:
    """Consecutive rows of a Parquet file."""

    table: Table
    batch: Any  # a RecordBatch of Arrow
    numbers: Int64s  # (m,), the numbers of the rows in the batch

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.numbers)

    def part(self, start: int, end: int) -> "ArrowRows":
        """Return the rows from `start` to `end`."""
        return ArrowRows(self.table, self.batch, self.numbers[start:end])

    def arrays(self) -> list[Any]:
        """Return the columns as arrays of Arrow."""
        return [column.take(self.numbers) for column in self.batch.columns]

    def texts(self) -> list[bytes]:
        """Return each row as CSV."""
        columns = [map(_as_text, column.to_pylist()) for column in self.arrays()]
        return [csv_row(cells).encode("utf-8", "surrogatepass") for cells in zip(*columns, strict=True)]


Rows = TextRows | ArrowRows


def text_rows(table: Table, texts: Sequence[bytes]) -> TextRows:
    """Return rows from their texts."""
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    begins = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    return TextRows(table, np.frombuffer(b"".join(texts), np.uint8), begins, ends)


def _as_text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict):
        import json

        return json.dumps(value, default=str)
    return "" if value is None else str(value)


def csv_row(cells: Iterable[str], delimiter: str = ",") -> str:
    """Return cells as a row of CSV, without a newline at its end; a cell is between quotes where it needs them.

    >>> csv_row(["a;b", "c", ""], ";")
    '"a;b";c;'
    """
    # Imported here, as elsewhere in this file: it takes long to load, and most tables do without it.
    import csv
    import io

    text = io.StringIO()
    # Without a second field the writer would quote an empty first one; with another line terminator it would not quote
    # a text that contains a line break.
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerow([*cells, ""])
    return text.getvalue().removesuffix(f"{delimiter}\r\n")


# The header.


class Columns(NamedTuple):
    """The columns of a CSV table, by their numbers from 0."""

    puzzle: int  # the column with the puzzle
    answer: int | None  # the column with its solution, or None
    table: Table
    header_line: int  # the number of the header among the lines of the text, from 0

    @property
    def n_fields(self) -> int:
        """The number of fields in a row."""
        return len(self.table.names)


def has_header(beginning: bytes) -> bool:
    """Return whether a text begins with a line that names a column of puzzles, so that it is a table."""
    _, line = _first_line(beginning.decode("utf-8", "replace"))
    return bool(_readings(line))


def _first_line(text: str) -> tuple[int, str]:
    """Return the first line that is not empty and not a comment, after its number from 0."""
    for number, line in enumerate(text.split("\n")):
        if line.strip() and not line.lstrip().startswith("#"):
            return number, line
    return 0, ""


def _readings(header: str) -> dict[str, list[str]]:
    """Return the names of the columns by each delimiter between them with which one of them is a column of puzzles."""
    if not _NAMED.search(header):
        return {}
    readings = {delimiter: cells_of(header.rstrip("\r"), delimiter) for delimiter in DELIMITERS}
    every = (*PUZZLE_COLUMNS, *DOUBTFUL_COLUMNS)
    readings = {
        delimiter: names
        for delimiter, names in readings.items()
        if any(name.strip().lower() in every for name in names)
    }
    return {delimiter: names for delimiter, names in readings.items() if len(names) > 1} or dict(
        [*readings.items()][:1]
    )


def cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line of a table; one that cannot be read has none."""
    if '"' not in line:
        return line.split(delimiter)
    import csv

    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def find_columns(text: str, setting: Setting, line: int) -> Columns | None:
    """Return the columns of a text that is a table with a header, else None.

    Args:
        text: its beginning; bytes that are not UTF-8 are surrogates.
        setting: its source is for errors; it gets remarks on columns that are not read.
        line: the number of its first line.

    Raises:
        FormatError: the header fits two delimiters, or two columns are puzzles.
    """
    number, header = _first_line(text)
    readings = _readings(header)
    line += number
    if not readings:
        return None
    if len(readings) > 1:
        both = " or by ".join(DELIMITERS[delimiter] for delimiter in readings)
        raise FormatError(
            f"the header names a puzzle cut by {both}; put names with these into quotes", setting.source, line
        )
    ((delimiter, names),) = readings.items()
    lowered = [name.strip().lower() for name in names]
    rows = [cells_of(row, delimiter) for row in text.split("\n")[number + 1 :]]
    columns: list[Iterable[object]] = [[row[at] for row in rows if at < len(row)] for at in range(len(names))]
    puzzle = puzzle_column(lowered, columns, setting.source, line)
    answer = next((at for at, name in enumerate(lowered) if name in ANSWER_COLUMNS), None)
    unread = [name for at, name in enumerate(lowered) if at != puzzle and is_setting_key(name)]
    if unread:
        what = f"columns that are not read: {', '.join(unread)}; a line `# board: NAME` says which board is meant"
        setting.remarks.add(what)
    newline = b"\r\n" if header.endswith("\r") else b"\n"
    mark = codecs.BOM_UTF8 if setting.has_mark else b""
    written = mark + header.rstrip("\r").encode("utf-8", "surrogateescape")
    return Columns(puzzle, answer, Table("csv", tuple(names), written, delimiter, newline), number)


def puzzle_column(names: Sequence[str], columns: Sequence[Iterable[object]], source: str, line: int | None) -> int:
    """Return the number of the column with the puzzles.

    Args:
        names: the names of the columns in lower case; one of them is that of a column of puzzles.
        columns: some cells of each.
        source: what errors call the table.
        line: the line of the header, for errors.

    Raises:
        FormatError: there are two.
    """
    clear = [at for at, name in enumerate(names) if name in PUZZLE_COLUMNS]
    every = clear + [at for at, name in enumerate(names) if name in DOUBTFUL_COLUMNS]
    # Others may number the puzzles, or name their boards.
    puzzles = [at for at in every if any(map(has_symbols, columns[at]))] or (clear or every)[:1]
    if len(puzzles) > 1:
        both = " and ".join(names[at] for at in sorted(puzzles))
        raise FormatError(f"the columns {both} are both a puzzle; leave out one of them", source, line)
    return puzzles[0]


def has_symbols(cell: object) -> bool:
    """Return whether a cell may have a puzzle: it is a list or has more than a number."""
    if isinstance(cell, str):
        return len(cell.strip()) > MAX_DIGITS_OF_A_NUMBER and ":" not in cell
    return isinstance(cell, list)


def record_at(lines: Iterator[str], delimiter: str) -> tuple[list[str], int]:
    """Return the cells of the first row in some lines, and how many lines it has: a quoted cell may have several.

    The number is 0 if a quoted cell does not end in the lines.

    Raises:
        FormatError: it is not a row; without its place.
    """
    import csv

    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        return next(reader, []), reader.line_num
    except csv.Error as error:
        if "unexpected end" in str(error):
            return [], 0
        raise FormatError(f"not a row of a table: {error}") from None
