"""Many grids at once, without a Python object for each: plain lines of a board with one digit a cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.symbols import PLAIN_VALUES, board_alphabet, most_of_a_value, pack, unpack
from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids

# Boards with more values are printed as numbers: lower case letters are hard to tell from upper case.
LETTERS = 35

_NEWLINE, _RETURN, _COMMENT, _QUOTE = ord("\n"), ord("\r"), ord("#"), ord('"')
_SPACES = np.isin(np.arange(256), [ord(" "), ord("\t"), ord("\r"), ord("\f"), ord("\v")])
_SEPARATORS = np.isin(np.arange(256), list(b" \t,;:\"'"))
# A line with more spaces at its end, or at its beginning, is left to the reader of single lines.
_TRIMMED_SPACES = 16


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a segment of text, or a field of each."""

    text: NDArray[np.uint8]  # the bytes of the segment
    begins: Int64s  # (n_lines,), where each line begins
    starts: Int64s  # where it begins after its spaces
    ends: Int64s  # where it ends, before its comment and its spaces
    newlines: Int64s  # where its newline is

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self.starts)

    def of(self, line: int) -> bytes:
        """Return a line without its comment."""
        return self.text[self.begins[line] : self.ends[line]].tobytes()

    def part(self, start: int, end: int) -> "Lines":
        """Return the lines from `start` to `end`."""
        cut_ = slice(start, end)
        return Lines(self.text, self.begins[cut_], self.starts[cut_], self.ends[cut_], self.newlines[cut_])

    def raw(self, line: int) -> bytes:
        """Return a line with its comment, which in a table belongs to a cell."""
        return self.text[self.begins[line] : self.newlines[line]].tobytes()

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
    newlines = np.flatnonzero(text == _NEWLINE)
    begins = np.concatenate([[0], newlines[:-1] + 1])
    starts = _after_spaces(text, begins, newlines)
    ends = _before_comments(text, starts, newlines) if b"#" in segment else newlines
    return Lines(text, begins, starts, _before_spaces(text, starts, ends), newlines)


def without_rest(lines: Lines, n: int, offset: int) -> Lines:
    """Return lines without the words before and after n symbols, if these are shorter than another puzzle.

    Args:
        lines: of a puzzle and other words each.
        n: how many symbols a puzzle has.
        offset: where it begins in each line.
    """
    text, starts, ends = lines.text, lines.starts + offset, lines.starts + offset + n
    is_apart = _SEPARATORS[text[np.minimum(ends, len(text) - 1)]] | (ends == lines.ends)
    if offset:
        is_apart &= _SEPARATORS[text[np.minimum(starts - 1, len(text) - 1)]]
    cut_off = is_apart & (ends <= lines.ends) & (lines.ends - lines.starts - n < n)
    starts, ends = np.where(cut_off, starts, lines.starts), np.where(cut_off, ends, lines.ends)
    return Lines(text, lines.begins, starts, ends, lines.newlines)


def _after_spaces(text: NDArray[np.uint8], starts: Int64s, ends: Int64s) -> Int64s:
    """Return where texts begin after their spaces."""
    for _ in range(_TRIMMED_SPACES):
        spaces = _SPACES[text[starts]] & (starts < ends)
        if not spaces.any():
            break
        starts = starts + spaces
    return starts


def _before_spaces(text: NDArray[np.uint8], starts: Int64s, ends: Int64s) -> Int64s:
    """Return where texts end before their spaces."""
    for _ in range(_TRIMMED_SPACES):
        spaces = _SPACES[text[ends - 1]] & (starts < ends)
        if not spaces.any():
            break
        ends = ends - spaces
    return ends


def _before_comments(text: NDArray[np.uint8], starts: Int64s, ends: Int64s) -> Int64s:
    """Return the ends of the lines without their comments."""
    signs = np.flatnonzero(text == _COMMENT)
    signs = signs[_SPACES[text[signs - 1]] & (signs > 0)]
    first = np.searchsorted(signs, starts + 1)
    sign = np.append(signs, len(text))[first]
    return np.where(sign < ends, sign, ends)


class Fields(NamedTuple):
    """Some fields of the rows of a table."""

    fit: Bools  # (n_lines,), which lines have the number of fields of the table
    fields: list[Lines]  # the fields, without spaces and quotes around; empty in a line that does not fit
    ends: Int64s  # (n_lines,), where the rows end


def table_fields(lines: Lines, delimiter: str, n_fields: int, numbers: Sequence[int]) -> Fields:
    """Return some fields of each line, by their numbers from 0.

    A line whose quotes are not around whole fields does not fit: it is left to the reader of single lines.
    """
    text, starts, newlines = lines.text, lines.begins, lines.newlines
    if not len(lines):
        return Fields(np.zeros(0, bool), [lines] * len(numbers), newlines)
    ends = newlines - ((text[newlines - 1] == _RETURN) & (newlines > starts))
    first, last = int(starts[0]), int(ends[-1])
    window = text[first:last]
    marks = np.flatnonzero(window == ord(delimiter)) + first
    quotes = np.flatnonzero(window == _QUOTE) + first
    fit: Bools = np.ones(len(lines), bool)
    if len(quotes):
        fit, marks = _outside_quotes(text, marks, quotes, starts, ends)
    at_line = np.searchsorted(marks, starts)
    fit &= np.searchsorted(marks, ends) - at_line == n_fields - 1
    # A mark behind the last line stands for those that other lines do not have.
    marks = np.append(marks, last)
    fields = []
    for number in numbers:
        begin = starts if number == 0 else marks[np.minimum(at_line + number - 1, len(marks) - 1)] + 1
        end = ends if number == n_fields - 1 else marks[np.minimum(at_line + number, len(marks) - 1)]
        begin, end = np.where(fit, begin, starts), np.where(fit, end, starts)
        begin = _after_spaces(text, begin, end)
        end = _before_spaces(text, begin, end)
        if len(quotes):
            quoted = (end - begin > 1) & (text[begin] == _QUOTE) & (text[end - 1] == _QUOTE)
            begin = _after_spaces(text, begin + quoted, end - quoted)
            end = _before_spaces(text, begin, end - quoted)
        fields.append(Lines(text, starts, begin, end, newlines))
    return Fields(fit, fields, ends)


def _outside_quotes(
    text: NDArray[np.uint8], marks: Int64s, quotes: Int64s, starts: Int64s, ends: Int64s
) -> tuple[Bools, Int64s]:
    """Return in which lines all quotes are around fields, or doubled between such, and the marks that are outside."""
    before_line = np.searchsorted(quotes, starts)
    fit: Bools = (np.searchsorted(quotes, ends) - before_line) % 2 == 0
    line_of_mark = np.searchsorted(starts, marks, side="right") - 1
    is_outside = (np.searchsorted(quotes, marks) - before_line[line_of_mark]) % 2 == 0
    outer = marks[is_outside]
    # Every other quote opens a field, the others close one; those of a doubled one are beside each other.
    line = np.searchsorted(starts, quotes, side="right") - 1
    opens = (np.arange(len(quotes)) - before_line[line]) % 2 == 0
    edge, beside = np.where(opens, starts[line], ends[line] - 1), np.where(opens, quotes - 1, quotes + 1)
    is_placed = (quotes == edge) | (text[beside] == _QUOTE) | np.isin(beside, outer)
    fit[line[~is_placed]] = False
    return fit, outer


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
        raise FormatError(f"one symbol per cell goes up to {LETTERS} values, not {board.n_values}; write csv")
    text = np.full((len(grids), board.n_cells + 1), _NEWLINE, np.uint8)
    if board.n_values <= PLAIN_VALUES and grids.all():
        # Ten times as fast as looking each value up.
        np.add(grids, ord("0") - 1 + board.first, out=text[:, :-1])
    else:
        symbols = pack(range(board.n_values + 1), board).encode("ascii")
        text[:, :-1] = np.frombuffer(symbols, np.uint8)[grids]
    return text.tobytes()


def texts(board: Geometry, grids: Grids) -> list[str]:
    """Return grids (m, n_cells) as texts of one symbol a cell, 0 as a dot.

    On boards with more values than symbols they are numbers between spaces.
    """
    if board.n_values <= LETTERS:
        return lines(board, grids).decode().splitlines()
    shown = [".", *map(board.shown, range(1, board.n_values + 1))]
    return [" ".join([shown[value] for value in grid.tolist()]) for grid in grids]
