"""Files of a folder that are there whole or not at all, each with its size and its SHA-256. No Sudoku."""

import hashlib
import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.storage.outputs import FULL, unwritable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PIECE_BYTES = 1 << 20
# What a file is called before it is complete.
_UNFINISHED = re.compile(r"\.(.+)\.[0-9a-f]{12}\.part")


class Digest(NamedTuple):
    """What tells whether a file is the one that was written.

    Attributes:
        size: in bytes.
        sha256: of its content, as 64 hexadecimal digits.
    """

    size: int
    sha256: str


class HashedFile(io.RawIOBase):
    """A new file, open to be written from its beginning to its end, and hashed meanwhile.

    Args:
        path: where it is.

    Raises:
        OSError: it is there already, or cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._file, self._hash, self._size = path.open("xb"), hashlib.sha256(), 0

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        """Append some bytes."""
        self._hash.update(data)
        size = self._file.write(data)
        self._size += size
        return size

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self._size

    def finish(self) -> Digest:
        """Return what was written, after all of it is on the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return Digest(self._size, self._hash.hexdigest())

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


class Written:
    """What became of a file: its digest, once it is there.

    Attributes:
        digest: None before.
    """

    digest: Digest | None = None


@contextmanager
def writing_whole(path: Path) -> Iterator[tuple[HashedFile, Written]]:
    """Open a file to be written, which gets its name at the end, when all of it is on the disk; else it is removed.

    Raises:
        SudokuError: it cannot be written.
        StoppedError: the disk is full.
    """
    part = path.with_name(f".{path.name}.{os.urandom(6).hex()}.part")
    written = Written()
    try:
        with HashedFile(part) as file:
            yield file, written
            written.digest = file.finish()
        part.replace(path)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_error(path: Path, error: OSError) -> SudokuError | StoppedError:
    """Return the error to raise where a file cannot be written: StoppedError where the disk is full."""
    # Libraries that write for us raise errors of their own classes, with the number of the system in them or not.
    if error.errno in FULL:
        return StoppedError(f"{os.strerror(error.errno)} ({path})")
    return unwritable(path, error) if error.strerror else SudokuError(f"{path}: cannot be written: {error}")


def remove_unfinished(folder: Path) -> None:
    """Remove the files in a folder that were not complete when a run was killed."""
    for path in folder.iterdir():
        if _UNFINISHED.fullmatch(path.name):
            with suppress(OSError):
                path.unlink()


def others(folder: Path, ours: "re.Pattern[str]") -> list[str]:
    """Return the names in a folder that are not ours, in order; what a killed run left unfinished is ours."""
    names = (path.name for path in folder.iterdir())
    return sorted(name for name in names if not (ours.fullmatch(name) or _UNFINISHED.fullmatch(name)))


def digest_of(path: Path) -> Digest:
    """Return the digest of a file.

    Raises:
        OSError: it cannot be read.
    """
    hashed, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            hashed.update(piece)
            size += len(piece)
    return Digest(size, hashed.hexdigest())


def difference(path: Path, expected: Digest) -> str:
    """Say how a file differs from what it should be: it is missing, has another size, or was changed; else nothing."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            # A pipe may have no end.
            return "it is no plain file"
        size = status.st_size
        if size != expected.size:
            return f"it has {size:,} bytes, not {expected.size:,}"
        return "" if digest_of(path) == expected else "it was changed: its SHA-256 is another one"
    except FileNotFoundError:
        return "it is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
