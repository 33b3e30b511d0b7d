"""Output files: never one that is also an input, locked while written, and checked for changes by other programs."""

import errno
import io
import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sudoku_encode.errors import StoppedError, SudokuError, printable, short

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


T = TypeVar("T")

# The system follows at most this many links in a row.
_MAX_LINKS = 40
# Folders that list the open files of this process.
_OPEN_FILES = ("/dev/fd", "/proc/self/fd")


def descriptor(path: Path) -> int | None:
    """Return the number of the open file behind a name such as /dev/stdout or /proc/self/fd/3; None for other names.

    If standard output is redirected to a plain file, such a name leads to that file. The output must still go to the
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


def is_special(path: Path) -> bool:
    """Return whether a name belongs to a pipe, a device, a folder or an open file, not to a plain file."""
    return is_device(path) or descriptor(path) is not None


def is_device(path: Path) -> bool:
    """Return whether a pipe, a device or a folder of that name exists."""
    try:
        return path.exists() and not path.is_file()
    except OSError:
        # Opening it raises the error that says what is wrong.
        return False


def refuse_inputs(inputs: Iterable[str | Path], *outputs: str | Path) -> None:
    """Raise an error if an output is also an input, under the same or another path, link or name.

    Names of inputs that are not plain files are ignored, `-` too.

    Raises:
        SudokuError: an output is also an input.
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
    """Return the status of a plain file; None for devices and pipes, whose content cannot be overwritten."""
    try:
        status = os.fstat(0) if name == "-" else Path(name).stat()
    except (OSError, ValueError):
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def file_name(path: object) -> str:
    """Return the name of a file or a folder as text.

    Raises:
        SudokuError: not a name.
    """
    if not isinstance(path, (str, Path)):
        raise SudokuError(f"not a file name: {short(repr(path))}; give text or a Path")
    try:
        is_possible = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        # Half of a surrogate pair.
        is_possible = False
    if not is_possible:
        raise SudokuError(printable(f"{path}: not a possible file name"))
    return str(path)


def is_folder(name: str) -> bool:
    """Return whether a name belongs to a folder, which need not exist yet."""
    try:
        return name.endswith("/") or Path(name).is_dir()
    except OSError:
        # Such as a name that is too long: opening it raises the error that says what is wrong.
        return False


def make_folder(name: str | Path) -> Path:
    """Return a folder to write to; it is created if it does not exist.

    Raises:
        SudokuError: it cannot be created, or is a file.
    """
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SudokuError(f"{name}: cannot create the folder: {error.strerror}") from error
    return path


# The system's errors for no space left: on the disk, for this user, in a file of this size.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def unwritable(name: str | Path, error: OSError) -> SudokuError | StoppedError:
    """Return the error for a file that cannot be opened for writing; StoppedError if the disk is full."""
    if error.errno in FULL:
        return StoppedError(f"{error.strerror} ({name})")
    return SudokuError(f"{name}: cannot be written: {error.strerror}")


def make_temporary(make: Callable[[], T]) -> T:
    """Return the result of a call that writes to the system's temporary folder, such as `TemporaryDirectory`.

    Raises:
        SudokuError: the folder does not exist or cannot be written.
    """
    try:
        return make()
    except OSError as error:
        raise SudokuError("cannot write temporary files: set TMPDIR to a folder that can be written") from error


# Windows neither moves nor removes an open file. Elsewhere the file stays open, so that it stays locked.
MUST_CLOSE_FIRST = os.name == "nt"


class PartFile(io.FileIO):
    """A file open for reading and writing, of an expected size, that detects changes by other programs.

    Text is always appended, so that no hole appears if another program shortens the file. A new one must not exist yet.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path, *, new: bool) -> None:
        append = os.O_APPEND | (os.O_CREAT | os.O_EXCL if new else 0)
        super().__init__(path, "r+b", opener=lambda name, flags: os.open(name, flags | append, 0o666))
        self.path, self.size = path, os.fstat(self.fileno()).st_size

    @property
    def fault(self) -> str:
        """How another program changed it; empty if it did not."""
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
        """Raise OSError if another program removed, replaced or changed the file."""
        if fault := self.fault:
            raise OSError(errno.EIO, fault, str(self.path))

    def write(self, text: "ReadableBuffer", /) -> int:
        """Append a text; raise OSError as `check`, or if the disk is full: then part of the text may be written."""
        self.check()
        data = remaining = memoryview(text).cast("B")
        try:
            while remaining:
                written = super().write(remaining)
                self.size += written
                remaining = remaining[written:]
        except OSError:
            raise
        except BaseException:
            # Ctrl-C may come between the two: what is written is in the file.
            self.size = os.fstat(self.fileno()).st_size
            raise
        return len(data)

    def cut(self, size: int) -> None:
        """Shorten the file to a number of bytes; raise OSError as `check`."""
        self.check()
        self.truncate(size)
        self.seek(size)
        self.size = size

    def rename(self, path: Path) -> None:
        """Rename the file, replacing any file of that name; raise OSError as `check`."""
        self.check()
        self._close_if_needed()
        self.path.replace(path)
        self.path = path

    def remove(self) -> None:
        """Remove the file, unless another program has removed or replaced it."""
        with suppress(OSError):
            if os.path.samestat(self.path.stat(), os.fstat(self.fileno())):
                self._close_if_needed()
                self.path.unlink()

    def _close_if_needed(self) -> None:
        if MUST_CLOSE_FIRST:
            self.close()


# Locks on open files, by `flock`, which Windows lacks: nothing is locked there, and two runs must not share a file.

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]


def lock(number: int) -> None:
    """Lock an open file for this process and processes forked from it.

    Raises:
        BlockingIOError: another process has locked it.
        OSError: it cannot be locked.
    """
    if fcntl is not None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def unlock(number: int) -> None:
    """Unlock an open file.

    Raises:
        OSError: the file was never locked.
    """
    if fcntl is not None:
        fcntl.flock(number, fcntl.LOCK_UN)


# The name of a file that `part_journal` reads and writes. It is here since options use it, and --help loads those.


class PartsFile(NamedTuple):
    """The file that records the finished parts of a search while a puzzle is counted."""

    path: Path  # its name
    resume: bool  # whether to resume from an existing file

    @property
    def is_there(self) -> bool:
        """Whether the file exists."""
        try:
            return self.path.exists()
        except OSError:
            # Such as a name that is too long: opening it raises the error that says what is wrong.
            return False

    def refuse_existing(self) -> None:
        """Raise an error if the file exists and is not resumed.

        Raises:
            SudokuError: it exists.
        """
        if not self.resume and self.is_there:
            raise SudokuError(f"{self.path} is from a run that did not finish: continue with --resume, or remove it")

    def remove(self) -> None:
        """Remove the file if it exists: all puzzles have their records."""
        if self.is_there:
            self.path.unlink(missing_ok=True)
