"""Bytes of a text: refused where they are not text, decoded, with newlines alone at the ends of lines."""

from collections.abc import Iterator

from sudoku_encode.errors import FormatError, NoFormatError

# JSON and XML are read as a whole, and then take up to 50 times their size in memory.
MAX_DOCUMENT_BYTES = 1 << 25


# Bytes that are rare in a text.
_CONTROLS = bytes({*range(32)} - {9, 10, 12, 13})


def check_binary(head: bytes, source: str) -> None:
    """Raise FormatError if the beginning of a file has bytes that no text has."""
    head = head.rstrip()
    # The end of a file on DOS, or of a text in C.
    if head.endswith((b"\x1a", b"\0")):
        head = head[:-1]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    nul = head.find(b"\0")
    if nul >= 0 or controls * 50 > len(head):
        what = f"a NUL at byte {nul + 1}" if nul >= 0 else f"{controls} control characters"
        raise FormatError(f"binary data ({what}); a puzzle file is UTF-8 text", source)


def document(pieces: Iterator[bytes], source: str, what: str, encoding: str = "utf-8") -> str:
    """Return a text that is read as a whole; errors call it `what`."""
    whole = b""
    for piece in pieces:
        whole += piece
        if len(whole) > MAX_DOCUMENT_BYTES:
            size = f"{MAX_DOCUMENT_BYTES >> 20} MB"
            raise FormatError(f"more than {size} of {what}; write one puzzle per line instead", source)
    return decoded(whole, source, 1, encoding)


def with_newlines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces with a newline alone at the end of each line."""
    carried = b""
    for piece in pieces:
        whole = carried + piece
        # The next segment may begin with the newline of the same line.
        carried = b"\r" if whole.endswith(b"\r") else b""
        whole = whole[: len(whole) - len(carried)]
        yield whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in whole else whole
    if carried:
        yield b"\n"


def decoded(raw: bytes, source: str, line: int, encoding: str = "utf-8") -> str:
    """Return bytes as text; `source` and the line at which they begin are for errors.

    Raises:
        FormatError: they are not in the encoding.
    """
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        message = f"byte 0x{raw[error.start]:02x} is not {encoding.upper()}; save the file as UTF-8 text"
        raise NoFormatError(message, source, line + raw.count(b"\n", 0, error.start), column) from error
