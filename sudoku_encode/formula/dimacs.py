"""Write a CNF as DIMACS text, at the speed of memory; independent of Sudoku.

The decimal text of every literal is made once. A long clause is then a row of such texts, padded to equal width, with
the padding taken out of the whole chunk at once. Pairs, which are most of every encoding, are faster still: where the
numbers of all columns have the same number of digits, clauses have the same length and are stored field by field.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import InternalError, MethodError, short
from sudoku_encode.formula.cnf import Cnf, Group, Literals, MixedClauses

Write = Callable[[bytes | memoryview], object]
Bytes = NDArray[np.uint8]

# Bytes of text written at a time, which stay in the processor's cache.
_CHUNK_BYTES = 1 << 19
# A text of up to this many bytes is copied as one word.
_WHOLE = 8
# Pairs whose numbers change their length are written the slow way if they are less than this share of all pairs.
# Otherwise the table is cut at such changes, unless that cuts at more than this share of columns.
_SMALL_SHARE = 1 / 8
# The texts of groups with up to this number of literals are kept: a megabyte at most.
_KEPT_LITERALS = 1 << 17
# drat-trim reads the text after 1,024 characters of a comment line as clauses.
MAX_COMMENT_CHARACTERS = 999
# A formula up to this size is written at once.
SMALL_VARIABLES, _SMALL_CLAUSES = 999, 1 << 13


def write(cnf: Cnf, out: Write, comments: Sequence[str] = ()) -> None:
    """Write a CNF as DIMACS: comments, without the leading `c `, an exact header, one clause a line.

    `out` is called with chunks of the text; a chunk must not be kept, since its memory is reused.

    Raises:
        InternalError: a comment that some readers would take for clauses.
    """
    # For small puzzles the comments are as many bytes as the clauses, so all comments are checked in one call first.
    together = "".join(comments)
    if max(map(len, comments), default=0) > MAX_COMMENT_CHARACTERS or not _is_plain(together):
        _refuse_unsafe(comments)
    comment = "\nc ".join(["", *comments])[1:] + "\n" * bool(comments)
    header = f"{comment}p cnf {cnf.n_variables} {cnf.n_clauses}\n".encode()
    if is_small(cnf):
        out(header + _small_text(cnf))
        return
    out(header)
    write_clauses(cnf, out)


def write_clauses(cnf: Cnf, out: Write) -> None:
    """Write the clauses of a CNF, one a line, without comments and header; see `write`."""
    if is_small(cnf):
        out(_small_text(cnf))
        return
    for group in cnf.groups:
        if isinstance(group, MixedClauses):
            for chunk in _mixed_texts(group, _texts(cnf.n_variables)):
                out(chunk)
        elif group.n_clauses * group.width <= _KEPT_LITERALS:
            out(_kept_text(group, cnf.n_variables))
        else:
            _write_group(group, _texts(cnf.n_variables), out)


@lru_cache(maxsize=16)
def _kept_text(group: Group, n_variables: int) -> bytes:
    """Return the text of a group of some clauses, which is kept, since the puzzles of a board may share the group."""
    chunks: list[bytes] = []
    _write_group(group, _texts(n_variables), lambda chunk: chunks.append(bytes(chunk)))
    return b"".join(chunks)


def _write_group(group: Group, text: Bytes, out: Write) -> None:
    """Write the clauses of a group by the texts of literals."""
    for pairs, part in _even_parts(group):
        if pairs:
            _write_pairs(part, text, out)
        else:
            for chunk in _clause_texts(part, text):
                out(chunk)


def _is_plain(text: str) -> bool:
    """Return whether a text is one line of ASCII characters."""
    return text.isascii() and text.isprintable()


def _refuse_unsafe(comments: Sequence[str]) -> None:
    """Raise an error for the first comment that some readers would take for clauses."""
    for line in comments:
        # Counters need the projection on one line, of any length.
        too_long = len(line) > MAX_COMMENT_CHARACTERS and not line.startswith("p show ")
        if too_long:
            raise MethodError(
                f"{short(line)!r} has {len(line):,} characters; a comment of a CNF has at most {MAX_COMMENT_CHARACTERS}"
            )
        if not _is_plain(line):
            raise InternalError(f"not a safe comment line: {line[:60]!r}")


def is_small(cnf: Cnf) -> bool:
    """Return whether a formula is written at once, clause by clause in order."""
    return cnf.n_variables <= SMALL_VARIABLES and cnf.n_clauses <= _SMALL_CLAUSES


def _small_text(cnf: Cnf) -> bytes:
    """Return the text of all clauses of a small formula, for which choosing a faster way would take longer."""
    texts = _texts(SMALL_VARIABLES)
    if all(isinstance(group, MixedClauses) for group in cnf.groups):
        return b"".join(_words_of(group.literals, texts) for group in cnf.groups if isinstance(group, MixedClauses))
    chunks = list(cnf.chunks())
    ends = np.cumsum([0, *(chunk.size + len(chunk) for chunk in chunks)]).tolist()
    # A 0 after each clause.
    literals = np.zeros(ends[-1], np.int32)
    for chunk, start, end in zip(chunks, ends, ends[1:], strict=False):
        literals[start:end].reshape(len(chunk), -1)[:, :-1] = chunk
    return _words_of(literals, texts)


def _words_of(literals: Literals, text: Bytes) -> bytes:
    """Return the concatenated texts of literals, where 0 ends a clause."""
    words = text.view(_word(text.shape[1])).ravel()
    return words.take(literals + len(text) // 2).tobytes().translate(None, b"\0")


def _even_parts(group: Group) -> list[tuple[bool, Group]]:
    """Cut a group into parts; True marks pairs in which the numbers of each row have one length."""
    if group.width != 2:
        return [(False, group)]
    kind = _digits(group.table) * np.sign(group.table)
    changes = kind[:, 1:] != kind[:, :-1]
    uneven_rows = changes.any(axis=1)
    first, second = np.abs(group.pattern.T) - 1
    uneven = uneven_rows[first] | uneven_rows[second]
    if uneven.mean() < _SMALL_SHARE:
        parts = [(True, np.flatnonzero(~uneven)), (False, np.flatnonzero(uneven))]
        return [
            (even, Group(group.name, group.pattern.take(rows, axis=0), group.table))
            for even, rows in parts
            if len(rows)
        ]
    cuts = np.flatnonzero(changes.any(axis=0)) + 1
    if len(cuts) > _SMALL_SHARE * group.table.shape[1]:
        return [(False, group)]
    return [(True, Group(group.name, group.pattern, part)) for part in np.split(group.table, cuts, axis=1)]


# They are kept, since the puzzles of a board have the same number of variables.
@lru_cache(maxsize=2)
def _texts(n: int) -> Bytes:
    """Return the texts of the literals -n..n, each with a blank after it, padded by NULs; 0 ends a clause."""
    size = len(f"-{n} ")
    # Powers of two are gathered fastest.
    text = np.zeros((2 * n + 1, 8 if size <= 8 else 16), np.uint8)
    text[n, :2] = np.frombuffer(b"0\n", np.uint8)
    low = 1
    while low <= n:
        high, digits = min(10 * low - 1, n), len(str(low))
        numbers = np.arange(low, high + 1)
        for place in range(digits):
            digit = (numbers // 10 ** (digits - 1 - place) % 10 + ord("0")).astype(np.uint8)
            text[n + low : n + high + 1, place] = digit
            text[n - high : n - low + 1, place + 1] = digit[::-1]
        text[n + low : n + high + 1, digits] = ord(" ")
        text[n - high : n - low + 1, digits + 1] = ord(" ")
        low *= 10
    text[:n, 0] = ord("-")
    return text


def _clause_texts(group: Group, text: Bytes) -> Iterator[bytes]:
    n, size = len(text) // 2, text.shape[1]
    words = text.view(_word(size)).ravel()
    step = max(1, _CHUNK_BYTES // (size * (group.width + 1)))
    for chunk in group.chunks():
        for start in range(0, len(chunk), step):
            clauses = chunk[start : start + step]
            padded = np.full((len(clauses), group.width + 1), n)
            padded[:, :-1] += clauses
            yield words.take(padded).tobytes().translate(None, b"\0")


def _mixed_texts(group: MixedClauses, text: Bytes) -> Iterator[bytes]:
    step = _CHUNK_BYTES // text.shape[1]
    for start in range(0, len(group.literals), step):
        yield _words_of(group.literals[start : start + step], text)


def _word(size: int) -> np.dtype[np.void]:
    return np.dtype((np.void, size))


def _digits(table: Literals) -> NDArray[np.intp]:
    """Return the number of digits of each number."""
    return np.searchsorted(10 ** np.arange(1, 10), np.abs(table), side="right") + 1


def _write_pairs(group: Group, text: Bytes, out: Write) -> None:
    """Write pairs over columns in which every row of the table has numbers of one length."""
    rows, literals = _signed(group)
    columns = literals.shape[1]
    lengths = (_digits(literals[:, 0]) + (literals[:, 0] < 0) + 1).astype(np.uint8)
    words = _Words(literals, text, lengths)
    kinds = lengths[rows[:, 0]] << 4 | lengths[rows[:, 1]]
    # Not np.unique, whose imports take 10 ms.
    for kind in np.flatnonzero(np.bincount(kinds)).tolist():
        first, second = divmod(kind, 16)
        chosen, size = rows.take(np.flatnonzero(kinds == kind), axis=0), first + second + 2
        step = max(1, _CHUNK_BYTES // (columns * size))
        buffer = np.empty(min(step, len(chosen)) * columns * size, np.uint8)
        buffer.reshape(-1, size)[:, -2:] = np.frombuffer(b"0\n", np.uint8)
        fields = words.of_clause(first, second)
        for start in range(0, len(chosen), step):
            part = chosen[start : start + step]
            for side, offset, table in fields:
                strides = (columns * size, size)
                target = np.ndarray((len(part), columns), table.dtype, buffer, offset, strides)
                target[...] = table.take(part[:, side], axis=0)
            out(buffer[: len(part) * columns * size].data)


def _signed(group: Group) -> tuple[Literals, Literals]:
    """Return the pattern as row numbers from 0 without signs, and the table of these rows."""
    negated = group.pattern < 0
    rows = np.abs(group.pattern) - 1
    if negated.all():
        return rows, -group.table
    if not negated.any():
        return rows, group.table
    return rows + len(group.table) * negated, np.concatenate([group.table, -group.table])


class _Words:
    """The texts of a table of literals, cut into words of a power of two: numpy copies those five times as fast."""

    def __init__(self, literals: Literals, text: Bytes, lengths: Bytes) -> None:
        n, size = len(text) // 2, text.shape[1]
        words = text.view(_word(size)).ravel().take(literals + n)
        self.texts = words.view(np.uint8).reshape(*literals.shape, size)
        self.cut: dict[tuple[int, int], NDArray[np.void]] = {}
        # The end of the clause replaces the NULs, for texts that are the second literal.
        for length in range(_WHOLE - 2, _WHOLE):
            self.texts[lengths == length, :, length:_WHOLE] = np.frombuffer(b"0\n", np.uint8)[: _WHOLE - length]

    def of_clause(self, first: int, second: int) -> list[tuple[int, int, NDArray[np.void]]]:
        """Return the fields of clauses of two texts of these lengths: (side, offset in the clause, words)."""
        if first <= _WHOLE and _WHOLE - 2 <= second <= _WHOLE:
            # The second word overwrites the bytes after the first literal, and contains the rest of the clause.
            return [(0, 0, self._words(0, _WHOLE)), (1, first, self._words(0, _WHOLE))]
        return [*self._of_length(first, 0, 0), *self._of_length(second, 1, first)]

    def _of_length(self, length: int, side: int, offset: int) -> list[tuple[int, int, NDArray[np.void]]]:
        """Return one or two overlapping words that cover a text of a length, with their offsets in a clause."""
        size = 1 << (length.bit_length() - 1)
        return [(side, offset + start, self._words(start, size)) for start in sorted({0, length - size})]

    def _words(self, start: int, size: int) -> NDArray[np.void]:
        if (start, size) not in self.cut:
            part = np.ascontiguousarray(self.texts[:, :, start : start + size])
            self.cut[start, size] = part.view(_word(size))[:, :, 0]
        return self.cut[start, size]
