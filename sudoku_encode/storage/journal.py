"""A file of results, one per line, that survives a crash, a kill or a full disk: a resumed run continues after them.

Lines are written to `NAME.part`, which is renamed to `NAME` when the run is complete. The resumed run cuts off half a
line, which a kill or a full disk may leave.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import NamedTuple
from weakref import WeakSet

from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.storage.files import SUFFIXES, writing
from sudoku_encode.storage.outputs import PartFile, PartsFile, is_special, lock, unwritable

# All lines of a resumed journal may be read into memory; larger files are refused.
_MAX_BYTES = 1 << 28
_SEGMENT_BYTES = 1 << 20
_locked: WeakSet[PartFile] = WeakSet()


def _close_locked_in_child() -> None:
    """Close locked files in a forked child, which may outlive a killed parent and would lock out the next run."""
    for file in list(_locked):
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_locked_in_child)


def lock_file(file: PartFile) -> None:
    """Lock a file for this process, but not for processes forked from it.

    Raises:
        OSError: another process has locked it, or it cannot be locked.
    """
    lock(file.fileno())
    _locked.add(file)


class OpenedFile(NamedTuple):
    """A file that a run writes to."""

    file: PartFile  # `NAME.part`, open and locked
    was_finished: bool  # whether an earlier run had finished it, so that its name was `NAME`


def open_part(path: Path, resume: bool) -> OpenedFile:
    """Open and lock the file that a run writes to: a new `NAME.part`, or the file of an earlier run, renamed to that.

    Raises:
        SudokuError: there is an unfinished run, but `resume` is false; there is nothing to resume; not a plain file;
            another run writes to it.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        if not resume and part.exists():
            raise SudokuError(f"{part} is from a run that did not finish: continue with --resume, or remove it")
        if resume and not part.exists() and not path.exists():
            raise SudokuError(f"{path}: there is nothing to resume")
        was_finished = resume and not part.exists()
        earlier = path if was_finished else part
        # Through a link another file than the named one would change; and a pipe has no end.
        if resume and not stat.S_ISREG(earlier.lstat().st_mode):
            raise SudokuError(f"{earlier}: not a plain file, so it cannot be resumed")
        if was_finished:
            path.rename(part)
        file = PartFile(part, new=not resume)
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        lock_file(file)
        # Another run may have held the lock until now, and then renamed the file.
        locked = not file.fault
    except OSError:
        locked = False
    if not locked:
        file.close()
        raise SudokuError(f"{part}: another run writes to it")
    return OpenedFile(file, was_finished)


@contextmanager
def _stopping(file: PartFile) -> Iterator[None]:
    """Turn an OSError into StoppedError with the file's name."""
    try:
        yield
    except OSError as error:
        raise StoppedError(f"{error.strerror} ({file.path})") from error


def write(file: PartFile, text: bytes) -> None:
    """Append some lines.

    Raises:
        StoppedError: the disk is full, and half a line may have been written; or another program removed or changed
            the file.
    """
    with _stopping(file):
        file.write(text)


def cut(file: PartFile, size: int) -> None:
    """Shorten a file to a number of bytes.

    Raises:
        StoppedError: another program removed or changed it.
    """
    with _stopping(file):
        file.cut(size)


def finish(file: PartFile, path: Path) -> None:
    """Give a complete file its final name, after all of it is on the disk.

    Raises:
        StoppedError: another program removed or changed it.
    """
    with suppress(OSError):
        os.fsync(file.fileno())
    with _stopping(file):
        file.rename(path)


def restore_name(file: PartFile, path: Path) -> None:
    """Give an unchanged file of a finished run its final name again, if it still exists."""
    with suppress(OSError):
        file.rename(path)


def advice(file: PartFile, name: Path, resumable: bool = True) -> str:
    """Return how to continue after a run that did not finish, if a run can resume its file, which is now called `name`.

    Another program may have changed the file.
    """
    if file.fault:
        return f"{file.path} was changed by another program: remove it and start again"
    return f"{name} keeps what was written{'; continue with --resume' if resumable else ''}"


class Journal:
    """A file of results. Use it as a context manager, and call `finish` after the last result.

    Until it is finished, its name ends in `.part`. The next result may have a file of its finished parts.

    Raises:
        SudokuError: as `open_part`.
    """

    def __init__(self, path: Path, resume: bool, parts: PartsFile | None = None) -> None:
        self.path, self.parts, self.resumed = path, parts, resume
        if parts is not None:
            parts.refuse_existing()
        # Whether the earlier run had finished the file, and this one has not changed it.
        self.file, self.untouched = open_part(path, resume)
        self.complete_bytes = self._complete_bytes()  # of the earlier run's complete lines
        self.has_partial_line, self.finished = self.complete_bytes < self.file.size, False

    def _complete_bytes(self) -> int:
        end = self.file.size
        while end:
            start = max(0, end - _SEGMENT_BYTES)
            self.file.seek(start)
            if size := self.file.read(end - start).rfind(b"\n") + 1:
                return start + size
            end = start
        return 0

    @cached_property
    def lines(self) -> list[bytes]:
        """The complete lines of the earlier run; SudokuError if the file is too large for results."""
        if self.complete_bytes > _MAX_BYTES:
            raise SudokuError(f"{self._name}: not results of an earlier run: more than {_MAX_BYTES >> 20} MB")
        return b"".join(self.segments()).split(b"\n")[:-1]

    def segments(self) -> Iterator[bytes]:
        """Yield the earlier run's complete lines in segments of about a megabyte."""
        partial_line, offset = b"", 0
        while offset < self.complete_bytes:
            self.file.seek(offset)
            segment = partial_line + self.file.read(min(_SEGMENT_BYTES, self.complete_bytes - offset))
            offset = self.file.tell()
            end = segment.rfind(b"\n") + 1
            partial_line = segment[end:]
            yield segment[:end]

    def put(self, line: str) -> None:
        """Add a line; raise StoppedError as `write`."""
        self.write(f"{line}\n".encode())

    def write(self, lines: bytes) -> None:
        """Add some lines.

        Raises:
            StoppedError: the disk is full, or another program removed or changed the file; earlier lines stay in it.
        """
        self._cut_partial_line()
        self.untouched = False
        write(self.file, lines)

    def fault(self, number: int, what: str) -> SudokuError:
        """Return the error for a fault in line `number`, from 1."""
        return SudokuError(f"{self._name}:{number}: {what}")

    def advice(self, resumable: bool = True) -> str:
        """Return how to continue, if there is a file to resume; else an empty string."""
        return f"; {advice(self.file, self._name, resumable)}" if self._has_results else ""

    @property
    def _has_results(self) -> bool:
        return bool(self.file.size) or (self.parts is not None and self.parts.is_there)

    @property
    def _name(self) -> Path:
        return self.path if self.untouched else self.file.path

    def finish(self) -> None:
        """Give the file its final name: all results are in it.

        Raises:
            StoppedError: another program removed or changed it.
        """
        self._cut_partial_line()
        finish(self.file, self.path)
        self.finished = True
        if self.parts is not None:
            self.parts.remove()

    def discard(self) -> None:
        """Remove the file: nothing in it is worth keeping."""
        self.file.remove()
        self.finished = True

    def _cut_partial_line(self) -> None:
        """Cut off half a line, but not on opening, since a file named by mistake must stay unchanged."""
        if self.has_partial_line:
            cut(self.file, self.complete_bytes)
            self.has_partial_line = False

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keep an unfinished file so that it can be resumed, and remove an empty one."""
        if self.finished:
            pass
        elif self.untouched:
            restore_name(self.file, self.path)
        elif not self._has_results:
            # There is nothing to resume, for instance after bad input.
            self.file.remove()
        self.file.close()


class ResultStream:
    """A pipe or a device for results, with the methods of a journal; it cannot be resumed.

    Args:
        put: called with the bytes of each line.
    """

    def __init__(self, put: Callable[[bytes], object]) -> None:
        self._put, self.lines = put, list[bytes]()

    def segments(self) -> Iterator[bytes]:
        """Yield nothing: there is no earlier run."""
        return iter(())

    def put(self, line: str) -> None:
        """Write a line."""
        self.write(f"{line}\n".encode())

    def write(self, lines: bytes) -> None:
        """Write some lines."""
        self._put(lines)

    def fault(self, number: int, what: str) -> SudokuError:
        """Return the error for a fault in a line; see `Journal.fault`."""
        return SudokuError(f"line {number}: {what}")

    def advice(self, resumable: bool = True) -> str:
        """Return an empty string: there is no file to resume."""
        return ""

    def finish(self) -> None:
        """Do nothing: a stream is not renamed."""


Results = Journal | ResultStream


def can_be_resumed(output: str) -> bool:
    """Return whether the name after `-o` belongs to a plain file, which a later run can resume."""
    path = Path(output)
    return output != "-" and not is_special(path) and path.suffix not in SUFFIXES


def open_results(output: str, resume: bool, parts: PartsFile | None = None) -> AbstractContextManager[Results | None]:
    """Open the output named by `-o` for results; None for `-`, standard output.

    `parts` is the file of finished parts of the next result, if there may be one.

    Raises:
        SudokuError: as `open_part`; a folder; or --resume without a plain file.
    """
    path = Path(output)
    if can_be_resumed(output):
        return Journal(path, resume, parts)
    if resume:
        raise SudokuError(f"--resume needs a plain file after -o, not {output}")
    if output == "-":
        return nullcontext()
    if path.is_dir():
        raise SudokuError(f"-o: expected a file, got the folder {output}")
    return _result_stream(output)


@contextmanager
def _result_stream(output: str) -> Iterator[ResultStream]:
    with writing(output) as put:
        yield ResultStream(put)
