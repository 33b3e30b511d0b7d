"""A file of results, one a line, that survives whatever ends the program: a resumed run need not find them again.

Lines are written to `NAME.part`, which is renamed to `NAME` when the run is complete. Half a line, which a kill or a
full disk may leave, is cut off by the run that resumes.
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
from sudoku_encode.storage.locks import lock
from sudoku_encode.storage.outputs import PartFile, special, unwritable
from sudoku_encode.storage.parts_file import PartsFile

# Of a journal that is resumed all lines are read into memory, if they are asked for; more bytes are refused.
_MAX_BYTES = 1 << 28
_PIECE_BYTES = 1 << 20
_locked: WeakSet[PartFile] = WeakSet()


def _close_locked_in_child() -> None:
    """Close the locked files in a child process: if it outlives a killed parent, it must not lock out the next run."""
    for file in list(_locked):
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_locked_in_child)


def lock_file(file: PartFile) -> None:
    """Lock a file for this process, and not for those that are forked from it.

    Raises:
        OSError: another process has locked it, or it cannot be locked.
    """
    lock(file.fileno())
    _locked.add(file)


class OpenedFile(NamedTuple):
    """A file that a run writes to.

    Attributes:
        file: `NAME.part`, open and locked.
        was_finished: whether an earlier run had finished it: until now it was called `NAME`.
    """

    file: PartFile
    was_finished: bool


def open_part(path: Path, resume: bool) -> OpenedFile:
    """Open and lock the file that a run writes to: a new `NAME.part`, or the file of an earlier run under that name.

    Raises:
        SudokuError: an unfinished run is there and not to be resumed; nothing to resume, or no plain file; another run
            writes to it.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        if not resume and part.exists():
            raise SudokuError(f"{part} was left by a run that did not end: go on with --resume, or remove it")
        if resume and not part.exists() and not path.exists():
            raise SudokuError(f"{path}: there is nothing to resume")
        was_finished = resume and not part.exists()
        earlier = path if was_finished else part
        # With a link another file would be changed than the one that is named; and a pipe has no end.
        if resume and not stat.S_ISREG(earlier.lstat().st_mode):
            raise SudokuError(f"{earlier}: this is no plain file, and cannot be resumed")
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
    """Raise StoppedError in place of an OSError, with the file's name."""
    try:
        yield
    except OSError as error:
        raise StoppedError(f"{error.strerror} ({file.path})") from error


def write(file: PartFile, text: bytes) -> None:
    """Append some lines.

    Raises:
        StoppedError: there is no room on the disk, and half a line may be written now; or another program has removed
            or
            changed the file.
    """
    with _stopping(file):
        file.write(text)


def cut(file: PartFile, size: int) -> None:
    """Shorten a file to a number of bytes.

    Raises:
        StoppedError: another program has removed or changed it.
    """
    with _stopping(file):
        file.cut(size)


def finish(file: PartFile, path: Path) -> None:
    """Give a complete file its final name, after all of it is on the disk.

    Raises:
        StoppedError: another program has removed or changed it.
    """
    with suppress(OSError):
        os.fsync(file.fileno())
    with _stopping(file):
        file.rename(path)


def restore_name(file: PartFile, path: Path) -> None:
    """Give an untouched file of a finished run its final name again, if it is still there."""
    with suppress(OSError):
        file.rename(path)


def advice(file: PartFile, name: Path, resumable: bool = True) -> str:
    """Say how to go on after a run that did not end.

    Args:
        file: what the run wrote to; another program may have changed it.
        name: the name that the file has after the run.
        resumable: whether a run can go on with it.
    """
    if file.fault:
        return f"{file.path} cannot be trusted: start again without it"
    return f"{name} keeps what was written{'; go on with --resume' if resumable else ''}"


class Journal:
    """A file to put results into. Use it as a context manager, and call `finish` after the last.

    Args:
        path: the file. While it is not finished, its name ends in `.part`.
        resume: go on with the file of an earlier run.
        parts: a file of what is known of the next result, if there may be one.

    Attributes:
        complete_bytes: how many bytes the complete lines of the earlier run have.
        resumed: whether this run goes on with the file of an earlier one.
        untouched: whether the earlier run had finished the file, and this one has not changed it.

    Raises:
        SudokuError: as `open_part`.
    """

    def __init__(self, path: Path, resume: bool, parts: PartsFile | None = None) -> None:
        self.path, self.parts, self.resumed = path, parts, resume
        if parts is not None:
            parts.refuse_earlier()
        self.file, self.untouched = open_part(path, resume)
        self.complete_bytes = self._complete_bytes()
        self.has_partial_line, self.finished = self.complete_bytes < self.file.size, False

    def _complete_bytes(self) -> int:
        end = self.file.size
        while end:
            start = max(0, end - _PIECE_BYTES)
            self.file.seek(start)
            if found := self.file.read(end - start).rfind(b"\n") + 1:
                return start + found
            end = start
        return 0

    @cached_property
    def lines(self) -> list[bytes]:
        """The complete lines of the earlier run; raises SudokuError where they are too many to be results."""
        if self.complete_bytes > _MAX_BYTES:
            raise SudokuError(f"{self._name}: more than {_MAX_BYTES >> 20} MB are no results of an earlier run")
        return b"".join(self.pieces()).split(b"\n")[:-1]

    def pieces(self) -> Iterator[bytes]:
        """Yield the complete lines of the earlier run, some at a time."""
        begun, at = b"", 0
        while at < self.complete_bytes:
            self.file.seek(at)
            piece = begun + self.file.read(min(_PIECE_BYTES, self.complete_bytes - at))
            at = self.file.tell()
            end = piece.rfind(b"\n") + 1
            begun = piece[end:]
            yield piece[:end]

    def put(self, line: str) -> None:
        """Add a line; raises as `write`."""
        self.write(f"{line}\n".encode())

    def write(self, lines: bytes) -> None:
        """Add some lines.

        Raises:
            StoppedError: there is no room on the disk, or another program has removed or changed the file; the lines
                before
                stay in it.
        """
        self._cut_partial_line()
        self.untouched = False
        write(self.file, lines)

    def fault(self, number: int, what: str) -> SudokuError:
        """Return the error that something is wrong with line `number`, from 1."""
        return SudokuError(f"{self._name}:{number}: {what}")

    def advice(self, resumable: bool = True) -> str:
        """Say how to go on, where there is a file to resume; else return an empty string."""
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
            StoppedError: another program has removed or changed it.
        """
        self._cut_partial_line()
        finish(self.file, self.path)
        self.finished = True
        if self.parts is not None:
            self.parts.remove()

    def discard(self) -> None:
        """Remove the file: nothing in it is worth going on with."""
        self.file.remove()
        self.finished = True

    def _cut_partial_line(self) -> None:
        """Cut half a line off. Not when the file is opened: a file that is named by mistake must stay unchanged."""
        if self.has_partial_line:
            cut(self.file, self.complete_bytes)
            self.has_partial_line = False

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leave an unfinished file to be resumed, and remove an empty one."""
        if self.finished:
            pass
        elif self.untouched:
            restore_name(self.file, self.path)
        elif not self._has_results:
            # There is nothing to resume, for instance after bad input.
            self.file.remove()
        self.file.close()


class ResultStream:
    """A pipe or a device to put results into; it has the methods of a journal, but cannot be resumed.

    Args:
        put: called with the bytes of each line.
    """

    def __init__(self, put: Callable[[bytes], object]) -> None:
        self._put, self.lines = put, list[bytes]()

    def pieces(self) -> Iterator[bytes]:
        """Yield nothing: there is no earlier run."""
        return iter(())

    def put(self, line: str) -> None:
        """Write a line."""
        self.write(f"{line}\n".encode())

    def write(self, lines: bytes) -> None:
        """Write some lines."""
        self._put(lines)

    def fault(self, number: int, what: str) -> SudokuError:
        """Return the error that something is wrong with a line; see `Journal.fault`."""
        return SudokuError(f"line {number}: {what}")

    def advice(self, resumable: bool = True) -> str:
        """Return an empty string: there is no file to resume."""
        return ""

    def finish(self) -> None:
        """Do nothing: a stream has no name to be given."""


Results = Journal | ResultStream


def can_be_resumed(output: str) -> bool:
    """Say whether what `-o` names is a plain file, which a later run can go on with."""
    path = Path(output)
    return output != "-" and not special(path) and path.suffix not in SUFFIXES


def results(output: str, resume: bool, parts: PartsFile | None = None) -> AbstractContextManager[Results | None]:
    """Open what `-o` names to put results into; None for `-`, standard output.

    Args:
        output: the name.
        resume: go on with the file of an earlier run.
        parts: a file of what is known of the next result, if there may be one.

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
        raise SudokuError(f"-o needs a file here, not the folder {output}")
    return _result_stream(output)


@contextmanager
def _result_stream(output: str) -> Iterator[ResultStream]:
    with writing(output) as put:
        yield ResultStream(put)
