"""A file of the finished parts of a search, so that a killed run can be resumed.

The first line is a JSON object that identifies the search, and each later line one for a part. The last field of each
is a checksum of those before it. Half a line at the end, which a kill or a full disk leaves, is cut off.
"""

import json
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any

from sudoku_encode.errors import SudokuError
from sudoku_encode.storage.journal import cut, lock_file, write
from sudoku_encode.storage.outputs import PartFile, PartsFile, unwritable

Record = dict[str, Any]
_CHECKSUM = "crc32"
# Larger files are refused.
_MAX_BYTES = 1 << 30


class PartJournal:
    """The file for one search, open and locked. Use it as a context manager; the file stays unless it is removed.

    A file whose header, which identifies the search, is another is refused. `records` are those of an earlier run.

    Raises:
        SudokuError: the file cannot be written; another run writes to it; a line is damaged; it is of another search.
    """

    def __init__(self, path: Path, header: Record) -> None:
        self.path, self.records = path, list[Record]()
        try:
            self._file = PartFile(path, new=not path.exists())
        except OSError as error:
            raise unwritable(path, error) from error
        try:
            lock_file(self._file)
        except OSError:
            self._file.close()
            raise SudokuError(f"{path}: another run writes to it") from None
        try:
            self._read(header)
        except BaseException:
            self._file.close()
            raise

    def _read(self, header: Record) -> None:
        lines = _lines(self._file, self.path)
        if lines and lines[0] != header:
            different = next((key for key in header if lines[0].get(key) != header[key]), "form")
            raise SudokuError(f"{self.path}:1: it belongs to another run: different {different}")
        self.records = lines[1:]
        size = _complete_bytes(self._file)
        if size < self._file.size:
            cut(self._file, size)
        if not lines:
            self.put(header)

    def put(self, record: Record) -> None:
        """Add a record.

        Raises:
            StoppedError: the disk is full, or another program removed or changed the file.
        """
        text = json.dumps(record)
        write(self._file, f'{text[:-1]}, "{_CHECKSUM}": "{zlib.crc32(text.encode()):08x}"}}\n'.encode())

    def fault(self, number: int, what: str) -> SudokuError:
        """Return the error for a fault in a record, numbered from 0."""
        return SudokuError(f"{self.path}:{number + 2}: {what}")

    def remove(self) -> None:
        """Remove the file: its results are written elsewhere."""
        self._file.remove()

    def close(self) -> None:
        """Close the file; it stays."""
        self._file.close()

    def __enter__(self) -> "PartJournal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()


def read_header(file: PartsFile | None) -> Record:
    """Return the first record of a file of parts; empty if there is no such file, or no line in it.

    Raises:
        SudokuError: it cannot be read, or is damaged.
    """
    if file is None or not file.is_there:
        return {}
    try:
        with file.path.open("rb") as opened:
            line = opened.readline(_MAX_BYTES)
    except OSError as error:
        raise SudokuError(f"{file.path}: cannot be read: {error.strerror}") from error
    return _record(line[:-1], file.path, 1) if line.endswith(b"\n") else {}


def _complete_bytes(file: PartFile) -> int:
    file.seek(0)
    return file.read(file.size).rfind(b"\n") + 1


def _lines(file: PartFile, path: Path) -> list[Record]:
    if file.size > _MAX_BYTES:
        raise SudokuError(f"{path}: not parts of an earlier run: more than {_MAX_BYTES >> 20} MB")
    file.seek(0)
    lines = file.read(file.size).split(b"\n")[:-1]
    return [_record(line, path, number) for number, line in enumerate(lines, start=1)]


def _record(line: bytes, path: Path, number: int) -> Record:
    try:
        record = json.loads(line)
        checksum = record.pop(_CHECKSUM)
        if f"{zlib.crc32(json.dumps(record).encode()):08x}" == checksum:
            return dict(record)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
    raise SudokuError(f"{path}:{number}: the line is damaged: its checksum is wrong")
