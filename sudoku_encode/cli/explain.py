"""The command explain."""

import json
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.completion import each_of
from sudoku_encode.cli.explain_pages import Pages
from sudoku_encode.cli.printing import prefix
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import stopped_status
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.step import Step, proves_none
from sudoku_encode.run.events import Event, emit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.methods.asking import Numbered

    # What stopped it, if anything did, and the seconds that it took.
    Ended = tuple[StoppedError | None, float]

_PAGE = "html"
_FORMS = tuple(dict.fromkeys(["text", _PAGE, *(form for method in METHODS.values() for form in method.drawings)]))


def command(
    given: options.PuzzleOptions,
    *,
    method: Annotated[
        str | None,
        typer.Option(
            help="One that shows its working, as `sudoku-encode methods` says. By default one that fits the "
            "first puzzle's board.",
            show_default=False,
            autocompletion=each_of(name for name, method in METHODS.items() if method.explains),
        ),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            help="What to print: text; html, a page that plays the steps; of gtsps-4.1 its graph as dot, graphml or "
            "svg; of jana2021 and jana2023-v1 the search tree as dot or svg.",
            **options.one_of(_FORMS),
        ),
    ] = "text",
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Where to write the page of --to html; of many puzzles a folder, such as pages/. By default standard "
            "output, -.",
            show_default=False,
        ),
    ] = "-",
    limits: options.LimitOptions,
    as_json: options.Json = False,
) -> None:
    """Show a published method at work on each puzzle: its candidates, its steps, the width of its search.

    With --json each step is a record, also those that are too many to be printed as text. A puzzle that is proved to
    have no solution ends with exit status 1, and its last step names the cells that show it.

    docs/figures.md has for each paper's figure the command that shows it; those of Jana et al. 2023 keep four of the
    six rules: --rules row-z,box-xy,box-xz,box-yz.
    """
    from sudoku_encode.methods.asking import explain_each
    from sudoku_encode.methods.calls import explaining

    if as_json and to != "text":
        raise SudokuError(f"--json is for steps, which --to {to} does not show: leave one of them out")
    if output != "-" and to != _PAGE:
        raise SudokuError(f"-o is for the page of --to {_PAGE}: what --to {to} prints goes to standard output")
    source, outcome = PuzzleInput(given), Outcome()
    pages = Pages(output, source.inputs) if to == _PAGE else None
    # A page is made of the steps that are printed as text.
    form = "text" if pages else to
    shown = _Shown(source, as_json, form, method or "", pages)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, Ended]]":
        head = list(islice(puzzles, 1))
        if method is None and head:
            shown.method = explaining(head[0][1].geometry, form)
            shown.remark = f"by {shown.method}, since no --method is named"
        if pages:
            pages.check(source.many)
        return explain_each(chain(head, puzzles), shown.method, limits.limits(), form, shown.observe)

    for one, ended in source.answered(ask):
        outcome.note_status(shown.end(one, ended))
    raise typer.Exit(outcome.status(source))


@dataclass
class _Shown:
    """Prints steps as they come.

    Attributes:
        source: where the puzzles are from.
        as_json: each step is a record.
        to: the form.
        method: the method at work.
        pages: what takes the steps in place of standard output.
        remark: said before the first step.
        puzzle: the number of the puzzle whose steps are printed now.
        n_steps: how many it has had.
        last: the last of them.
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
            # What was read before it, and is no puzzle, has its place before these steps.
            while (first := next(iter(self.source.waiting))) < number:
                self.end(self.source.waiting.pop(first), None)
            if self._says_puzzles:
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
    def _says_puzzles(self) -> bool:
        return self.source.many and self.to == "text" and not (self.as_json or self.pages)

    def end(self, one: "Located", ended: "Ended | None") -> str:
        """Print how it ended with a puzzle, or what is wrong with it; return its status."""
        status, reason, seconds = "bad input", getattr(one.entry.found, "message", None), None
        stopped = None
        if ended is not None:
            stopped, seconds = ended
            status, reason = ("shown", None) if stopped is None else (stopped_status(str(stopped)), str(stopped))
            if stopped is None and self.puzzle == one.number and self.last is not None and proves_none(self.last):
                status, reason = "no solution", self.last.text.removeprefix("no solution: ")
            if stopped is not None:
                remark(f"{prefix(one.number, self.source)}stopped: {stopped}")
        if self.pages:
            if not isinstance(one.entry.found, FormatError):
                self.pages.write(one, one.entry.found, self.method, "" if stopped is None else str(stopped))
        elif self.as_json:
            n_steps = self.n_steps if self.puzzle == one.number else 0
            known = {} if ended is None else {"steps": n_steps}
            method = None if ended is None else self.method
            print(json.dumps(one.place.record(status, method, seconds) | known | {"reason": reason}))
        elif ended is None and self._says_puzzles:
            print(f"# puzzle {one.number}: {status}: {reason}")
        return status
