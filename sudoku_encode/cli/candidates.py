"""The command candidates."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome, why_none
from sudoku_encode.cli.candidates_text import COLOURS, drawing, in_colour
from sudoku_encode.cli.pictures import put, refuse_terminal
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import row, stopped_status
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats.place import FIRST_KEYS, Place
from sudoku_encode.render.table import DRAWINGS
from sudoku_encode.run.events import Event, MethodChosen, emit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.methods.asking import Numbered
    from sudoku_encode.proving.candidates import CheckedCandidates
    from sudoku_encode.questions.candidates import TrueCandidates
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.run.pools import Pool

    # What was found, or what stopped it, and the seconds that took.
    Answer = tuple[TrueCandidates | StoppedError, float]


def command(
    given: options.PuzzleOptions,
    *,
    method: options.AutoMethod = "auto",
    counts: Annotated[
        bool,
        typer.Option("--counts", help="Count for each cell and value the solutions that have it."),
    ] = False,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    to: Annotated[
        str, typer.Option(help="What to print: text, or a picture in another form.", **options.one_of(DRAWINGS))
    ] = "text",
    colour: Annotated[
        str,
        typer.Option(
            "--colour",
            help="Whether text has colours, by how many of the solutions have a value; auto is on a terminal.",
            **options.one_of(COLOURS),
        ),
    ] = "auto",
    prove: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Write a certificate of what is printed to a folder (of many puzzles to a folder each), and check it.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Print what a certificate proves, trusting nothing in it.", show_default=False
        ),
    ] = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    work: options.WorkOptions,
) -> None:
    """Print for each cell of each puzzle the values that it has in some solution: its true candidates.

    A single one is in brackets. With --counts, below the grid, how many solutions have each value of a cell with
    several; and `at least` where not all solutions were counted. Every solution that shows a value is checked against
    the rules, and that there are no other values is proved by the method.

    With --prove a folder shows it to anybody: solutions that have each value printed, and a proof that no solution has
    another; it is checked at once, and with --check at any time (docs/certificates.md).

    With --csv there is a line for each cell and value. The exit status is 1 where a puzzle has no solution, and 3 where
    it is not proved that there are no other values.
    """
    from sudoku_encode.methods.calls import find
    from sudoku_encode.questions.asking import candidates_each
    from sudoku_encode.questions.candidates import refused

    form = options.record_form(as_json, as_csv, None if to == "text" else to)
    form = to if form == "text" else form
    if colour == "always" and form != "text":
        raise SudokuError("--colour is for text")
    if reason := refused(find(method)):
        raise SudokuError(reason)
    if form in DRAWINGS:
        refuse_terminal(form)
    source, outcome = PuzzleInput(given), Outcome()
    printer = _Printer(source, outcome, form, method, counts, form == "text" and in_colour(colour))
    if check is not None:
        if given.puzzles or given.board or counts or prove or method != "auto" or solver.options().chosen:
            raise SudokuError("--check takes a folder, and no puzzle or method: the folder has its own puzzle")
        raise typer.Exit(_check(check, limits.limits(), printer))
    if prove is not None and (counts or not find(method).lists):
        what = "the numbers of --counts" if counts else f"what method {method} counts and does not list"
        raise SudokuError(f"--prove certifies solutions that have each value, not {what}")

    pool = work.pool()

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, Answer]]":
        if prove is not None:
            yield from _certified(puzzles, Path(prove), source, limits.limits(), printer, solver, pool)
            return
        found = candidates_each(puzzles, method, limits.limits(), solver.options(), counts, printer.observe, pool)
        for item, answer, seconds in found:
            yield item, (answer, seconds)

    if form == "csv":
        print(",".join([*FIRST_KEYS, "cell", "value", "count", "complete", "reason"]))
    with progress("looking for candidates ...", total=source.total) as shown:
        for one, answer in source.answered(ask):
            shown.hide()
            printer.show(one, answer)
            shown.advance(1)
            sys.stdout.flush()
    raise typer.Exit(outcome.status(source))


def _certified(
    puzzles: "Iterator[Numbered]",
    folder: Path,
    source: PuzzleInput,
    limits: "Limits",
    printer: "_Printer",
    solver: options.SolverOptions,
    pool: "Pool",
) -> "Iterator[tuple[Numbered, Answer]]":
    """Yield the answers for puzzles, each certified in a folder."""
    from sudoku_encode.api.candidates import certified_each
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving.folder import WRITTEN
    from sudoku_encode.storage.outputs import refuse_inputs

    def folder_of(number: int) -> Path:
        return folder / str(number) if source.many else folder

    def numbered() -> "Iterator[Numbered]":
        for number, puzzle in puzzles:
            refuse_inputs(source.inputs, *(folder_of(number) / name for name in WRITTEN))
            yield number, puzzle

    found = certified_each(
        *(numbered(), folder_of, printer.method, limits, solver.options()),
        on_event=printer.observe,
        pool=pool,
    )
    for item, answer, seconds in found:
        if not isinstance(answer, StoppedError) and answer[1] is not None:
            printer.proved[item[0]] = str(folder_of(item[0])), answer[1]
        yield item, (answer if isinstance(answer, StoppedError) else answer[0], seconds)


def _check(folder: str, limits: "Limits", printer: "_Printer") -> int:
    """Check a certificate that is there, print what it proves, and return the exit status."""
    import numpy as np

    from sudoku_encode.api.candidates import check_candidates
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import Entry, Located
    from sudoku_encode.proving import CertificateError
    from sudoku_encode.questions.candidates import TrueCandidates

    place = Place(folder)
    try:
        with progress("checking ..."):
            found = check_candidates(folder, limits=limits)
    except (CertificateError, StoppedError) as reason:
        word = "refused" if isinstance(reason, CertificateError) else stopped_status(str(reason))
        record = place.record(word) | {"candidates": None, "complete": False, "reason": str(reason), "chosen": []}
        print(json.dumps(record) if printer.form == "json" else word)
        remark(f"{word}: {reason}")
        return 1 if word == "refused" else 3
    nothing = np.zeros((0, found.puzzle.geometry.n_cells), np.uint8)
    printer.proved[1] = folder, found
    known = TrueCandidates(found.puzzle, found.seen, True, "", nothing, "")
    printer.show(Located(1, folder, Entry(found.puzzle, None)), (known, found.seconds))
    return printer.outcome.status(printer.source)


class _Printer:
    """Prints the answers.

    Args:
        source: where the puzzles are from.
        outcome: takes what the exit status depends on.
        form: `json`, `csv` or a key of DRAWINGS.
        method: the method that was named.
        counts: whether shares were wanted.
        coloured: whether text has colours.
    """

    def __init__(
        self, source: PuzzleInput, outcome: Outcome, form: str, method: str, counts: bool, coloured: bool
    ) -> None:
        self.source, self.outcome, self.form, self.method = source, outcome, form, method
        self.counts, self.coloured = counts, coloured
        self._chosen: dict[int, list[str]] = {}
        # By the number of the puzzle the folder of a certificate, and what it proves.
        self.proved: dict[int, tuple[str, CheckedCandidates]] = {}

    def observe(self, item: "Numbered", event: Event) -> None:
        """Note what was chosen; pass on what else happens."""
        if not isinstance(event, MethodChosen):
            emit(event)
            return
        self._chosen.setdefault(item[0], []).append(str(event))
        if not self.source.many and not event.method.startswith("search"):
            remark(f"by {event}")

    def show(self, one: "Located", answer: "Answer | None") -> None:
        """Print the answer for a puzzle, or what is wrong with it."""
        from sudoku_encode.questions.candidates import TrueCandidates

        found, seconds = answer if answer is not None else (None, None)
        status, reason = _status(one, found)
        self.outcome.note_status(status)
        if reason and found is not None:
            word = "no solution" if status == "no solution" else "stopped"
            remark(f"{prefix(one.number, self.source)}{word}: {reason}")
        by = None if found is None else self.method
        if isinstance(found, TrueCandidates):
            by = found.method or None
        record = one.place.record(status, by, seconds)
        known = found if isinstance(found, TrueCandidates) else None
        certificate: dict[str, Any] = {}
        if proved := self.proved.pop(one.number, None):
            folder, checked = proved
            by = " and ".join(checked.checkers)
            certificate = {"folder": folder, "lemmas": checked.lemmas, "checkers": list(checked.checkers)}
            remark(f"{folder}: {checked.n_witnesses} solutions, {checked.lemmas} lemmas; checked by {by}")
        if self.form == "json":
            fields = self._fields(known, reason) | certificate | {"chosen": self._chosen.pop(one.number, [])}
            print(json.dumps(record | fields))
        elif self.form == "csv":
            self._rows(record, known, reason)
        elif known is None or not known.seen.any():
            if self.source.many or status == "no solution":
                print(f"# puzzle {one.number}: {status}{f': {reason}' if reason else ''}")
        elif self.form != "text":
            self._picture(known)
        else:
            if self.source.many:
                print(f"# puzzle {one.number}{': ' + known.puzzle.name if known.puzzle.name else ''}")
            print(drawing(known, self.coloured))

    def _fields(self, found: "TrueCandidates | None", reason: str) -> dict[str, Any]:
        """Return the fields of a record after its first keys."""
        cells = None if found is None else range(found.puzzle.geometry.n_cells)
        fields: dict[str, Any] = {
            "candidates": None if found is None else [found.values(cell) for cell in cells or ()],
            "complete": found is not None and found.complete,
        }
        if self.counts:
            fields["total"] = None if found is None or found.total is None else found.total.value
            fields["counts"] = None
            if found is not None and found.shares is not None:
                fields["counts"] = [
                    [int(found.shares[cell, value - 1]) for value in found.values(cell)] for cell in cells or ()
                ]
        return fields | {"reason": reason or None}

    def _rows(self, record: dict[str, Any], found: "TrueCandidates | None", reason: str) -> None:
        """Print a line for each cell and value; one without these where there is none."""
        complete = found is not None and found.complete
        if found is None or not found.seen.any():
            print(row([*record.values(), None, None, None, complete, reason or None]))
            return
        for cell in range(found.puzzle.geometry.n_cells):
            name = found.puzzle.geometry.cell_name(cell)
            for value in found.values(cell):
                share = None if found.shares is None else int(found.shares[cell, value - 1])
                print(row([*record.values(), name, value, share, complete, reason or None]))

    def _picture(self, found: "TrueCandidates") -> None:
        from sudoku_encode.api.drawn import picture_of_candidates

        put(picture_of_candidates(found), self.form, self.source.many)


def _status(one: "Located", found: "TrueCandidates | StoppedError | None") -> tuple[str, str]:
    """Return a word for what is known of a puzzle, and a reason if there is one."""
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.questions.candidates import TrueCandidates

    puzzle = one.entry.found
    if found is None or not isinstance(puzzle, Puzzle):
        return "bad input", str(getattr(puzzle, "message", ""))
    if not isinstance(found, TrueCandidates):
        return stopped_status(str(found)), str(found)
    if not found.complete:
        return stopped_status(found.stopped), found.stopped
    if not found.seen.any():
        return "no solution", why_none(puzzle).removeprefix(": ")
    return "unique" if (found.seen.sum(axis=1) == 1).all() else "several", ""
