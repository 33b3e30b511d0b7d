"""Files that may be compressed: .gz, .xz, .zst.

At most 64 MB of decompressed text are read, and decompression takes at most 256 MB of memory.
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
# The memory for decompression: files of `xz -9` need a quarter of it, but a file may demand 4 GB.
_MAX_DECOMPRESSION_BYTES = 1 << 28
# A compressed file is decompressed in segments of this size; .zst may turn one into 32 MB.
_COMPRESSED_SEGMENT_BYTES = 1 << 10
# A file is read in segments of this size.
_SEGMENT_BYTES = 1 << 18
# The first bytes of compressed files.
_BEGINNINGS = {b"\x1f\x8b": ".gz", b"\xfd7zXZ\0": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
# Output is collected up to this size before it is written; a larger segment is written at once.
_BUFFER_BYTES = 1 << 18


def bare_suffix(path: str) -> str:
    """Return the suffix of a name, ignoring the suffix of a compression: `.cnf` for `a.cnf.gz`."""
    inner = Path(path)
    return inner.with_suffix("").suffix if inner.suffix in SUFFIXES else inner.suffix


@contextmanager
def writing(path: str) -> Iterator[Callable[[bytes | memoryview], object]]:
    """Open a file to write bytes to, `-` for standard output; a plain file gets its name only when it is complete.

    A device, a pipe or an open file, such as /dev/stdout, is written directly.

    Raises:
        SudokuError: it cannot be opened, or the package for its compression is not installed.
        StoppedError: the disk is full, or another program removed or changed the file.
        BrokenPipeError: the reader of the pipe has closed it.
    """
    if path == "-":
        sys.stdout.flush()
        # In a notebook standard output takes only text.
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
        # Output to a pipe is not collected first: its reader gets each segment at once.
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
    """Open the device or pipe, or else a new file beside the target, which is renamed when complete."""
    number = descriptor(target)
    if number is not None:
        sys.stdout.flush()
        return io.FileIO(os.dup(number), "wb")
    if is_device(target):
        return io.FileIO(target, "wb")
    # A random name, since it must not belong to another file, such as an input.
    return PartFile(target.with_name(f".{target.name}.{os.urandom(6).hex()}.part"), new=True)


def source_name(path: str) -> str:
    """Return the name of an input file for error messages."""
    return "stdin" if path == "-" else path


def read_lines(path: str, most: int = MAX_TEXT_CHARACTERS) -> Iterator[str]:
    """Yield the lines of a text file, decompressed; `-` is standard input.

    Raises:
        FormatError: it cannot be read, is not text, or is longer than `most` when decompressed.
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
            # Detached at the end, since closing the wrapper would close standard input too.
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
    """Return the content of a file, decompressed if it begins like a compressed file; `-` is standard input.

    Of a longer file than `most` bytes the beginning is returned, unless the whole is asked for.

    Raises:
        FormatError: it cannot be read, or is longer than `most` when decompressed.
    """
    content, source = bytearray(), source_name(path)
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as stream:
            for segment in read_segments(stream, source):
                content += segment
                if len(content) > most:
                    break
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", source) from error
    if len(content) > most and whole:
        raise FormatError(f"more than {most >> 20} MB", source)
    return bytes(content[:most])


def read_segments(stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Yield the content of an open file in segments, decompressed if it begins like a compressed file; it stays open.

    Raises:
        FormatError: it cannot be read; `source` is its name there.
    """
    head = stream.read(_SEGMENT_BYTES)
    suffix = next((suffix for begins, suffix in _BEGINNINGS.items() if head.startswith(begins)), "")
    damage = _damage(suffix)
    decompressed = _decompressor(suffix, cast(BinaryIO, _StreamWithHead(head, stream)))
    try:
        while segment := decompressed.read(_SEGMENT_BYTES):
            yield segment
    except damage as error:
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", source) from error


class _StreamWithHead:
    """A stream whose first bytes were read already."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head, self._stream = head, stream

    def read(self, size: int) -> bytes:
        """Return at most that many bytes."""
        if not self._head:
            return self._stream.read(size)
        first, self._head = self._head[:size], self._head[size:]
        return first


def _damage(suffix: str) -> tuple[type[Exception], ...]:
    """Return the error classes for damaged files."""
    damage: tuple[type[Exception], ...] = (OSError, EOFError, lzma.LZMAError, zlib.error)
    return (*damage, _zstandard().ZstdError) if suffix == ".zst" else damage


def compressor(suffix: str, raw: BinaryIO) -> Any:
    """Return a stream that compresses into an open file, as its suffix says; closing it leaves the file open."""
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
    """Return a stream of the content of a file, decompressed as its suffix says."""
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=raw)
    if suffix == ".xz":
        new_frame = partial(lzma.LZMADecompressor, memlimit=_MAX_DECOMPRESSION_BYTES)
        return io.BufferedReader(_DecompressedStream(raw, new_frame, padding=b"\0"))
    if suffix == ".zst":
        decompressor = _zstandard().ZstdDecompressor(max_window_size=_MAX_DECOMPRESSION_BYTES)
        return io.BufferedReader(_DecompressedStream(raw, decompressor.decompressobj, padding=b""))
    return raw


class _DecompressedStream(io.RawIOBase):
    """The content of consecutive compressed frames, decompressed in small segments however large a frame is."""

    def __init__(self, raw: BinaryIO, new_frame: Callable[[], Any], padding: bytes) -> None:
        # The segments to come, and the unread end of the current one.
        self.segments, self.rest = _decompressed_segments(raw, new_frame, padding), memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        space = memoryview(buffer).cast("B")
        while not self.rest:
            segment = next(self.segments, None)
            if segment is None:
                return 0
            self.rest = memoryview(segment)
        size = min(len(space), len(self.rest))
        space[:size], self.rest = self.rest[:size], self.rest[size:]
        return size


def _decompressed_segments(raw: BinaryIO, new_frame: Callable[[], Any], padding: bytes) -> Iterator[bytes]:
    """Yield the decompressed content of frames in segments; padding may follow each frame."""
    segment = raw.read(_COMPRESSED_SEGMENT_BYTES)
    while segment:
        frame = new_frame()
        while not frame.eof:
            if not segment:
                raise EOFError("it is cut off")
            yield frame.decompress(segment)
            segment = frame.unused_data if frame.eof else raw.read(_COMPRESSED_SEGMENT_BYTES)
        segment = segment.lstrip(padding)
        while not segment and (following := raw.read(_COMPRESSED_SEGMENT_BYTES)):
            segment = following.lstrip(padding)


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise SudokuError(missing_package("zstandard", ".zst")) from error
    return zstandard
