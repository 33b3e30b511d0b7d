"""A file of results that survives whatever ends the program, one result a line: a run that goes on has them already.

What is written goes to `NAME.part`, whole lines at a time, and becomes `NAME` when the run is through. Half a line,
which a kill or a full disk may leave, is cut off by the run that goes on.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple
from weakref import WeakSet

from sudoku_encode.errors import Stopped, SudokuError
from sudoku_encode.storage.files import SUFFIXES, writing
from sudoku_encode.storage.locks import lock
from sudoku_encode.storage.outputs import Part, special, unwritable

# Of results, in bytes.
_MOST = 1 << 28
_locked: WeakSet[Part] = WeakSet()


def _unlock_child() -> None:
    """Close what is locked: a process that outlives its killed parent must not keep the next run away."""
    for file in list(_locked):
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock_child)


class Opened(NamedTuple):
    """A file that a run writes to.

    Attributes:
        file: `NAME.part`, open and locked.
        whole: whether an earlier run had given it its name already.
    """

    file: Part
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
        file = Part(part, new=not resume)
    except OSError as error:
        raise unwritable(part, error) from error
    try:
        lock(file.fileno())
        # The other run may have ended in between, and given the file its name.
        ours = not file.fault
    except OSError:
        ours = False
    if not ours:
        file.close()
        raise SudokuError(f"{part}: another run writes to it")
    _locked.add(file)
    return Opened(file, whole)


@contextmanager
def _stopping(file: Part) -> Iterator[None]:
    """Turn what goes wrong while a file is written into a reason to stop."""
    try:
        yield
    except OSError as error:
        raise Stopped(f"{error.strerror} ({file.path})") from error


def write(file: Part, text: bytes) -> None:
    """Write all of some lines.

    Raises:
        Stopped: there is no room on the disk, and half a line may be there now; or another program has removed or
            changed the file.
    """
    with _stopping(file):
        file.write(text)


def cut(file: Part, size: int) -> None:
    """Leave so many bytes of a file.

    Raises:
        Stopped: another program has removed or changed it.
    """
    with _stopping(file):
        file.cut(size)


def finish(file: Part, path: Path) -> None:
    """Give a file its name, all of it on the disk.

    Raises:
        Stopped: another program has removed or changed it.
    """
    with suppress(OSError):
        os.fsync(file.fileno())
    with _stopping(file):
        file.rename(path)


def give_back(file: Part, path: Path) -> None:
    """Give a file that was whole, and to which nothing was added, its name again, if it is still there."""
    with suppress(OSError):
        file.rename(path)


def advice(file: Part, name: Path, resumable: bool = True) -> str:
    """Say how to go on after a run that did not end.

    Args:
        file: what the run wrote to, where others may have done something to it.
        name: the name that it will have.
        resumable: whether a run can go on with it.
    """
    if file.fault:
        return f"{file.path} cannot be trusted: start again without it"
    return f"{name} keeps what was written{'; go on with --resume' if resumable else ''}"


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
        self.file, self.whole = opened(path, resume)
        try:
            text = self.file.read(_MOST + 1) if resume else b""
            if len(text) > _MOST:
                raise SudokuError(f"{self._name}: more than {_MOST >> 20} MB are no results of an earlier run")
        except BaseException:
            if self.whole:
                give_back(self.file, path)
            self.file.close()
            raise
        kept = text.rfind(b"\n") + 1
        self.lines = text[:kept].split(b"\n")[:-1]
        self.kept, self.torn, self.finished = kept, kept < len(text), False

    def put(self, line: str) -> None:
        """Add a line.

        Raises:
            Stopped: there is no room on the disk, or another program has removed or changed the file. What was written
                before is kept, as far as it is up to us.
        """
        self._cut()
        self.whole = False
        write(self.file, f"{line}\n".encode())

    def fault(self, number: int, what: str) -> SudokuError:
        """Return the error that something is wrong with line `number`, from 1."""
        return SudokuError(f"{self._name}:{number}: {what}")

    def advice(self, resumable: bool = True) -> str:
        """Say how to go on, where there is something to go on with."""
        return f"; {advice(self.file, self._name, resumable)}" if self.file.size else ""

    @property
    def _name(self) -> Path:
        return self.path if self.whole else self.file.path

    def finish(self) -> None:
        """Give the file its name: it is whole.

        Raises:
            Stopped: another program has removed or changed it.
        """
        self._cut()
        finish(self.file, self.path)
        self.finished = True

    def _cut(self) -> None:
        """Cut half a line off. Only now: whoever named the wrong file finds it as it was."""
        if self.torn:
            cut(self.file, self.kept)
            self.torn = False

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leave what is there, to be resumed, unless it is finished or there is nothing."""
        if self.finished:
            pass
        elif self.whole:
            give_back(self.file, self.path)
        elif not self.file.size:
            # Bad input, say: there is nothing to resume.
            self.file.remove()
        self.file.close()


class Pipe:
    """Takes results where none can be taken up again: a pipe or a device. Otherwise as a journal.

    Args:
        put: takes the bytes.
    """

    def __init__(self, put: Callable[[bytes], object]) -> None:
        self._put, self.lines = put, list[bytes]()

    def put(self, line: str) -> None:
        """Write a line."""
        self._put(f"{line}\n".encode())

    def fault(self, number: int, what: str) -> SudokuError:
        """As of a journal; but what is written cannot be compared with anything."""
        return SudokuError(f"line {number}: {what}")

    def advice(self, resumable: bool = True) -> str:
        """There is nothing to go on with."""
        return ""

    def finish(self) -> None:
        """Nothing is left to do."""


Results = Journal | Pipe


def results(output: str, resume: bool) -> AbstractContextManager[Results | None]:
    """Open where `-o` has results go; nothing where that is `-`, standard output.

    Raises:
        SudokuError: as `opened`; a folder, or a compressed file; or --resume without a plain file.
    """
    path = Path(output)
    plain = output != "-" and not special(path) and path.suffix not in SUFFIXES
    if resume and not plain:
        raise SudokuError(f"--resume needs a plain file after -o, not {output}")
    if plain:
        return Journal(path, resume)
    if output == "-":
        return nullcontext()
    if path.suffix in SUFFIXES or path.is_dir():
        raise SudokuError(f"-o needs a plain file here, not {output}")
    return _pipe(output)


@contextmanager
def _pipe(output: str) -> Iterator[Pipe]:
    with writing(output) as put:
        yield Pipe(put)
