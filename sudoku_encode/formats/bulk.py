"""Many grids at once, without a Python object for each: plain lines of a board with one digit a cell."""

from pathlib import Path

import numpy as np

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.lines import DIRECTIVE
from sudoku_encode.formats.symbols import pack, unpack
from sudoku_encode.formats.table import DEFAULT_ALPHABET
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids

_NEWLINE = ord("\n")
# On boards with more values a symbol may mean two things, and `reading` asks for an alphabet.
_PLAIN_VALUES = 9
# Takes about five times as much memory; what is larger is not read here.
MAX_BYTES = 1 << 30
# Boards with more values are printed as numbers: lower case letters are hard to tell from upper case.
LETTERS = 35


def read(path: str, board: Geometry) -> Grids | None:
    """Return the givens of a file that holds nothing but comments and then one puzzle a line.

    Args:
        path: of the file.
        board: of at most 9 values.

    Returns:
        uint8 (m, n_cells), 0 for a blank; None if the file is anything else, or no file: then read it as usual.
    """
    try:
        if board.n_values > _PLAIN_VALUES or not Path(path).is_file():
            return None
        with Path(path).open("rb") as file:
            text = file.read(MAX_BYTES + 1)
    except OSError:  # also when the text is too long for a name
        return None
    if len(text) > MAX_BYTES:
        return None
    text = text.replace(b"\r\n", b"\n")
    start = 0
    while text.startswith(b"#", start):
        end = text.find(b"\n", start)
        if end < 0 or DIRECTIVE.match(text[start:end].decode("latin-1")):
            return None
        start = end + 1
    if not _is_plain(text[:start]):
        return None
    width = board.n_cells + 1
    body = text[start:].rstrip(b"\n") + b"\n"
    if len(body) < 2 * width or len(body) % width:
        return None
    lines = np.frombuffer(body, np.uint8).reshape(-1, width)
    if not (lines[:, -1] == _NEWLINE).all():
        return None
    codes = np.frombuffer(unpack(bytes(range(256)).decode("latin-1"), board.n_values, DEFAULT_ALPHABET), np.uint8)
    givens: Grids = codes[lines[:, :-1]]
    return givens if givens.max() <= board.n_values else None


def _is_plain(comments: bytes) -> bool:
    """Say whether comments are text without anything that may end a line or make a file binary."""
    try:
        return all(line.isprintable() for line in comments.decode("utf-8").replace("\t", " ").split("\n"))
    except UnicodeDecodeError:
        return False


def lines(board: Geometry, grids: Grids) -> bytes:
    """Return grids (m, n_cells) as text, one a line, 0 as a dot.

    Raises:
        FormatError: the board has more values than there are symbols.
    """
    if board.n_values > LETTERS:
        raise FormatError(f"one symbol a cell goes up to {LETTERS} values, not {board.n_values}; write csv")
    text = np.full((len(grids), board.n_cells + 1), _NEWLINE, np.uint8)
    if board.n_values <= _PLAIN_VALUES and grids.all():
        # Ten times as fast as looking each value up.
        np.add(grids, ord("0"), out=text[:, :-1])
    else:
        symbols = pack(range(board.n_values + 1), board.n_values).encode("ascii")
        text[:, :-1] = np.frombuffer(symbols, np.uint8)[grids]
    return text.tobytes()
