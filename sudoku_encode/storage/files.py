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

from sudoku_encode.errors import FormatError, StoppedError, SudokuError, missing_package
from sudoku_encode.storage.outputs import PartFile, descriptor, file_name, is_device, unwritable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SUFFIXES = (".gz", ".xz", ".zst")
# The longest text that `read_lines` reads: about 20 million literals.
MAX_TEXT_CHARACTERS = 1 << 26
# The memory that unpacking may take: what `xz -9` writes needs a quarter of it, but a file may demand 4 GB.
_MAX_UNPACKING_BYTES = 1 << 28
# How much of a packed file is unpacked at a time; .zst may turn it into 32 MB.
_PACKED_CHUNK_BYTES = 1 << 10
# How much of a file is read at a time.
_PIECE_BYTES = 1 << 18
# What compressed files begin with.
_BEGINNINGS = {b"\x1f\x8b": ".gz", b"\xfd7zXZ\0": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
# How much output is collected before it is written; a larger piece is written at once.
_BUFFER_BYTES = 1 << 18


def bare_suffix(path: str) -> str:
    """Return the suffix of a name without that of its compression: `.cnf` for `a.cnf.gz`."""
    inner = Path(path)
    return inner.with_suffix("").suffix if inner.suffix in SUFFIXES else inner.suffix


@contextmanager
def writing(path: str) -> Iterator[Callable[[bytes | memoryview], object]]:
    """Open a file to write bytes to, `-` for standard output; a plain file gets its name only when it is complete.

    A device, a pipe or what is open already, such as /dev/stdout, is written directly.

    Raises:
        SudokuError: it cannot be opened, or its compression is not installed.
        StoppedError: there is no room on the disk, or another program removed or changed the file.
        BrokenPipeError: the reader of the pipe is gone.
    """
    if path == "-":
        sys.stdout.flush()
        # In a notebook it takes text only.
        binary = getattr(sys.stdout, "buffer", None)
        yield binary.write if binary else lambda data: sys.stdout.write(bytes(data).decode())
        (binary or sys.stdout).flush()
        return
    target = Path(file_name(path))
    try:
        raw = _opened(target)
    except OSError as error:
        raise unwritable(path, error) from error
    part = raw if isinstance(raw, PartFile) else None
    try:
        # What is written to a pipe is not collected first: its reader gets each piece at once.
        with io.BufferedWriter(raw, _BUFFER_BYTES if part else 1) as buffered:
            with compressor(target.suffix, buffered) as packed:
                yield packed.write
            buffered.flush()
            if part:
                part.rename(target)
                part = None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StoppedError(f"{error.strerror or error} ({path})") from error
    finally:
        if part:
            part.path.unlink(missing_ok=True)


def _opened(target: Path) -> io.FileIO:
    """Open what is written: the device or pipe, else a new file beside the target, to be renamed when complete."""
    number = descriptor(target)
    if number is not None:
        sys.stdout.flush()
        return io.FileIO(os.dup(number), "wb")
    if is_device(target):
        return io.FileIO(target, "wb")
    # A random name: it must not be that of another file, such as one that is read meanwhile.
    return PartFile(target.with_name(f".{target.name}.{os.urandom(6).hex()}.part"), new=True)


def source_name(path: str) -> str:
    """Return what errors call a file that is read."""
    return "stdin" if path == "-" else path


def read_lines(path: str, most: int = MAX_TEXT_CHARACTERS) -> Iterator[str]:
    """Yield the lines of a text file, decompressed; `-` is standard input.

    Raises:
        FormatError: it cannot be read, is not text, or is longer than `most` when unpacked.
    """
    suffix, source = "" if path == "-" else Path(path).suffix, source_name(path)
    damage = _damage(suffix)
    file_name(path)
    try:
        with ExitStack() as stack:
            if path == "-":
                stream: IO[bytes] = sys.stdin.buffer
            else:
                raw = stack.enter_context(Path(path).open("rb"))
                stream = stack.enter_context(_decompressor(suffix, raw))
            lines = io.TextIOWrapper(cast(BinaryIO, stream), encoding="ascii", newline=None)
            # Detached in the end: to close the wrapper would close standard input too.
            stack.callback(lines.detach)
            remaining = most
            while line := lines.readline(remaining + 1):
                remaining -= len(line)
                if remaining < 0:
                    raise FormatError(f"more than {most >> 20} MB of text", source)
                yield line
    except UnicodeDecodeError as error:
        raise FormatError("this is not a text file", source) from error
    except damage as error:
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", source) from error


def read_bytes(path: str, most: int = MAX_TEXT_CHARACTERS, *, whole: bool = True) -> bytes:
    """Return the content of a file, decompressed where it begins as a compressed file does; `-` is standard input.

    Args:
        path: of the file.
        most: how many bytes are read.
        whole: whether a file that has more is refused, or is read up to there.

    Raises:
        FormatError: it cannot be read, or is longer than `most` when unpacked.
    """
    content, source = bytearray(), source_name(path)
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as stream:
            for piece in read_pieces(stream, source):
                content += piece
                if len(content) > most:
                    break
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", source) from error
    if len(content) > most and whole:
        raise FormatError(f"more than {most >> 20} MB", source)
    return bytes(content[:most])


def read_pieces(stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Yield the content of an open file in pieces, decompressed where it begins as a compressed file does.

    Args:
        stream: the file; it stays open.
        source: what errors call it.

    Raises:
        FormatError: it cannot be read.
    """
    head = stream.read(_PIECE_BYTES)
    suffix = next((suffix for begins, suffix in _BEGINNINGS.items() if head.startswith(begins)), "")
    damage = _damage(suffix)
    unpacked = _decompressor(suffix, cast(BinaryIO, _Prepended(head, stream)))
    try:
        while piece := unpacked.read(_PIECE_BYTES):
            yield piece
    except damage as error:
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", source) from error


class _Prepended:
    """A stream with what was read of it already at its beginning."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head, self._stream = head, stream

    def read(self, size: int) -> bytes:
        """Return at most that many bytes."""
        if not self._head:
            return self._stream.read(size)
        first, self._head = self._head[:size], self._head[size:]
        return first


def _damage(suffix: str) -> tuple[type[Exception], ...]:
    """Return the errors that a damaged file raises."""
    damage: tuple[type[Exception], ...] = (OSError, EOFError, lzma.LZMAError, zlib.error)
    return (*damage, _zstandard().ZstdError) if suffix == ".zst" else damage


def compressor(suffix: str, raw: BinaryIO) -> Any:
    """Return a stream that compresses into a file, by its suffix; closing it leaves the file open."""
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
    """Return a stream of what a file holds, decompressed by its suffix."""
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=raw)
    if suffix == ".xz":
        new_frame = partial(lzma.LZMADecompressor, memlimit=_MAX_UNPACKING_BYTES)
        return io.BufferedReader(_UnpackedStream(raw, new_frame, padding=b"\0"))
    if suffix == ".zst":
        unpacker = _zstandard().ZstdDecompressor(max_window_size=_MAX_UNPACKING_BYTES)
        return io.BufferedReader(_UnpackedStream(raw, unpacker.decompressobj, padding=b""))
    return raw


class _UnpackedStream(io.RawIOBase):
    """The content of compressed frames, one after the other; decompressed in small chunks, however much a frame holds.

    Attributes:
        chunks: the decompressed chunks to come.
        left: what is not read yet of the current chunk.
    """

    def __init__(self, raw: BinaryIO, new_frame: Callable[[], Any], padding: bytes) -> None:
        self.chunks, self.left = _unpacked_chunks(raw, new_frame, padding), memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        space = memoryview(buffer).cast("B")
        while not self.left:
            chunk = next(self.chunks, None)
            if chunk is None:
                return 0
            self.left = memoryview(chunk)
        size = min(len(space), len(self.left))
        space[:size], self.left = self.left[:size], self.left[size:]
        return size


def _unpacked_chunks(raw: BinaryIO, new_frame: Callable[[], Any], padding: bytes) -> Iterator[bytes]:
    """Yield the decompressed content of frames, chunk by chunk; padding may stand after each frame."""
    packed = raw.read(_PACKED_CHUNK_BYTES)
    while packed:
        frame = new_frame()
        while not frame.eof:
            if not packed:
                raise EOFError("it is cut off")
            yield frame.decompress(packed)
            packed = frame.unused_data if frame.eof else raw.read(_PACKED_CHUNK_BYTES)
        packed = packed.lstrip(padding)
        while not packed and (more := raw.read(_PACKED_CHUNK_BYTES)):
            packed = more.lstrip(padding)


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise SudokuError(missing_package("zstandard", ".zst")) from error
    return zstandard
