"""A file of results that survives whatever ends the program, one result a line: a run that goes on has them already.

What is written goes to `NAME.part`, whole lines at a time, and becomes `NAME` when the run is through. Half a line,
which a kill or a full disk may leave, is cut off by the run that goes on.
"""

import fcntl
import os
import stat
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple
from weakref import WeakSet

from sudoku_encode.errors import Stopped, SudokuError
from sudoku_encode.files import SUFFIXES

# Of results, in bytes.
_MOST = 1 << 28
_locked: WeakSet[BinaryIO] = WeakSet()


def _unlock_child() -> None:
    """Close what is locked: a process that outlives its killed parent must not keep the next run away."""
    for file in list(_locked):
        file.close()


os.register_at_fork(after_in_child=_unlock_child)


def special(path: Path) -> bool:
    """Say whether a name is that of something else than a file, such as a pipe or a folder."""
    try:
        return path.exists() and not path.is_file()
    except OSError:
        # Whoever opens it will say what is wrong.
        return False


class Opened(NamedTuple):
    """A file that a run writes to.

    Attributes:
        part: where it is, `NAME.part`.
        file: open and locked.
        whole: whether an earlier run had given it its name already.
    """

    part: Path
    file: BinaryIO
    whole: bool


def opened(path: Path, resume: bool) -> Opened:
    """Open and lock what a run writes to until it ends: a new `NAME.part`, or the one that an earlier run left.

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
        whole = resume and not part.exists()
        left = path if whole else part
        # A link would have something else changed than what is named, and a pipe has no end.
        if resume and not stat.S_ISREG(left.lstat().st_mode):
            raise SudokuError(f"{left}: this is no plain file, and cannot be resumed")
        if whole:
            path.rename(part)
        file: BinaryIO = part.open("r+b" if resume else "xb", buffering=0)
    except OSError as error:
        raise SudokuError(f"{part}: cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The other run may have ended in between, and given the file its name.
        same = os.path.samestat(os.fstat(file.fileno()), part.stat())
    except OSError:
        same = False
    if not same:
        file.close()
        raise SudokuError(f"{part}: another run writes to it")
    _locked.add(file)
    return Opened(part, file, whole)


def write(file: BinaryIO, part: Path, text: bytes) -> None:
    """Write all of some lines.

    Raises:
        Stopped: there is no room on the disk. Half a line may be there now.
    """
    try:
        left = memoryview(text)
        while left:
            left = left[file.write(left) :]
    except OSError as error:
        raise Stopped(f"{error.strerror} ({part})") from error


def finish(file: BinaryIO, part: Path, path: Path) -> None:
    """Give a file its name, all of it on the disk."""
    with suppress(OSError):
        os.fsync(file.fileno())
    part.replace(path)


class Journal:
    """A file to put results into. Use it as a context manager, and call `finish` when all are there.

    Args:
        path: the file. While it is not finished, its name ends in `.part`.
        resume: go on with what an earlier run left there.

    Attributes:
        lines: the whole lines that the earlier run left.
        whole: whether it left the file finished, and nothing was added since.

    Raises:
        SudokuError: as `opened`, or the file is too large to be results.
    """

    def __init__(self, path: Path, resume: bool) -> None:
        self.path = path
        self.part, self.file, self.whole = opened(path, resume)
        try:
            text = self.file.read(_MOST + 1) if resume else b""
            if len(text) > _MOST:
                raise SudokuError(f"{self._name}: more than {_MOST >> 20} MB are no results of an earlier run")
        except BaseException:
            if self.whole:
                self.part.replace(path)
            self.file.close()
            raise
        kept = text.rfind(b"\n") + 1
        self.lines = text[:kept].split(b"\n")[:-1]
        self.file.seek(kept)
        self.torn, self.finished = kept < len(text), False

    def put(self, line: str) -> None:
        """Add a line.

        Raises:
            Stopped: there is no room on the disk. What was written before is kept.
        """
        self._cut()
        self.whole = False
        write(self.file, self.part, f"{line}\n".encode())

    def fault(self, number: int, what: str) -> SudokuError:
        """Return the error that something is wrong with line `number`, from 1."""
        return SudokuError(f"{self._name}:{number}: {what}")

    @property
    def advice(self) -> str:
        """How to go on, where there is something to go on with."""
        return f"; {self._name} keeps what was written; go on with --resume" if self.file.tell() else ""

    @property
    def _name(self) -> Path:
        return self.path if self.whole else self.part

    def finish(self) -> None:
        """Give the file its name: it is whole."""
        self._cut()
        finish(self.file, self.part, self.path)
        self.finished = True

    def _cut(self) -> None:
        """Cut half a line off. Only now: whoever named the wrong file finds it as it was."""
        if self.torn:
            self.file.truncate()
            self.torn = False

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leave what is there, to be resumed, unless it is finished or there is nothing."""
        if self.finished:
            pass
        elif self.whole:
            self.part.replace(self.path)
        elif not os.fstat(self.file.fileno()).st_size:
            # Bad input, say: there is nothing to resume.
            self.part.unlink(missing_ok=True)
        self.file.close()


def results(output: str, resume: bool) -> AbstractContextManager[Journal | None]:
    """Open the file of `-o` for results; there is none where that is `-`, standard output.

    Raises:
        SudokuError: as `opened`, or it is no plain file.
    """
    path = Path(output)
    if output == "-":
        if resume:
            raise SudokuError(f"--resume needs a plain file after -o, not {output}")
        return nullcontext()
    if path.suffix in SUFFIXES or special(path):
        raise SudokuError(f"-o needs a plain file here, not {output}")
    return Journal(path, resume)
