"""Files that may be compressed, by their suffix: .gz, .xz, .zst.

At most 64 MB of text are read, however small the file is when packed, and unpacking takes at most 256 MB of memory.
"""

import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

from sudoku_encode.errors import FormatError, Stopped, SudokuError
from sudoku_encode.storage.outputs import Part, descriptor, special, unwritable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SUFFIXES = (".gz", ".xz", ".zst")
# What `read_lines` reads, unpacked: about 20 million literals.
MAX_TEXT = 1 << 26
# What unpacking may take: `xz -9` needs a quarter of it, and a file may ask for 4 GB.
_MAX_MEMORY = 1 << 28
# So much is unpacked at a time; .zst makes 32 MB of it at most.
_PIECE = 1 << 10
# So much is kept before it is written; a larger piece is written at once.
_BUFFER = 1 << 18


def bare_suffix(path: str) -> str:
    """Return the suffix of a name without that of its compression: `.cnf` for `a.cnf.gz`."""
    inner = Path(path)
    return inner.with_suffix("").suffix if inner.suffix in SUFFIXES else inner.suffix


@contextmanager
def writing(path: str) -> Iterator[Callable[[bytes | memoryview], object]]:
    """Open a file to write bytes to, `-` for standard output; a plain file is there whole or not at all.

    A device or a pipe is written as it is, and so is what is open already, such as /dev/stdout.

    Raises:
        SudokuError: it cannot be opened, or its compression is not installed.
        Stopped: there is no room on the disk, or another program removed or changed the file.
        BrokenPipeError: nobody reads the pipe any more.
    """
    if path == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    try:
        raw = _opened(target)
    except OSError as error:
        raise unwritable(path, error) from error
    part = raw if isinstance(raw, Part) else None
    try:
        # A pipe gets each piece at once.
        with io.BufferedWriter(raw, _BUFFER if part else 1) as buffered:
            with _compressor(target.suffix, buffered) as packed:
                yield packed.write
            buffered.flush()
            if part:
                part.rename(target)
                part = None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Stopped(f"{error.strerror or error} ({path})") from error
    finally:
        if part:
            part.path.unlink(missing_ok=True)


def _opened(target: Path) -> io.FileIO:
    """Open what is written: the device or pipe, or a new file beside the one that it is to become."""
    number = descriptor(target)
    if number is not None:
        sys.stdout.flush()
        return io.FileIO(os.dup(number), "wb")
    if special(target):
        return io.FileIO(target, "wb")
    # No other file has such a name, not one that is read either.
    return Part(target.with_name(f".{target.name}.{os.urandom(6).hex()}.part"), new=True)


def read_lines(path: str, most: int = MAX_TEXT) -> Iterator[str]:
    """Yield the lines of a text file, decompressed; `-` is standard input.

    Raises:
        FormatError: it cannot be read, is not text, or is longer than `most` when unpacked.
    """
    suffix, source = ("", "stdin") if path == "-" else (Path(path).suffix, path)
    damage: tuple[type[Exception], ...] = (OSError, EOFError, lzma.LZMAError, zlib.error)
    if suffix == ".zst":
        damage = (*damage, _zstandard().ZstdError)
    try:
        with ExitStack() as stack:
            if path == "-":
                stream: IO[bytes] = sys.stdin.buffer
            else:
                raw = stack.enter_context(Path(path).open("rb"))
                stream = stack.enter_context(_decompressor(suffix, raw))
            lines = io.TextIOWrapper(cast(BinaryIO, stream), encoding="ascii", newline=None)
            # Detached in the end, since standard input is not ours to close.
            stack.callback(lines.detach)
            left = most
            while line := lines.readline(left + 1):
                left -= len(line)
                if left < 0:
                    raise FormatError(f"more than {most >> 20} MB of text", source)
                yield line
    except UnicodeDecodeError as error:
        raise FormatError("this is not a text file", source) from error
    except damage as error:
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", source) from error


def _compressor(suffix: str, raw: BinaryIO) -> Any:
    """Return what packs into a file, which stays open."""
    if suffix == ".gz":
        try:
            igzip: Any = import_module("isal.igzip")
        except ImportError:
            return gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=1, mtime=0)
        return igzip.IGzipFile(filename="", fileobj=raw, mode="wb", compresslevel=1, mtime=0)
    if suffix == ".xz":
        return lzma.LZMAFile(raw, "wb", preset=1)
    if suffix == ".zst":
        return _zstandard().ZstdCompressor(level=3).stream_writer(raw, closefd=False)
    return nullcontext(raw)


def _decompressor(suffix: str, raw: BinaryIO) -> Any:
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=raw)
    if suffix == ".xz":
        new_frame = partial(lzma.LZMADecompressor, memlimit=_MAX_MEMORY)
        return io.BufferedReader(_Unpacked(raw, new_frame, padding=b"\0"))
    if suffix == ".zst":
        unpacker = _zstandard().ZstdDecompressor(max_window_size=_MAX_MEMORY)
        return io.BufferedReader(_Unpacked(raw, unpacker.decompressobj, padding=b""))
    return raw


class _Unpacked(io.RawIOBase):
    """What frames one after the other hold; unpacked in small pieces, however much the file asks for."""

    def __init__(self, raw: BinaryIO, new_frame: Callable[[], Any], padding: bytes) -> None:
        self.pieces, self.left = _pieces(raw, new_frame, padding), memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        space = memoryview(buffer).cast("B")
        while not self.left:
            piece = next(self.pieces, None)
            if piece is None:
                return 0
            self.left = memoryview(piece)
        size = min(len(space), len(self.left))
        space[:size], self.left = self.left[:size], self.left[size:]
        return size


def _pieces(raw: BinaryIO, new_frame: Callable[[], Any], padding: bytes) -> Iterator[bytes]:
    """Yield what frames hold; padding may stand after each."""
    packed = raw.read(_PIECE)
    while packed:
        frame = new_frame()
        while not frame.eof:
            if not packed:
                raise EOFError("it is cut off")
            yield frame.decompress(packed)
            packed = frame.unused_data if frame.eof else raw.read(_PIECE)
        packed = packed.lstrip(padding)
        while not packed and (more := raw.read(_PIECE)):
            packed = more.lstrip(padding)


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise SudokuError(".zst needs the package zstandard: pip install 'sudoku-encode[compress]'") from error
    return zstandard
