"""Reading the puzzles in a command's arguments, whose errors are reported on the way; and the exit status."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from sudoku_encode.errors import FormatError, SudokuError, plural, short
from sudoku_encode.report.streams import complain, remark
from sudoku_encode.run.status import INCOMPLETE

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import ParsedItem, SourceItem
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.run.asking import Numbered
    from sudoku_encode.run.counting import Count


T = TypeVar("T")
Answered = tuple["SourceItem", T | None]


class PuzzleArguments(Protocol):
    """The arguments of a command that say where its puzzles are from, and how to read them."""

    @property
    def puzzles(self) -> list[str] | None:
        """Files, `-` for standard input, or texts; None for the empty board."""

    @property
    def board(self) -> str | None:
        """The name of the board."""

    @property
    def rules(self) -> str | None:
        """The names of the rules to keep, with commas between them."""

    @property
    def alphabet(self) -> str | None:
        """The first and the last symbol."""

    @property
    def source_format(self) -> str | None:
        """A key of TEXT_FORMATS."""

    @property
    def constraints(self) -> list[str] | None:
        """Constraints in addition to the rules."""

    def _replace(self, *, puzzles: list[str] | None) -> "PuzzleArguments":
        """Return the same arguments for other puzzles."""


@dataclass
class PuzzleInput:
    """The puzzles that a command works on.

    Attributes:
        given: the options for the puzzles.
        bad: whether an error in a puzzle was reported.
        many: whether there is more than one puzzle; it is set before the first of several is yielded.
        waiting: the puzzles that are read but not answered yet, by number; see `answered`.
    """

    given: PuzzleArguments
    bad: bool = False
    many: bool = False
    waiting: dict[int, "SourceItem"] = field(default_factory=dict)

    @property
    def inputs(self) -> list[str]:
        """The names of the input files, `-` for standard input; some may be texts of puzzles."""
        board = (self.given.board or "").strip()
        maps = [board.removeprefix("jigsaw:")] if board.startswith("jigsaw:") else []
        return [*(self.given.puzzles or ()), *maps]

    def folder_of(self, folder: Path, number: int) -> Path:
        """Return the folder for the certificate of a puzzle: one in `folder` for each of several puzzles.

        Raises:
            SudokuError: a file to write is one of the inputs.
        """
        from sudoku_encode.proving.folder import WRITTEN
        from sudoku_encode.storage.outputs import refuse_inputs

        own = folder / str(number) if self.many else folder
        refuse_inputs(self.inputs, *(own / name for name in WRITTEN))
        return own

    def puzzles(self) -> Iterator["tuple[int, Puzzle]"]:
        """Yield the valid puzzles with their numbers, from 1; errors are reported on standard error.

        Raises:
            SudokuError: there is no puzzle at all, or the text as a whole is wrong.
        """
        for item in self.entries():
            if not isinstance(item.entry.content, FormatError):
                yield item.number, item.entry.content

    def answered(
        self,
        ask: "Callable[[Iterator[Numbered]], Iterator[tuple[Numbered, T]]]",
        located: "Iterator[SourceItem] | None" = None,
    ) -> "Iterator[Answered[T]]":
        """Yield each entry with its answer, which is None for an invalid puzzle.

        Args:
            ask: yields the answers for numbered puzzles, in their order.
            located: the iterator of `located`, if it was started already.
        """
        waiting = self.waiting
        entries = self.entries() if located is None else (item for batch in located for item in batch.singles())

        def puzzles() -> "Iterator[Numbered]":
            for item in entries:
                waiting[item.number] = item
                if not isinstance(item.entry.content, FormatError):
                    yield item.number, item.entry.content

        for (number, _), answer in ask(puzzles()):
            while (first := next(iter(waiting))) < number:
                yield waiting.pop(first), None
            yield waiting.pop(number), answer
        while waiting:
            yield waiting.pop(next(iter(waiting))), None

    def entries(self) -> Iterator["SourceItem"]:
        """Yield the puzzles one by one with their places, including invalid ones; see `located`."""
        for located in self.located():
            yield from located.singles()

    def total(self) -> int | None:
        """Return the number of puzzles, including invalid ones; None if it is unknown before all are read."""
        from sudoku_encode.formats.entries import n_puzzles

        if not all(os.path.isfile(source) for source in self.given.puzzles or ()):  # noqa: PTH113
            # A folder contains many puzzles, and standard input may.
            many = any(source == "-" or os.path.isdir(source) for source in self.given.puzzles or ())  # noqa: PTH112
            return None if many else len(self.given.puzzles or "1")
        try:
            return sum(n_puzzles(entries) for _, entries in self._read())
        except SudokuError:
            # It is reported when the puzzles are read for processing.
            return None

    def located(self) -> Iterator["SourceItem"]:
        """Yield puzzles, or batches of them, with their places; errors are also reported on standard error.

        Raises:
            SudokuError: there is no puzzle at all, or the only text is wrong as a whole.
        """
        from sudoku_encode.formats.entries import Entry, SourceItem, n_puzzles

        entries = self._read()
        item = next(entries, None)
        number = 1
        while item is not None:
            following = next(entries, None)
            source, parsed = item
            self.many = self.many or following is not None or n_puzzles(parsed) > 1
            if isinstance(parsed, Entry) and isinstance(parsed.content, FormatError):
                self.bad = True
                complain(parsed.content)
            located = SourceItem(number, source, parsed)
            for text in parsed.remarks if isinstance(parsed, Entry) else ():
                remark(f"{located.place.text}: {text}")
            yield located
            number, item = number + n_puzzles(parsed), following

    def _read(self) -> Iterator["tuple[str, ParsedItem]"]:
        """Yield puzzles, batches of them and errors, each with the name of its source."""
        from sudoku_encode.formats.entries import Entry
        from sudoku_encode.formats.reading import read_entries
        from sudoku_encode.formats.region_maps import pieces_remark
        from sudoku_encode.puzzles import boards
        from sudoku_encode.puzzles.puzzle import Puzzle

        given = self.given
        rules = None if given.rules is None else [name.strip() for name in given.rules.split(",") if name.strip()]
        if not given.puzzles:
            if given.board is None:
                raise SudokuError("no puzzle: give a file, - or the text itself, or --board for an empty board")
            board = boards.board(given.board, rules)
            remarks = tuple(filter(None, [pieces_remark(board)]))
            yield "board", Entry(Puzzle.of(board, constraints=given.constraints or ()), remarks=remarks)
            return
        for source in given.puzzles:
            # A text may be longer than any file name.
            name = "stdin" if source == "-" else source if os.path.exists(source) else "argument"  # noqa: PTH110
            try:
                read = read_entries(
                    source,
                    board=given.board,
                    rules=rules,
                    alphabet=given.alphabet,
                    format=given.source_format,
                    constraints=given.constraints or (),
                )
            except FormatError as error:
                if len(given.puzzles) == 1:
                    raise
                # One bad file among many does not stop the others.
                yield name, Entry(error, error.line)
                continue
            try:
                for entries in read:
                    yield name, entries
            except FormatError as error:
                # The puzzles before the error are still answered.
                yield name, Entry(error, error.line)


# The file in the place of a puzzle that is not from a file.
_NO_FILES = (None, "stdin", "argument", "board")


def name_of(item: "SourceItem", puzzle: "Puzzle") -> str:
    """Return the name of a puzzle for the title of a page; without one its file and board, or the board."""
    file, board = item.place.file, short(puzzle.geometry.name)
    return puzzle.name or (board if file in _NO_FILES else f"{Path(str(file)).name}, {board}")


# The exit status, and answers in words.


@dataclass
class Outcome:
    """Whether there were incomplete or negative answers so far."""

    incomplete: bool = False
    negative: bool = False

    def note(self, counted: "Count") -> None:
        """Take the number of solutions of a puzzle into account."""
        self.incomplete |= not counted.complete
        self.negative |= counted.complete and counted.value == 0

    def note_status(self, status: str) -> None:
        """Take the status of a record into account."""
        self.incomplete |= status in INCOMPLETE
        self.negative |= status == "no solution"

    def status(self, source: "PuzzleInput") -> int:
        """Return the exit status: bad input before an incomplete answer before a negative one."""
        return 2 if source.bad else 3 if self.incomplete else 1 if self.negative else 0


def total(counted: "Count", puzzle: "Puzzle") -> str:
    """Return the number of solutions in words, whether it is complete, and if not, why."""
    if counted.complete and not counted.value:
        return f"no solution{no_solution_reason(puzzle)}"
    return f"{counted} {plural('solution', counted.value)}, complete" if counted.complete else unproved(counted)


def unproved(counted: "Count") -> str:
    """Return the least number of solutions, the reason why the count stopped, and the estimate."""
    least = f"at least {counted.value} {plural('solution', counted.value)}" if counted.value else "not known"
    estimated = f"; estimated about {counted.estimate}" if counted.estimate else ""
    return f"{least}; stopped: {counted.stopped}{estimated}"


def no_solution_reason(puzzle: "Puzzle") -> str:
    """Return why there is no solution, if that is obvious: two clashing cells, or a unit that is too large."""
    from sudoku_encode.encoders.reduction import reduce
    from sudoku_encode.puzzles.constraints.lowering import lower_puzzle

    units = lower_puzzle(puzzle).puzzle
    reason = units.geometry.why_impossible or reduce(units, "singles").contradiction
    return f": {reason}" if reason else ""


def reasons_of(board: "Geometry", givens: "Grids") -> list[str]:
    """Return the reason of `no_solution_reason`, without its beginning, for each of many puzzles that only have givens.

    Args:
        board: of all puzzles.
        givens: uint8 (m, n_cells), 0 for a blank.
    """
    from sudoku_encode.encoders.reduction import contradictions

    return [board.why_impossible] * len(givens) if board.why_impossible else contradictions(board, givens)
