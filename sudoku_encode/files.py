"""Files that may be compressed, by their suffix: .gz, .xz, .zst."""

import gzip
import io
import lzma
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from sudoku_encode.errors import FormatError, SudokuError

SUFFIXES = (".gz", ".xz", ".zst")


def bare_suffix(path: str) -> str:
    """Return the suffix of a name without that of its compression: `.cnf` for `a.cnf.gz`."""
    inner = Path(path)
    return inner.with_suffix("").suffix if inner.suffix in SUFFIXES else inner.suffix


@contextmanager
def writing(path: str) -> Iterator[Callable[[bytes | memoryview], object]]:
    """Open a file to write bytes to, `-` for standard output; a file is there whole or not at all.

    Raises:
        SudokuError: it cannot be written, or its compression is not installed.
    """
    if path == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    # A device or a pipe cannot be replaced by a finished file.
    special = target.exists() and not target.is_file()
    part = target if special else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with ExitStack() as stack:
            raw = stack.enter_context(part.open("wb", buffering=0))
            # A raw file may take less than it is given; the buffered ones take all of it.
            yield stack.enter_context(_compressor(target.suffix, raw)).write
        if not special:
            part.replace(target)
    except OSError as error:
        raise SudokuError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        if not special:
            part.unlink(missing_ok=True)


def read_lines(path: str) -> Iterator[str]:
    """Yield the lines of a text file, decompressed; `-` is standard input.

    Raises:
        FormatError: it cannot be read or is not text.
    """
    try:
        with ExitStack() as stack:
            if path == "-":
                stream: IO[bytes] = sys.stdin.buffer
            else:
                raw = stack.enter_context(Path(path).open("rb"))
                stream = stack.enter_context(_decompressor(Path(path).suffix, raw))
            lines = io.TextIOWrapper(cast(BinaryIO, stream), encoding="ascii", newline=None)
            # Detached in the end, since standard input is not ours to close.
            stack.callback(lines.detach)
            for line in lines:  # noqa: UP028  (`yield from` would close what it reads)
                yield line
    except UnicodeDecodeError as error:
        raise FormatError("this is not a text file", path) from error
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from error


def _compressor(suffix: str, raw: BinaryIO) -> Any:
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
    return io.BufferedWriter(cast(io.RawIOBase, raw), 1 << 18)


def _decompressor(suffix: str, raw: BinaryIO) -> Any:
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=raw)
    if suffix == ".xz":
        return lzma.LZMAFile(raw)
    if suffix == ".zst":
        return _zstandard().ZstdDecompressor().stream_reader(raw)
    return raw


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise SudokuError(".zst needs the package zstandard: pip install 'sudoku-encode[compress]'") from error
    return zstandard
