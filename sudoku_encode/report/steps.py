"""Write the steps of a published method, as text, records or pages."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.step import Step
from sudoku_encode.report.answers import AnswerReport
from sudoku_encode.report.printing import as_json
from sudoku_encode.report.reading import PuzzleInput, name_of
from sudoku_encode.report.streams import remark
from sudoku_encode.run.asking import Answer, Numbered
from sudoku_encode.run.events import Event, emit
from sudoku_encode.run.status import Status

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.puzzles.puzzle import Puzzle

# Pages of --to html, one for each puzzle.

_MANY = "there are many puzzles, and each has a page: give a folder to write to, such as -o pages/"


@dataclass
class Pages:
    """Collects the records of a puzzle, and writes its page at the end.

    Attributes:
        output: a file, `-`, or a folder.
        inputs: the names of the input files.
        records: the steps of the current puzzle, up to the limit of a page.
        left_out: the number of steps beyond the limit.
    """

    output: str
    inputs: Iterable[str]
    records: list[dict[str, Any]] = field(default_factory=list)
    left_out: int = 0

    @property
    def in_folder(self) -> bool:
        """Whether each page has its own file."""
        from sudoku_encode.storage.outputs import is_folder

        return is_folder(self.output)

    def check(self, many: bool) -> None:
        """Raise an error, before any work, if the pages cannot be written.

        Raises:
            SudokuError: there are many puzzles and one file, or the file is one of the inputs.
        """
        from sudoku_encode.storage.outputs import refuse_inputs

        if many and not self.in_folder:
            raise SudokuError(_MANY)
        if not self.in_folder:
            refuse_inputs(self.inputs, self.output)

    def add(self, step: "Step", puzzle: "Puzzle") -> None:
        """Add a step of the current puzzle."""
        from sudoku_encode.render.steps_page import MAX_STEPS

        if len(self.records) == MAX_STEPS:
            self.left_out += 1
        else:
            self.records.append(step.record(puzzle.geometry))

    def write(self, item: "SourceItem", puzzle: "Puzzle", method: str, stopped: str) -> None:
        """Write the page of a puzzle, and start the next one.

        Args:
            item: the puzzle's place; its number is the name of its file in a folder.
            puzzle: the puzzle.
            method: the method of the steps.
            stopped: the reason if the method was stopped.
        """
        from sudoku_encode.render.steps_page import steps_page
        from sudoku_encode.storage import files, outputs

        path = self.output
        if self.in_folder:
            path = str(outputs.make_folder(self.output) / f"{item.number:06}.html")
            outputs.refuse_inputs(self.inputs, path)
        text = steps_page(
            puzzle.from_one,
            self.records,
            title=name_of(item, puzzle),
            method=method,
            about=METHODS[method].about,
            source=METHODS[method].source,
            stopped=stopped,
            left_out=self.left_out,
        )
        with files.writing(path) as write:
            write(text.encode())
        if path != "-":
            remark(f"{path}: {len(self.records):,} steps of {method}")
        self.records, self.left_out = [], 0


# Steps as text or records.


class StepReport(AnswerReport[Step]):
    """Writes steps as they come, and how they end.

    Args:
        source: where the puzzles are from.
        form: `text`, `json` or one of the drawings of the method.
        pages: the pages for the steps, in place of standard output.
    """

    doing = ""

    def __init__(self, source: PuzzleInput, form: str, pages: Pages | None = None) -> None:
        super().__init__(source, form)
        self.method, self.pages = "", pages
        # Printed before the first step.
        self.first_remark = ""
        # The number of the current puzzle, and the number of its steps so far.
        self._puzzle, self._n_steps = 0, 0

    def observe(self, item: Numbered, event: Event) -> None:
        """Print a step."""
        if not isinstance(event, Step):
            emit(event)
            return
        number, puzzle = item
        if self.first_remark:
            remark(self.first_remark)
            self.first_remark = ""
        if self._puzzle != number:
            self._puzzle, self._n_steps = number, 0
            self.put_before(number)
            if self._prints_headings:
                print(super().heading(self.source.waiting[number]))
            if self.form == "text" and not self.pages:
                print(f"rules: {', '.join(puzzle.geometry.rule_names)}")
        self._n_steps += 1
        if self.pages:
            self.pages.add(event, puzzle)
        elif self.form == "json":
            record = self.source.waiting[number].place.record(Status.STEP, self.method) | {"step": self._n_steps}
            print(as_json(record | event.record(puzzle.geometry)))
        elif event.text or self.form != "text":
            print(event)

    @property
    def _prints_headings(self) -> bool:
        return self.source.many and self.form == "text" and not self.pages

    def put(self, item: "SourceItem", answer: Answer[Step] | None) -> None:
        """Print how the method ended on a puzzle, or write its page."""
        super().put(item, answer)
        if self.pages and answer is not None and not isinstance(item.entry.content, FormatError):
            self.pages.write(item, item.entry.content, self.method, answer.stopped)

    def reason(self, item: "SourceItem", answer: Answer[Step]) -> str:
        """Return why the method stopped, or why there is no solution."""
        if answer.status == Status.NO_SOLUTION and answer.value is not None:
            return answer.value.text.removeprefix("no solution: ")
        return answer.stopped

    def remark(self, answer: Answer[Step], reason: str) -> str:
        """Return why the method stopped."""
        return f"stopped: {reason}" if answer.stopped else ""

    def fields(self, item: "SourceItem", answer: Answer[Step] | None, reason: str) -> dict[str, Any]:
        """Return the number of steps, why they ended, and the rules of the board."""
        n_steps, puzzle = self._n_steps if self._puzzle == item.number else 0, item.entry.content
        rules = [] if isinstance(puzzle, FormatError) else list(puzzle.geometry.rule_names)
        shown = {} if answer is None else {"steps": n_steps, "rules": rules}
        return shown | {"reason": reason or None}

    def record(self, item: "SourceItem", answer: Answer[Step] | None, status: Status, reason: str) -> str:
        """Return the last record of a puzzle, or the line in the place of an unreadable one."""
        if self.form == "json":
            return super().record(item, answer, status, reason)
        is_said = answer is None and self._prints_headings
        return f"# puzzle {item.number}: {status}: {reason}" if is_said else ""
