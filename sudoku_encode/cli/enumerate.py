"""The command enumerate: all solutions."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome, total
from sudoku_encode.cli.printing import Printer, Shown, prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import SudokuError
from sudoku_encode.run.events import Chose, Event, Found, emit
from sudoku_encode.storage.outputs import refuse_inputs, special

if TYPE_CHECKING:
    from sudoku_encode.methods.asking import Numbered
    from sudoku_encode.methods.question import Question
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.run.counting import Count
    from sudoku_encode.storage.listing import Listing


def command(
    given: options.PuzzleOptions,
    *,
    method: options.AutoMethod = "auto",
    limit: options.Limit = None,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    to_file: options.OutputOptions,
    work: options.WorkOptions,
) -> None:
    """Print all solutions of each puzzle, each once, as they are found; standard error says whether that was all.

    A file that is written with -o is called FILE.part until the run ends; its last line says whether it is complete.
    A run that was killed goes on with --resume, with the same puzzles and options.

    The exit status is 3 when it is not proved that there are no more, because of a limit, a time limit, Ctrl-C or a
    full disk.
    """
    from sudoku_encode.methods.question import Question
    from sudoku_encode.run.counting import INTERRUPTED
    from sudoku_encode.storage.listing import Listing

    source, outcome = PuzzleInput(given), Outcome()
    refuse_inputs(source.inputs, to_file.output, f"{to_file.output}.part")
    with _opened(to_file.output, to_file.resume) as listing:
        printer = Printer(to, as_json, listing.put)
        question = Question(method, limits.limits(limit), solver.options(), processes=work.at_a_time())
        for number, puzzle, counted in list_all(source, question, printer, to_file.output != "-"):
            comment = to in (None, "line") and not as_json
            known = _write_verdict(listing, counted, puzzle, comment) if isinstance(listing, Listing) else counted
            outcome.note(known)
            remark(f"{prefix(number, source)}{total(known, puzzle)}")
            if isinstance(listing, Listing) and (listing.failed or (listing.bytes_to_compare and not known.complete)):
                outcome.incomplete = True
                if listing.advice:
                    remark(listing.advice)
                break
            if counted.stopped == INTERRUPTED:
                break
        else:
            if isinstance(listing, Listing) and not source.bad:
                listing.expect_no_more()
    raise typer.Exit(outcome.status(source))


def _write_verdict(listing: "Listing", counted: "Count", puzzle: "Puzzle", comment: bool) -> "Count":
    """Write below the solutions of a puzzle how many there are, unless the file lacks some; return what it holds."""
    from sudoku_encode.errors import Stopped

    if listing.failed or (listing.bytes_to_compare and not counted.complete):
        return counted
    try:
        if comment:
            listing.put(f"# {total(counted, puzzle)}\n".encode())
        listing.check()
    except Stopped as reason:
        # Some solutions may be missing in the file.
        return replace(counted, complete=False, stopped=str(reason))
    return counted


def _opened(output: str, resume: bool) -> AbstractContextManager[Any]:
    """Open where solutions go: a file that can be resumed, or a stream, which cannot."""
    from sudoku_encode.storage.files import SUFFIXES, writing
    from sudoku_encode.storage.listing import Listing

    path = Path(output)
    if output == "-" or special(path) or path.suffix in SUFFIXES:
        if resume:
            raise SudokuError(f"--resume needs a plain file after -o, not {output}")
        return _stream(writing(output))
    return Listing(path, resume)


@contextmanager
def _stream(opened: AbstractContextManager[Any]) -> "Iterator[Any]":
    with opened as put:
        yield SimpleNamespace(put=put)


def list_all(
    source: PuzzleInput, question: "Question", printer: Printer, to_file: bool
) -> "Iterator[tuple[int, Puzzle, Count]]":
    """Write all solutions of each puzzle, and yield how many were written; for a file, show the progress.

    Args:
        source: the puzzles.
        question: by which method, within which limits, and how many puzzles at a time.
        printer: where they go.
        to_file: whether that is a file.
    """
    from sudoku_encode.methods.asking import list_each
    from sudoku_encode.run.interrupts import uninterrupted

    written = 0

    def observe(item: "Numbered", event: Event) -> None:
        nonlocal written
        if isinstance(event, Chose):
            remark(f"by {event}")
        elif not isinstance(event, Found):
            emit(event)
        else:
            # Ctrl-C between the two would leave a number in the file that is not that of its solutions.
            with uninterrupted() if to_file else nullcontext():
                printer.grids(*item, event.grids)
                written += len(event.grids)
            if not to_file:
                sys.stdout.flush()

    asked = question.method, question.limits, question.options, observe, to_file, question.processes
    with progress("searching ...", total=source.total) if to_file else nullcontext(Shown()) as shown:
        for (number, puzzle), counted, _ in list_each(source.puzzles(), *asked):
            # After Ctrl-C the number that was written may differ from the number that was found.
            yield number, puzzle, replace(counted, value=written)
            written = 0
            shown.advance(1)
