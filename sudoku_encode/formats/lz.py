"""Text compressed as lz-string does it, in the letters of Base64: what is in links of f-puzzles and SudokuPad."""

from types import ModuleType
from urllib.parse import unquote

from sudoku_encode.errors import FormatError, missing_package

# A text grows with the square of what it is packed in: this much makes a hundred million characters at most.
MAX_PACKED = 1 << 15


def packed(text: str) -> str:
    """Return a text compressed.

    Raises:
        FormatError: the library is not installed.
    """
    found: str = _library().compress_to_base64(text)
    return found


def unpacked(data: str) -> str:
    """Return the text that some letters hold, as they stand in a link or as they are.

    Raises:
        FormatError: they hold none, or the library is not installed.
    """
    letters = unquote(data) if "%" in data else data
    # A form makes a blank of a plus.
    letters = letters.replace(" ", "+")
    if len(letters) > MAX_PACKED:
        raise FormatError(f"a link of more than {MAX_PACKED:,} characters; give its JSON instead")
    library = _library()
    try:
        found = library.decompress_from_base64(letters)
    except (KeyError, IndexError, ValueError, OverflowError) as error:
        raise FormatError("the link is damaged: its letters hold no text") from error
    if not found:
        raise FormatError("the link is damaged or cut off: its letters hold no text")
    return str(found)


def _library() -> ModuleType:
    try:
        import lzstring
    except ImportError as error:
        raise FormatError(_missing()) from error
    # Another package has the same name, and other functions.
    if not hasattr(lzstring, "decompress_from_base64"):
        raise FormatError(f"{_missing()} (the package lzstring is another, and in its place)")
    module: ModuleType = lzstring
    return module


def _missing() -> str:
    return missing_package("py-lzstring", "a link of a puzzle")
