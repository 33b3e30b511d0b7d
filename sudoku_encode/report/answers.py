"""Write the answers to a question: a text, a JSON object, CSV rows or a picture for each puzzle, in its place."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from sudoku_encode.formats.place import FIRST_KEYS
from sudoku_encode.report.pictures import put
from sudoku_encode.report.printing import ProgressDisplay, as_json, prefix, progress, row
from sudoku_encode.report.reading import PuzzleInput, no_solution_reason
from sudoku_encode.report.streams import remark
from sudoku_encode.run.asking import Answer, Numbered
from sudoku_encode.run.events import Event, MethodChosen, emit
from sudoku_encode.run.status import INCOMPLETE, Status

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.render.picture import Picture
    from sudoku_encode.report.table_output import TableOutput

R = TypeVar("R")


def puzzle_of(item: "SourceItem") -> "Puzzle":
    """Return the puzzle of an item that is not an error."""
    from sudoku_encode.puzzles.puzzle import Puzzle

    assert isinstance(item.entry.content, Puzzle)
    return item.entry.content


def line_of(puzzle: "Puzzle") -> str:
    """Return the givens of a puzzle as text on one line."""
    from sudoku_encode.formats import bulk

    return bulk.texts(puzzle.geometry, puzzle.givens[None])[0]


class AnswerReport(Generic[R]):
    """Writes the answers to a question; a subclass for each question describes its answers.

    Args:
        source: where the puzzles are from.
        form: `text`, `json`, `csv` or a key of DRAWINGS.
    """

    # Shown while the puzzles are worked on; empty if what is printed shows the progress.
    doing: ClassVar[str] = "searching ..."
    # The columns of a table after the first keys.
    columns: tuple[str, ...] = ()
    # The fields that --add may add to a table, with their types, besides those of all records.
    added: Mapping[str, type] = {"reason": str}
    # The statuses for which the exit status is 1, and those for which it is 3.
    negative: ClassVar[frozenset[Status]] = frozenset((Status.NO_SOLUTION,))
    incomplete: ClassVar[frozenset[Status]] = INCOMPLETE
    # Whether records list the methods that `auto` chose.
    lists_chosen: ClassVar[bool] = False

    def __init__(self, source: PuzzleInput, form: str = "text") -> None:
        self.source, self.form = source, form
        # Writes the table of the input, for --add.
        self.table: TableOutput | None = None
        self.seen = set[Status]()
        self._chosen: dict[int, list[str]] = {}

    # For subclasses.

    def fields(self, item: "SourceItem", answer: Answer[R] | None, reason: str) -> dict[str, Any]:
        """Return the fields of a JSON object after the first keys; None is the answer about an unreadable puzzle."""
        return {"reason": reason or None}

    def rows(self, answer: Answer[R] | None, reason: str) -> Iterator[list[Any]]:
        """Yield the rows of a table, without the first keys."""
        yield [reason or None]

    def cells(self, answer: Answer[R] | None, reason: str) -> dict[str, Any]:
        """Return the values of the fields that --add may add, by name."""
        return dict(zip(self.columns, next(self.rows(answer, reason)), strict=True))

    def text(self, item: "SourceItem", answer: Answer[R], value: R) -> str:
        """Return the text for an answer."""
        raise NotImplementedError

    def picture(self, value: R) -> "Picture | None":
        """Return the picture of an answer; None if there is nothing to draw."""
        return None

    def remark(self, answer: Answer[R], reason: str) -> str:
        """Return a remark for people about an answer; empty for none."""
        if answer.status == Status.NO_SOLUTION and reason:
            return f"no solution: {reason}"
        word = "refused" if answer.status == Status.REFUSED else "stopped"
        return f"{word}: {reason}" if answer.stopped else ""

    def reason(self, item: "SourceItem", answer: Answer[R]) -> str:
        """Return why an answer is not complete, or why there is no solution."""
        if answer.status == Status.NO_SOLUTION and not answer.stopped:
            return no_solution_reason(puzzle_of(item)).removeprefix(": ")
        return answer.stopped

    def heading(self, item: "SourceItem") -> str:
        """Return the line before the answer for one of many puzzles, without the status."""
        name = getattr(item.entry.content, "name", "")
        return f"# puzzle {item.number}{': ' + name if name else ''}"

    # The same for all questions.

    def add_columns(self, add: str | None) -> None:
        """Write the table of the input with these fields of the records, if --add is given.

        Raises:
            SudokuError: as `table_output.table_for`.
        """
        from sudoku_encode.report.table_output import FIELDS, table_for

        self.table = None if add is None else table_for(add, {**FIELDS, **self.added}, self.source)

    def answered(
        self,
        ask: "Callable[[Iterator[Numbered]], Iterator[tuple[Numbered, Answer[R]]]]",
        located: "Iterator[SourceItem] | None" = None,
    ) -> "Iterator[tuple[SourceItem, Answer[R] | None]]":
        """Yield the puzzles with their answers; see `PuzzleInput.answered`."""
        return self.source.answered(ask, located if self.table is None else self.begun(located))

    def begun(self, located: "Iterator[SourceItem] | None" = None) -> "Iterator[SourceItem]":
        """Return the puzzles, after the columns of the table of the input were taken from the first, for --add."""
        located = located or self.source.located()
        return located if self.table is None else self.table.begin(located)

    def write(self, answered: "Iterable[tuple[SourceItem, Answer[R] | None]]") -> int:
        """Write the answers as they come, and return the exit status; None is the answer about an unreadable puzzle."""
        self.print_header()
        with self.display() as shown:
            for item, answer in answered:
                shown.hide()
                self.put(item, answer)
                shown.advance(1)
                sys.stdout.flush()
        return self.exit_status()

    def print_header(self) -> None:
        """Print the names of the columns, if the answers are a table."""
        if self.form == "csv":
            print(",".join([*FIRST_KEYS, *self.columns]))
        elif self.table is not None and self.table.header:
            self.table.put_header()

    def display(self) -> "AbstractContextManager[ProgressDisplay]":
        """Return the display of the progress."""
        return progress(self.doing, total=self.source.total) if self.doing else nullcontext(ProgressDisplay())

    def observe(self, item: Numbered, event: Event) -> None:
        """Keep the methods that `auto` chose; emit other events."""
        if isinstance(event, MethodChosen) and self.lists_chosen:
            self._chosen.setdefault(item[0], []).append(str(event))
            self.note_method(event)
        else:
            emit(event)

    def note_method(self, event: MethodChosen) -> None:
        """Tell people that `auto` chose a method, if that is of interest."""

    def put_before(self, number: int) -> None:
        """Write the unreadable puzzles before a puzzle whose answer is printed as it comes."""
        while (first := next(iter(self.source.waiting))) < number:
            self.put(self.source.waiting.pop(first), None)

    def put(self, item: "SourceItem", answer: Answer[R] | None) -> None:
        """Write the answer for a puzzle."""
        status, reason = Status.BAD_INPUT, str(getattr(item.entry.content, "message", ""))
        if answer is not None:
            status, reason = answer.status, self.reason(item, answer)
            self.seen.add(status)
            if text := self.remark(answer, reason):
                remark(f"{prefix(item.number, self.source)}{text}")
        self.print(self.record(item, answer, status, reason))

    def record(self, item: "SourceItem", answer: Answer[R] | None, status: Status, reason: str) -> str:
        """Return the text to print for a puzzle, without a newline at the end; empty for nothing."""
        chosen = self._chosen.pop(item.number, [])
        method, seconds = (None, None) if answer is None else (answer.method or None, answer.seconds)
        first = item.place.record(status, method, seconds)
        if self.form == "json":
            return as_json(
                first | self.fields(item, answer, reason) | ({"chosen": chosen} if self.lists_chosen else {})
            )
        if self.table is not None:
            first["givens"] = None if answer is None else line_of(puzzle_of(item))
            cells = first | self.cells(answer, reason)
            self.table.put(item, {name: [value] for name, value in cells.items()})
            return ""
        if self.form == "csv":
            return "\n".join(row([*first.values(), *cells]) for cells in self.rows(answer, reason))
        many = self.source.many
        if answer is None or answer.value is None or self.is_empty(answer.value):
            is_said = many or status == Status.NO_SOLUTION
            return f"# puzzle {item.number}: {status}{f': {reason}' if reason else ''}" if is_said else ""
        if self.form != "text" and (picture := self.picture(answer.value)):
            put(picture, self.form, many)
            return ""
        heading = self.heading(item) if many else ""
        return "\n".join(filter(None, [heading, self.text(item, answer, answer.value)]))

    def is_empty(self, value: R) -> bool:
        """Return whether an answer has nothing to print but its status."""
        return False

    def print(self, text: str) -> None:
        """Print the text of a record, unless it is empty."""
        if text:
            print(text)

    def exit_status(self) -> int:
        """Return the exit status: bad input before an incomplete answer before a negative one."""
        return 2 if self.source.bad else 3 if self.seen & self.incomplete else 1 if self.seen & self.negative else 0
