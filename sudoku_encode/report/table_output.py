"""The table of the input given back with columns added: --add of commands with a record for each puzzle."""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sudoku_encode.errors import FormatError, SudokuError, missing_package, short
from sudoku_encode.report.printing import Printer, cell

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.formats.tables import Rows, Table
    from sudoku_encode.report.reading import PuzzleInput
    from sudoku_encode.storage.journal import Results
    from sudoku_encode.storage.outputs import PartsFile

# The fields of each record of a puzzle, with their types; `givens` is the puzzle as text.
FIELDS: dict[str, type] = {"file": str, "line": int, "puzzle": int, "name": str, "status": str, "method": str}
FIELDS |= {"seconds": float, "givens": str}
# A row group is the least that a reader of Parquet reads.
_GROUP_ROWS = 100_000


class OutputArguments(Protocol):
    """The arguments of a command for its output file."""

    @property
    def output(self) -> str:
        """The name of the file, or `-`."""

    @property
    def resume(self) -> bool:
        """Whether to continue an earlier run."""

    def opened(
        self, inputs: Iterable[str], parts_file: "PartsFile | None" = None
    ) -> "AbstractContextManager[Results | None]":
        """Open the file for records; None for standard output."""


def added_names(add: str, fields: Mapping[str, type]) -> tuple[str, ...]:
    """Return the names of the columns to add.

    Args:
        add: the text of --add.
        fields: the fields that exist.

    Raises:
        SudokuError: a name does not exist, or is there twice.
    """
    names = tuple(name.strip() for name in add.split(","))
    for name in names:
        if name not in fields:
            raise SudokuError(f"--add: not a field: {short(name)!r}; the fields are {', '.join(fields)}")
        if names.count(name) > 1:
            raise SudokuError(f"--add: {name} appears twice")
    return names


@contextmanager
def opened(
    add: str | None,
    fields: Mapping[str, type],
    source: "PuzzleInput",
    to_file: OutputArguments,
    parts_file: "PartsFile | None" = None,
) -> Iterator[tuple["Results | None", "TableOutput | None"]]:
    """Open the output for records, and for the input's table if --add is given; None for either without it.

    Args:
        add: the text of --add.
        fields: the fields of the records, with their types.
        source: the puzzles.
        to_file: the output file.
        parts_file: see `OutputOptions.opened`.

    Raises:
        SudokuError: as `added_names` and `OutputOptions.opened`; the files have different columns, or --resume cannot
            continue such a table.
    """
    if add is None:
        with to_file.opened(source.inputs, parts_file) as journal:
            yield journal, None
        return
    output = table_for(add, fields, source)
    is_parquet = Path(to_file.output).suffix == ".parquet"
    if to_file.resume and is_parquet:
        raise SudokuError(f"--resume cannot continue {to_file.output}: a Parquet file is written as a whole")
    if to_file.resume and "status" not in output.names:
        raise SudokuError("--resume with --add needs the column status, which contains the results so far")
    if is_parquet:
        with _parquet_file(source.inputs, to_file.output, output):
            yield None, output
        return
    with to_file.opened(source.inputs, parts_file) as journal:
        output.put_bytes = Printer(None, None if journal is None else journal.write).put
        yield journal, output


def table_for(add: str, fields: Mapping[str, type], source: "PuzzleInput") -> "TableOutput":
    """Return the writer of the table of the input, on standard output, with the fields that --add names.

    Raises:
        SudokuError: as `added_names`; the files have different columns.
    """
    names = added_names(add, fields)
    _check_files(source)
    return TableOutput({name: fields[name] for name in names})


def _check_files(source: "PuzzleInput") -> None:
    """Check that the files have the same columns, before anything is written."""
    from sudoku_encode.formats.entries import Entry
    from sudoku_encode.formats.reading import read_entries

    names = [name for name in source.given.puzzles or () if name != "-"]
    first: tuple[str, Table | None] | None = None
    for name in names if len(names) > 1 else ():
        try:
            item = next(read_entries(name, board=source.given.board, format=source.given.source_format))
        except SudokuError:
            continue
        if isinstance(item, Entry) and isinstance(item.content, FormatError) and item.rows is None:
            continue
        table = item.rows.table if item.rows else None
        first = first or (name, table)
        if not _are_alike(first[1], table):
            raise _other_columns(first[1], table, name)


def _are_alike(first: "Table | None", second: "Table | None") -> bool:
    return first == second or (first is not None and second is not None and first.form == second.form == "json")


def _other_columns(first: "Table | None", second: "Table | None", file: str) -> SudokuError:
    shown = [_shown(table) for table in (second, first)]
    return SudokuError(
        f"--add: {file} has {shown[0]}, and the file before it {shown[1]}; give files with the same columns"
    )


def _shown(table: "Table | None") -> str:
    from sudoku_encode.formats.tables import DELIMITERS

    if table is None:
        return "no columns"
    form = f"between {DELIMITERS[table.delimiter]}" if table.form == "csv" else f"of {table.form}"
    return f"the columns {short(', '.join(table.names), 60)} {form}"


class TableOutput:
    """Writes the rows of the input's table with columns added at their end, in the form of the table.

    Objects of JSON get keys; Parquet is written as Parquet or, to text, as CSV. Puzzles that are not from a table get
    one, with the column `puzzle`.

    Args:
        types: the names of the columns to add, with their types.

    Attributes:
        put_bytes: writes text.
        writer: writes tables of Arrow in place of text, if the output is Parquet.
        header: the first line of a CSV table.
    """

    def __init__(self, types: Mapping[str, type]) -> None:
        self.types, self.names = types, tuple(types)
        self.put_bytes = Printer(None).put
        self.writer: _ParquetFile | None = None
        self.header = b""
        self._table: Table | None = None
        self._is_plain = False

    def begin(self, located: "Iterator[SourceItem]") -> "Iterator[SourceItem]":
        """Take the table and its header from the first puzzle, and return all puzzles.

        Raises:
            SudokuError: the table has a column of the name of an added one.
        """
        from sudoku_encode.formats.entries import Entry
        from sudoku_encode.formats.tables import Table, csv_row

        head: list[SourceItem] = []
        for item in located:
            head.append(item)
            is_error = isinstance(item.item, Entry) and isinstance(item.item.content, FormatError)
            if item.item.rows or not is_error:
                break
        rows = head[-1].item.rows if head else None
        self._is_plain = rows is None
        table = self._table = Table("csv", ("puzzle",), b"puzzle") if rows is None else rows.table
        self._check_names(table.names)
        if self.writer:
            if table.form != "parquet":
                raise SudokuError("-o: --add writes Parquet only for Parquet; name the output .csv or .jsonl")
            self.writer.begin(table.schema, self.types)
        elif table.form != "json":
            own = table.header or csv_row(table.names).encode("utf-8", "surrogatepass")
            self.header = own + (table.delimiter + csv_row(self.names, table.delimiter)).encode()
        return chain(head, located)

    @property
    def delimiter(self) -> str:
        """The delimiter of a CSV table; empty for objects of JSON."""
        assert self._table
        return "" if self._table.form == "json" else self._table.delimiter

    @property
    def status_column(self) -> int:
        """The number of the column `status`, from 0."""
        assert self._table
        return len(self._table.names) + self.names.index("status")

    def put_header(self) -> None:
        """Write the header."""
        assert self._table
        self.put_bytes(self.header + self._table.newline)

    def put(self, located: "SourceItem", columns: Mapping[str, Sequence[Any]]) -> None:
        """Write the rows of a puzzle, or of a batch.

        Args:
            located: the puzzles.
            columns: a value for each by the name of the field; more than those to add may be there.

        Raises:
            SudokuError: the puzzles are from another table, or an object has a key of the name of a column.
        """
        item = located.item
        table = item.rows.table if item.rows else None
        is_error = isinstance(getattr(item, "content", None), FormatError)
        if not (table is None and (is_error or self._is_plain)) and not _are_alike(table, self._table):
            raise _other_columns(self._table, table, located.source)
        values = [columns[name] for name in self.names]
        if self.writer:
            self.writer.put(item.rows, values)
            return
        assert self._table
        if self._table.form == "json":
            lines = self._objects(located, item.rows.texts() if item.rows else [b"{}"], values)
        else:
            delimiter = self._table.delimiter
            cells = zip(*(_csv_cells(column, delimiter) for column in values), strict=True)
            ends = [f"{delimiter}{delimiter.join(row)}".encode("utf-8", "surrogatepass") for row in cells]
            lines = map(bytes.__add__, self._own_cells(located), ends)
        self.put_bytes(b"".join([line + self._table.newline for line in lines]))

    def _own_cells(self, located: "SourceItem") -> Sequence[bytes]:
        """Return the rows of puzzles as CSV without the added columns."""
        from sudoku_encode.formats import bulk
        from sudoku_encode.formats.entries import Entry

        item, table = located.item, self._table
        assert table
        if item.rows:
            is_error = isinstance(item, Entry) and isinstance(item.content, FormatError)
            texts = item.rows.texts()
            return [_repaired(texts[0], table)] if is_error and item.rows.table.form == "csv" else texts
        if isinstance(item, Entry):
            if isinstance(item.content, FormatError):
                return [(table.delimiter * (len(table.names) - 1)).encode()]
            board, givens = item.content.geometry, item.content.givens[None]
        else:
            board, givens = item.board, item.givens
        return [text.encode() for text in bulk.texts(board, givens)]

    def _check_names(self, own: Iterable[str]) -> None:
        for name in set(self.names).intersection(own):
            raise SudokuError(f"--add {name}: the table has a column of that name; rename it, or leave {name} out")

    def _objects(
        self, located: "SourceItem", texts: Sequence[bytes], values: Sequence[Sequence[Any]]
    ) -> Iterator[bytes]:
        """Yield objects of JSON with keys added; a line that is not an object stays as it is."""
        keys = [json.dumps(name).encode() for name in self.names]
        columns = [
            [key + b": " + json.dumps(value).encode() for value in column]
            for key, column in zip(keys, values, strict=True)
        ]
        for text, *added in zip(texts, *columns, strict=True):
            if not text.endswith(b"}"):
                yield text
                continue
            if any(key in text for key in keys):
                try:
                    self._check_names(json.loads(text))
                except ValueError:
                    yield text
                    continue
            own = text[:-1].rstrip()
            yield b"%b%b%b}" % (own, b"" if own == b"{" else b", ", b", ".join(added))


def _repaired(text: bytes, table: "Table") -> bytes:
    """Return a row so that it has the columns of its table: quotes that do not fit are text, as are cells too many."""
    from sudoku_encode.formats.tables import csv_row, record_at

    whole, n, delimiter = text.decode("utf-8", "surrogateescape"), len(table.names), table.delimiter
    try:
        cells, n_lines = record_at(iter(whole.splitlines(keepends=True)), delimiter)
    except FormatError:
        n_lines = 0
    if n_lines and len(cells) == n:
        return text
    cells = whole.split(delimiter, n - 1) if not n_lines or len(cells) > n else cells
    return csv_row([*cells, *[""] * (n - len(cells))], delimiter).encode("utf-8", "surrogateescape")


def _csv_cells(column: Sequence[Any], delimiter: str) -> list[str]:
    """Return values as cells of CSV."""
    from sudoku_encode.formats.tables import csv_row

    texts = list(map(cell, column))
    whole = "\n".join(texts)
    if not any(sign in whole for sign in ('"', "\r", delimiter)) and whole.count("\n") < len(texts):
        return texts
    return [csv_row([text], delimiter) for text in texts]


# Parquet.


class _Sink(io.RawIOBase):
    """A file for Arrow, which asks where it is."""

    def __init__(self, put: Any) -> None:
        self._put, self._size = put, 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._put(piece)
        self._size += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._size


class _ParquetFile:
    """Collects rows, and writes them in groups."""

    def __init__(self, put: Any) -> None:
        self._sink, self._waiting, self._n = _Sink(put), list[Any](), 0
        self._writer: Any = None

    def begin(self, schema: Any, types: Mapping[str, type]) -> None:
        """Take the columns of the table, and those to add."""
        import pyarrow as arrow
        from pyarrow.parquet import ParquetWriter

        kinds = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}
        self._schema, self._types = schema, types
        for name, kind in types.items():
            self._schema = self._schema.append(arrow.field(name, kinds[kind]))
        self._writer = ParquetWriter(self._sink, self._schema)

    def put(self, rows: "Rows | None", values: Sequence[Sequence[Any]]) -> None:
        """Write rows with the added columns; without rows a puzzle has no place in the table."""
        import pyarrow as arrow

        from sudoku_encode.formats.tables import ArrowRows

        if not isinstance(rows, ArrowRows):
            return
        try:
            added = [
                arrow.array(
                    [cell(value) if isinstance(value, list) else value for value in column],
                    self._schema.field(name).type,
                )
                for name, column in zip(self._types, values, strict=True)
            ]
        except (OverflowError, arrow.ArrowInvalid) as error:
            raise SudokuError("a number of solutions is too large for Parquet; write CSV") from error
        self._waiting.append(arrow.RecordBatch.from_arrays([*rows.arrays(), *added], schema=self._schema))
        self._n += len(rows)
        if self._n >= _GROUP_ROWS:
            self._write()

    def _write(self) -> None:
        import pyarrow as arrow

        if self._waiting:
            self._writer.write_table(arrow.Table.from_batches(self._waiting, schema=self._schema), _GROUP_ROWS)
        self._waiting, self._n = [], 0

    def finish(self) -> None:
        """Write the rest."""
        if self._writer:
            self._write()
            self._writer.close()


@contextmanager
def _parquet_file(inputs: Iterable[str], output: str, table: TableOutput) -> Iterator[None]:
    """Open a Parquet file for a table; it gets its name only when it is complete."""
    from sudoku_encode.storage.files import writing
    from sudoku_encode.storage.outputs import refuse_inputs

    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise SudokuError(missing_package("pyarrow", "a Parquet file")) from error
    refuse_inputs(inputs, output)
    with writing(output) as put:
        table.writer = _ParquetFile(put)
        yield
        table.writer.finish()
