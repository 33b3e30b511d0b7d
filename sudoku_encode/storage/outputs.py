"""Where output goes: never onto what is read, and not unnoticed when another program changes it. Knows no Sudoku."""

import errno
import io
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_encode.errors import Stopped, SudokuError, printable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# As many links as the system follows.
_MAX_LINKS = 40


def descriptor(path: Path) -> int | None:
    """Return the number of the open file that a name such as /dev/stdout or /proc/self/fd/3 stands for, if it is one.

    What is behind such a name may be a plain file, where standard output is redirected to one; still it is to be
    written where it is open, and neither the name nor the file may be replaced.
    """
    homes = {os.path.realpath(folder) for folder in ("/dev/fd", "/proc/self/fd")}
    for _ in range(_MAX_LINKS):
        if os.path.realpath(path.parent) in homes and path.name.isdecimal():
            return int(path.name)
        try:
            path = path.parent / path.readlink()
        except (OSError, ValueError):
            return None
    return None


def special(path: Path) -> bool:
    """Say whether a name is that of something else than a file: a pipe, a device, a folder, or what is open already."""
    try:
        return (path.exists() and not path.is_file()) or descriptor(path) is not None
    except OSError:
        # Opening it will say what is wrong.
        return False


def refuse_inputs(inputs: Iterable[str | Path], *outputs: str | Path) -> None:
    """Refuse to write to a file that is read, by whatever path, link or second name.

    Args:
        inputs: names of what is read; `-` is standard input, and what is no name of a plain file is passed over.
        outputs: names of the files that will be written.

    Raises:
        SudokuError: one of them is read.
    """
    written = [(output, found) for output in outputs if output != "-" and (found := _plain(output))]
    for one in inputs if written else ():
        read = _plain(one)
        for output, there in written:
            if read and os.path.samestat(read, there):
                what = (
                    "standard input" if one == "-" else "the input" if str(one) == str(output) else f"the input {one}"
                )
                raise SudokuError(printable(f"{output} is {what}, which would be overwritten: give -o another name"))


def _plain(name: str | Path) -> os.stat_result | None:
    """Return what the system says of a plain file; a device or a pipe keeps nothing that could be lost."""
    try:
        found = os.fstat(0) if name == "-" else Path(name).stat()
    except (OSError, ValueError):
        return None
    return found if stat.S_ISREG(found.st_mode) else None


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


# What a system says that has no room left: on the disk, for this user, in a file of this size.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def unwritable(name: str | Path, error: OSError) -> SudokuError | Stopped:
    """Return what is to be raised where a file cannot be opened to be written: a full disk is nobody's bad input."""
    if error.errno in FULL:
        return Stopped(f"{error.strerror} ({name})")
    return SudokuError(f"{name}: cannot be written: {error.strerror}")


# Windows neither moves nor removes a file that is open. Elsewhere it stays open, so that it stays locked.
MUST_CLOSE_FIRST = os.name == "nt"


class Part(io.FileIO):
    """A file of ours until it is whole, open to be read and written; it notices what others do to it meanwhile.

    All that is written goes to its end, so that a file that somebody cuts has no hole. Where it is given another name
    or removed, nothing more is to be done with it.

    Args:
        path: where it is.
        new: it is made, and must not be there yet.

    Attributes:
        path: as given.
        size: how many bytes it has, if nobody else changed it.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path, *, new: bool) -> None:
        more = os.O_APPEND | (os.O_CREAT | os.O_EXCL if new else 0)
        super().__init__(path, "r+b", opener=lambda name, flags: os.open(name, flags | more, 0o666))
        self.path, self.size = path, os.fstat(self.fileno()).st_size

    @property
    def fault(self) -> str:
        """What others did to it; empty if nothing."""
        try:
            there = self.path.stat()
        except OSError:
            return "removed by another program while it was written"
        if not os.path.samestat(there, os.fstat(self.fileno())):
            return "replaced by another program while it was written"
        if there.st_size != self.size:
            return f"changed by another program while it was written: {there.st_size:,} bytes, not {self.size:,}"
        return ""

    def check(self) -> None:
        """Raise OSError if others did something to it."""
        if fault := self.fault:
            raise OSError(errno.EIO, fault, str(self.path))

    def write(self, text: "ReadableBuffer", /) -> int:
        """Write all of it; a full disk or another program raises an OSError, and then a part of it may be there."""
        self.check()
        whole = left = memoryview(text).cast("B")
        while left:
            written = super().write(left)
            self.size += written
            left = left[written:]
        return len(whole)

    def cut(self, size: int) -> None:
        """Leave so many bytes; raises an OSError if others did something to it."""
        self.check()
        self.truncate(size)
        self.seek(size)
        self.size = size

    def rename(self, path: Path) -> None:
        """Give it another name, in place of any file that has it; raises an OSError if others did something to it."""
        self.check()
        self._let_go()
        self.path.replace(path)
        self.path = path

    def remove(self) -> None:
        """Remove it, unless others have done so."""
        with suppress(OSError):
            if os.path.samestat(self.path.stat(), os.fstat(self.fileno())):
                self._let_go()
                self.path.unlink()

    def _let_go(self) -> None:
        if MUST_CLOSE_FIRST:
            self.close()
