"""Many grids at once, without a Python object for each: plain lines of a board with one digit a cell."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.symbols import PLAIN_VALUES, board_alphabet, most_of_a_value, pack, unpack
from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids

# Boards with more values are printed as numbers: lower case letters are hard to tell from upper case.
LETTERS = 35

_NEWLINE, _COMMENT, _COMMA = ord("\n"), ord("#"), ord(",")
_SPACES = np.isin(np.arange(256), [ord(" "), ord("\t"), ord("\r"), ord("\f"), ord("\v")])
# A line with more spaces at its end, or at its beginning, is left to the reader of single lines.
_TRIMMED_SPACES = 16


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a segment of text, or a field of each."""

    text: NDArray[np.uint8]  # the bytes of the segment
    begins: Int64s  # (n_lines,), where each line begins
    starts: Int64s  # where it begins after its spaces
    ends: Int64s  # where it ends, before its comment and its spaces

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self.starts)

    def of(self, line: int) -> bytes:
        """Return a line without its comment."""
        return self.text[self.begins[line] : self.ends[line]].tobytes()

    def part(self, start: int, end: int) -> "Lines":
        """Return the lines from `start` to `end`."""
        return Lines(self.text, self.begins[start:end], self.starts[start:end], self.ends[start:end])

    @property
    def are_comments(self) -> Bools:
        """Which lines are all comment, bool (n_lines,)."""
        comments: Bools = np.logical_and(self.text[self.starts] == _COMMENT, self.starts < self.ends)
        return comments

    @property
    def are_left_out(self) -> Bools:
        """Which lines are empty or all comment, bool (n_lines,)."""
        skipped: Bools = np.logical_or(self.are_comments, self.starts == self.ends)
        return skipped


def cut(segment: bytes) -> Lines:
    """Return the lines of a segment of text that ends with a newline; a comment begins with # after a space.

    A line that is all comment is left whole.
    """
    text = np.frombuffer(segment, np.uint8)
    ends = np.flatnonzero(text == _NEWLINE)
    begins = np.concatenate([[0], ends[:-1] + 1])
    starts = begins
    for _ in range(_TRIMMED_SPACES):
        spaces = _SPACES[text[starts]] & (starts < ends)
        if not spaces.any():
            break
        starts = starts + spaces
    if b"#" in segment:
        ends = _before_comments(text, starts, ends)
    for _ in range(_TRIMMED_SPACES):
        spaces = _SPACES[text[ends - 1]] & (starts < ends)
        if not spaces.any():
            break
        ends = ends - spaces
    return Lines(text, begins, starts, ends)


def _before_comments(text: NDArray[np.uint8], starts: Int64s, ends: Int64s) -> Int64s:
    """Return the ends of the lines without their comments."""
    signs = np.flatnonzero(text == _COMMENT)
    signs = signs[_SPACES[text[signs - 1]] & (signs > 0)]
    first = np.searchsorted(signs, starts + 1)
    sign = np.append(signs, len(text))[first]
    return np.where(sign < ends, sign, ends)


def field(lines: Lines, number: int, n_fields: int) -> Lines:
    """Return a field of each line between commas, from 0; a line with another number of fields is left whole."""
    text, starts, ends = lines.text, lines.starts, lines.ends
    commas = np.append(np.flatnonzero(text == _COMMA), len(text))
    first = np.searchsorted(commas, starts)
    fits = np.searchsorted(commas, ends) - first == n_fields - 1
    before, after = np.minimum(first + number - 1, len(commas) - 1), np.minimum(first + number, len(commas) - 1)
    field_starts = starts if number == 0 else np.where(fits, commas[before] + 1, starts)
    field_ends = ends if number == n_fields - 1 else np.where(fits, commas[after], ends)
    return Lines(text, lines.begins, field_starts, field_ends)


def read(lines: Lines, board: Geometry, alphabet: str | None = None) -> tuple[Bools, Grids]:
    """Return which lines are a puzzle with one symbol a cell, bool (n_lines,), and their givens, uint8 (m, n_cells).

    A line in which 0 may be a blank or a value is not one: the reader of single lines says what is wrong with it. On a
    board with more than 9 values no line is one.
    """
    if alphabet is None and not board.first:
        alphabet = board_alphabet(board)[: board.n_values]
    text, starts, ends = lines.text, lines.starts, lines.ends
    n = board.n_cells
    right = (ends - starts == n) & (board.n_values <= PLAIN_VALUES)
    begins = starts[right]
    stride = int(begins[1] - begins[0]) if len(begins) > 1 else n
    if len(begins) and (np.diff(begins) == stride).all():
        # Lines at equal distances are read in place.
        symbols = np.lib.stride_tricks.as_strided(text[begins[0] :], (len(begins), n), (stride, 1))
    else:
        symbols = text[begins[:, None] + np.arange(n)]
    codes = np.frombuffer(unpack(bytes(range(256)).decode("latin-1"), board.n_values, alphabet), np.uint8)
    givens: Grids = codes[symbols]
    good = givens.max(axis=1, initial=0) <= board.n_values
    # A line of dashes may be a border.
    good &= ~(symbols == ord("-")).all(axis=1)
    if alphabet is None:
        good &= ~_are_in_doubt(symbols, givens, board)
    right[right] = good
    return right, givens if good.all() else givens[good]


def _are_in_doubt(symbols: NDArray[np.uint8], givens: Grids, board: Geometry) -> Bools:
    """Return in which puzzles 0 may be a blank or a value, bool (m,); see `symbols.zero_doubt`."""
    are_zeros = symbols == ord("0")
    doubtful: Bools = np.zeros(len(symbols), bool)
    # Most files have no 0; counting all of them is faster than those of each row.
    if np.count_nonzero(are_zeros):
        zeros = np.count_nonzero(are_zeros, axis=1)
        doubtful = (zeros > 0) & (zeros <= most_of_a_value(board))
        rows = np.flatnonzero(doubtful)
        doubtful[rows] = (givens[rows] != board.n_values).all(axis=1)
    return doubtful


def lines(board: Geometry, grids: Grids) -> bytes:
    """Return grids (m, n_cells) as text, one a line, 0 as a dot.

    Raises:
        FormatError: the board has more values than there are symbols.
    """
    if board.n_values > LETTERS:
        raise FormatError(f"one symbol a cell goes up to {LETTERS} values, not {board.n_values}; write csv")
    text = np.full((len(grids), board.n_cells + 1), _NEWLINE, np.uint8)
    if board.n_values <= PLAIN_VALUES and grids.all():
        # Ten times as fast as looking each value up.
        np.add(grids, ord("0") - 1 + board.first, out=text[:, :-1])
    else:
        symbols = pack(range(board.n_values + 1), board).encode("ascii")
        text[:, :-1] = np.frombuffer(symbols, np.uint8)[grids]
    return text.tobytes()
