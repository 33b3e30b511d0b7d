"""A file of what is known of the parts of one piece of work, so that a run that was killed is gone on with. No Sudoku.

The first line is an object of JSON that says whose parts they are, and each other one an object for a part. The last
field of each is a checksum of those before it. Half a line at the end, which a kill or a full disk leaves, is cut off.
"""

import json
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any

from sudoku_encode.errors import SudokuError
from sudoku_encode.storage.journal import cut, lock_file, write
from sudoku_encode.storage.outputs import PartFile, unwritable
from sudoku_encode.storage.parts_file import PartsFile

Record = dict[str, Any]
_CHECKSUM = "crc32"
# More than this is read of no file.
_MAX_BYTES = 1 << 30


class PartJournal:
    """The file for one piece of work, open and locked. Use it as a context manager; it stays, unless it is removed.

    Args:
        path: the file; it is made where there is none.
        header: says whose parts they are. What is there of other parts is refused.

    Attributes:
        records: what an earlier run has written, in order.

    Raises:
        SudokuError: the file cannot be written; another run writes to it; a line is damaged, or it has other parts.
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
            raise SudokuError(f"{self.path}:1: it has the parts of other work: its {different} is another one")
        self.records = lines[1:]
        size = _complete_bytes(self._file)
        if size < self._file.size:
            cut(self._file, size)
        if not lines:
            self.put(header)

    def put(self, record: Record) -> None:
        """Add a record.

        Raises:
            StoppedError: there is no room on the disk, or another program has removed or changed the file.
        """
        text = json.dumps(record)
        write(self._file, f'{text[:-1]}, "{_CHECKSUM}": "{zlib.crc32(text.encode()):08x}"}}\n'.encode())

    def fault(self, number: int, what: str) -> SudokuError:
        """Return the error that something is wrong with a record, from 0."""
        return SudokuError(f"{self.path}:{number + 2}: {what}")

    def remove(self) -> None:
        """Remove the file: all that it is for is written elsewhere."""
        self._file.remove()

    def close(self) -> None:
        """Close the file; it stays."""
        self._file.close()

    def __enter__(self) -> "PartJournal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        self.close()


def header_of(file: PartsFile | None) -> Record:
    """Return the first line of a file of parts; nothing where there is no such file, or no line in it.

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
        raise SudokuError(f"{path}: more than {_MAX_BYTES >> 20} MB are no parts of an earlier run")
    file.seek(0)
    lines = file.read(file.size).split(b"\n")[:-1]
    return [_record(line, path, number) for number, line in enumerate(lines, start=1)]


def _record(line: bytes, path: Path, number: int) -> Record:
    try:
        record = json.loads(line)
        found = record.pop(_CHECKSUM)
        if f"{zlib.crc32(json.dumps(record).encode()):08x}" == found:
            return dict(record)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
    raise SudokuError(f"{path}:{number}: the line is damaged: it does not fit its checksum")
