"""Reads tables whose rows are objects: an object of JSON a line, and Parquet; plain puzzles many at once."""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError, GeometryError, SudokuError, missing_package, short
from sudoku_encode.formats import bulk
from sudoku_encode.formats.entries import Entry, ParsedItem, PuzzleBatch
from sudoku_encode.formats.json_objects import JsonObject, refuse_misspelt, unique_keys
from sudoku_encode.formats.lines import MAX_LINE_CHARACTERS, Setting
from sudoku_encode.formats.region_maps import full_maps
from sudoku_encode.formats.symbols import PLAIN_VALUES
from sudoku_encode.formats.tables import (
    ANSWER_COLUMNS,
    DOUBTFUL_COLUMNS,
    PUZZLE_COLUMNS,
    ArrowRows,
    Rows,
    Table,
    puzzle_column,
    text_rows,
)
from sudoku_encode.formats.text.json import KEYS, entry_of, puzzle_key
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

_CHUNK_BYTES, _CHUNK_ROWS = 1 << 20, 8192


class _Records(NamedTuple):
    """Consecutive records."""

    texts: Sequence[str]  # the puzzle of each as text; empty for one that is read by itself
    answers: Sequence[str]  # the solution beside each as text
    lines: Int64s  # (m,), the number of each, from 1
    rows: Rows
    record: Callable[[int], object]  # returns one as an object; may raise FormatError without its place


def _read(chunks: Iterator[_Records], setting: Setting) -> Iterator[ParsedItem]:
    """Yield the puzzles of records: by itself up to the first plain one, then many at once on its board."""
    board: Geometry | None = None
    for chunk in chunks:
        start = 0
        while start < len(chunk.lines) and board is None:
            entry = _entry(chunk, start, setting)
            yield entry
            board = _plain_board(chunk.texts[start], entry)
            start += 1
        if board is not None and start < len(chunk.lines):
            yield from _many(chunk, start, board, setting)


def _plain_board(text: str, entry: Entry) -> Geometry | None:
    """Return the board of a plain puzzle, else None."""
    puzzle = entry.content
    if not (text and isinstance(puzzle, Puzzle) and puzzle.has_givens_alone and not puzzle.name):
        return None
    board = puzzle.geometry
    return board if len(text) == board.n_cells and board.n_values <= PLAIN_VALUES and not entry.remarks else None


def _entry(chunk: _Records, row: int, setting: Setting) -> Entry:
    """Return the puzzle of a record, or the error in it."""
    line, own = int(chunk.lines[row]), chunk.rows.part(row, row + 1)
    try:
        entry = entry_of(chunk.record(row), setting)
    except (FormatError, GeometryError) as error:
        message = error.message if isinstance(error, FormatError) else str(error)
        return Entry(FormatError(message, setting.source, line), line, rows=own)
    # A remark on the keys of all records is given once.
    for text in entry.remarks:
        setting.remarks.add(text)
    return entry._replace(line=line, rows=own, remarks=())


def _many(chunk: _Records, start: int, board: Geometry, setting: Setting) -> Iterator[ParsedItem]:
    """Yield the records from one on, those with a plain puzzle on the board in batches."""
    good, givens = _plain(chunk.texts[start:], board, setting)
    if len(board.shape) == 2 and not setting.has_said_board and len(maps := full_maps(givens, board.n_values)):
        good[np.flatnonzero(good)[maps]], givens = False, np.delete(givens, maps, axis=0)
    rows = np.flatnonzero(good) + start
    answers = np.zeros((len(chunk.lines), board.n_cells), np.uint8)
    if any(chunk.answers):
        are_read, grids = _plain(chunk.answers, board, setting)
        answers[are_read] = grids
    done = 0
    for odd in [*(np.flatnonzero(~good) + start).tolist(), len(chunk.lines)]:
        if done < (until := int(np.searchsorted(rows, odd))):
            part = slice(int(rows[done]), odd)
            yield PuzzleBatch(
                board, givens[done:until], chunk.lines[part], answers[part], chunk.rows.part(part.start, odd)
            )
            done = until
        if odd < len(chunk.lines):
            yield _entry(chunk, odd, setting)


def _plain(texts: Sequence[str], board: Geometry, setting: Setting) -> tuple[Any, Grids]:
    """Return which texts are a plain puzzle, and the givens of these; see `bulk.read`."""
    n = board.n_cells
    whole = "".join([f"{text if len(text) == n and text.isascii() else ''}\n" for text in texts])
    lines = bulk.cut(whole.encode())
    if len(lines) != len(texts):
        # Some have several lines.
        return np.zeros(len(texts), bool), np.zeros((0, n), np.uint8)
    return bulk.read(lines, board, setting.alphabet_of(board))


# JSON, an object a line.


def are_objects(beginning: bytes) -> bool:
    """Check whether a text is an object of JSON a line, by its first lines; a single one is read as a document."""
    lines = [line.strip() for line in beginning.split(b"\n")[:5] if line.strip()]
    is_begun = len(lines) > 1 and len(lines[0]) > 1 and lines[0][:1] == b"{"
    return is_begun and any(line[-1:] == b"}" and _is_json(line) for line in lines)


def _is_json(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def read_objects(pieces: Iterator[bytes], setting: Setting) -> Iterator[ParsedItem]:
    """Yield the puzzles of a text with an object of JSON a line, with errors in the place of some."""
    yield from _read(_object_chunks(pieces, setting), setting)


def _object_chunks(pieces: Iterator[bytes], setting: Setting) -> Iterator[_Records]:
    first, table, shapes = 1, None, dict[tuple[str, ...], str]()
    for raw in _whole_lines(pieces, setting.source):
        lines = [line.strip() for line in raw.split(b"\n")]
        numbers = [number for number, line in enumerate(lines) if line]
        texts = [lines[number] for number in numbers]
        records = [_parsed(text) for text in texts]
        if table is None:
            table = Table("json", next((tuple(record) for record in records if isinstance(record, dict)), ()))
        keys = [_bulk_key(record, shapes) for record in records]
        yield _Records(
            [record[key] if key else "" for record, key in zip(records, keys, strict=True)],
            [_answer(record) if key else "" for record, key in zip(records, keys, strict=True)],
            np.array(numbers, np.int64) + first,
            text_rows(table, texts),
            lambda row, records=records: _checked(records[row]),  # type: ignore[misc]
        )
        first += len(lines) - 1


def _whole_lines(pieces: Iterator[bytes], source: str) -> Iterator[bytes]:
    """Yield a text in segments that end with a newline."""
    rest = b""
    for piece in pieces:
        rest += piece
        if len(rest) >= _CHUNK_BYTES and (end := rest.rfind(b"\n") + 1):
            yield rest[:end]
            rest = rest[end:]
        if len(rest) > MAX_LINE_CHARACTERS:
            raise FormatError(f"a line of more than {MAX_LINE_CHARACTERS:,} characters is not a puzzle", source)
    if rest.strip():
        yield rest + b"\n"


def _parsed(line: bytes) -> Any:
    """Return the value of a line of JSON, or the error in it without its place."""
    try:
        return json.loads(line.decode(), object_pairs_hook=unique_keys)
    except FormatError as error:
        return error
    except json.JSONDecodeError as error:
        return FormatError(f"not JSON: {error.msg} (character {error.pos + 1})")
    except UnicodeDecodeError as error:
        return FormatError(f"byte 0x{line[error.start]:02x} is not UTF-8; save the file as UTF-8 text")
    except (RecursionError, ValueError):
        return FormatError("JSON nested too deep, or with a number too long")


def _checked(record: Any) -> JsonObject:
    if isinstance(record, FormatError):
        raise record
    if not isinstance(record, dict):
        raise FormatError("a list or a value where each puzzle is an object, {...}")
    return record


def _bulk_key(record: Any, shapes: dict[tuple[str, ...], str]) -> str:
    """Return the key of a record's puzzle if it is plain text, else an empty text; `shapes` has it by all keys."""
    if not isinstance(record, dict):
        return ""
    shape = tuple(record)
    if shape not in shapes:
        shapes[shape] = _key_of_all(shape)
    key = shapes[shape]
    return key if key and isinstance(record[key], str) else ""


def _key_of_all(shape: tuple[str, ...]) -> str:
    """Return the key of the puzzle in all objects with these keys; an empty text if their values may change it."""
    if {*shape} & {*KEYS, "regions"} or sum(key.lower() in PUZZLE_COLUMNS for key in shape) != 1:
        return ""
    try:
        refuse_misspelt(dict.fromkeys(shape, "x"), KEYS, ("board", "rules", "pencilmarks", "constraints"))
        return puzzle_key(dict.fromkeys(shape, "x"))[0]
    except FormatError:
        return ""


def _answer(record: JsonObject) -> str:
    answer = next((record[key] for key in record if key.lower() in ANSWER_COLUMNS), "")
    return answer if isinstance(answer, str) else ""


# Parquet.


def read_parquet(pieces: Iterator[bytes], setting: Setting) -> Iterator[ParsedItem]:
    """Yield the puzzles of a Parquet file; the numbers of its rows stand for those of lines.

    Raises:
        FormatError: it cannot be read, or it has no column of puzzles, or two.
        SudokuError: the package that reads it is not installed.
    """
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise SudokuError(missing_package("pyarrow", "a Parquet file")) from error
    try:
        # Its index is at its end.
        with parquet.ParquetFile(io.BytesIO(b"".join(pieces))) as file:
            yield from _read(_arrow_chunks(file, setting.source), setting)
    except (arrow.ArrowException, OSError) as error:
        raise FormatError(f"not a Parquet file that can be read: {short(str(error), 100)}", setting.source) from error


def _arrow_chunks(file: Any, source: str) -> Iterator[_Records]:
    schema, first = file.schema_arrow, 1
    names = [name.strip().lower() for name in schema.names]
    if not {*names} & {*PUZZLE_COLUMNS, *DOUBTFUL_COLUMNS}:
        shown = short(", ".join(schema.names), 100)
        raise FormatError(f"no column with puzzles: its name must be {', '.join(PUZZLE_COLUMNS)}; got {shown}", source)
    table = Table("parquet", tuple(schema.names), schema=schema)
    puzzle = answer = -1
    for batch in file.iter_batches(_CHUNK_ROWS):
        if puzzle < 0:
            beginning = [column.slice(0, 100).to_pylist() for column in batch.columns]
            puzzle = puzzle_column(names, beginning, source, None)
            answer = next((at for at, name in enumerate(names) if name in ANSWER_COLUMNS), -1)
        puzzles = batch.column(puzzle).to_pylist()
        answers = batch.column(answer).to_pylist() if answer >= 0 else []
        numbers = np.arange(batch.num_rows)
        yield _Records(
            [text if isinstance(text, str) else "" for text in puzzles],
            [text if isinstance(text, str) else "" for text in answers] or [""] * len(puzzles),
            numbers + first,
            ArrowRows(table, batch, numbers),
            lambda row, puzzles=puzzles, answers=answers: _arrow_record(puzzles[row], answers[row] if answers else ""),  # type: ignore[misc]
        )
        first += batch.num_rows


def _arrow_record(puzzle: object, answer: object) -> JsonObject:
    """Return a row as an object of JSON; its other columns are not read."""
    if not isinstance(puzzle, str | list):
        raise FormatError(
            "no puzzle: the cell is empty" if puzzle is None else f"not a puzzle: {short(repr(puzzle), 40)}"
        )
    return {"puzzle": puzzle, "solution": answer}
