"""What is read from a source: puzzles in their places, one by one or many as an array."""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.place import Place
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle


class Entry(NamedTuple):
    """A puzzle of a source, or what is wrong with it.

    Attributes:
        found: the puzzle, or the error in its place.
        line: where it begins, from 1; None in a document, such as JSON.
        answer: the solution that a table has beside it, as text; empty where there is none.
        remarks: what a person should know of how it was read, such as that drawings were left out.
    """

    found: Puzzle | FormatError
    line: int | None = None
    answer: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Block:
    """Consecutive puzzles of a source, all on one board, with givens alone.

    Attributes:
        board: of all.
        givens: uint8 (m, n_cells), 0 for a blank.
        lines: int64 (m,), where each begins, from 1.
        answers: uint8 (m, n_cells), the solutions that a table has beside them, zeros where there is none that can be
            read; None where it has no column for them.
    """

    board: Geometry
    givens: Grids
    lines: Int64s
    answers: Grids | None = None

    def __len__(self) -> int:
        """Return how many puzzles there are."""
        return len(self.givens)

    def part(self, start: int, end: int) -> "Block":
        """Return the puzzles from `start` to `end`."""
        answers = None if self.answers is None else self.answers[start:end]
        return Block(self.board, self.givens[start:end], self.lines[start:end], answers)

    def entries(self) -> Iterator[Entry]:
        """Yield the puzzles one by one."""
        for row, line in enumerate(self.lines.tolist()):
            values = [] if self.answers is None or not self.answers[row].any() else self.answers[row].tolist()
            yield Entry(Puzzle(self.board, self.givens[row]), line, "".join(map(str, values)))


Found = Entry | Block


def n_puzzles(found: Found) -> int:
    """Return how many puzzles were found; what is wrong counts as one."""
    return len(found) if isinstance(found, Block) else 1


class Located(NamedTuple):
    """What was read, with its place among all that is read.

    Attributes:
        number: of the puzzle, or of the first of a block, from 1; what is wrong has a number too.
        source: the name of its file, `stdin` or `argument`.
        found: a puzzle, puzzles, or what is wrong.
    """

    number: int
    source: str
    found: Found

    @property
    def entry(self) -> Entry:
        """The puzzle, or what is wrong, where there is one."""
        assert isinstance(self.found, Entry)
        return self.found

    @property
    def place(self) -> Place:
        """Where the puzzle, or what is wrong, is from."""
        return Place(self.source, self.entry.line, self.number, getattr(self.entry.found, "name", "") or None)

    def singles(self) -> "Iterator[Located]":
        """Yield the puzzles one by one."""
        for number, entry in enumerate(one_by_one([self.found]), start=self.number):
            yield Located(number, self.source, entry)


# After these, what follows is hardly a puzzle either.
MAX_ERRORS_IN_A_ROW = 100


def one_by_one(found: Iterable[Found]) -> Iterator[Entry]:
    """Yield what is found as entries."""
    for one in found:
        yield from (one.entries() if isinstance(one, Block) else [one])


def primed(results: Iterator[Found], source: str) -> Iterator[Found]:
    """Return the results; raise at once if there is no puzzle up to the end, or among the first hundred.

    A batch with puzzles ends after a hundred errors in a row, with the last of them.
    """
    begun: list[Found] = []
    errors: list[FormatError] = []
    for one in results:
        begun.append(one)
        if not isinstance(one, Entry) or isinstance(one.found, Puzzle):
            return chain(begun, _until_hopeless(results))
        errors.append(one.found)
        if len(errors) == MAX_ERRORS_IN_A_ROW:
            break
    if isinstance(results, Generator):
        # It may have a file open.
        results.close()
    if not errors:
        raise FormatError("no puzzle here; a puzzle has at least 16 symbols, such as 53..7....6..195...", source)
    first = errors[0]
    among = f"; none of the {len(errors)} puzzles can be read" if len(errors) > 1 else ""
    if len(errors) == MAX_ERRORS_IN_A_ROW:
        among = f"; none of the first {MAX_ERRORS_IN_A_ROW} puzzles can be read"
    raise FormatError(first.message + among, first.source, first.line, first.column)


def _until_hopeless(results: Iterator[Found]) -> Iterator[Found]:
    """Yield the results up to the hundredth error in a row."""
    in_a_row = 0
    for one in results:
        error = one.found if isinstance(one, Entry) and isinstance(one.found, FormatError) else None
        in_a_row = in_a_row + 1 if error else 0
        if error and in_a_row == MAX_ERRORS_IN_A_ROW:
            message = f"{error.message}; the rest is not read, since {MAX_ERRORS_IN_A_ROW} puzzles in a row are wrong"
            yield Entry(FormatError(message, error.source, error.line, error.column), error.line)
            return
        yield one
