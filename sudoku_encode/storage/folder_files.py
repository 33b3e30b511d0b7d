"""Files of a folder that are either complete or absent: written with a digest, or unpacked from another process."""

import hashlib
import io
import os
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sudoku_encode.errors import FormatError, StoppedError, SudokuError
from sudoku_encode.storage.outputs import FULL, make_folder, unwritable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


_SEGMENT_BYTES = 1 << 20
# The name of a file before it is complete.
_UNFINISHED = re.compile(r"\.(.+)\.[0-9a-f]{12}\.part")


class Digest(NamedTuple):
    """The size and hash of a file."""

    size: int  # in bytes
    sha256: str  # of its content, 64 hexadecimal digits


class HashedFile(io.RawIOBase):
    """A new file that is hashed while it is written from beginning to end.

    Raises:
        OSError: it exists, or cannot be created.
    """

    def __init__(self, path: Path) -> None:
        self._file, self._hash, self._size = path.open("xb"), hashlib.sha256(), 0

    def writable(self) -> bool:
        """Return that it can be written."""
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        """Append some bytes."""
        self._hash.update(data)
        size = self._file.write(data)
        self._size += size
        return size

    def tell(self) -> int:
        """Return the number of bytes written."""
        return self._size

    def finish(self) -> Digest:
        """Return the digest, after all of the file is on the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return Digest(self._size, self._hash.hexdigest())

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


class WrittenFile:
    """The result of writing a file."""

    digest: Digest | None = None  # of the file; None until it is complete


@contextmanager
def writing_whole(path: Path) -> Iterator[tuple[HashedFile, WrittenFile]]:
    """Open a file to be written, which gets its name when all of it is on the disk; after an error it is removed.

    Raises:
        SudokuError: it cannot be written.
        StoppedError: the disk is full.
    """
    part = path.with_name(f".{path.name}.{os.urandom(6).hex()}.part")
    written = WrittenFile()
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
    """Return the error for a file that cannot be written: StoppedError if the disk is full."""
    # Libraries that write for us raise errors of their own classes, with or without the system's error number.
    if error.errno in FULL:
        return StoppedError(f"{os.strerror(error.errno)} ({path})")
    return unwritable(path, error) if error.strerror else SudokuError(f"{path}: cannot be written: {error}")


def remove_unfinished(folder: Path) -> None:
    """Remove the incomplete files that a killed run left in a folder."""
    for path in folder.iterdir():
        if _UNFINISHED.fullmatch(path.name):
            with suppress(OSError):
                path.unlink()


def other_names(folder: Path, ours: "re.Pattern[str]") -> list[str]:
    """Return the sorted names in a folder that do not match `ours` and are not incomplete files of a killed run."""
    names = (path.name for path in folder.iterdir())
    return sorted(name for name in names if not (ours.fullmatch(name) or _UNFINISHED.fullmatch(name)))


def digest_of(path: Path) -> Digest:
    """Return the digest of a file.

    Raises:
        OSError: it cannot be read.
    """
    sha256, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while segment := file.read(_SEGMENT_BYTES):
            sha256.update(segment)
            size += len(segment)
    return Digest(size, sha256.hexdigest())


def file_fault(path: Path, expected: Digest) -> str:
    """Return how a file differs from its digest: missing, of another size, or changed; empty if it does not."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            # A pipe may have no end.
            return "not a plain file"
        size = status.st_size
        if size != expected.size:
            return f"it has {size:,} bytes, expected {expected.size:,}"
        return "" if digest_of(path) == expected else "it was changed: its SHA-256 differs"
    except FileNotFoundError:
        return "it is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror}"


# Files from another process, perhaps on another machine.

# Compressed contents by file name.
PackedFiles = dict[str, bytes]


def pack_files(paths: Iterable[Path]) -> PackedFiles:
    """Return the compressed contents of files."""
    return {path.name: zlib.compress(path.read_bytes(), 1) for path in paths}


def unpack_files(contents: PackedFiles, home: Path, names: Iterable[str]) -> None:
    """Write compressed files to a folder; a file gets its name only when it is complete.

    The folder is created if it does not exist; a file of `names` without contents is removed from it.

    Raises:
        FormatError: the contents are damaged.
        SudokuError: a file cannot be written.
        StoppedError: the disk is full.
    """
    make_folder(home)
    for name in names:
        target = home / name
        part = target.with_name(f".{name}.{os.urandom(6).hex()}.part")
        try:
            if name in contents:
                part.write_bytes(zlib.decompress(contents[name]))
                part.replace(target)
            else:
                target.unlink(missing_ok=True)
        except zlib.error as error:
            raise FormatError(f"the file is damaged: {error}", name) from error
        except OSError as error:
            part.unlink(missing_ok=True)
            raise unwritable(target, error) from error
