"""Texts of whole numbers, such as CNFs and proofs, as arrays: no Python object for a number or a clause."""

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError

Numbers = NDArray[np.int32]

# Stands for the word `d`, by which a proof deletes clauses.
DELETE: Final = np.iinfo(np.int32).min
# How many digits a number may have, so that it fits in 32 bits.
MAX_DIGITS = 9
# How much text is read at a time: numpy's arrays for it take some thirty times as much memory.
_SEGMENT_BYTES = 1 << 22

_BAD, _DIGIT, _MINUS, _SPACE, _D = range(5)
_KINDS = np.zeros(256, np.uint8)
for _kind, _letters in ((_DIGIT, b"0123456789"), (_MINUS, b"-"), (_SPACE, b" \t\r\n"), (_D, b"d")):
    _KINDS[list(_letters)] = _kind

_COMMENT = re.compile(rb"(?m)^c(?=\s)[^\n]*")
_HEADER = re.compile(rb"[ \t]*p[ \t]+cnf[ \t]+(0|[1-9][0-9]{0,8})[ \t]+(0|[1-9][0-9]{0,8})[ \t\r]*(?:\n|\Z)")
_BLANK, _BLANKS, _WORD = re.compile(rb"[ \t\r\n]"), re.compile(rb"[ \t\r\n]*"), re.compile(rb"[^ \t\r\n]{1,40}")


def read(text: bytes, source: str, start: int = 0) -> Numbers:
    """Return the numbers of a text in their order, and DELETE for each word `d`; comment lines (`c ...`) are left out.

    Raises:
        FormatError: a word is neither a whole number of at most nine digits nor `d`; it names the source and the line.
    """
    skipped = text.count(b"\n", 0, start)
    text = _without_comments(text[start:])
    segments = [np.empty(0, np.int32)]
    for begin, end in _cut(text):
        values, wrong = _values(np.frombuffer(text, np.uint8, end - begin, begin))
        if wrong is not None:
            line = skipped + text.count(b"\n", 0, begin + wrong) + 1
            word = _WORD.match(text, begin + wrong)
            wrong_word = word[0].decode("ascii", "replace") if word else ""
            raise FormatError(f"not a whole number of at most {MAX_DIGITS} digits: {wrong_word!r}", source, line)
        segments.append(values)
    return np.concatenate(segments)


def header(text: bytes, source: str) -> tuple[int, int, int]:
    """Return how many variables and clauses the header of a CNF announces, and where its clauses start.

    Raises:
        FormatError: there is no header before the first clause.
    """
    start = _past_blanks(text, 0)
    while comment := _COMMENT.match(text, start):
        start = _past_blanks(text, comment.end())
    match = _HEADER.match(text, start)
    if match is None:
        line = text.count(b"\n", 0, start) + 1
        raise FormatError("a header `p cnf VARIABLES CLAUSES` is needed before any clause", source, line)
    return int(match[1]), int(match[2]), match.end()


def _past_blanks(text: bytes, start: int) -> int:
    """Return where the next line begins that is not blank."""
    match = _BLANKS.match(text, start)
    assert match
    return max(start, text.rfind(b"\n", start, match.end()) + 1)


def read_binary(proof: bytes, source: str) -> Numbers:
    """Return the numbers of a binary DRAT proof as `read` does those of a text.

    Each clause is `a` or `d`, its literals, and a 0 byte. A literal is a number twice as large, and 1 more where it is
    negative, in groups of seven bits, lowest first; all but its last byte have the highest bit set.

    Raises:
        FormatError: it is not a binary DRAT proof.
    """
    data = np.frombuffer(proof, np.uint8)
    ends = np.flatnonzero(data < 128)
    starts = np.concatenate([np.zeros(min(1, len(ends)), np.int64), ends[:-1] + 1])
    lengths = ends - starts + 1
    if not len(ends) or ends[-1] + 1 != len(data) or lengths.max() > 5 or data[-1] != 0:
        raise FormatError(
            "this is not a binary DRAT proof: its last clause is cut off, or a number is too long", source
        )
    coded = np.zeros(len(starts), np.int64)
    for place in range(int(lengths.max())):
        deep = np.flatnonzero(lengths > place)
        coded[deep] |= (data[starts[deep] + place].astype(np.int64) & 127) << (7 * place)
    values = np.where(coded & 1, -(coded >> 1), coded >> 1)
    first = clause_starts(coded)
    letters = coded[first]
    broken = (coded == 1).any() or (coded >= 2 * 10**MAX_DIGITS).any()
    if broken or not np.isin(letters, [ord("a"), ord("d")]).all() or (lengths[first] > 1).any():
        raise FormatError("this is not a binary DRAT proof: a clause begins with neither a nor d", source)
    values[first] = DELETE
    is_number = np.ones(len(values), bool)
    is_number[first[letters == ord("a")]] = False
    return values[is_number].astype(np.int32)


def line_of(text: bytes, start: int, zeros: int) -> int:
    """Return the line (from 1) of the clause that comes after some zeros, looking from `start` on."""
    rest = _without_comments(text[start:])
    ends = re.finditer(rb"(?<![-0-9])0(?=\s|\Z)", rest)
    position = 0
    for _ in range(zeros):
        position = next(ends).end()
    word = re.compile(rb"\S").search(rest, position)
    return text.count(b"\n", 0, start) + rest.count(b"\n", 0, word.start() if word else position) + 1


def clause_starts(values: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return where the clauses of a formula start, each of which ends in 0."""
    ends = np.flatnonzero(values == 0)
    return np.concatenate([np.zeros(min(1, len(ends)), np.int64), ends[:-1] + 1])


def _without_comments(text: bytes) -> bytes:
    """Return a text with as many lines, comments empty."""
    return _COMMENT.sub(b"", text) if text[:1] == b"c" or b"\nc" in text else text


def _cut(text: bytes) -> Iterator[tuple[int, int]]:
    """Yield where segments of a text start and end, none of them inside a word."""
    start = 0
    while start < len(text):
        blank = _BLANK.search(text, start + _SEGMENT_BYTES)
        end = blank.end() if blank else len(text)
        yield start, end
        start = end


def _values(data: NDArray[np.uint8]) -> tuple[Numbers, int | None]:
    """Return the numbers of a segment of text, or where its first fault is."""
    kinds = _KINDS[data]
    solid = np.zeros(len(data) + 2, bool)
    np.not_equal(kinds, _SPACE, out=solid[1:-1])
    starts, ends = np.flatnonzero(solid[1:-1] & ~solid[:-2]), np.flatnonzero(solid[1:-1] & ~solid[2:]) + 1
    first = kinds[starts]
    negative, deletes = first == _MINUS, first == _D
    digits = ends - starts - negative - deletes
    values = np.zeros(len(starts), np.int64)
    for place in range(min(MAX_DIGITS, int(digits.max(initial=0)))):
        deep = np.flatnonzero(digits > place) if place else slice(None)
        last = data[ends[deep] - 1 - place] if place else data[ends - 1]
        values[deep] += (last.astype(np.int64) - ord("0")) * 10**place
    wrong = (digits > MAX_DIGITS) | (deletes & (digits > 0)) | (~deletes & (digits < 1)) | (negative & (values == 0))
    # A zero in front of other digits.
    wrong |= (digits > 1) & (data[np.minimum(starts + negative, len(data) - 1)] == ord("0"))
    # A letter that belongs nowhere, or a minus or a d inside a word.
    inside = np.flatnonzero((kinds != _DIGIT) & (kinds != _SPACE))
    if len(inside) != negative.sum() + deletes.sum():
        fault = inside[np.flatnonzero(~np.isin(inside, starts[negative | deletes]))[0]]
        wrong |= (starts <= fault) & (fault < ends)
    if wrong.any():
        return np.empty(0, np.int32), int(starts[np.argmax(wrong)])
    values[negative] *= -1
    values[deletes] = DELETE
    return values.astype(np.int32), None
