"""The results of reading: puzzles in their places, one by one or many as an array, and errors in the place of some."""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from sudoku_encode.errors import FormatError, NoFormatError
from sudoku_encode.formats.place import Place
from sudoku_encode.formats.tables import Rows
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

# After so many errors, the rest of a text hardly contains a puzzle either.
MAX_ERRORS_IN_A_ROW = 100


class Entry(NamedTuple):
    """A puzzle of a source, or the error in its place."""

    content: Puzzle | FormatError  # the puzzle, or the error
    line: int | None = None  # where it begins, from 1; None in a document, such as JSON
    answer: str = ""  # the solution that a table has beside it, as text; empty without one
    remarks: tuple[str, ...] = ()  # for the user, on how it was read, such as that drawings were left out
    rows: Rows | None = None  # its row, if it is from a table
    # Comments of the program that made it, such as `status SATISFIABLE`; see `lines.ABOUT_KEYS`.
    about: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PuzzleBatch:
    """Consecutive puzzles of a source on one board, which have givens only."""

    board: Geometry  # the board of all
    givens: Grids  # (m, n_cells), 0 for a blank
    lines: Int64s  # (m,), where each begins, from 1
    # (m, n_cells), the solutions that a table has beside them, zeros for one that cannot be read; None if it has no
    # column for them.
    answers: Grids | None = None
    rows: Rows | None = None  # their rows, if they are from a table
    about: tuple[str, ...] = ()  # see `Entry.about`; the same for all

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.givens)

    def part(self, start: int, end: int) -> "PuzzleBatch":
        """Return the puzzles from `start` to `end`."""
        answers = None if self.answers is None else self.answers[start:end]
        rows = None if self.rows is None else self.rows.part(start, end)
        return PuzzleBatch(self.board, self.givens[start:end], self.lines[start:end], answers, rows, self.about)

    def puzzles(self) -> Iterator[Puzzle]:
        """Yield the puzzles one by one."""
        return (Puzzle(self.board, row) for row in self.givens)

    def entries(self) -> Iterator[Entry]:
        """Yield the puzzles one by one, with all that is known of them."""
        for row, line in enumerate(self.lines.tolist()):
            values = [] if self.answers is None or not self.answers[row].any() else self.answers[row].tolist()
            answer = "".join(map(self.board.shown, values))
            own = None if self.rows is None else self.rows.part(row, row + 1)
            yield Entry(Puzzle(self.board, self.givens[row]), line, answer, rows=own, about=self.about)


ParsedItem = Entry | PuzzleBatch


def n_puzzles(item: ParsedItem) -> int:
    """Return the number of puzzles of an item; an error counts as one."""
    return len(item) if isinstance(item, PuzzleBatch) else 1


class SourceItem(NamedTuple):
    """A parsed item, with its place among everything that is read."""

    # The number of the puzzle, or of the first of a batch, from 1; an error has a number too. 0 for a certificate.
    number: int
    source: str  # the name of its file, `stdin` or `argument`
    item: ParsedItem  # a puzzle, an error, or a batch of puzzles

    @property
    def entry(self) -> Entry:
        """The puzzle or the error, if the item is not a batch."""
        assert isinstance(self.item, Entry)
        return self.item

    @property
    def place(self) -> Place:
        """Where the puzzle, or the error, is from."""
        return Place(self.source, self.entry.line, self.number or None, getattr(self.entry.content, "name", "") or None)

    def singles(self) -> "Iterator[SourceItem]":
        """Yield the puzzles one by one."""
        for number, entry in enumerate(one_by_one([self.item]), start=self.number):
            yield SourceItem(number, self.source, entry)


def one_by_one(items: Iterable[ParsedItem]) -> Iterator[Entry]:
    """Yield the puzzles and errors of all items as entries."""
    for item in items:
        yield from (item.entries() if isinstance(item, PuzzleBatch) else [item])


def fail_early(items: Iterator[ParsedItem], source: str) -> Iterator[ParsedItem]:
    """Return the items; raise at once if there is no puzzle up to the end, or among the first hundred entries.

    A text with puzzles ends after a hundred errors in a row, with the last of them.

    Raises:
        FormatError: there is no puzzle; it is the first error, with the number of puzzles that cannot be read.
    """
    first_items: list[ParsedItem] = []
    errors: list[FormatError] = []
    for item in items:
        first_items.append(item)
        if not isinstance(item, Entry) or isinstance(item.content, Puzzle):
            return chain(first_items, _until_too_many_errors(items))
        errors.append(item.content)
        if len(errors) == MAX_ERRORS_IN_A_ROW:
            break
    if isinstance(items, Generator):
        # It may have a file open.
        items.close()
    if not errors:
        raise NoFormatError("no puzzle here; a puzzle has at least 16 symbols, such as 53..7....6..195...", source)
    first = errors[0]
    among = f"; none of the {len(errors)} puzzles can be read" if len(errors) > 1 else ""
    if len(errors) == MAX_ERRORS_IN_A_ROW:
        among = f"; none of the first {MAX_ERRORS_IN_A_ROW} puzzles can be read"
    raise type(first)(first.message + among, first.source, first.line, first.column)


def _until_too_many_errors(items: Iterator[ParsedItem]) -> Iterator[ParsedItem]:
    """Yield the items up to the hundredth error in a row."""
    in_a_row = 0
    for item in items:
        error = item.content if isinstance(item, Entry) and isinstance(item.content, FormatError) else None
        in_a_row = in_a_row + 1 if error else 0
        if error and in_a_row == MAX_ERRORS_IN_A_ROW:
            message = f"{error.message}; the rest is not read, since {MAX_ERRORS_IN_A_ROW} puzzles in a row are wrong"
            yield Entry(FormatError(message, error.source, error.line, error.column), error.line)
            return
        yield item
