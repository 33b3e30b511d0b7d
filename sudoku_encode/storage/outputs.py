"""Files to write to: never one that is also read, and what another program does to one is noticed. Knows no Sudoku."""

import errno
import io
import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sudoku_encode.errors import StoppedError, SudokuError, printable, short

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

T = TypeVar("T")

# The system follows no more links in a row than these.
_MAX_LINKS = 40
# Folders with a name for each open file of this process.
_OPEN_FILES = ("/dev/fd", "/proc/self/fd")


def descriptor(path: Path) -> int | None:
    """Return the number of the open file that a name such as /dev/stdout or /proc/self/fd/3 stands for, if it is one.

    Where standard output is redirected to a plain file, such a name leads to that file. Still the output must go to the
    open file, at its current position, and neither the name nor the file may be replaced.
    """
    for _ in range(_MAX_LINKS):
        if path.name.isdecimal() and os.path.realpath(path.parent) in map(os.path.realpath, _OPEN_FILES):
            return int(path.name)
        try:
            path = path.parent / path.readlink()
        except (OSError, ValueError):
            return None
    return None


def special(path: Path) -> bool:
    """Say whether a name is not that of a plain file, but of a pipe, a device, a folder, or what is open already."""
    return is_device(path) or descriptor(path) is not None


def is_device(path: Path) -> bool:
    """Say whether there is something of that name that is no plain file: a pipe, a device, a folder."""
    try:
        return path.exists() and not path.is_file()
    except OSError:
        # To open it will raise the error that says what is wrong.
        return False


def refuse_inputs(inputs: Iterable[str | Path], *outputs: str | Path) -> None:
    """Refuse to write to a file that is read, by whatever path, link or second name.

    Args:
        inputs: names of what is read; `-` is standard input, and what is no name of a plain file is passed over.
        outputs: names of the files that will be written.

    Raises:
        SudokuError: one of them is read.
    """
    written = [(output, status) for output in outputs if output != "-" and (status := _plain_status(output))]
    for name in inputs if written else ():
        read = _plain_status(name)
        for output, status in written:
            if read and os.path.samestat(read, status):
                same_name = str(name) == str(output)
                what = "standard input" if name == "-" else "the input" if same_name else f"the input {name}"
                raise SudokuError(printable(f"{output} is {what}, which would be overwritten: give -o another name"))


def _plain_status(name: str | Path) -> os.stat_result | None:
    """Return the status of a plain file; None for others: what a device or a pipe holds cannot be overwritten."""
    try:
        status = os.fstat(0) if name == "-" else Path(name).stat()
    except (OSError, ValueError):
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def file_name(path: object) -> str:
    """Return the name of a file or a folder as text.

    Raises:
        SudokuError: it is none.
    """
    if not isinstance(path, (str, Path)):
        raise SudokuError(f"{short(repr(path))} is no name of a file; give text or a Path")
    try:
        is_possible = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        # Half of a surrogate pair.
        is_possible = False
    if not is_possible:
        raise SudokuError(printable(f"{path}: no file can have this name"))
    return str(path)


def is_folder(name: str) -> bool:
    """Say whether a name is that of a folder, which may not be there yet."""
    try:
        return name.endswith("/") or Path(name).is_dir()
    except OSError:
        # Such as a name that is too long: to open it will raise the error that says what is wrong.
        return False


def folder(name: str | Path) -> Path:
    """Return a folder to write to, which is made if there is none.

    Raises:
        SudokuError: it cannot be made, or is a file.
    """
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SudokuError(f"{name}: no folder can be made there: {error.strerror}") from error
    return path


# The errors of a system that has no room left: on the disk, for this user, in a file of this size.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def unwritable(name: str | Path, error: OSError) -> SudokuError | StoppedError:
    """Return the error to raise where a file cannot be opened for writing; StoppedError for a full disk."""
    if error.errno in FULL:
        return StoppedError(f"{error.strerror} ({name})")
    return SudokuError(f"{name}: cannot be written: {error.strerror}")


def temporary(make: Callable[[], T]) -> T:
    """Return what a call makes in the system's folder for temporary files, such as `TemporaryDirectory`.

    Raises:
        SudokuError: there is no such folder, or it cannot be written.
    """
    try:
        return make()
    except OSError as error:
        raise SudokuError(
            "no temporary file can be written; expected a folder for them: set TMPDIR to one that can be written"
        ) from error


# Windows neither moves nor removes a file that is open. Elsewhere it stays open, so that it stays locked.
MUST_CLOSE_FIRST = os.name == "nt"


class PartFile(io.FileIO):
    """A file that is being written, open to be read and written; it notices when another program changes it meanwhile.

    Text is always appended, so that there is no hole in the file where another program has shortened it.

    Args:
        path: where it is.
        new: create it; it must not exist yet.

    Attributes:
        path: as given, or its new name after `rename`.
        size: how many bytes it should have: more or fewer, if another program changed it.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path, *, new: bool) -> None:
        more = os.O_APPEND | (os.O_CREAT | os.O_EXCL if new else 0)
        super().__init__(path, "r+b", opener=lambda name, flags: os.open(name, flags | more, 0o666))
        self.path, self.size = path, os.fstat(self.fileno()).st_size

    @property
    def fault(self) -> str:
        """What another program did to it; empty if nothing."""
        try:
            status = self.path.stat()
        except OSError:
            return "removed by another program while it was written"
        if not os.path.samestat(status, os.fstat(self.fileno())):
            return "replaced by another program while it was written"
        if status.st_size != self.size:
            return f"changed by another program while it was written: {status.st_size:,} bytes, not {self.size:,}"
        return ""

    def check(self) -> None:
        """Raise OSError if another program removed, replaced or changed it."""
        if fault := self.fault:
            raise OSError(errno.EIO, fault, str(self.path))

    def write(self, text: "ReadableBuffer", /) -> int:
        """Append a text; raises an OSError as `check`, or when the disk is full: then part of it may be written."""
        self.check()
        data = remaining = memoryview(text).cast("B")
        while remaining:
            written = super().write(remaining)
            self.size += written
            remaining = remaining[written:]
        return len(data)

    def cut(self, size: int) -> None:
        """Shorten it to a number of bytes; raises as `check`."""
        self.check()
        self.truncate(size)
        self.seek(size)
        self.size = size

    def rename(self, path: Path) -> None:
        """Give it another name, in place of any file that has it; raises as `check`."""
        self.check()
        self._let_go()
        self.path.replace(path)
        self.path = path

    def remove(self) -> None:
        """Remove it, unless another program has removed or replaced it."""
        with suppress(OSError):
            if os.path.samestat(self.path.stat(), os.fstat(self.fileno())):
                self._let_go()
                self.path.unlink()

    def _let_go(self) -> None:
        if MUST_CLOSE_FIRST:
            self.close()
