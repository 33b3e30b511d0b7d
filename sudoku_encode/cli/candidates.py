"""The command candidates: the values of each cell in the solutions."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.pictures import COLOURS, drawing, in_colour, put, refuse_terminal
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import Outcome, PuzzleInput, no_solution_reason
from sudoku_encode.cli.records import row, stopped_status
from sudoku_encode.cli.streams import remark
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats.place import FIRST_KEYS, Place
from sudoku_encode.render.table import DRAWINGS
from sudoku_encode.run.events import Event, MethodChosen, emit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.methods.limited_calls import Numbered
    from sudoku_encode.proving.candidates import CheckedCandidates
    from sudoku_encode.questions.true_candidates import TrueCandidates
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.run.pools import Pool

    # The candidates, or the error that stopped the search, and the seconds.
    TimedAnswer = tuple[TrueCandidates | StoppedError, float]


def command(
    given: options.PuzzleOptions,
    *,
    method: options.AutoMethod = "auto",
    counts: Annotated[
        bool,
        typer.Option("--counts", help="Count for each cell and value the solutions with it."),
    ] = False,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    to: Annotated[
        str, typer.Option(help="The form of the output: text or a picture.", **options.one_of(DRAWINGS))
    ] = "text",
    colour: Annotated[
        str,
        typer.Option(
            "--colour",
            help="Colour values in text by their share of the solutions; auto does so on a terminal.",
            **options.one_of(COLOURS),
        ),
    ] = "auto",
    prove: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Write a certificate of the output to a folder (for many puzzles to a folder each), and check it.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Check a certificate, trusting nothing in it, and print it.", show_default=False
        ),
    ] = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    work: options.WorkOptions,
) -> None:
    """Print the true candidates of each cell of each puzzle: the values that it has in some solution.

    The exit status is 1 if a puzzle has no solution, and 3 if it is not proved that there are no other values.

    Details:

    A single value is in brackets. With --counts, the lines below the grid list the number of solutions for each value
    of a cell with several values, or `at least` if not all solutions were counted. For each value a solution is checked
    against the rules, and the method proves that there are no other values.

    With --prove a folder shows this to anybody: it contains solutions with each printed value, and a proof that no
    solution has another value. It is checked at once, and with --check at any time (docs/certificates.md).

    With --csv there is a line for each cell and value.
    """
    from sudoku_encode.methods.calls import find_method
    from sudoku_encode.questions.true_candidates import candidates_each, unsupported_reason

    form = options.record_form(as_json, as_csv, None if to == "text" else to)
    form = to if form == "text" else form
    if colour == "always" and form != "text":
        raise SudokuError("--colour is only for text")
    if reason := unsupported_reason(find_method(method)):
        raise SudokuError(reason)
    if form in DRAWINGS:
        refuse_terminal(form)
    source, outcome = PuzzleInput(given), Outcome()
    printer = _Printer(source, outcome, form, method, counts, form == "text" and in_colour(colour))
    if check is not None:
        if given.puzzles or given.board or counts or prove or method != "auto" or solver.options().chosen:
            raise SudokuError("--check takes a folder, but no puzzle or method: the folder contains the puzzle")
        raise typer.Exit(_check(check, limits.limits(), printer))
    if prove is not None and (counts or not find_method(method).lists):
        excluded = "the numbers of --counts" if counts else f"the answers of method {method}, which only counts"
        raise SudokuError(f"--prove certifies solutions with each value, not {excluded}")

    pool = work.pool()

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, TimedAnswer]]":
        if prove is not None:
            yield from _certified(puzzles, Path(prove), source, limits.limits(), printer, solver, pool)
            return
        answer = candidates_each(puzzles, method, limits.limits(), solver.options(), counts, printer.observe, pool)
        for item, timed, seconds in answer:
            yield item, (timed, seconds)

    if form == "csv":
        print(",".join([*FIRST_KEYS, "cell", "value", "count", "complete", "reason"]))
    with progress("looking for candidates ...", total=source.total) as shown:
        for item, timed in source.answered(ask):
            shown.hide()
            printer.show(item, timed)
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
) -> "Iterator[tuple[Numbered, TimedAnswer]]":
    """Yield the answers for puzzles, with a certificate of each in a folder."""
    from sudoku_encode.api.evidence import certified_each
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving.folder import WRITTEN
    from sudoku_encode.storage.outputs import refuse_inputs

    def folder_of(number: int) -> Path:
        return folder / str(number) if source.many else folder

    def numbered() -> "Iterator[Numbered]":
        for number, puzzle in puzzles:
            refuse_inputs(source.inputs, *(folder_of(number) / name for name in WRITTEN))
            yield number, puzzle

    answer = certified_each(
        numbered(),
        folder_of,
        printer.method,
        limits,
        solver.options(),
        on_event=printer.observe,
        pool=pool,
    )
    for item, timed, seconds in answer:
        if not isinstance(timed, StoppedError) and timed[1] is not None:
            printer.proved[item[0]] = str(folder_of(item[0])), timed[1]
        yield item, (timed if isinstance(timed, StoppedError) else timed[0], seconds)


def _check(folder: str, limits: "Limits", printer: "_Printer") -> int:
    """Check a certificate, print the proved candidates, and return the exit status."""
    import numpy as np

    from sudoku_encode.api.evidence import check_candidates
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import Entry, SourceItem
    from sudoku_encode.proving import CertificateError
    from sudoku_encode.questions.true_candidates import TrueCandidates

    place = Place(folder)
    try:
        with progress("checking ..."):
            answer = check_candidates(folder, limits=limits)
    except (CertificateError, StoppedError) as reason:
        word = "refused" if isinstance(reason, CertificateError) else stopped_status(str(reason))
        record = place.record(word) | {"candidates": None, "complete": False, "reason": str(reason), "chosen": []}
        print(json.dumps(record) if printer.form == "json" else word)
        remark(f"{word}: {reason}")
        return 1 if word == "refused" else 3
    nothing = np.zeros((0, answer.puzzle.geometry.n_cells), np.uint8)
    printer.proved[1] = folder, answer
    candidates = TrueCandidates(answer.puzzle, answer.seen, True, "", nothing, "")
    printer.show(SourceItem(1, folder, Entry(answer.puzzle, None)), (candidates, answer.seconds))
    return printer.outcome.status(printer.source)


class _Printer:
    """Prints the answers.

    Args:
        source: where the puzzles are from.
        outcome: collects statuses for the exit status.
        form: `json`, `csv` or a key of DRAWINGS.
        method: the given method.
        counts: whether --counts is given.
        coloured: whether to colour text.
    """

    def __init__(
        self, source: PuzzleInput, outcome: Outcome, form: str, method: str, counts: bool, coloured: bool
    ) -> None:
        self.source, self.outcome, self.form, self.method = source, outcome, form, method
        self.counts, self.coloured = counts, coloured
        self._chosen: dict[int, list[str]] = {}
        # The folder of a certificate and its checked candidates, by the number of the puzzle.
        self.proved: dict[int, tuple[str, CheckedCandidates]] = {}

    def observe(self, item: "Numbered", event: Event) -> None:
        """Note chosen methods; emit other events."""
        if not isinstance(event, MethodChosen):
            emit(event)
            return
        self._chosen.setdefault(item[0], []).append(str(event))
        if not self.source.many and not event.method.startswith("search"):
            remark(f"by {event}")

    def show(self, item: "SourceItem", timed: "TimedAnswer | None") -> None:
        """Print the answer for a puzzle, or the error in it."""
        from sudoku_encode.questions.true_candidates import TrueCandidates

        answer, seconds = timed if timed is not None else (None, None)
        status, reason = _status(item, answer)
        self.outcome.note_status(status)
        if reason and answer is not None:
            word = "no solution" if status == "no solution" else "stopped"
            remark(f"{prefix(item.number, self.source)}{word}: {reason}")
        by = None if answer is None else self.method
        if isinstance(answer, TrueCandidates):
            by = answer.method or None
        record = item.place.record(status, by, seconds)
        candidates = answer if isinstance(answer, TrueCandidates) else None
        certificate: dict[str, Any] = {}
        if proved := self.proved.pop(item.number, None):
            folder, checked = proved
            by = " and ".join(checked.checkers)
            certificate = {"folder": folder, "lemmas": checked.lemmas, "checkers": list(checked.checkers)}
            remark(f"{folder}: {checked.n_witnesses} solutions, {checked.lemmas} lemmas; checked by {by}")
        if self.form == "json":
            fields = self._fields(candidates, reason) | certificate | {"chosen": self._chosen.pop(item.number, [])}
            print(json.dumps(record | fields))
        elif self.form == "csv":
            self._rows(record, candidates, reason)
        elif candidates is None or not candidates.seen.any():
            if self.source.many or status == "no solution":
                print(f"# puzzle {item.number}: {status}{f': {reason}' if reason else ''}")
        elif self.form != "text":
            self._picture(candidates)
        else:
            if self.source.many:
                print(f"# puzzle {item.number}{': ' + candidates.puzzle.name if candidates.puzzle.name else ''}")
            print(drawing(candidates, self.coloured))

    def _fields(self, candidates: "TrueCandidates | None", reason: str) -> dict[str, Any]:
        """Return the fields of a record after its first keys."""
        cells = None if candidates is None else range(candidates.puzzle.geometry.n_cells)
        shown = [] if candidates is None else candidates.puzzle.geometry.numbers
        fields: dict[str, Any] = {
            "candidates": candidates and [[shown[one] for one in candidates.values(cell)] for cell in cells or ()],
            "complete": candidates is not None and candidates.complete,
        }
        if self.counts:
            fields["total"] = None if candidates is None or candidates.total is None else candidates.total.value
            fields["counts"] = None
            if candidates is not None and candidates.shares is not None:
                fields["counts"] = [
                    [int(candidates.shares[cell, value - 1]) for value in candidates.values(cell)]
                    for cell in cells or ()
                ]
        return fields | {"reason": reason or None}

    def _rows(self, record: dict[str, Any], candidates: "TrueCandidates | None", reason: str) -> None:
        """Print a line for each cell and value, or a single line without these if there are no values."""
        complete = candidates is not None and candidates.complete
        if candidates is None or not candidates.seen.any():
            print(row([*record.values(), None, None, None, complete, reason or None]))
            return
        board = candidates.puzzle.geometry
        for cell in range(board.n_cells):
            name = board.cell_name(cell)
            for value in candidates.values(cell):
                share = None if candidates.shares is None else int(candidates.shares[cell, value - 1])
                print(row([*record.values(), name, board.numbers[value], share, complete, reason or None]))

    def _picture(self, candidates: "TrueCandidates") -> None:
        from sudoku_encode.api.drawing import picture_of_candidates

        put(picture_of_candidates(candidates), self.form, self.source.many)


def _status(item: "SourceItem", answer: "TrueCandidates | StoppedError | None") -> tuple[str, str]:
    """Return the status of a puzzle, and its reason if there is one."""
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.questions.true_candidates import TrueCandidates

    puzzle = item.entry.content
    if answer is None or not isinstance(puzzle, Puzzle):
        return "bad input", str(getattr(puzzle, "message", ""))
    if not isinstance(answer, TrueCandidates):
        return stopped_status(str(answer)), str(answer)
    if not answer.complete:
        return stopped_status(answer.stopped), answer.stopped
    if not answer.seen.any():
        return "no solution", no_solution_reason(puzzle).removeprefix(": ")
    return "unique" if (answer.seen.sum(axis=1) == 1).all() else "several", ""
