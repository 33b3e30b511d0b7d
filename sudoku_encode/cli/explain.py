"""The command explain: the steps of a published method."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import each_of
from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.step import Step, proves_none
from sudoku_encode.report.printing import prefix
from sudoku_encode.report.reading import Outcome, PuzzleInput
from sudoku_encode.report.streams import remark
from sudoku_encode.run.asking import status_of_stop
from sudoku_encode.run.events import Event, emit

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.puzzles.step import Step


if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.run.asking import Numbered

    # The error that stopped the method, if any, and the seconds.
    End = tuple[StoppedError | None, float]

_PAGE = "html"
_FORMS = tuple(dict.fromkeys(["text", _PAGE, *(form for method in METHODS.values() for form in method.drawings)]))


def command(
    given: options.PuzzleOptions,
    *,
    method: Annotated[
        str | None,
        typer.Option(
            help="A method that shows its steps, see `sudoku-encode methods`. By default one that fits the "
            "first puzzle's board.",
            show_default=False,
            autocompletion=each_of(name for name, method in METHODS.items() if method.explains),
        ),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            help="The form of the output: text; html, a page that plays the steps; for gtsps-4.1 its graph as dot, "
            "graphml or svg; for jana2021 and jana2023-v1 the search tree as dot or svg.",
            **options.one_of(_FORMS),
        ),
    ] = "text",
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file for the page of --to html; for many puzzles a folder, such as pages/. By default standard "
            "output, -.",
            show_default=False,
        ),
    ] = "-",
    limits: options.LimitOptions,
    as_json: options.Json = False,
) -> None:
    """Show a published method on each puzzle: its candidates, its steps, the width of its search.

    With --json each step is a record, including steps that are too many for text. A puzzle that provably has no
    solution gives exit status 1, and its last step names the cells that show it.

    docs/figures.md lists the command for each figure of the papers; the figures of Jana et al. 2023 use four of the
    six rules: --rules row-z,box-xy,box-xz,box-yz.
    """
    from sudoku_encode.methods.calls import default_explainer
    from sudoku_encode.methods.limited_calls import explain_each

    if as_json and to != "text":
        raise SudokuError(f"--json is for steps, which --to {to} does not print: leave out one of them")
    if output != "-" and to != _PAGE:
        raise SudokuError(f"-o is only for the page of --to {_PAGE}; the output of --to {to} goes to standard output")
    source, outcome = PuzzleInput(given), Outcome()
    pages = Pages(output, source.inputs) if to == _PAGE else None
    # A page consists of the steps that are also printed as text.
    form = "text" if pages else to
    shown = _StepPrinter(source, as_json, form, method or "", pages)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, End]]":
        puzzles = _with_values_from_one(puzzles)
        head = list(islice(puzzles, 1))
        if method is None and head:
            shown.method = default_explainer(head[0][1].geometry, form)
            shown.remark = f"by {shown.method}, since no --method is given"
        if pages:
            pages.check(source.many)
        return explain_each(chain(head, puzzles), shown.method, limits.limits(), form, shown.observe)

    for item, ended in source.answered(ask):
        outcome.note_status(shown.end(item, ended))
    raise typer.Exit(outcome.status(source))


def _with_values_from_one(puzzles: "Iterator[Numbered]") -> "Iterator[Numbered]":
    """Yield each puzzle with values from 1, as published methods have them."""
    for number, puzzle in puzzles:
        if not puzzle.geometry.first:
            remark(f"puzzle {number}: explained with values from 1, each one more than on {puzzle.geometry.name}")
        yield number, puzzle.from_one


# Pages of --to html, one for each puzzle.

_MANY = "there are many puzzles, and each has a page: give a folder to write to, such as -o pages/"

# The file in the place of a puzzle that is not from a file.
_NO_FILES = (None, "stdin", "argument", "board")


def _file_name(file: str | None, board: str) -> str:
    """Return a title for a puzzle without a name: its file and board, or the board."""
    return board if file in _NO_FILES else f"{Path(str(file)).name}, {board}"


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
        source = METHODS[method].source
        text = steps_page(
            puzzle.from_one,
            self.records,
            title=puzzle.name or _file_name(item.place.file, puzzle.geometry.name),
            method=method,
            source=source,
            stopped=stopped,
            left_out=self.left_out,
        )
        with files.writing(path) as write:
            write(text.encode())
        if path != "-":
            remark(f"{path}: {len(self.records):,} steps of {method}")
        self.records, self.left_out = [], 0


# Steps as text or records.


@dataclass
class _StepPrinter:
    """Prints steps as they come.

    Attributes:
        source: where the puzzles are from.
        as_json: whether each step is a record.
        to: the form.
        method: the method.
        pages: the pages for the steps, in place of standard output.
        remark: printed before the first step.
        puzzle: the number of the current puzzle.
        n_steps: the number of its steps so far.
        last: the last step.
    """

    source: PuzzleInput
    as_json: bool
    to: str
    method: str
    pages: Pages | None = None
    remark: str = ""
    puzzle: int = 0
    n_steps: int = 0
    last: Step | None = None

    def observe(self, item: "Numbered", event: Event) -> None:
        """Print a step."""
        if not isinstance(event, Step):
            emit(event)
            return
        number, puzzle = item
        if self.remark:
            remark(self.remark)
            self.remark = ""
        if self.puzzle != number:
            self.puzzle, self.n_steps = number, 0
            # Invalid puzzles before this one come before these steps.
            while (first := next(iter(self.source.waiting))) < number:
                self.end(self.source.waiting.pop(first), None)
            if self._prints_headings:
                print(f"# puzzle {number}{': ' + puzzle.name if puzzle.name else ''}")
        self.n_steps, self.last = self.n_steps + 1, event
        if self.pages:
            self.pages.add(event, puzzle)
        elif self.as_json:
            place = self.source.waiting[number].place
            record = place.record("step", self.method) | {"step": self.n_steps}
            print(json.dumps(record | event.record(puzzle.geometry)))
        elif event.text or self.to != "text":
            print(event.text)

    @property
    def _prints_headings(self) -> bool:
        return self.source.many and self.to == "text" and not (self.as_json or self.pages)

    def end(self, item: "SourceItem", ended: "End | None") -> str:
        """Print how the method ended on a puzzle, or the error in the puzzle; return the status."""
        status, reason, seconds = "bad input", getattr(item.entry.content, "message", None), None
        stopped = None
        if ended is not None:
            stopped, seconds = ended
            status, reason = ("shown", None) if stopped is None else (status_of_stop(stopped.reason), str(stopped))
            if stopped is None and self.puzzle == item.number and self.last is not None and proves_none(self.last):
                status, reason = "no solution", self.last.text.removeprefix("no solution: ")
            if stopped is not None:
                remark(f"{prefix(item.number, self.source)}stopped: {stopped}")
        if self.pages:
            if not isinstance(item.entry.content, FormatError):
                self.pages.write(item, item.entry.content, self.method, "" if stopped is None else str(stopped))
        elif self.as_json:
            n_steps = self.n_steps if self.puzzle == item.number else 0
            counts = {} if ended is None else {"steps": n_steps}
            method = None if ended is None else self.method
            print(json.dumps(item.place.record(status, method, seconds) | counts | {"reason": reason}))
        elif ended is None and self._prints_headings:
            print(f"# puzzle {item.number}: {status}: {reason}")
        return status
