"""Files of many grids of one board: text, a grid a line, which may be packed; or Parquet, a table by columns.

Both hold a grid as one symbol a cell, in the order of the cells. So on boards of up to 35 values.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_encode.errors import FormatError, SudokuError, missing_package
from sudoku_encode.formats.bulk import LETTERS, lines
from sudoku_encode.formats.symbols import PLAIN_VALUES, pack
from sudoku_encode.formats.table import DEFAULT_ALPHABET, DEFAULT_FORM, GRID_FILES
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.storage.files import compressor, read_segments
from sudoku_encode.storage.folder_files import HashedFile

# A row group is the least that a reader of Parquet reads.
_GROUP_ROWS = 100_000
_TEXT, _PARQUET = "txt", "parquet"
_NEWLINE, _COMMENT = ord("\n"), ord("#")
# How many bytes of text are taken apart at a time.
_SEGMENT_BYTES = 1 << 22


def unsupported_reason(board: Geometry) -> str:
    """Return why no file of grids can hold a board; an empty string if one can."""
    if board.n_values > LETTERS:
        return f"files of many solutions have one symbol per cell, up to {LETTERS} values, but {board.name} has more"
    return ""


def check_form(form: str) -> None:
    """Check that files of a form can be written and read here.

    Raises:
        SudokuError: there is no such form, or its package is not installed; the message says what to install.
    """
    if form not in GRID_FILES:
        raise FormatError(f"no form of files is called {form!r}; known: {', '.join(GRID_FILES)}")
    if form == _PARQUET:
        _parquet()
    elif form != _TEXT:
        compressor(Path(form).suffix, BytesIO())


def default_form() -> str:
    """Return the default form of files: compressed, or plain if the compressor is not installed."""
    try:
        check_form(DEFAULT_FORM)
    except SudokuError:
        return _TEXT
    return DEFAULT_FORM


def _parquet() -> Any:
    try:
        return import_module("pyarrow.parquet")
    except ImportError as error:
        raise SudokuError(missing_package("pyarrow", "Parquet")) from error


@contextmanager
def grids_to(form: str, board: Geometry, number: int, file: HashedFile) -> Iterator[Callable[[Grids], None]]:
    """Yield a function that writes grids (m, n_cells) to an open file in a form, a key of GRID_FILES.

    `number` is that of the puzzle that they solve, for the column `puzzle` of a table.
    """
    if form == _PARQUET:
        with _table_writer(board, number, file) as put:
            yield put
        return
    with compressor(Path(form).suffix, file) as packed:  # type: ignore[arg-type]
        packed.write(_heading(board))

        def put_lines(grids: Grids) -> None:
            packed.write(lines(board, grids))

        yield put_lines


def _heading(board: Geometry) -> bytes:
    """Return the directives for the board of the text; the plain 9x9 needs none."""
    if (board.name, board.rule_names) == ("9x9", ("row", "column", "box")):
        return b""
    heading = f"# board: {board.name}\n# rules: {','.join(board.rule_names)}\n"
    return (
        heading + (f"# alphabet: {DEFAULT_ALPHABET}\n" if board.n_values > PLAIN_VALUES and board.first else "")
    ).encode()


@contextmanager
def _table_writer(board: Geometry, number: int, file: HashedFile) -> Iterator[Callable[[Grids], None]]:
    arrow, parquet = import_module("pyarrow"), _parquet()
    # Grids do not repeat, and the smallest and the largest of a group help no query.
    schema = arrow.schema([("puzzle", arrow.int64()), ("solution", arrow.string())])
    chosen: dict[str, Any] = {"compression": "zstd", "use_dictionary": ["puzzle"], "write_statistics": ["puzzle"]}
    waiting: list[Grids] = []

    with parquet.ParquetWriter(file, schema, **chosen) as writer:

        def write(grids: Grids) -> None:
            numbers = arrow.array(np.full(len(grids), number, np.int64))
            writer.write_table(arrow.Table.from_arrays([numbers, _strings(board, grids)], schema=schema))

        def put(grids: Grids) -> None:
            waiting.append(grids)
            if sum(map(len, waiting)) >= _GROUP_ROWS:
                rows = np.concatenate(waiting)
                end = len(rows) - len(rows) % _GROUP_ROWS
                for start in range(0, end, _GROUP_ROWS):
                    write(rows[start : start + _GROUP_ROWS])
                waiting[:] = [rows[end:]]

        yield put
        if rest := [grids for grids in waiting if len(grids)]:
            write(np.concatenate(rest))


def _strings(board: Geometry, grids: Grids) -> Any:
    """Return grids as an array of strings of Arrow, without a Python object for each."""
    arrow = import_module("pyarrow")
    text = np.frombuffer(lines(board, grids), np.uint8).reshape(-1, board.n_cells + 1)[:, :-1]
    ends = np.arange(len(grids) + 1, dtype=np.int32) * np.int32(board.n_cells)
    buffers = [None, arrow.py_buffer(ends), arrow.py_buffer(np.ascontiguousarray(text))]
    return arrow.Array.from_buffers(arrow.string(), len(grids), buffers)


def grids_of(path: Path, form: str, board: Geometry) -> Iterator[Grids]:
    """Yield the grids of a file, (m, n_cells), with 0 for a symbol that is not a value of the board.

    Raises:
        FormatError: the file cannot be read, or contains something else.
    """
    try:
        yield from _table_grids(path, board) if form == _PARQUET else _text_grids(path, board)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", str(path)) from error


def _text_grids(path: Path, board: Geometry) -> Iterator[Grids]:
    width, rest, begun = board.n_cells + 1, b"", False
    with path.open("rb") as file:
        for piece in read_segments(file, str(path)):
            rest += piece
            if not begun:
                rest, begun = _without_heading(rest), True
            if len(rest) >= _SEGMENT_BYTES:
                end = len(rest) - len(rest) % width
                yield _decoded(rest[:end], path, board)
                rest = rest[end:]
    if len(rest) % width:
        raise FormatError(f"its last line is not a grid of {board.name}", str(path))
    if rest:
        yield _decoded(rest, path, board)


def _without_heading(text: bytes) -> bytes:
    while text[:1] == b"#":
        text = text.partition(b"\n")[2]
    return text


def _decoded(text: bytes, path: Path, board: Geometry) -> Grids:
    rows = np.frombuffer(text, np.uint8).reshape(-1, board.n_cells + 1)
    if (rows[:, -1] != _NEWLINE).any():
        raise FormatError(f"a line is not a grid of {board.name}", str(path))
    return np.take(_values(board), rows[:, :-1])


@cache
def _values(board: Geometry) -> Grids:
    values, each = np.zeros(256, np.uint8), np.arange(1, board.n_values + 1)
    values[np.frombuffer(pack(each.tolist(), board).encode(), np.uint8)] = each
    return values


def _table_grids(path: Path, board: Geometry) -> Iterator[Grids]:
    arrow, parquet = import_module("pyarrow"), _parquet()
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(_GROUP_ROWS, columns=["solution"]):
                yield _column_grids(batch.column(0), path, board)
    except (arrow.ArrowException, LookupError) as error:
        message = str(error).partition("\n")[0]
        raise FormatError(f"cannot be read: {message}", str(path)) from error


def _column_grids(column: Any, path: Path, board: Geometry) -> Grids:
    """Return the grids of a column of strings."""
    strings = column.cast(import_module("pyarrow").string())
    _, ends, text = strings.buffers()
    ends = np.frombuffer(ends, np.int32)[strings.offset : strings.offset + len(strings) + 1]
    if strings.null_count or (np.diff(ends) != board.n_cells).any():
        raise FormatError(f"a row is not a grid of {board.name}", str(path))
    rows = np.frombuffer(text, np.uint8)[ends[0] : ends[-1]].reshape(-1, board.n_cells)
    return np.take(_values(board), rows)
