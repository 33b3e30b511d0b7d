"""Tries the styles where the formats do not fit: the text is kept until a puzzle of it was read."""

from collections.abc import Iterator

from sudoku_encode.errors import FormatError, NoFormatError
from sudoku_encode.formats.entries import Entry, ParsedItem, fail_early
from sudoku_encode.formats.lines import Setting
from sudoku_encode.formats.styles import STYLES

# A longer text without any puzzle at its beginning is not tried in other styles, each of which takes time.
_MAX_BYTES = 1 << 21
# The fewest symbols of a puzzle that is an argument of the command line.
_FEWEST_SYMBOLS = 16


class Replay(Iterator[bytes]):
    """The pieces of a text, which can be read again until one of its puzzles was read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._read: list[bytes] | None = []
        self._size = 0

    def __next__(self) -> bytes:
        """Return the next piece."""
        piece = next(self._pieces)
        if self._read is not None:
            self._read.append(piece)
            self._size += len(piece)
            if self._size > _MAX_BYTES:
                self.forget()
        return piece

    def forget(self) -> None:
        """Keep no piece from now on."""
        self._read = None

    def whole(self) -> bytes:
        """Return all pieces; nothing if they are too long, or no longer kept."""
        while self._read is not None and next(self, None) is not None:
            pass
        return b"".join(self._read or [])


def in_styles(items: Iterator[ParsedItem], pieces: Replay, setting: Setting) -> Iterator[ParsedItem]:
    """Yield the items; where the text begins without a puzzle, yield its puzzles in another style, if one fits."""
    try:
        items = fail_early(items, setting.source)
    except NoFormatError:
        entries = _read_styles(pieces.whole(), setting)
        if not entries:
            raise
        items = iter(entries)
    pieces.forget()
    yield from items


def of_style(style: str, pieces: Iterator[bytes], setting: Setting) -> list[Entry]:
    """Return the puzzles of a text in a style; refuse a text in another one."""
    raw = Replay(pieces).whole()
    if not raw:
        most = f"{_MAX_BYTES >> 20} MB"
        raise FormatError(f"more than {most} of text, too long for --from {style}; leave it out", setting.source)
    entries = _read_styles(raw, setting)
    if not entries:
        raise FormatError(f"this is not {style}: {STYLES[style].summary}", setting.source)
    return entries


def has_style(argument: str, setting: Setting) -> bool:
    """Check whether an argument, which names no file, is a puzzle in a style."""
    try:
        return len(argument) >= _FEWEST_SYMBOLS and bool(_read_styles(argument.encode("utf-8", "replace"), setting))
    except FormatError:
        return False


def _read_styles(raw: bytes, setting: Setting) -> list[Entry]:
    """Return the puzzles of a text in the only style that fits; see `alternatives`."""
    # Imported here, since it takes time to load, and most texts do without it.
    from sudoku_encode.formats.styles.alternatives import read_styles

    return read_styles(raw, setting)
