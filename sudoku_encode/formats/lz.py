"""Text compressed by lz-string, in the letters of Base64, for links of f-puzzles and SudokuPad."""

from types import ModuleType
from urllib.parse import unquote

from sudoku_encode.errors import FormatError, missing_package

# A text grows with the square of what it is packed in: this many letters make at most a hundred million characters.
MAX_PACKED = 1 << 15


def packed(text: str) -> str:
    """Return a text compressed.

    Raises:
        FormatError: the library is not installed.
    """
    letters: str = _library().compress_to_base64(text)
    return letters


def unpacked(data: str) -> str:
    """Return the text of compressed letters, which may be escaped as in a link.

    Raises:
        FormatError: the letters are damaged, or the library is not installed.
    """
    letters = unquote(data) if "%" in data else data
    # HTML forms turn + into a space.
    letters = letters.replace(" ", "+")
    if len(letters) > MAX_PACKED:
        raise FormatError(f"a link of more than {MAX_PACKED:,} characters; give its JSON instead")
    library = _library()
    try:
        text = library.decompress_from_base64(letters)
    except (KeyError, IndexError, ValueError, OverflowError) as error:
        raise FormatError("the link is damaged: its letters hold no text") from error
    if not text:
        raise FormatError("the link is damaged or cut off: its letters hold no text")
    return str(text)


def _library() -> ModuleType:
    try:
        import lzstring
    except ImportError as error:
        raise FormatError(_missing()) from error
    # Another package has the same name, and other functions.
    if not hasattr(lzstring, "decompress_from_base64"):
        raise FormatError(f"{_missing()} (the installed package lzstring is a different one)")
    module: ModuleType = lzstring
    return module


def _missing() -> str:
    return missing_package("py-lzstring", "a link of a puzzle")
